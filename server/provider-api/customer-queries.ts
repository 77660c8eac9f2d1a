import { sql } from 'kysely'
import type { ProviderCustomer } from '../../contract/provider-api.ts'
import { holdNames, takeNames } from '../account-names.ts'
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

/**
 * Makes whoever registered with this e-mail, and proved that the mailbox is theirs, the provider's customer. True when
 * there was one. From then on the provider's word counts, the number for codes among it.
 */
export async function adoptRegistered(tx: Tx, providerId: string, { email }: ProviderCustomer): Promise<boolean> {
  await holdNames(tx)
  const { numAffectedRows } = await sql`
    update accounts set provider_id = ${providerId}
    where email_key = ${canonicalLogin(email)} and provider_id is null
      and not exists (select from accounts where provider_id = ${providerId})`.execute(tx)
  return numAffectedRows === 1n
}

/**
 * States what a customer is. `was` is the row before, undefined for a new one. Undefined as a whole when login or
 * e-mail belong to somebody else, be it as their login or as their e-mail.
 */
export async function putCustomerRow(
  tx: Tx,
  keys: Keys,
  providerId: string,
  c: ProviderCustomer,
): Promise<{ row: CustomerRow; was: CustomerRow | undefined } | undefined> {
  const names = await takeNames(tx, c, { providerId })
  if (!names) return undefined
  const { loginKey, emailKey } = names
  const was = await findCustomer(tx, keys, providerId)
  const id = was?.id ?? crypto.randomUUID()
  const { rows } = await sql<SealedRow>`
    insert into accounts (id, provider_id, login, login_key, email, email_key, phone, first_name, second_name, surname, locale)
    values (${id}, ${providerId}, ${c.login}, ${loginKey}, ${c.email}, ${emailKey}, ${sealPhone(keys, id, c.phone)}, ${c.firstName}, ${c.secondName}, ${c.surname}, ${c.locale})
    on conflict (provider_id) do update set login = excluded.login, login_key = excluded.login_key, email = excluded.email,
      email_key = excluded.email_key, phone = excluded.phone, first_name = excluded.first_name, second_name = excluded.second_name,
      surname = excluded.surname
    returning ${columns}`.execute(tx)
  return { row: opened(keys, rows[0])!, was }
}

/** `now`: this call is the one that blocked it. The row is held either way until the transaction ends. */
export async function blockCustomerRow(
  tx: Tx,
  keys: Keys,
  providerId: string,
): Promise<{ row: CustomerRow; now: boolean } | undefined> {
  const { rows } = await sql<SealedRow & { now: boolean }>`
    with before as (select id, blocked_at is null as open from accounts where provider_id = ${providerId} for no key update)
    update accounts set blocked_at = coalesce(blocked_at, portal_now()) where id = (select id from before)
    returning ${columns}, (select open from before) as now`.execute(tx)
  if (!rows[0]) return undefined
  const { now, ...row } = rows[0]
  return { row: opened(keys, row)!, now }
}
