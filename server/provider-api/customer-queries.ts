import { sql } from 'kysely'
import type { ImportedCustomer } from '../../contract/customer-import.ts'
import { canonicalLogin } from '../canonical.ts'
import type { Db, Tx } from '../db.ts'
import type { Keys } from '../keys.ts'
import { openPhone, sealPhone } from '../sealed-fields.ts'

export type CustomerRow = {
  id: string
  login: string
  email: string
  phone: string
  firstName: string
  secondName: string | null
  surname: string
  locale: 'pl' | 'en'
  state: 'invited' | 'active' | 'blocked'
  createdAt: Date
}

const columns = sql`id, login, email, phone, first_name as "firstName", second_name as "secondName", surname, locale, created_at as "createdAt",
  case when blocked_at is not null then 'blocked' when password_hash is null then 'invited' else 'active' end as state`

type SealedRow = Omit<CustomerRow, 'phone'> & { phone: Buffer }

const opened = (keys: Keys, row: SealedRow | undefined): CustomerRow | undefined =>
  row && { ...row, phone: openPhone(keys, row.id, row.phone) }

export async function findCustomer(db: Db, keys: Keys, providerId: string): Promise<CustomerRow | undefined> {
  const { rows } = await sql<SealedRow>`select ${columns} from accounts where provider_id = ${providerId}`.execute(db)
  return opened(keys, rows[0])
}

/** The account that each of these customers is; `registered`: of somebody who has registered with this e-mail, and proved that the mailbox is theirs. */
export async function findStated(
  db: Db,
  keys: Keys,
  stated: readonly { customer: string; email: string }[],
): Promise<Map<string, { row: CustomerRow; registered: boolean; phoneConfirmed: boolean }>> {
  const emailKeys = stated.map(({ email }) => canonicalLogin(email))
  const { rows } = await sql<SealedRow & { customer: string; registered: boolean; phoneConfirmed: boolean }>`
    select n.customer, a.provider_id is null as registered, a.phone_confirmed as "phoneConfirmed", ${columns}
    from unnest(${stated.map(({ customer }) => customer)}::text[], ${emailKeys}::text[]) as n (customer, wanted_key)
      cross join lateral (
        select * from accounts
        where accounts.provider_id = n.customer or (accounts.provider_id is null and accounts.email_key = n.wanted_key)
        order by accounts.provider_id nulls last limit 1
      ) a`.execute(db)
  return new Map(
    rows.map(
      ({ customer, registered, phoneConfirmed, ...row }) =>
        [customer, { row: opened(keys, row)!, registered, phoneConfirmed }] as const,
    ),
  )
}

/** What is to be written of a customer: under an account's id, and with its names as they were taken. */
export type CustomerWish = { id: string; one: ImportedCustomer; loginKey: string; emailKey: string }

/**
 * Makes or changes accounts, all in one statement; whoever has an account keeps the language that they chose. The provider has checked
 * whose number it is, so it needs no confirmation (R115).
 */
export async function writeCustomers(
  tx: Tx,
  keys: Keys,
  wishes: readonly CustomerWish[],
): Promise<Map<string, CustomerRow>> {
  if (!wishes.length) return new Map()
  const each = <T>(pick: (wish: CustomerWish) => T) => wishes.map(pick)
  const { rows } = await sql<SealedRow>`
    insert into accounts (id, provider_id, login, login_key, email, email_key, phone, first_name, second_name, surname, locale)
    select * from unnest(${each(({ id }) => id)}::uuid[], ${each(({ one }) => one.customer)}::text[], ${each(({ one }) => one.login)}::text[],
      ${each(({ loginKey }) => loginKey)}::text[], ${each(({ one }) => one.email)}::text[], ${each(({ emailKey }) => emailKey)}::text[],
      ${each(({ id, one }) => sealPhone(keys, id, one.phone))}::bytea[], ${each(({ one }) => one.firstName)}::text[],
      ${each(({ one }) => one.secondName)}::text[], ${each(({ one }) => one.surname)}::text[], ${each(({ one }) => one.locale)}::text[])
    on conflict (id) do update set provider_id = excluded.provider_id, login = excluded.login, login_key = excluded.login_key,
      email = excluded.email, email_key = excluded.email_key, phone = excluded.phone, phone_confirmed = true, first_name = excluded.first_name,
      second_name = excluded.second_name, surname = excluded.surname
    returning ${columns}`.execute(tx)
  return new Map(rows.map((row) => [row.id, opened(keys, row)!] as const))
}

/** `now`: this call is the one that blocked it. The row is held either way until the transaction ends. */
export async function blockCustomerRow(
  tx: Tx,
  keys: Keys,
  providerId: string,
): Promise<{ row: CustomerRow; now: boolean } | undefined> {
  const { rows } = await sql<SealedRow & { now: boolean }>`
    with before as (select id, blocked_at is null or blocked_for_strangers as open from accounts where provider_id = ${providerId} for no key update)
    update accounts set blocked_at = coalesce(blocked_at, portal_now()), blocked_for_strangers = false where id = (select id from before)
    returning ${columns}, (select open from before) as now`.execute(tx)
  if (!rows[0]) return undefined
  const { now, ...row } = rows[0]
  return { row: opened(keys, row)!, now }
}
