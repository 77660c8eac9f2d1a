import { CertificateError, readCertificate } from '../../pki/asn1/certificate.ts'
import type { SignatureReport, ValidationPolicy } from '../../pki/pades/pades-report.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import type { FileReport } from './file-report.ts'

export type CheckRequest = { file: Blob; policy: ValidationPolicy }
export type CheckAnswer = { report: FileReport } | { failed: 'unreadable' | 'too-costly' }

/** Judges a file away from the page, so that a long check never blocks it and can be ended (CHK-6). */
addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => {
  judge(data).then(
    (answer) => postMessage(answer),
    () => postMessage({ failed: 'too-costly' } satisfies CheckAnswer),
  )
})

async function judge({ file, policy }: CheckRequest): Promise<CheckAnswer> {
  // It may have been moved or deleted since it was chosen.
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (!bytes) return { failed: 'unreadable' }
  const report = await validatePdf(new Uint8Array(bytes), policy)
  return { report: { ...report, signatures: report.signatures.map(withCertificates) } }
}

const withCertificates = (signature: SignatureReport) => ({
  ...signature,
  certificates: signature.path.length ? signature.path.flatMap(contentOf) : [signature.signer ?? []].flat(),
})

function contentOf(der: Uint8Array) {
  try {
    return [readCertificate(der)]
  } catch (error) {
    if (error instanceof CertificateError) return []
    throw error
  }
}
