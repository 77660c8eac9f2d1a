import { expect } from 'vitest'
import { bytesOf, latin1 } from '../bytes.ts'
import { issuedFile } from '../pades/pades-issued.ts'
import type { ValidationPolicy, DocumentReport } from '../pades/pades-report.ts'
import { validatePdf } from '../pades/pades-validate.ts'
import { openPdf } from '../pdf/pdf-read.ts'
import { isDictionary, pdfDictionary, pdfName, pdfReference, pdfText, type PdfValue } from '../pdf/pdf-value.ts'
import { appendUpdate, type NewObject } from '../pdf/pdf-write.ts'
import { contractPdf, policyOf, signPdf } from './pades-authorities.ts'

/** Returns all problems of a report except remarks. */
export const problemsOf = ({ problems, signatures }: Pick<DocumentReport, 'problems' | 'signatures'>) =>
  [...problems, ...signatures.flatMap((signature) => signature.problems)].filter(
    ({ severity }) => severity !== 'remark',
  )

/** Validates a file as a signed form of an issued one, and returns the outcome. */
export async function judge(file: Uint8Array, issued: Uint8Array) {
  const report = await validatePdf(file, policyOf({ issued: [issuedFile(issued)] }))
  const details = report.problems.map(({ detail }) => detail)
  return { verdict: report.verdict, match: report.issued, codes: problemsOf(report).map(({ code }) => code), details }
}

/** Returns the codes of all problems for which a file is refused; empty if it is accepted. */
export async function listCodes(file: Uint8Array, changes: Partial<ValidationPolicy> = {}) {
  const report = await validatePdf(file, policyOf(changes))
  const refusals = problemsOf(report).filter(({ severity }) => severity === 'refuse')
  expect(report.verdict === 'accepted').toBe(refusals.length === 0)
  return refusals.map(({ code }) => code)
}

export const plain = contractPdf()
export const signed = signPdf(plain)
export function valueIn(file: Uint8Array, number: number) {
  const value = openPdf(file).object(number)?.value
  return isDictionary(value) ? value : pdfDictionary({})
}
export const append = (file: Uint8Array, ...objects: NewObject[]) => appendUpdate(openPdf(file), objects).bytes
export const changed = (number: number, value: PdfValue, data?: Uint8Array): NewObject => ({
  reference: pdfReference(number),
  value,
  ...(data && { data }),
})
export const withEntry = (file: Uint8Array, number: number, key: string, value: PdfValue) =>
  changed(number, new Map(valueIn(file, number)).set(key, value))
/** Replaces a text with one of the same length, so that offsets stay valid. */
export const replaced = (file: Uint8Array, from: string | RegExp, to: (found: string) => string) =>
  bytesOf(latin1(file).replace(from, (found) => to(found).padEnd(found.length)))

export const money = bytesOf('BT /F1 24 Tf 72 720 Td (Umowa na 900 zl) Tj ET')
export const annotation = (subtype: string) =>
  pdfDictionary({ Type: pdfName('Annot'), Subtype: pdfName(subtype), Rect: [0, 0, 500, 800] })

export const signatureWidget = (entries: Record<string, PdfValue>) =>
  new Map([...annotation('Widget'), ...pdfDictionary({ FT: pdfName('Sig'), T: pdfText('x'), ...entries })])

/** The signed contract's field 9 and object 30 as the list of the form or of the page. */
const withObject30 = [pdfReference(9), pdfReference(30)]
export const fieldsWith30 = withEntry(signed, 6, 'Fields', withObject30)
export const annotationsWith30 = withEntry(signed, 3, 'Annots', withObject30)
