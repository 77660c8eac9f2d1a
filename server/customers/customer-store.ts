import { sql } from 'kysely'
import type { Body } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import type { ImportedCustomer } from '../../contract/provider/customer-import.ts'
import type { searchCustomers } from '../../contract/provider/provider-customers.ts'
import { identifierIn } from '../certificates/filed-certificate.ts'
import { identifiedBy } from '../personal-data/personal-data-store.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { column, decrypted, describeRows, type RowOf } from '../platform/database/described-rows.ts'
import { decryptPhone, encryptPhone, identifierIndex, phoneIndex } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'

const state = sql`case when blocked_at is not null then 'blocked' when password_hash is null then 'invited' else 'active' end`

/** Account fields that the provider and its staff may read. */
export const accountFields = {
  id: column<string>`id`,
  login: column<string>`login`,
  email: column<string>`email`,
  phone: decrypted(decryptPhone)`phone`,
  firstName: column<string>`first_name`,
  secondName: column<string | null>`second_name`,
  surname: column<string>`surname`,
  locale: column<Locale>`locale`,
}

const customerRows = describeRows({
  ...accountFields,
  state: column<'invited' | 'active' | 'blocked'>`${state}`,
  createdAt: column<Date>`created_at`,
})
export type CustomerRow = RowOf<typeof customerRows>

export const findCustomer = (db: Db, keys: Keys, providerId: string): Promise<CustomerRow | undefined> =>
  customerRows(db, keys).first(sql`select ${customerRows.columns} from accounts where provider_id = ${providerId}`)

/** Lists the accounts of these customers; `isRegistered`: the customer has registered with this e-mail address and confirmed it. */
export async function listAccountsOf(
  db: Db,
  keys: Keys,
  stated: readonly { customer: string; email: string }[],
): Promise<Map<string, { row: CustomerRow; isRegistered: boolean; phoneConfirmed: boolean }>> {
  const emailKeys = stated.map(({ email }) => canonicalLogin(email))
  type More = { customer: string; isRegistered: boolean; phoneConfirmed: boolean }
  const rows = await customerRows(db, keys).all<More>(sql`
    select n.customer, a.provider_id is null as is_registered, a.phone_confirmed, ${customerRows.columns}
    from unnest(${stated.map(({ customer }) => customer)}::text[], ${emailKeys}::text[]) as n (customer, wanted_key)
      cross join lateral (
        select * from accounts
        where accounts.provider_id = n.customer or (accounts.provider_id is null and accounts.email_key = n.wanted_key)
        order by accounts.provider_id nulls last limit 1
      ) a`)
  return new Map(
    rows.map(({ customer, isRegistered, phoneConfirmed, ...row }) => [customer, { row, isRegistered, phoneConfirmed }]),
  )
}

/** A customer to be written, under an account's id and with the names reserved for the account. */
export type NewCustomer = { id: string; customer: ImportedCustomer; loginKey: string; emailKey: string }

/**
 * Creates or changes accounts, all in one statement; a customer with an account keeps the chosen language. The provider has checked
 * the owner of the number, so it needs no confirmation (R115).
 */
export async function putCustomerRows(
  tx: Tx,
  keys: Keys,
  customers: readonly NewCustomer[],
): Promise<Map<string, CustomerRow>> {
  if (!customers.length) return new Map()
  const each = <T>(pick: (customer: NewCustomer) => T) => customers.map(pick)
  const rows = await customerRows(tx, keys).all(sql`
    insert into accounts (id, provider_id, login, login_key, email, email_key, phone, phone_index, first_name, second_name, surname, locale)
    select * from unnest(${each(({ id }) => id)}::uuid[], ${each(({ customer }) => customer.customer)}::text[], ${each(({ customer }) => customer.login)}::text[],
      ${each(({ loginKey }) => loginKey)}::text[], ${each(({ customer }) => customer.email)}::text[], ${each(({ emailKey }) => emailKey)}::text[],
      ${each(({ id, customer }) => encryptPhone(keys, id, customer.phone))}::bytea[], ${each(({ customer }) => phoneIndex(keys, customer.phone))}::bytea[], ${each(({ customer }) => customer.firstName)}::text[],
      ${each(({ customer }) => customer.secondName)}::text[], ${each(({ customer }) => customer.surname)}::text[], ${each(({ customer }) => customer.locale)}::text[])
    on conflict (id) do update set provider_id = excluded.provider_id, login = excluded.login, login_key = excluded.login_key,
      email = excluded.email, email_key = excluded.email_key, phone = excluded.phone, phone_index = excluded.phone_index, phone_confirmed = true, first_name = excluded.first_name,
      second_name = excluded.second_name, surname = excluded.surname
    returning ${customerRows.columns}`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Sets the e-mail address of an account, under names that were taken. */
export async function setEmail(
  tx: Tx,
  id: string,
  { login, loginKey, email, emailKey }: { login: string; loginKey: string; email: string; emailKey: string },
): Promise<void> {
  await query(tx).run(sql`
    update accounts set login = ${login}, login_key = ${loginKey}, email = ${email}, email_key = ${emailKey}
    where id = ${id}`)
}

/** Sets the number of an account, whose owner the provider has checked (R115). */
export async function setPhone(tx: Tx, keys: Keys, id: string, phone: string): Promise<void> {
  await query(tx).run(sql`
    update accounts set phone = ${encryptPhone(keys, id, phone)}, phone_index = ${phoneIndex(keys, phone)}, phone_confirmed = true
    where id = ${id}`)
}

/** Sets or releases the legal hold of an account (DSK-26); false if there was nothing to change. */
export async function setHold(tx: Tx, id: string, isHeld: boolean): Promise<boolean> {
  return query(tx).changesOne(sql`
    update accounts set held_at = ${isHeld ? sql`portal_now()` : null}
    where id = ${id} and ${isHeld ? sql`held_at is null` : sql`held_at is not null`}`)
}

/** Blocks an account. `isNew`: it was not blocked before. The row is locked either way until the transaction ends. */
export async function blockCustomerRow(
  tx: Tx,
  keys: Keys,
  account: { providerId: string } | { accountId: string },
): Promise<{ row: CustomerRow; isNew: boolean } | undefined> {
  const matchCondition =
    'accountId' in account ? sql`id = ${account.accountId}` : sql`provider_id = ${account.providerId}`
  const found = await customerRows(tx, keys).first<{ isNew: boolean }>(sql`
    with before as (select id, blocked_at is null or blocked_for_strangers as open from accounts where ${matchCondition} for no key update)
    update accounts set blocked_at = coalesce(blocked_at, portal_now()), blocked_for_strangers = false where id = (select id from before)
    returning ${customerRows.columns}, (select open from before) as is_new`)
  if (!found) return undefined
  const { isNew, ...row } = found
  return { row, isNew }
}

/** A change of a customer's e-mail address or phone number by the provider. */
export type ContactChange = {
  accountId: string
  locale: Locale
  /** The contact before the change; the number is null if it was not confirmed, because such a number gets no message. */
  before: { email: string; phone: string | null }
  now: { email: string; phone: string }
  changed: { email: boolean; phone: boolean }
  /** Whether the account has no password yet. */
  isInvited: boolean
}

/**
 * Delays reset links by so many seconds and returns the end of the delay by account. An account without a password has
 * nothing to reset: its invitation goes to the new address at once.
 */
export async function delayResets(tx: Tx, seconds: number, ids: readonly string[]): Promise<Map<string, Date>> {
  if (!seconds) return new Map()
  const rows = await query(tx).all(sql<{ id: string; resetsFrom: Date }>`
    update accounts set resets_from = portal_now() + make_interval(secs => ${seconds})
    where id = any(${ids}::uuid[]) and password_hash is not null returning id, resets_from`)
  return new Map(rows.map(({ id, resetsFrom }) => [id, resetsFrom]))
}

export type FoundRow = CustomerRow & { customer: string | null }
export async function listByProviderId(db: Db, after: string | undefined, size: number) {
  return query(db).all(sql<{ customer: string; account: string; state: CustomerRow['state']; createdAt: Date }>`
    select provider_id as customer, id as account, created_at, ${state} as state from accounts
    where provider_id is not null and ${after === undefined ? sql`true` : sql`provider_id > ${after}`}
    order by provider_id limit ${size + 1}`)
}

type By = Omit<Body<typeof searchCustomers>, 'cursor'>

/** Lists accounts by a search, in the order of their ids. Erased accounts have no names and are not found. */
export function listCustomersBy(
  db: Db,
  keys: Keys,
  by: By,
  { after, size }: { after: string | undefined; size: number },
): Promise<FoundRow[]> {
  return customerRows(db, keys).all<{ customer: string | null }>(sql`
    select a.provider_id as customer, ${customerRows.columns} from accounts a
    where ${searchCondition(keys, by)} and ${after ? sql`a.id > ${after}::uuid` : sql`true`} order by a.id limit ${size + 1}`)
}

function searchCondition(keys: Keys, { email, login, phone, identifier }: By) {
  if (identifier)
    return sql`a.id in (${identifiedBy(keys, identifier)} union all ${withCertificateFor(keys, identifier)})`
  if (phone) return sql`a.phone_index = ${phoneIndex(keys, phone)}`
  if (email) return sql`(a.email_key = ${canonicalLogin(email)} or a.unconfirmed_key = ${canonicalLogin(email)})`
  return sql`a.login_key = ${canonicalLogin(login ?? '')}`
}

/** Returns the query for the accounts with a certificate that names this identifier. */
const withCertificateFor = (keys: Keys, identifier: string) => {
  const { type, country, value } = identifierIn(identifier.replace(/^ECN-/, ''))
  return sql`
    select account_id from signatures where identifier_index = ${identifierIndex(keys, value)} and identifier_type = ${type}
      and identifier_country is not distinct from ${country}`
}
