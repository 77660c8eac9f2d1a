import { sql, type RawBuilder } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { type Db, type Tx, query } from '../database/database.ts'
import { hashToken, newToken } from './session.ts'

// Devices from which an account has signed in before (R17). A known device has attempts of its own, which guesses from elsewhere,
// or from the same network, cannot use up. It grants no access by itself.

/** The cookie with the token of a known device. */
export const deviceCookie = '__Host-sygnet-device'

/** Finds the device's id, if it is known to the account. Without an account the same statement runs (R15). */
export async function findDevice(db: Db, token: string | undefined, accountId: string | null) {
  if (!token) return undefined
  const tokenHash = hashToken(token)
  const isKnown = await query(db).finds(sql`
    select from devices where token_hash = ${tokenHash} and account_id = ${accountId} and expires_at > portal_now()`)
  return isKnown ? tokenHash.toString('hex') : undefined
}

/** Finds the account that a device is known to (R119). */
export async function findDeviceOwner(db: Db, token: string | undefined) {
  if (!token) return undefined
  const tokenHash = hashToken(token)
  const found = await query(db).first(sql<{ accountId: string }>`
    select account_id from devices where token_hash = ${tokenHash} and expires_at > portal_now()`)
  return found && { device: tokenHash.toString('hex'), accountId: found.accountId }
}

/** Remembers the device of a complete sign-in under a new token, which is returned; its earlier token becomes invalid. */
export async function rememberDevice(tx: Tx, token: string | undefined, accountId: string): Promise<string> {
  const next = newToken()
  await query(tx).run(sql`with before as (${forget(token, accountId)}) ${remember(next, accountId)}`)
  return next
}

/** Returns the statement by which `rememberDevice` removes the earlier token. */
export const forget = (token: string | undefined, accountId: string): RawBuilder<unknown> => sql`
    delete from devices where token_hash = ${hashToken(token ?? '')} and account_id = ${accountId}`
export const remember = (token: string, accountId: string): RawBuilder<unknown> => sql`
    insert into devices (token_hash, account_id, expires_at)
    values (${hashToken(token)}, ${accountId}, portal_now() + make_interval(days => ${limits.device.knownDays}))`

export async function removeDevice(tx: Tx, device: string): Promise<void> {
  await query(tx).run(sql`delete from devices where token_hash = ${Buffer.from(device, 'hex')}`)
}

/** Makes all devices of an account unknown again, after a new password. */
export async function removeDevices(tx: Tx, accountId: string): Promise<void> {
  await query(tx).run(sql`delete from devices where account_id = ${accountId}`)
}
