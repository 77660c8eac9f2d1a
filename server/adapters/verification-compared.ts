import type { FileProblem, UploadReport } from '../../contract/document-report.ts'
import type { PageComparison } from '../../pki/page-comparison.ts'
import { PdfWorkBusy, type PdfWork } from '../pdf-work.ts'
import type { VerificationPort, VerificationRequest } from './ports.ts'

/**
 * A second check behind any other (R107): what would be taken is shown by readers of others, beside the issued document.
 * It accepts nothing that was refused, and refuses nothing: what looks different, or cannot be compared, is for the provider.
 */
export function verificationCompared(port: VerificationPort, pdfWork: Pick<PdfWork, 'compare'>): VerificationPort {
  return {
    async verify(request) {
      const judged = await port.verify(request)
      if (typeof judged === 'string' || !judged.readable || judged.report.verdict === 'refused') return judged
      const compared = await compare(request, pdfWork)
      return compared === 'busy' ? 'busy' : { readable: true, report: withComparison(judged.report, compared) }
    },
  }
}

async function compare({ file, issued, accessCode }: VerificationRequest, pdfWork: Pick<PdfWork, 'compare'>) {
  try {
    return await pdfWork.compare({ file, issued, password: accessCode })
  } catch (error) {
    if (error instanceof PdfWorkBusy) return 'busy'
    throw error
  }
}

function withComparison(report: UploadReport, compared: PageComparison): UploadReport {
  if (compared === 'same') return report
  const code: FileProblem = compared === 'different' ? 'looks-different' : 'not-comparable'
  return { ...report, verdict: 'pending', problems: [...report.problems, { code, severity: 'wait' }] }
}
