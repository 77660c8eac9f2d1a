import type { FileProblem, UploadReport } from '../../contract/document-report.ts'
import type { PageComparison } from '../../pki/pdf/page-comparison.ts'
import { PdfWorkBusy, type PdfWork } from '../platform/pdf/pdf-work.ts'
import type { VerificationPort, VerificationRequest } from '../platform/ports.ts'

/**
 * A second check after any other (R107): an independent reader compares the accepted file with the issued document. It accepts nothing
 * that was refused and refuses nothing: if the files look different or cannot be compared, the provider decides.
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
