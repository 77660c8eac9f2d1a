import type { UploadReport, FileProblem } from '../../contract/document-report.ts'
import type { PageComparison } from '../../pki/pdf/page-comparison.ts'
import { unlessBusy, type PdfWork, type Trust } from '../platform/pdf/pdf-work.ts'
import type { RevocationPort, VerificationPort, VerificationRequest } from '../platform/ports.ts'

/**
 * Creates the adapter for the portal's own validator (pki/pades/pades-validate.ts) in its processes, which have no network. `trust` is read
 * each time, because lists expire. If a file lacks revocation data, they are fetched from the authorities and the file is checked again
 * (R104).
 */
export function verificationBuiltIn(
  pdfWork: Pick<PdfWork, 'check'>,
  trust: () => Promise<Trust>,
  revocation?: RevocationPort,
): VerificationPort {
  async function verify({ file, openIssued, forms, accessCode, signer, receivedAt }: VerificationRequest) {
    const anchors = await trust()
    const check = (more: Pick<Trust, 'ocsps' | 'crls'> = {}) =>
      pdfWork.check({
        file,
        issued: openIssued,
        forms,
        password: accessCode,
        signer,
        receivedAt,
        trust: withMore(anchors, more),
      })
    const { unproven = [], ...first } = await check()
    if (!revocation || !unproven.length || !first.readable || isRefusedExceptRevoked(first.report)) return first
    const { data } = await revocation.collectEvidence(unproven, receivedAt)
    if (!data.ocsps.length && !data.crls.length) return first
    const { unproven: _, ...second } = await check(data)
    return second
  }
  return { verify: (request) => unlessBusy(verify(request), 'busy') }
}

/**
 * Checks whether a file is refused for another reason than a revoked certificate, which may be only suspended and since resumed, as the
 * authority knows (R256).
 */
const isRefusedExceptRevoked = ({ problems, signatures }: UploadReport) =>
  [...problems, ...signatures.flatMap((signature) => signature.problems)].some(
    ({ code, severity }) => severity === 'refuse' && code !== 'revoked',
  )

const withMore = (trust: Trust, { ocsps = [], crls = [] }: Pick<Trust, 'ocsps' | 'crls'>): Trust => ({
  ...trust,
  ocsps: [...(trust.ocsps ?? []), ...ocsps],
  crls: [...(trust.crls ?? []), ...crls],
})

/**
 * Adds a second check after any other (R107): an independent reader compares the accepted file with the issued document. It accepts nothing
 * that was refused and refuses nothing: if the files look different or cannot be compared, the provider decides.
 */
export function verificationCompared(port: VerificationPort, pdfWork: Pick<PdfWork, 'compare'>): VerificationPort {
  return {
    async verify(request) {
      const judged = await port.verify(request)
      if (typeof judged === 'string' || !judged.readable || judged.report.verdict === 'refused') return judged
      const { file, openIssued, accessCode: password } = request
      const compared = await unlessBusy(pdfWork.compare({ file, issued: openIssued, password }), 'busy')
      return compared === 'busy' ? 'busy' : { readable: true, report: withComparison(judged.report, compared) }
    },
  }
}

function withComparison(report: UploadReport, compared: PageComparison): UploadReport {
  if (compared === 'same') return report
  const code: FileProblem = compared === 'different' ? 'looks-different' : 'not-comparable'
  return { ...report, verdict: 'pending', problems: [...report.problems, { code, severity: 'wait' }] }
}
