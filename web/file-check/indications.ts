import { isSuspended } from '../../pki/asn1/suspended-status.ts'
import type { SignatureProblem, SignatureReport } from '../../pki/pades/pades-report.ts'
import { isAuthorityRevoked, seriousProblems, standingOf } from './file-report.ts'

/** The indication and sub-indication of ETSI EN 319 102-1 (tables 5 and 6) for each problem that counts. */
const indications: Record<SignatureProblem, string> = {
  'signature-damaged': 'TOTAL-FAILED / FORMAT_FAILURE',
  'signature-format': 'INDETERMINATE / GENERIC',
  'byte-range-malformed': 'TOTAL-FAILED / FORMAT_FAILURE',
  'byte-range-gap': 'TOTAL-FAILED / FORMAT_FAILURE',
  'byte-range-partial': 'TOTAL-FAILED / FORMAT_FAILURE',
  'signature-replaced': 'TOTAL-FAILED / FORMAT_FAILURE',
  'changed-after-signing': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  'timestamp-invalid': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  'signing-certificate-missing': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  'signing-certificate-weak': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  revoked: 'INDETERMINATE / REVOKED_NO_POE',
  'revocation-unknown': 'INDETERMINATE / TRY_LATER',
  'not-qualified': 'INDETERMINATE / CHAIN_CONSTRAINTS_FAILURE',
  'key-usage': 'INDETERMINATE / CHAIN_CONSTRAINTS_FAILURE',
  'other-signer': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  padding: 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  'shared-field': 'TOTAL-FAILED / FORMAT_FAILURE',
  'large-field': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  'path-untrusted': 'INDETERMINATE / NO_CERTIFICATE_CHAIN_FOUND',
  'path-expired': 'INDETERMINATE / OUT_OF_BOUNDS_NO_POE',
  'path-not-granted': 'INDETERMINATE / NO_CERTIFICATE_CHAIN_FOUND_NO_POE',
  'path-not-authority': 'INDETERMINATE / CHAIN_CONSTRAINTS_FAILURE',
  'path-constrained': 'INDETERMINATE / CHAIN_CONSTRAINTS_FAILURE',
  'path-weak': 'INDETERMINATE / CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  'cms-unreadable': 'TOTAL-FAILED / FORMAT_FAILURE',
  'cms-signers': 'TOTAL-FAILED / FORMAT_FAILURE',
  'cms-content': 'TOTAL-FAILED / FORMAT_FAILURE',
  'cms-no-certificate': 'INDETERMINATE / NO_SIGNING_CERTIFICATE_FOUND',
  'cms-attributes': 'TOTAL-FAILED / FORMAT_FAILURE',
  'cms-bare': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  'cms-digest': 'TOTAL-FAILED / HASH_FAILURE',
  'cms-algorithm': 'INDETERMINATE / CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  'cms-signature': 'TOTAL-FAILED / SIG_CRYPTO_FAILURE',
  'cms-signing-certificate': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
}

/** That of the problem that decides; one that has failed comes before one that is not known. */
export function indicationOf(signature: SignatureReport): string {
  const found = seriousProblems(signature).map((code) => {
    if (code !== 'revoked') return indications[code]
    // §5.2.6: the authority may end a suspension.
    if (isSuspended(signature.revocation)) return indications['revocation-unknown']
    return isAuthorityRevoked(signature) ? 'INDETERMINATE / REVOKED_CA_NO_POE' : indications.revoked
  })
  const [first = 'TOTAL-PASSED'] = [...found.filter((each) => each.startsWith('TOTAL')), ...found]
  return first === 'TOTAL-PASSED' && standingOf(signature) === 'unknown'
    ? 'INDETERMINATE / NO_CERTIFICATE_CHAIN_FOUND'
    : first
}
