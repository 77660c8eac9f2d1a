import { commonName } from '../../contract/rules/renewal-rules.ts'
import { sql } from 'kysely'
import { readCertificate, type CertificateContent } from '../../pki/asn1/certificate.ts'
import type { Tx } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import type { RenewalRow } from './renewal-row-store.ts'
import { decryptCertificates } from '../platform/encrypted-data/encrypted-fields.ts'

export type Issued = { id: string; status: string; product: string; certificate: CertificateContent }

/** The owner's signature by the provider's id, with its certificate. */
export async function findIssued(tx: Tx, keys: Keys, owner: string, providerId: string): Promise<Issued | undefined> {
  const row = await query(tx).first(sql<Omit<Issued, 'certificate'> & { certificates: Buffer }>`
    select id, status, product, certificates from signatures
    where provider_id = ${providerId} and account_id = ${owner}`)
  if (!row) return undefined
  const { certificate } = decryptCertificates(keys, row.id, row.certificates)
  return { ...row, certificate: readCertificate(Buffer.from(certificate, 'base64')) }
}

/**
 * Whether the certificate contains what the customer has signed, and nothing else (R57). If it was to start at its issuance,
 * or the chosen start has passed, its start must be after the signing and not in the future.
 */
export function fitsTerms({ terms, signedAt, now }: RenewalRow, { status, product, certificate }: Issued): boolean {
  if (!terms || !signedAt || status !== 'good' || product !== 'app') return false
  const { subject, from, to } = terms
  const { organisation } = subject
  const expected: Record<string, string | undefined> = {
    C: subject.country,
    O: organisation?.name,
    organizationIdentifier: organisation?.identifier,
    OU: organisation?.unit ?? undefined,
    title: organisation?.position ?? undefined,
    SN: subject.surname,
    GN: subject.givenName,
    serialNumber: subject.serialNumber,
    CN: commonName(subject),
  }
  const issued = Object.fromEntries(certificate.subject.map(({ name, value }) => [name, value]))
  const names = new Set([...Object.keys(expected), ...Object.keys(issued)])
  if ([...names].some((name) => issued[name] !== expected[name])) return false
  if (certificate.notAfter.getTime() !== new Date(to).getTime()) return false
  const begins = certificate.notBefore.getTime()
  if (from !== null && new Date(from) >= signedAt) return begins === new Date(from).getTime()
  return begins >= Math.floor(signedAt.getTime() / 1000) * 1000 && begins <= now.getTime()
}
