import { latin1 } from './pdf-bytes.ts'
import { nodeInflate } from './pdf-cipher-node.ts'
import { PdfError } from './pdf-parser.ts'
import { arrayAt, dictionaryAt, openPdf, type Pdf } from './pdf-read.ts'
import {
  isDictionary,
  isReference,
  pdfDictionary,
  pdfReference,
  type PdfDictionary,
  type PdfValue,
} from './pdf-value.ts'
import { appendIncrement, nextNumber, type NewObject } from './pdf-write.ts'

/** What proves that certificates were good, all in DER: certificates of the path, OCSP responses, revocation lists. */
export type ValidationData = { certificates: Uint8Array[]; ocsps: Uint8Array[]; crls: Uint8Array[] }

const keys = { certificates: 'Certs', ocsps: 'OCSPs', crls: 'CRLs' } as const
const kinds = ['certificates', 'ocsps', 'crls'] as const

/**
 * Appends a document security store (EN 319 142-1 §5.4.2), which makes level B-LT of a signature of level B-T; what is
 * in one already stays. Throws PdfError for a file that cannot be read.
 */
export function appendValidationData(file: Uint8Array | Pdf, data: ValidationData) {
  const pdf = file instanceof Uint8Array ? openPdf(file, { inflate: nodeInflate }) : file
  const root = pdf.trailer.get('Root')
  const catalog = dictionaryAt(pdf, pdf.trailer, 'Root')
  if (!isReference(root)) throw new PdfError('The trailer does not lead to a catalog')
  const held = pdf.resolve(catalog.get('DSS'))
  const store: PdfDictionary = new Map(isDictionary(held) ? held : [])
  const known = new Set(Object.values(readValidationData(pdf)).flatMap((all) => all.map((der) => latin1(der))))
  const objects: NewObject[] = []
  let number = nextNumber(pdf)
  for (const kind of kinds) {
    const fresh = data[kind].filter((der) => !known.has(latin1(der)) && known.add(latin1(der)))
    const references = fresh.map((der) => {
      const reference = pdfReference(number++)
      objects.push({ reference, value: pdfDictionary({ Length: der.length }), data: der })
      return reference
    })
    const list = [...arrayAt(pdf, store, keys[kind]), ...references]
    if (list.length > 0) store.set(keys[kind], list)
  }
  const reference = pdfReference(number)
  objects.push({ reference, value: store }, { reference: root, value: new Map(catalog).set('DSS', reference) })
  return appendIncrement(pdf, objects).bytes
}

const most = 200

/** What a file's store holds; a store that is damaged is an empty one, since all it can do is prove something. */
export function readValidationData(pdf: Pdf): ValidationData {
  const data: ValidationData = { certificates: [], ocsps: [], crls: [] }
  try {
    const store = pdf.resolve(dictionaryAt(pdf, pdf.trailer, 'Root').get('DSS'))
    if (!isDictionary(store)) return data
    for (const kind of kinds)
      for (const item of arrayAt(pdf, store, keys[kind]).slice(0, most)) data[kind].push(...streamOf(pdf, item))
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
  }
  return data
}

function streamOf(pdf: Pdf, item: PdfValue) {
  const object = isReference(item) ? pdf.object(item.number) : undefined
  if (!object?.data) return []
  const { data, rest } = pdf.decode(object)
  return rest.length > 0 ? [] : [data]
}
