import { sql } from 'kysely'
import type { AuditEntry } from '../platform/audit/audit-entry.ts'
import { type Db, query } from '../platform/database/database.ts'
import { decryptCertificates } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { ofTable, reasons } from '../platform/exported-data.ts'
import type { ActivationOrder } from '../platform/ports.ts'
import type { Paired } from './pairing-store.ts'

/** The object that the provider's calls name: a signature, or a user of a seal, with the owner of the app. */
export type ActivationTarget = {
  paired: Paired
  /** The account of the app's owner; null while a user of a seal has not activated the access. */
  accountId: string | null
  hasApp: boolean
  /** The details of the audit entries. */
  details: NonNullable<AuditEntry['details']>
}

/** The provider's own ids of an object that its calls name. */
export type NamedTarget = { signature: string } | { seal: string; user: string }

export async function findActivationTarget(db: Db, named: NamedTarget): Promise<ActivationTarget | undefined> {
  if ('signature' in named) {
    const found = await query(db).first(sql<{ id: string; accountId: string; hasApp: boolean }>`
      select id, account_id, product = 'app' as has_app from signatures where provider_id = ${named.signature}`)
    if (!found) return undefined
    const { id, ...row } = found
    return { paired: { kind: 'signature', id }, details: { signature: id }, ...row }
  }
  const found = await query(db).first(sql<{ id: string; sealId: string; accountId: string | null; hasApp: boolean }>`
    select u.id, s.id as seal_id, u.account_id, s.product = 'app' as has_app
    from seals s join seal_users u on u.seal_id = s.id where s.provider_id = ${named.seal} and u.provider_id = ${named.user}`)
  if (!found) return undefined
  const { id, sealId, ...row } = found
  return { paired: { kind: 'seal-user', id }, details: { seal: sealId, user: id }, ...row }
}

type Owner = Pick<ActivationOrder, 'customer' | 'account' | 'locale'>
type Order = { order: ActivationOrder; details: ActivationTarget['details'] }

const ownerColumns = sql`a.provider_id as customer, a.id as account, a.locale`

/** Finds the order that the signing service receives for a pairing; undefined if the pairing has ended. */
export async function findActivationOrder(
  db: Db,
  keys: Keys,
  { kind, id }: Paired,
  request: string,
): Promise<Order | undefined> {
  if (kind === 'signature') {
    const found = await query(db).first(sql<Owner & { signature: string; certificates: Buffer }>`
      select ${ownerColumns}, s.provider_id as signature, s.certificates
      from signatures s join accounts a on a.id = s.account_id where s.id = ${id}`)
    if (!found) return undefined
    const { signature, certificates, ...owner } = found
    const { certificate } = decryptCertificates(keys, id, certificates)
    return { order: { ...owner, request, for: { signature }, certificate }, details: { signature: id } }
  }
  const found = await query(db).first(sql<Owner & { seal: string; user: string; sealId: string; certificate: Buffer }>`
    select ${ownerColumns}, s.provider_id as seal, u.provider_id as user, s.id as seal_id, s.certificate
    from seal_users u join seals s on s.id = u.seal_id join accounts a on a.id = u.account_id where u.id = ${id}`)
  if (!found) return undefined
  const { seal, user, sealId, certificate, ...owner } = found
  const order = { ...owner, request, for: { seal, user }, certificate: certificate.toString('base64') }
  return { order, details: { seal: sealId, user: id } }
}

/** Finds the certificate that an app is paired for, in DER. */
export async function findPairedCertificate(db: Db, keys: Keys, { kind, id }: Paired): Promise<Buffer> {
  if (kind === 'signature') {
    const { certificates } = await query(db).one(sql<{ certificates: Buffer }>`
      select certificates from signatures where id = ${id}`)
    return Buffer.from(decryptCertificates(keys, id, certificates).certificate, 'base64')
  }
  const { certificate } = await query(db).one(sql<{ certificate: Buffer }>`
    select s.certificate from seal_users u join seals s on s.id = u.seal_id where u.id = ${id}`)
  return certificate
}

/** Returns the columns of a table of paired apps that the copy of all data omits: the code that an app scans is shown only once. */
export const omittedActivation = (table: string, key: string) => {
  const of = ofTable(table)
  return {
    [of('secret content content_mac shown_mac')]: reasons.secret,
    [of('secret_id last_step content_expires_at request_id request_failure')]: reasons.internal,
    [of('created_at requested_at shown_at')]: reasons.inHistory,
    [of(key)]: reasons.joined,
  }
}
