import { readCertificate, type CertificateContent } from '../../pki/certificate.ts'
import type { Tx } from '../db.ts'
import type { Keys } from '../keys.ts'
import type { RenewalRow } from '../renewals.ts'
import { openCertificates } from '../sealed-fields.ts'

export type Issued = { id: string; status: string; product: string; certificate: CertificateContent }

/** A signature of the owner's by the provider's id, with its certificate. */
export async function findIssued(tx: Tx, keys: Keys, owner: string, providerId: string): Promise<Issued | undefined> {
  const row = await tx
    .selectFrom('signatures')
    .select(['id', 'status', 'product', 'certificates'])
    .where('provider_id', '=', providerId)
    .where('account_id', '=', owner)
    .executeTakeFirst()
  if (!row) return undefined
  const { certificate } = openCertificates(keys, row.id, row.certificates)
  return { ...row, certificate: readCertificate(Buffer.from(certificate, 'base64')) }
}

/**
 * Whether the certificate holds what the customer has signed, and nothing else (R57). Where it was to begin when it is
 * issued, or that moment has passed, it begins after the signing and not in time to come.
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
    CN: `${subject.givenName} ${subject.surname}`,
  }
  const held = Object.fromEntries(certificate.subject.map(({ name, value }) => [name, value]))
  const names = new Set([...Object.keys(expected), ...Object.keys(held)])
  if ([...names].some((name) => held[name] !== expected[name])) return false
  if (certificate.notAfter.getTime() !== new Date(to).getTime()) return false
  const begins = certificate.notBefore.getTime()
  if (from !== null && new Date(from) >= signedAt) return begins === new Date(from).getTime()
  return begins >= Math.floor(signedAt.getTime() / 1000) * 1000 && begins <= now.getTime()
}
