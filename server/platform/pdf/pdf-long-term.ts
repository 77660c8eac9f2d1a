import { prepareArchiveTimestamp, signerChains } from '../../../pki/pades/pades-long-term.ts'
import { coveredDigest } from '../../../pki/pades/pades-sign.ts'
import { appendValidationData } from '../../../pki/pades/pades-validation-data.ts'
import { PdfError } from '../../../pki/pdf/pdf-parser.ts'
import { chainReplies } from './pdf-check.ts'
import type { ChainsTask, ExtendTask, PdfTaskResult, TaskFiles } from './pdf-work.ts'

/** The certificate chains that prove the signatures of a file (R105). */
export async function listChains(_: ChainsTask, [bytes]: TaskFiles): Promise<PdfTaskResult> {
  return refusedWhenUnreadable(() => {
    const { newest, earlier } = signerChains(bytes)
    return { said: { newest: chainReplies(newest), earlier: chainReplies(earlier) } }
  })
}

/** Appends validation data and, if requested, an open archive timestamp (R105, R106). */
export async function extendFile({ data, isArchived }: ExtendTask, [bytes]: TaskFiles): Promise<PdfTaskResult> {
  return refusedWhenUnreadable(() => {
    if (!isArchived) return { said: { extended: true }, file: appendValidationData(bytes, data) }
    const prepared = prepareArchiveTimestamp(bytes, data)
    const digest = Buffer.from(coveredDigest(prepared)).toString('hex')
    return { said: { extended: true, gap: prepared.gap, digest }, file: prepared.bytes }
  })
}

function refusedWhenUnreadable(work: () => PdfTaskResult): PdfTaskResult {
  try {
    return work()
  } catch (error) {
    if (error instanceof PdfError || error instanceof RangeError) return { said: { extended: false } }
    throw error
  }
}
