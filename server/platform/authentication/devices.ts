import { sql } from 'kysely'
import { limits } from '../contract/limits.ts'
import type { Db, Tx } from './db.ts'
import { hashToken, newToken } from './session.ts'

/**
 * Devices from which an account was signed in before (R17). A known one has tries of its own, so that whoever guesses at
 * the account from elsewhere, or from the same network, cannot use them up. It opens nothing by itself.
 */
export const deviceCookie = '__Host-sygnet-device'

/** Names the device if it is known to the account; the same statement when there is no such account (R15). */
export async function findDevice(
  db: Db,
  token: string | undefined,
  accountId: string | null,
): Promise<string | undefined> {
  if (!token) return undefined
  const tokenHash = hashToken(token)
  const { rows } = await sql`
    select from devices where token_hash = ${tokenHash} and account_id = ${accountId} and expires_at > portal_now()`.execute(
    db,
  )
  return rows.length ? tokenHash.toString('hex') : undefined
}

/** Which account a device is known to, whichever that is (R119). */
export async function ownerOfDevice(
  db: Db,
  token: string | undefined,
): Promise<{ device: string; accountId: string } | undefined> {
  if (!token) return undefined
  const tokenHash = hashToken(token)
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from devices where token_hash = ${tokenHash} and expires_at > portal_now()`.execute(
    db,
  )
  return rows[0] && { device: tokenHash.toString('hex'), accountId: rows[0].accountId }
}

/** After a whole sign-in the device is known anew; what it was known by before ends. Returns what it is known by. */
export async function rememberDevice(tx: Tx, token: string | undefined, accountId: string): Promise<string> {
  const next = newToken()
  await sql`
    with before as (delete from devices where token_hash = ${hashToken(token ?? '')} and account_id = ${accountId})
    insert into devices (token_hash, account_id, expires_at)
    values (${hashToken(next)}, ${accountId}, portal_now() + make_interval(days => ${limits.device.days}))`.execute(tx)
  return next
}

export async function forgetDevice(tx: Tx, device: string): Promise<void> {
  await sql`delete from devices where token_hash = ${Buffer.from(device, 'hex')}`.execute(tx)
}

/** A new password makes every device unknown again. */
export async function forgetDevices(tx: Tx, accountId: string): Promise<void> {
  await sql`delete from devices where account_id = ${accountId}`.execute(tx)
}
