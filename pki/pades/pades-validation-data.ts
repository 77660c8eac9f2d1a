import { latin1 } from '../bytes.ts'
import { PdfError } from '../pdf/pdf-parser.ts'
import { arrayAt, catalogOf, openPdf, type Pdf } from '../pdf/pdf-read.ts'
import {
  isDictionary,
  isReference,
  pdfDictionary,
  pdfReference,
  withEntries,
  type PdfDictionary,
  type PdfValue,
} from '../pdf/pdf-value.ts'
import { appendUpdate, nextNumber, type NewObject } from '../pdf/pdf-write.ts'

/** The proof that certificates were good, in DER: certificates of the path, OCSP responses, revocation lists. */
export type ValidationData = { certificates: Uint8Array[]; ocsps: Uint8Array[]; crls: Uint8Array[] }

const keys = { certificates: 'Certs', ocsps: 'OCSPs', crls: 'CRLs' } as const
const kinds = ['certificates', 'ocsps', 'crls'] as const

/**
 * Appends a document security store (EN 319 142-1 §5.4.2), which raises a signature of level B-T to B-LT; existing entries
 * are kept, but for damaged ones. Throws PdfError for a file that cannot be read.
 */
export function appendValidationData(file: Uint8Array | Pdf, data: ValidationData) {
  const pdf = file instanceof Uint8Array ? openPdf(file) : file
  const root = pdf.trailer.get('Root')
  const catalog = catalogOf(pdf)
  if (!isReference(root)) throw new PdfError('The trailer does not lead to a catalog')
  const store = new Map(storeIn(pdf))
  const known = new Set(Object.values(readValidationData(pdf)).flatMap((all) => all.map((der) => latin1(der))))
  const objects: NewObject[] = []
  let number = nextNumber(pdf)
  for (const kind of kinds) {
    const added = data[kind].filter((der) => !known.has(latin1(der)) && known.add(latin1(der)))
    const references = added.map((der) => {
      const reference = pdfReference(number++)
      objects.push({ reference, value: pdfDictionary({ Length: der.length }), data: der })
      return reference
    })
    const list = [...listIn(pdf, store, kind), ...references]
    if (list.length > 0) store.set(keys[kind], list)
  }
  const reference = pdfReference(number)
  objects.push({ reference, value: store }, { reference: root, value: withEntries(catalog, { DSS: reference }) })
  return appendUpdate(pdf, objects).bytes
}

const most = 200

/** Reads the newest content of a file's document security store, to which updates add. */
export function readValidationData(pdf: Pdf): ValidationData {
  const data: ValidationData = { certificates: [], ocsps: [], crls: [] }
  const store = storeIn(pdf)
  for (const kind of kinds)
    for (const item of listIn(pdf, store, kind).slice(-most))
      data[kind].push(...orWithout(() => streamOf(pdf, item), []))
  return data
}

function storeIn(pdf: Pdf): PdfDictionary {
  const store = orWithout(() => pdf.resolve(catalogOf(pdf).get('DSS')), null)
  return isDictionary(store) ? store : new Map()
}

const listIn = (pdf: Pdf, store: PdfDictionary, kind: (typeof kinds)[number]) =>
  orWithout(() => arrayAt(pdf, store, keys[kind]), [])

/** Returns the value of `read`, or `absent` for a damaged part, because it proves nothing. */
function orWithout<T>(read: () => T, absent: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfError) return absent
    throw error
  }
}

function streamOf(pdf: Pdf, item: PdfValue) {
  const object = isReference(item) ? pdf.object(item.number) : undefined
  if (!object?.data) return []
  const { data, rest } = pdf.decode(object)
  return rest.length > 0 ? [] : [data]
}
