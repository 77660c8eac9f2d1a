import { issuedFile } from '../pades/pades-issued.ts'
import type { DocumentReport } from '../pades/pades-report.ts'
import { validatePdf } from '../pades/pades-validate.ts'
import { policyOf } from './pades-authorities.ts'

/** All problems of a report except remarks. */
export const problemsOf = ({ problems, signatures }: Pick<DocumentReport, 'problems' | 'signatures'>) =>
  [...problems, ...signatures.flatMap((signature) => signature.problems)].filter(
    ({ severity }) => severity !== 'remark',
  )

/** The outcome of the validation of a file as a signed form of an issued one. */
export async function outcomeOf(file: Uint8Array, issued: Uint8Array) {
  const report = await validatePdf(file, policyOf({ issued: [issuedFile(issued)] }))
  const details = report.problems.map(({ detail }) => detail)
  return { verdict: report.verdict, match: report.issued, codes: problemsOf(report).map(({ code }) => code), details }
}
