import type { Given } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import type { CertificateDetails } from '../../contract/signatures-and-seals.ts'
import { derToPem, readCertificate } from '../../pki/asn1/certificate.ts'
import type { Refusal } from '../platform/api-error.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import type { FileReply } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'

/** A certificate and its chain in DER. */
export type CertificateFiles = { certificate: Buffer; chain: Buffer[] }

/** Returns the details in the certificate of a signature or a seal. */
export function certificateDetails({ certificate, chain }: CertificateFiles): Given<typeof CertificateDetails> {
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
      validTo: issuing.notAfter,
    })),
  }
}

/** Returns the certificate as a file to download: in PEM with its chain, in DER without. */
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

type Agreement = { key: string | null; language: Locale }

/** Returns the agreement of a signature or a seal, and writes an audit entry of the download; `agreement`: the caller's own one. */
export async function downloadAgreement(
  { db, ports }: Portal,
  agreement: Agreement,
  by: { accountId: string; address: string; details: { signature: string } | { seal: string } },
): Promise<FileReply | Refusal<'agreement-not-ready'>> {
  if (!agreement.key) return { refused: 'agreement-not-ready', data: { retryAfter: 60 } }
  const file = await ports.documents.read(agreement.key)
  if (!file) throw new Error(`The agreement of ${JSON.stringify(by.details)} is not in the document store.`)
  await db
    .transaction()
    .execute((tx) => addAuditEntry(tx, { action: 'agreement-downloaded', actor: 'customer', ...by }))
  return { name: agreement.language === 'pl' ? 'umowa.pdf' : 'agreement.pdf', type: 'application/pdf', ...file }
}
