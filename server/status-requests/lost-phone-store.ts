import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { statusesBefore } from '../../contract/rules/status-changes.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'
import type { Db, Tx } from '../platform/database/database.ts'

/** The account of a login or an e-mail address, locked until the transaction ends. */
export async function lockNamed(
  tx: Tx,
  key: string,
): Promise<{ id: string; email: string; locale: Locale } | undefined> {
  const { rows } = await sql<{ id: string; email: string; locale: Locale }>`
    select id, email, locale from accounts where login_key = ${key} or email_key = ${key} for no key update`.execute(tx)
  return rows[0]
}

/** The account is locked before its sessions and links, as everywhere. */
export async function lockAccount(tx: Tx, id: string): Promise<void> {
  await sql`select from accounts where id = ${id} for no key update`.execute(tx)
}

export type Suspendable = { id: string; product: SignatureProduct; organisation: string | null; validTo: Date }

/** The customer's own signatures that can be suspended now; `insertRequest` decides about each again. */
export async function listSuspendable(db: Db, accountId: string): Promise<Suspendable[]> {
  const { rows } = await sql<Suspendable>`
    select s.id, s.product, s.organisation, s.valid_to from signatures s
    where s.account_id = ${accountId} and s.status = any(${statusesBefore('suspend')}::text[]) and s.valid_to > portal_now()
      and not exists (select from status_requests q where q.signature_id = s.id and q.state = 'requested')
    order by s.valid_to, s.id`.execute(db)
  return rows
}

/** Leaves the end of suspensions that the customer requested earlier to the provider too (R224). */
export async function keepSuspended(tx: Tx, accountId: string): Promise<void> {
  await sql`
    update status_requests set reason = 'phone-lost'
    where account_id = ${accountId} and signature_id is not null and state = 'requested' and change = 'suspend'`.execute(
    tx,
  )
  await sql`update signatures set own_suspension = false where account_id = ${accountId} and own_suspension`.execute(tx)
}

/** The organisations of the valid seals that the customer can use, by name. */
export async function listOrganisationsOfSeals(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ organisation: string }>`
    select s.organisation from seal_users u join seals s on s.id = u.seal_id
    where u.account_id = ${accountId} and u.status = 'active' and s.status = 'good' and s.valid_to > portal_now()
    group by s.organisation order by s.organisation collate "pl-x-icu"`.execute(db)
  return rows.map(({ organisation }) => organisation)
}
