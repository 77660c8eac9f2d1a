import { prepareArchiveTimestamp, signerChains } from '../pki/pades-long-term.ts'
import { coveredDigest } from '../pki/pades-sign.ts'
import { appendValidationData } from '../pki/pades-validation-data.ts'
import { PdfError } from '../pki/pdf-parser.ts'
import { chainReplies } from './pdf-check.ts'
import type { PdfTaskResult } from './pdf-child.ts'
import type { ChainsTask, ExtendTask } from './pdf-work.ts'

/** Whose certificates prove the signatures of a file (R105). */
export async function listChains(_: ChainsTask, [bytes]: Uint8Array[]): Promise<PdfTaskResult> {
  return refusedWhenUnreadable(() => {
    const { newest, earlier } = signerChains(bytes!)
    return { said: { newest: chainReplies(newest), earlier: chainReplies(earlier) } }
  })
}

/** Appends validation data, and an open archive timestamp where one is asked for (R105, R106). */
export async function extendFile({ data, isArchived }: ExtendTask, [bytes]: Uint8Array[]): Promise<PdfTaskResult> {
  return refusedWhenUnreadable(() => {
    if (!isArchived) return { said: { extended: true }, file: appendValidationData(bytes!, data) }
    const prepared = prepareArchiveTimestamp(bytes!, data)
    const digest = Buffer.from(coveredDigest(prepared)).toString('hex')
    return { said: { extended: true, gap: prepared.gap, digest }, file: prepared.bytes }
  })
}

function refusedWhenUnreadable(act: () => PdfTaskResult): PdfTaskResult {
  try {
    return act()
  } catch (error) {
    if (error instanceof PdfError || error instanceof RangeError) return { said: { extended: false } }
    throw error
  }
}
