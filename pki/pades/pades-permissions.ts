import { arrayAt, type Pdf } from '../pdf/pdf-read.ts'
import { listFields, findSignatures, type FoundSignature } from '../pdf/pdf-signature-fields.ts'
import { isDictionary, isName, readPdfText, type PdfDictionary } from '../pdf/pdf-value.ts'
import { refusal, type FoundProblem, type ValidationPolicy } from './pades-report.ts'
import type { CheckedSignature } from './pades-signature.ts'

/**
 * Refuses signatures that an earlier one does not permit (R102): a certification with P=1 (ISO 32000-2 §12.8.2.2), or a
 * field lock (table 236). Document timestamps and validation data are always permitted; pdf-changes.ts judges changes
 * other than signatures.
 */
export function permissionProblems(pdf: Pdf, checked: CheckedSignature, all: CheckedSignature[]): FoundProblem[] {
  // Signatures are in the order of their coverage; those that cover nothing are last.
  const last = all.findLast(({ report }) => report.kind === 'signature')
  if (checked.report.kind !== 'signature' || checked === last || !permitsNothing(pdf, checked.found)) return []
  return [refusal('changed-after-signing', 'the document was certified without permission for later signatures')]
}

/**
 * Refuses signatures after which a form was filled in, unless they permit it: an issued document has to stay as it is (R48). Otherwise
 * whoever opens the file is told of it (CHK-4).
 */
export function fillingProblems(
  pdf: Pdf,
  { found, report }: CheckedSignature,
  { issued }: Pick<ValidationPolicy, 'issued'>,
): FoundProblem[] {
  const filled = new Set(report.changes.filter(({ kind }) => kind === 'filling').map(({ object }) => object))
  if (filled.size === 0) return []
  const names = listFields(pdf).flatMap(({ number, name }) => (filled.has(number) ? [name] : []))
  const isOpen = locksOf(pdf, found).every((lock) => leavesOpen(pdf, lock, names))
  if (!issued && !permitsNothing(pdf, found) && isOpen) return []
  return [refusal('changed-after-signing', 'the form was filled in, which the signature does not permit')]
}

/** Checks whether a lock closes none of these fields (ISO 32000-1 tables 233 and 256). */
function leavesOpen(pdf: Pdf, lock: PdfDictionary, names: readonly string[]): boolean {
  const list = pdf.resolve(lock.get('Fields')) ?? []
  if (!Array.isArray(list)) return false
  const listed = new Set(list.map((item) => readPdfText(pdf.resolve(item))))
  const action = pdf.resolve(lock.get('Action'))
  const isNamed = (name: string) => {
    // A field is named with its descendants.
    for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1))
      if (listed.has(name.slice(0, end))) return true
    return false
  }
  if (isName(action, 'Include')) return !names.some(isNamed)
  return isName(action, 'Exclude') && names.every(isNamed)
}

/** Checks whether the signatures of a file permit another one: neither a certification nor a field lock forbids it. */
export const permitsSignature = (pdf: Pdf): boolean => !findSignatures(pdf).some((found) => permitsNothing(pdf, found))

function permitsNothing(pdf: Pdf, { dictionary, fields }: FoundSignature): boolean {
  const certifications = dictionary ? transformsOf(pdf, dictionary, 'DocMDP') : []
  return [...certifications, ...fieldLocksOf(pdf, fields)].some((parameters) => {
    // 2 if /P is absent; an unknown value permits nothing.
    const permission = pdf.resolve(parameters.get('P')) ?? 2
    return permission !== 2 && permission !== 3
  })
}

/** Returns the locks of a signature: those of its own dictionary (FieldMDP) and those of its fields. */
const locksOf = (pdf: Pdf, { dictionary, fields }: FoundSignature) => [
  ...(dictionary ? transformsOf(pdf, dictionary, 'FieldMDP') : []),
  ...fieldLocksOf(pdf, fields),
]

const fieldLocksOf = (pdf: Pdf, fields: FoundSignature['fields']) =>
  fields.map((field) => pdf.resolve(field.dictionary.get('Lock'))).filter(isDictionary)

/** Returns the parameters of a signature's transforms by a method, which define what it permits (ISO 32000-1 §12.8.2). */
function transformsOf(pdf: Pdf, dictionary: PdfDictionary, method: 'DocMDP' | 'FieldMDP'): PdfDictionary[] {
  return arrayAt(pdf, dictionary, 'Reference')
    .map((item) => pdf.resolve(item))
    .filter(isDictionary)
    .filter((reference) => isName(pdf.resolve(reference.get('TransformMethod')), method))
    .map((reference) => pdf.resolve(reference.get('TransformParams')))
    .filter(isDictionary)
}
