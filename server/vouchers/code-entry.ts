import type { Refusal } from '../platform/api-error.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { networkOf } from '../platform/observability/network.ts'
import type { Portal } from '../platform/portal.ts'
import { charge, findNextFreeTry, settle, type LimitKey } from '../platform/rate-limits/rate-limits.ts'
import { findUsableCode, type UsableCode } from './voucher-store.ts'

// Entry of codes that the provider sells: vouchers and renewal codes (VCH-1, REN-1, R30, R31). Each entry is charged before the code is
// looked up, and refunded only if the code worked.

/** The customer who enters a code, with the transactions of the call. */
type Entrant = {
  accountId: string
  address: string
  transaction: Call<unknown>['transaction']
}

type EntryRefusal = Refusal<'too-many-attempts' | 'voucher-refused'>

const limitKeysOf = ({ accountId, address }: Pick<Entrant, 'accountId' | 'address'>): LimitKey[] => [
  ['voucher-account', accountId],
  ['voucher-address', networkOf(address)],
]

/**
 * Charges one entry and finds its code. The refusal is the same for a code that is unknown, expired or somebody else's. If
 * the code worked, `acceptEntry` must follow in the same transaction; if it cannot work, `refuseEntry`.
 */
export async function enterVoucherCode(portal: Portal, by: Entrant, code: string): Promise<UsableCode | EntryRefusal> {
  const { db, keys } = portal
  const charged = await charge(db, keys, limitKeysOf(by))
  if (!charged.ok) return { refused: 'too-many-attempts', data: { retryAfter: charged.retryAfter } }
  return (await findUsableCode(db, keys, by.accountId, code)) ?? refuseEntry(portal, by)
}

/** Records the refusal of an entry, and returns it. That of the last one also says when the next one is possible (VCH-2). */
export async function refuseEntry(portal: Portal, by: Entrant): Promise<EntryRefusal> {
  const retryAfter = await readSecondsUntilEntry(portal, by)
  await by.transaction((_tx, audit) => audit(retryAfter ? 'voucher-limit-reached' : 'voucher-code-refused'))
  return retryAfter ? { refused: 'too-many-attempts', data: { retryAfter } } : { refused: 'voucher-refused' }
}

/** Returns the seconds until the next entry is possible; 0 if it is possible now. */
export const readSecondsUntilEntry = async ({ db, keys }: Portal, by: Pick<Entrant, 'accountId' | 'address'>) =>
  (await findNextFreeTry(db, keys, limitKeysOf(by)))?.seconds ?? 0

/** Refunds an entry, because the code worked. */
export const acceptEntry = (tx: Tx, { keys }: Portal, by: Entrant): Promise<void> =>
  settle(tx, keys, { refund: limitKeysOf(by) })
