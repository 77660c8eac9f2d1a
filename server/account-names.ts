import { sql } from 'kysely'
import { canonicalLogin } from './canonical.ts'
import type { Tx } from './db.ts'

/** Names are taken by one at a time, so that two requests cannot both find one free. Held before any row, or two could wait for each other. */
export async function holdNames(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('put-customer'))`.execute(tx)
}

/**
 * Takes a login and an e-mail for an account, new or known; undefined when they are somebody else's, be it as their
 * login or as their e-mail. What others have entered for that e-mail and not confirmed ends here, with its links.
 */
export async function takeNames(
  tx: Tx,
  names: { login: string; email: string },
  owner: { id: string } | { providerId: string },
): Promise<{ loginKey: string; emailKey: string } | undefined> {
  const loginKey = canonicalLogin(names.login)
  const emailKey = canonicalLogin(names.email)
  const isAnothers = 'id' in owner ? sql`id <> ${owner.id}` : sql`provider_id is distinct from ${owner.providerId}`
  await holdNames(tx)
  const taken = await sql`
    select from accounts where ${isAnothers}
      and (login_key in (${loginKey}, ${emailKey}) or email_key in (${loginKey}, ${emailKey})) limit 1`.execute(tx)
  if (taken.rows.length) return undefined
  await sql`delete from accounts where unconfirmed_key = ${emailKey} and ${isAnothers}`.execute(tx)
  return { loginKey, emailKey }
}
