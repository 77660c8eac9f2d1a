import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'
import { statusesBefore } from '../../contract/status-requests.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'

/** Finds the account of a login or an e-mail address, and locks it until the transaction ends. */
export const lockAccountByName = (
  tx: Tx,
  key: string,
): Promise<{ id: string; email: string; locale: Locale } | undefined> =>
  query(tx).first(sql<{ id: string; email: string; locale: Locale }>`
    select id, email, locale from accounts where login_key = ${key} or email_key = ${key} for no key update`)

/** Locks the account, before its sessions and links. */
export async function lockAddressee(tx: Tx, id: string): Promise<Addressee> {
  return query(tx).one(sql<Addressee>`
    select email, locale from accounts where id = ${id} for no key update`)
}

type Addressee = { email: string; locale: Locale }

type Suspendable = { id: string; product: SignatureProduct; organisation: string | null; validTo: Date }

/** Lists the customer's own signatures that can be suspended now, and those of `again`; `addStatusRequest` decides about each again. */
export async function listSuspendable(
  db: Db,
  accountId: string,
  again: readonly string[] = [],
): Promise<Suspendable[]> {
  return query(db).all(sql<Suspendable>`
    select s.id, s.product, s.organisation, s.valid_to from signatures s
    where s.account_id = ${accountId} and s.valid_to > portal_now()
      and (s.status = any(${statusesBefore('suspend')}::text[]) or s.id = any(${again}::uuid[]))
      and not exists (select from status_requests q where q.signature_id = s.id and q.state = 'requested')
    order by s.valid_to, s.id`)
}

/** Counts the customer's own signatures that are suspended, or will be by a request that is open. */
export async function countSuspended(db: Db, accountId: string): Promise<number> {
  const { count } = await query(db).one(sql<{ count: number }>`
    select count(*)::int as count from signatures s
    where s.account_id = ${accountId} and s.valid_to > portal_now()
      and (s.status = 'suspended'
        or exists (select from status_requests q where q.signature_id = s.id and q.state = 'requested' and q.change = 'suspend'))`)
  return count
}

type OfSignature = { signature: string; request?: string }

/**
 * Leaves the end of suspensions that the customer requested earlier to the provider too (R224), and ends the open
 * requests to end them. Returns the certificates of both, with the requests that were open. It locks requests before
 * certificates, as decisions do, and waits for those that are under way: the next statements see them.
 */
export async function keepSuspended(
  tx: Tx,
  accountId: string,
): Promise<{ kept: OfSignature[]; resumptions: OfSignature[] }> {
  const open = await query(tx).all(sql<OfSignature>`
    update status_requests set reason = 'phone-lost'
    where account_id = ${accountId} and signature_id is not null and state = 'requested' and change = 'suspend' and reason <> 'phone-lost'
    returning id as request, signature_id as signature`)
  const resumptions = await query(tx).all(sql<OfSignature>`
    update status_requests set state = 'replaced', decided_at = portal_now()
    where account_id = ${accountId} and signature_id is not null and state = 'requested' and change = 'resume'
    returning id as request, signature_id as signature`)
  const done = await query(tx).all(sql<OfSignature>`
    update signatures set own_suspension = false where account_id = ${accountId} and own_suspension returning id as signature`)
  return { kept: [...open, ...done], resumptions }
}

/** Lists the other active Administrators of the valid seals that the customer can use, each once, with the organisations. */
export async function listFellowAdministrators(
  db: Db,
  accountId: string,
): Promise<(Addressee & { organisations: string[] })[]> {
  return query(db).all(sql<Addressee & { organisations: string[] }>`
    select a.email, a.locale, array_agg(distinct s.organisation) as organisations
    from seal_users own join seals s on s.id = own.seal_id
      join seal_users u on u.seal_id = s.id and u.status = 'active' and u.role = 'admin' and u.account_id <> own.account_id
      join accounts a on a.id = u.account_id
    where own.account_id = ${accountId} and own.status = 'active' and s.status = 'good' and s.valid_to > portal_now()
    group by a.id`)
}

/** Lists the organisations of the valid seals that the customer can use, by name. */
export async function listOrganisationsOfSeals(db: Db, accountId: string): Promise<string[]> {
  const rows = await query(db).all(sql<{ organisation: string }>`
    select s.organisation from seal_users u join seals s on s.id = u.seal_id
    where u.account_id = ${accountId} and u.status = 'active' and s.status = 'good' and s.valid_to > portal_now()
    group by s.organisation order by s.organisation collate "pl-x-icu"`)
  return rows.map(({ organisation }) => organisation)
}
