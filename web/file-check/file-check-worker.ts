import type { DocumentReport, ValidationPolicy } from '../../pki/pades/pades-report.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'

export type CheckRequest = { file: Blob; policy: ValidationPolicy }
export type CheckAnswer = { report: DocumentReport } | { failed: string }

/** Judges a file away from the page, so that a long check never blocks it and can be ended (CHK-6). */
addEventListener('message', ({ data: { file, policy } }: MessageEvent<CheckRequest>) => {
  file
    .arrayBuffer()
    .then((bytes) => validatePdf(new Uint8Array(bytes), policy))
    .then(
      (report) => postMessage({ report } satisfies CheckAnswer),
      (error: unknown) => postMessage({ failed: String(error) } satisfies CheckAnswer),
    )
})
