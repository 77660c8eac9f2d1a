import type { ValidationPolicy } from '../../../pki/pades/pades-report.ts'
import { validatePdf } from '../../../pki/pades/pades-validate.ts'
import { policyOf, proof } from '../../../pki/testing/pades-authorities.ts'

/** Judges a file as the page does, with evidence that the certificates were good. */
export function judgeForTest(file: Uint8Array, changes: Partial<ValidationPolicy> = {}) {
  const { ocsps, crls } = proof()
  return validatePdf(
    file,
    policyOf({ qualified: false, revocation: 'required', signingCertificate: 'any', ocsps, crls, ...changes }),
  )
}
