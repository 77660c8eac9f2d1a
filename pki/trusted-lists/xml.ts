import { DOMParser } from '@xmldom/xmldom'

export type TrustedListProblem =
  | 'too-large'
  /** Not well-formed XML in UTF-8. */
  | 'not-xml'
  /** A document type could declare entities, so none is read. */
  | 'document-type'
  /** The signature is missing, is not one enveloped XAdES signature of the whole list, or uses an unsupported algorithm. */
  | 'signature-format'
  | 'signature-invalid'
  /** It is signed with a certificate that was not named for it. */
  | 'other-signer'
  /** What is signed is no trusted list of version 5 or 6. */
  | 'not-a-list'
  /** It is a list of another kind or country than asked for. */
  | 'other-list'
  /** Its next update is past. */
  | 'expired'

export class TrustedListError extends Error {
  readonly code: TrustedListProblem
  constructor(code: TrustedListProblem, detail: string) {
    super(detail)
    this.name = 'TrustedListError'
    this.code = code
  }
}

/** The text of an XML file in UTF-8, the only encoding of trusted lists (ETSI TS 119 612 §5.1.3). */
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

/** The root of a document. Unlike the parser alone, it refuses what is not well-formed. */
export function parseXml(text: string): Element {
  const refuse = (detail: string) => {
    throw new TrustedListError('not-xml', detail.slice(0, 200))
  }
  const parser = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } })
  const document = parser.parseFromString(text, 'text/xml')
  const roots = Array.from(document.childNodes).filter(isElement)
  const [root] = roots
  if (!root || roots.length !== 1) throw new TrustedListError('not-xml', 'not one root')
  return root
}

const isElement = (node: Node): node is Element => node.nodeType === 1

/** The children of an element by their namespace and name. */
export const childrenOf = (element: Element | undefined, namespace: string, name: string): Element[] =>
  Array.from(element?.childNodes ?? [])
    .filter(isElement)
    .filter(({ namespaceURI, localName }) => namespaceURI === namespace && localName === name)

/** The descendants that a path of names leads to, all of one namespace. */
export const allAt = (element: Element | undefined, namespace: string, ...names: string[]): Element[] =>
  names.reduce<Element[]>(
    (found, name) => found.flatMap((parent) => childrenOf(parent, namespace, name)),
    element ? [element] : [],
  )

export const firstAt = (element: Element | undefined, namespace: string, ...names: string[]): Element | undefined =>
  allAt(element, namespace, ...names)[0]

export const textOf = (element: Element | undefined): string => element?.textContent?.trim() ?? ''
