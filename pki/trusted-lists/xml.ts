import { DOMParser } from '@xmldom/xmldom'

export type TrustedListProblem =
  | 'too-large'
  /** Not well-formed XML, or not UTF-8. */
  | 'not-xml'
  /** A document type could declare entities, so none is read. */
  | 'document-type'
  /** The signature is missing, is not one enveloped XAdES signature of the whole list, or uses an unsupported algorithm. */
  | 'signature-format'
  | 'signature-invalid'
  /** Signed with a certificate that was not named for the list. */
  | 'other-signer'
  /** The signed document is not a trusted list of version 5 or 6. */
  | 'not-a-list'
  /** A list of another kind or country than requested. */
  | 'other-list'
  /** A list whose next update is in the past. */
  | 'expired'

export class TrustedListError extends Error {
  readonly code: TrustedListProblem
  constructor(code: TrustedListProblem, detail: string) {
    super(detail)
    this.name = 'TrustedListError'
    this.code = code
  }
}

/** Decodes an XML file in UTF-8, the only encoding of trusted lists (ETSI TS 119 612 §5.1.3). */
export function xmlText(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.length > maxBytes) throw new TrustedListError('too-large', `more than ${maxBytes} bytes`)
  let text
  try {
    // Without the byte order mark. An encoding that the file declares is not considered.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new TrustedListError('not-xml', 'not in UTF-8')
  }
  if (/<!doctype/i.test(text)) throw new TrustedListError('document-type', 'a document type')
  return text
}

/** A character that XML 1.0 does not allow (§2.2). */
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u
/** Lists have some 15 levels. */
const deepest = 100

/**
 * Parses a document and returns its root. Refuses what the parser reports, text at the start and the end of the file, characters that XML
 * does not allow, and too many levels. The parser accepts some input that is not well-formed, such as text next to a comment or some
 * mismatched tags; this is harmless, because only the signed canonical form of the parsed document counts.
 */
export function parseXml(text: string): Element {
  const refuse = (detail: string) => {
    throw new TrustedListError('not-xml', detail.slice(0, 200))
  }
  if (forbidden.test(text)) refuse('a forbidden character')
  const around = text.slice(0, text.indexOf('<')) + text.slice(text.lastIndexOf('>') + 1)
  if (!/^[ \t\r\n]*$/.test(around)) refuse('text around the root')
  const parser = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } })
  const document = parser.parseFromString(text, 'text/xml')
  const roots = Array.from(document.childNodes).filter(isElement)
  const [root] = roots
  if (!root || roots.length !== 1) throw new TrustedListError('not-xml', 'not one root')
  let level = roots
  for (let depth = 1; level.length; depth += 1) {
    if (depth > deepest) refuse('too many levels')
    level = level.flatMap((element) => Array.from(element.childNodes).filter(isElement))
  }
  return root
}

const isElement = (node: Node): node is Element => node.nodeType === 1

export const childrenOf = (element: Element | undefined, namespace: string, name: string): Element[] =>
  Array.from(element?.childNodes ?? [])
    .filter(isElement)
    .filter(({ namespaceURI, localName }) => namespaceURI === namespace && localName === name)

/** Returns the descendants on a path of names, all in one namespace. */
export const allAt = (element: Element | undefined, namespace: string, ...names: string[]): Element[] =>
  names.reduce<Element[]>(
    (found, name) => found.flatMap((parent) => childrenOf(parent, namespace, name)),
    element ? [element] : [],
  )

export const firstAt = (element: Element | undefined, namespace: string, ...names: string[]): Element | undefined =>
  allAt(element, namespace, ...names)[0]

export const textOf = (element: Element | undefined): string => element?.textContent?.trim() ?? ''
