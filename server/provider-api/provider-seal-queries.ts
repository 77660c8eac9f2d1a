import { sql } from 'kysely'
import type { ProviderSeal, ProviderSealUser } from '../../contract/provider-seals.ts'
import { limits } from '../../contract/limits.ts'
import type { CertificateContent } from '../../pki/certificate.ts'
import { canonicalLogin } from '../canonical.ts'
import type { Db, Tx } from '../db.ts'
import type { Keys } from '../keys.ts'
import { anotherAdministrator, sealUserColumns, type SealUserRow } from '../seal-users.ts'
import { sealInvitedPhone } from '../sealed-fields.ts'

/** Whose a seal is, as its certificate says. */
export type SealHolder = { name: string; organisation: string; identifier: string }

/** Creates or updates the seal of the provider's id. */
export async function storeSeal(
  tx: Tx,
  providerId: string,
  body: ProviderSeal,
  holder: SealHolder,
  read: CertificateContent,
): Promise<string> {
  const der = (base64: string) => Buffer.from(base64, 'base64')
  const { rows } = await sql<{ id: string }>`
    insert into seals (provider_id, product, name, organisation, organisation_identifier, years, valid_from, valid_to, status, certificate, chain, agreement_language)
    values (${providerId}, ${body.product}, ${holder.name}, ${holder.organisation}, ${holder.identifier}, ${body.years}, ${read.notBefore}, ${read.notAfter},
      ${body.status}, ${der(body.certificate)}, ${body.chain.map(der)}::bytea[], ${body.agreementLanguage})
    on conflict (provider_id) do update set product = excluded.product, name = excluded.name, organisation = excluded.organisation,
      organisation_identifier = excluded.organisation_identifier, years = excluded.years, valid_from = excluded.valid_from,
      valid_to = excluded.valid_to, status = excluded.status, certificate = excluded.certificate, chain = excluded.chain,
      agreement_language = excluded.agreement_language
    returning id`.execute(tx)
  return rows[0]!.id
}

export async function findSealId(db: Db, providerId: string): Promise<string | undefined> {
  return (await db.selectFrom('seals').select('id').where('provider_id', '=', providerId).executeTakeFirst())?.id
}

export async function findSealState(db: Db, providerId: string) {
  const row = await db
    .selectFrom('seals')
    .select(['product', 'years', 'certificate', 'chain', 'status', 'agreement_language', 'agreement_key'])
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
  if (!row) return undefined
  const base64 = (der: Buffer) => der.toString('base64')
  return {
    product: row.product,
    years: row.years,
    certificate: base64(row.certificate),
    chain: row.chain.map(base64),
    status: row.status,
    agreementLanguage: row.agreement_language,
    agreement: row.agreement_key ? ('ready' as const) : ('generating' as const),
  }
}

/** Names the file of an agreement and returns the key of the one it replaces; the row's lock puts two at once in order. */
export async function storeSealAgreement(
  tx: Tx,
  id: string,
  { key, bytes, sha256 }: { key: string; bytes: number; sha256: string },
): Promise<string | null> {
  const before = await tx
    .selectFrom('seals')
    .select('agreement_key as key')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('seals')
    .set({ agreement_key: key, agreement_bytes: bytes, agreement_sha256: sha256 })
    .where('id', '=', id)
    .execute()
  return before.key
}

export async function findUserOf(db: Db, sealId: string, providerId: string): Promise<SealUserRow | undefined> {
  const { rows } = await sql<SealUserRow>`
    select ${sealUserColumns} from seal_users u where u.seal_id = ${sealId} and u.provider_id = ${providerId}`.execute(
    db,
  )
  return rows[0]
}

/** One page by number and, as its last row, the first of the next one when there is a next one. */
export async function listUsersOf(db: Db, sealId: string, after: number, size: number): Promise<SealUserRow[]> {
  const { rows } = await sql<SealUserRow>`
    select ${sealUserColumns} from seal_users u where u.seal_id = ${sealId} and u.number > ${after} order by u.number limit ${size + 1}`.execute(
    db,
  )
  return rows
}

/** Whether an account uses a seal in another place than the one that is named. */
export async function hasOtherSeat(db: Db, sealId: string, accountId: string, providerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from seal_users where seal_id = ${sealId} and account_id = ${accountId} and status = 'active' and provider_id <> ${providerId}`.execute(
    db,
  )
  return rows.length > 0
}

/** The customer of an e-mail, who need not activate what the provider vouches for. */
export async function findAccountOf(db: Db, email: string): Promise<string | undefined> {
  return (
    await db.selectFrom('accounts').select('id').where('email_key', '=', canonicalLogin(email)).executeTakeFirst()
  )?.id
}

/**
 * States who a user is whose access has not ended, and of a pending one with `accountId` that it is active now; the time
 * of an invitation to another address or number (`moved`) begins anew. Undefined when it has ended, or nobody would
 * administer the seal.
 */
export async function updateUserOf(
  tx: Tx,
  keys: Keys,
  was: SealUserRow,
  body: ProviderSealUser,
  { accountId, moved }: { accountId: string | null; moved: boolean },
): Promise<SealUserRow | undefined> {
  const { rows } = await sql<SealUserRow>`
    update seal_users u set email = ${body.email}, email_key = ${canonicalLogin(body.email)}, phone = ${sealInvitedPhone(keys, was.id, body.phone)},
      first_name = ${body.firstName}, surname = ${body.surname}, role = ${body.role}, locale = ${body.locale}, status = ${body.status},
      account_id = coalesce(u.account_id, ${accountId}::uuid),
      invited_at = case when ${moved}::boolean then portal_now() else u.invited_at end,
      expires_at = case when ${moved}::boolean then portal_now() + make_interval(secs => ${limits.link.invitation}) else u.expires_at end,
      acquired_at = case when ${body.status}::text = 'active' then coalesce(${body.acquiredAt ?? null}::timestamptz, u.acquired_at, portal_now()) end
    where u.id = ${was.id} and u.status = ${was.status} and (${body.role}::text = 'administrator' or ${anotherAdministrator})
    returning ${sealUserColumns}`.execute(tx)
  return rows[0]
}
