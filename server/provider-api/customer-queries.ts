import { sql } from 'kysely'
import type { ProviderCustomer } from '../../contract/provider-api.ts'
import { canonicalLogin } from '../canonical.ts'
import type { Db, Tx } from '../db.ts'

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

export async function findCustomer(db: Db, providerId: string): Promise<CustomerRow | undefined> {
  const { rows } = await sql<CustomerRow>`select ${columns} from accounts where provider_id = ${providerId}`.execute(db)
  return rows[0]
}

/**
 * States what a customer is. `was` is the row before, undefined for a new one. Undefined as a whole when login or
 * e-mail belong to somebody else, be it as their login or as their e-mail.
 */
export async function putCustomerRow(
  tx: Tx,
  providerId: string,
  c: ProviderCustomer,
): Promise<{ row: CustomerRow; was: CustomerRow | undefined } | undefined> {
  const loginKey = canonicalLogin(c.login)
  const emailKey = canonicalLogin(c.email)
  // One customer is put at a time, so that two requests cannot both find a name free.
  await sql`select pg_advisory_xact_lock(hashtext('put-customer'))`.execute(tx)
  const taken = await sql`
    select from accounts where provider_id is distinct from ${providerId}
      and (login_key in (${loginKey}, ${emailKey}) or email_key in (${loginKey}, ${emailKey})) limit 1`.execute(tx)
  if (taken.rows.length) return undefined
  const was = await findCustomer(tx, providerId)
  const { rows } = await sql<CustomerRow>`
    insert into accounts (provider_id, login, login_key, email, email_key, phone, first_name, second_name, surname, locale)
    values (${providerId}, ${c.login}, ${loginKey}, ${c.email}, ${emailKey}, ${c.phone}, ${c.firstName}, ${c.secondName}, ${c.surname}, ${c.locale})
    on conflict (provider_id) do update set login = excluded.login, login_key = excluded.login_key, email = excluded.email,
      email_key = excluded.email_key, phone = excluded.phone, first_name = excluded.first_name, second_name = excluded.second_name,
      surname = excluded.surname
    returning ${columns}`.execute(tx)
  return { row: rows[0]!, was }
}

/** `now`: this call is the one that blocked it. The row is held either way until the transaction ends. */
export async function blockCustomerRow(
  tx: Tx,
  providerId: string,
): Promise<{ row: CustomerRow; now: boolean } | undefined> {
  const { rows } = await sql<CustomerRow & { now: boolean }>`
    with before as (select id, blocked_at is null as open from accounts where provider_id = ${providerId} for no key update)
    update accounts set blocked_at = coalesce(blocked_at, portal_now()) where id = (select id from before)
    returning ${columns}, (select open from before) as now`.execute(tx)
  if (!rows[0]) return undefined
  const { now, ...row } = rows[0]
  return { row, now }
}
