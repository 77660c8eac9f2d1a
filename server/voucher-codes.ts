import { sql } from 'kysely'
import { limits } from '../contract/limits.ts'
import type { VoucherProcess } from '../contract/vouchers.ts'
import { record } from './audit.ts'
import { networkOf } from './network.ts'
import { secondsUntilFree, settle, spendAll, type Budget, type Claim } from './budgets.ts'
import type { Tx } from './db.ts'
import { Failed } from './failure.ts'
import { mac, seal, unseal, type Keys } from './keys.ts'
import type { Portal } from './portal.ts'

/**
 * The one mechanism for codes that the provider sells: vouchers and renewal codes (VCH-1, REN-1, R30, R31). Each entry is
 * paid for before it is looked at; what an entry did not bring about stays paid, whatever the reason.
 */

const perAccount: Budget = { name: 'voucher-account', ...limits.voucher.wrongPerAccount, locks: true }
const perAddress: Budget = { name: 'voucher-address', ...limits.voucher.wrongPerAddress }

/** Who enters a code. */
export type Entrant = { accountId: string; address: string }

const claimsOf = ({ accountId, address }: Entrant): Claim[] => [
  [perAccount, accountId],
  [perAddress, networkOf(address)],
]

/** A code that its entrant may use. */
export type EnteredCode = { id: string } & (
  | { kind: 'voucher'; process: VoucherProcess; signatureId: null; usedAt: Date | null }
  | { kind: 'renewal'; process: null; signatureId: string; usedAt: Date | null }
)

export const voucherCodeMac = (keys: Keys, code: string): Buffer => mac(keys.code, 'voucher', code)

const codePlace = (id: string) => `voucher_codes.code ${id}`
export const sealVoucherCode = (keys: Keys, id: string, code: string): Buffer => seal(keys, codePlace(id), code)
export const openVoucherCode = (keys: Keys, id: string, sealed: Buffer): string => unseal(keys, codePlace(id), sealed)

/**
 * Pays for one entry and finds its code; throws the refusal, which is the same for a code that is unknown, expired or
 * somebody else's. A code that has been used is found too, for whoever used it comes back to what it opened. When the
 * code did its work, `acceptCode` must follow in the same act; when it cannot, throw `refusedCode`.
 */
export async function enterCodeOfProvider(portal: Portal, by: Entrant, code: string): Promise<EnteredCode> {
  const { db, keys } = portal
  const paid = await spendAll(db, keys, claimsOf(by))
  if (!paid.ok) throw new Failed('too-many-attempts', { retryAfter: paid.retryAfter })
  const { rows } = await sql<EnteredCode>`
    select id, kind, process, signature_id as "signatureId", used_at as "usedAt" from voucher_codes
    where code_mac = ${voucherCodeMac(keys, code)} and (account_id is null or account_id = ${by.accountId})
      and (used_at is not null or expires_at > portal_now())`.execute(db)
  if (!rows[0]) throw await refusedCode(portal, by)
  return rows[0]
}

/** The refusal of an entry; of the one that was the last, what the specification says after it (VCH-2). */
export async function refusedCode({ db, keys }: Portal, by: Entrant): Promise<Failed> {
  const retryAfter = await secondsUntilCodes({ db, keys }, by)
  await db.transaction().execute((tx) =>
    record(tx, {
      act: retryAfter ? 'voucher-limit-reached' : 'voucher-code-refused',
      accountId: by.accountId,
      actor: 'customer',
      address: by.address,
    }),
  )
  return retryAfter ? new Failed('too-many-attempts', { retryAfter }) : new Failed('voucher-refused')
}

/** Seconds until the next entry is looked at; 0 when one would be. */
export async function secondsUntilCodes({ db, keys }: Pick<Portal, 'db' | 'keys'>, by: Entrant): Promise<number> {
  const each = await Promise.all(claimsOf(by).map(([budget, ...key]) => secondsUntilFree(db, keys, budget, ...key)))
  return Math.max(...each)
}

/** The entry was no wrong one: it does not count. */
export const acceptCode = (tx: Tx, { keys }: Portal, by: Entrant): Promise<void> =>
  settle(tx, keys, { refund: claimsOf(by) })

/** Uses a code up, inside the act that it is for; false when another request was first, or its time has run out (R30). */
export async function spendCodeOfProvider(tx: Tx, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update voucher_codes set used_at = portal_now() where id = ${id} and used_at is null and expires_at > portal_now()`.execute(
    tx,
  )
  return numAffectedRows === 1n
}
