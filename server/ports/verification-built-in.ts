import { PdfWorkBusy, type PdfWork, type Trust } from '../pdf-work.ts'
import type { VerificationPort } from './ports.ts'

/** The portal's own validator (pki/pades-validate.ts) in its processes. `trust` is asked for each time: lists grow old. */
export function verificationBuiltIn(pdfWork: Pick<PdfWork, 'check'>, trust: () => Promise<Trust>): VerificationPort {
  return {
    async verify({ file, issued, accessCode, signer, receivedAt }) {
      const believed = await trust()
      try {
        return await pdfWork.check(async () => ({
          file: await file(),
          issued: await issued(),
          password: accessCode,
          signer,
          receivedAt,
          trust: believed,
        }))
      } catch (error) {
        if (error instanceof PdfWorkBusy) return 'busy'
        throw error
      }
    },
  }
}
