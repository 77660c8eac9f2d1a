import { sql } from 'kysely'
import { canonicalLogin } from './canonical.ts'
import type { Tx } from './db.ts'

/** Names are taken by one at a time, so that two requests cannot both find one free. Held before any row, or two could wait for each other. */
export async function holdNames(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('put-customer'))`.execute(tx)
}

/** The login and the e-mail that an account, new or known, is to have. */
export type Naming = { id: string; login: string; email: string }

/**
 * Takes logins and e-mails for accounts, no two of them alike; undefined for each that has one that is somebody else's, be it
 * as their login or as their e-mail. What others have entered for these e-mails and not confirmed ends here, with its links.
 */
export async function takeNames(
  tx: Tx,
  namings: readonly Naming[],
): Promise<({ loginKey: string; emailKey: string } | undefined)[]> {
  const wanted = namings.map(({ id, login, email }) => ({
    id,
    loginKey: canonicalLogin(login),
    emailKey: canonicalLogin(email),
  }))
  await holdNames(tx)
  const { rows } = await sql<{ id: string }>`
    select w.id from unnest(${wanted.map(({ id }) => id)}::uuid[], ${wanted.map(({ loginKey }) => loginKey)}::text[],
        ${wanted.map(({ emailKey }) => emailKey)}::text[]) as w (id, login_key, email_key)
    where exists (
      select from accounts a where a.id <> w.id
        and (a.login_key in (w.login_key, w.email_key) or a.email_key in (w.login_key, w.email_key))
    )`.execute(tx)
  const refused = new Set(rows.map(({ id }) => id))
  const taken = wanted.filter(({ id }) => !refused.has(id))
  await sql`
    delete from accounts a using unnest(${taken.map(({ id }) => id)}::uuid[], ${taken.map(({ emailKey }) => emailKey)}::text[]) as w (id, email_key)
    where a.unconfirmed_key = w.email_key and a.id <> w.id`.execute(tx)
  return wanted.map(({ id, loginKey, emailKey }) => (refused.has(id) ? undefined : { loginKey, emailKey }))
}
