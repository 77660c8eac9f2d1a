import { sql } from 'kysely'
import { Uuid } from '../../../contract/fields.ts'
import { type Db, type Tx, query } from '../database/database.ts'
import { canonicalLogin } from './canonical-login.ts'

/**
 * Locks the names, so that only one request at a time takes some: two could find the same one free. Locked before any row, to avoid
 * deadlocks.
 */
export async function lockNames(tx: Tx): Promise<void> {
  await query(tx).run(sql`select pg_advisory_xact_lock(hashtext('put-customer'))`)
}

/** Locks an account, before any of its other rows, so that one change of its rows is made at a time. */
export const lockAccount = (tx: Tx, accountId: string): Promise<void> =>
  query(tx).run(sql`select from accounts where id = ${accountId} for no key update`)

/** The login and the e-mail that a new or existing account wants. */
export type AccountNames = { id: string; login: string; email: string }

/**
 * Reserves unique logins and e-mails for accounts; undefined for each whose name another account has as its login or e-mail.
 * Deletes other people's unconfirmed registrations with these e-mails, and their links.
 */
export async function takeNames(tx: Tx, names: readonly AccountNames[]) {
  const wanted = names.map(({ id, login, email }) => ({
    id,
    loginKey: canonicalLogin(login),
    emailKey: canonicalLogin(email),
  }))
  await lockNames(tx)
  const rows = await query(tx).all(sql<{ id: string }>`
    select w.id from unnest(${wanted.map(({ id }) => id)}::uuid[], ${wanted.map(({ loginKey }) => loginKey)}::text[],
        ${wanted.map(({ emailKey }) => emailKey)}::text[]) as w (id, login_key, email_key)
    where exists (
      select from accounts a where a.id <> w.id
        and (a.login_key in (w.login_key, w.email_key) or a.email_key in (w.login_key, w.email_key))
    )`)
  const taken = new Set(rows.map(({ id }) => id))
  const free = wanted.filter(({ id }) => !taken.has(id))
  await query(tx).run(sql`
    delete from accounts a using unnest(${free.map(({ id }) => id)}::uuid[], ${free.map(({ emailKey }) => emailKey)}::text[]) as w (id, email_key)
    where a.unconfirmed_key = w.email_key and a.id <> w.id`)
  return wanted.map(({ id, loginKey, emailKey }) => (taken.has(id) ? undefined : { loginKey, emailKey }))
}

/** Finds the account with this id, provider's own id, login or e-mail address. */
export async function findAccountByName(db: Db, name: string): Promise<string | undefined> {
  const id = Uuid.safeParse(name).data ?? null
  const key = canonicalLogin(name)
  const row = await query(db).first(sql<{ id: string }>`
    select id from accounts where id = ${id}::uuid or provider_id = ${name} or login_key = ${key} or email_key = ${key}
    order by id is not distinct from ${id}::uuid desc, provider_id is not distinct from ${name} desc limit 1`)
  return row?.id
}

/** Finds the account with the provider's own id; null if there is none. */
export async function findAccountOfCustomer(db: Db, customer: string): Promise<string | null> {
  const row = await query(db).first(sql<{ id: string }>`select id from accounts where provider_id = ${customer}`)
  return row?.id ?? null
}

/** Finds the provider's own ids of accounts, by account; null for somebody who registered. */
export async function readCustomers(db: Db, accounts: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await query(db).all(sql<{ id: string; customer: string | null }>`
    select id, provider_id as customer from accounts where id = any(${accounts}::uuid[])`)
  return new Map(rows.map(({ id, customer }) => [id, customer]))
}

/** Finds the account with the provider's own id, or takes a UUID for the portal's own id; null for anything else. */
export const findAccountOfEither = async (db: Db, id: string): Promise<string | null> =>
  (await findAccountOfCustomer(db, id)) ?? Uuid.safeParse(id).data ?? null
