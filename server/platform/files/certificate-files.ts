import type { CertificateDetails } from '../../../contract/signatures-and-seals.ts'
import { derToPem, readCertificate } from '../../../pki/asn1/certificate.ts'

/** A certificate and its chain in DER. */
export type CertificateFiles = { certificate: Buffer; chain: Buffer[] }

/** What the certificate of a signature or a seal says. */
export function certificateDetails({ certificate, chain }: CertificateFiles): CertificateDetails {
  const { subject, issuer, serialNumber, keyUsage, policies, publicKey, fingerprint, qualified } =
    readCertificate(certificate)
  return {
    subject,
    issuer,
    serialNumber,
    keyUsage,
    publicKey: [publicKey.kind, publicKey.bits].filter(Boolean).join(' '),
    sha256: fingerprint,
    policies,
    qualified: qualified.compliance,
    chain: chain.map(readCertificate).map((issuing) => ({
      subject: issuing.subject.find(({ name }) => name === 'CN')?.value ?? '',
      validTo: issuing.notAfter.toISOString(),
    })),
  }
}

/** The certificate to be downloaded: in PEM with its chain. */
export function certificateFile({ certificate, chain }: CertificateFiles, format: 'pem' | 'der') {
  const isPem = format === 'pem'
  const content = isPem ? Buffer.from([certificate, ...chain].map(derToPem).join('')) : certificate
  return {
    name: `certificate.${isPem ? 'pem' : 'cer'}`,
    type: isPem ? 'application/x-pem-file' : 'application/pkix-cert',
    bytes: content.length,
    content,
  }
}
