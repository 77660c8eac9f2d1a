import { CertificateError, readCertificate } from '../../pki/asn1/certificate.ts'
import type { SignatureReport } from '../../pki/pades/pades-report.ts'
import type { ReportedSignature } from './file-report.ts'

/** Adds the content of its certificates to a signature, for those who read the report. */
export const withCertificates = (signature: SignatureReport): ReportedSignature => ({
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
