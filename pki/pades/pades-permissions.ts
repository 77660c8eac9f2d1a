import type { CheckedSignature } from './pades-signature.ts'
import { signaturesOf, type FoundSignature } from '../pdf/pdf-signature-fields.ts'
import { arrayAt, type Pdf } from '../pdf/pdf-read.ts'
import { isDictionary, isName, type PdfDictionary } from '../pdf/pdf-value.ts'

/**
 * Refuses signatures that an earlier one does not permit (R102): a certification with P=1 (ISO 32000-2 §12.8.2.2), or a
 * field lock (table 236). Document timestamps and validation data are always permitted; pdf-changes.ts judges changes
 * other than signatures.
 */
export function judgePermissions(pdf: Pdf, checked: CheckedSignature[]): void {
  const signatures = checked.filter(({ report }) => report.kind === 'signature')
  for (const [index, { found, report }] of signatures.entries()) {
    // They are in the order of their coverage, and those that cover nothing are last.
    if (index === signatures.length - 1 || !permitsNothing(pdf, found)) continue
    const detail = 'the document was certified without permission for later signatures'
    report.problems.push({ code: 'changed-after-signing', severity: 'refuse', detail })
  }
}

/** Whether the signatures of a file permit another one: neither a certification nor a field lock forbids it. */
export const permitsSignature = (pdf: Pdf): boolean => !signaturesOf(pdf).some((found) => permitsNothing(pdf, found))

function permitsNothing(pdf: Pdf, { dictionary, fields }: FoundSignature): boolean {
  const certifications = dictionary ? certificationsOf(pdf, dictionary) : []
  const locks = fields.map((field) => pdf.resolve(field.dictionary.get('Lock'))).filter(isDictionary)
  return [...certifications, ...locks].some((parameters) => {
    // 2 if /P is absent; an unknown value permits nothing.
    const permission = pdf.resolve(parameters.get('P')) ?? 2
    return permission !== 2 && permission !== 3
  })
}

function certificationsOf(pdf: Pdf, dictionary: PdfDictionary): PdfDictionary[] {
  return arrayAt(pdf, dictionary, 'Reference')
    .map((item) => pdf.resolve(item))
    .filter(isDictionary)
    .filter((reference) => isName(pdf.resolve(reference.get('TransformMethod')), 'DocMDP'))
    .map((reference) => pdf.resolve(reference.get('TransformParams')))
    .filter(isDictionary)
}
