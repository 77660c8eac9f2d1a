import { limits } from '../../../contract/limits.ts'
import type { Db, Tx } from '../database/database.ts'
import type { Keys } from '../encryption/keys.ts'
import type { MailedLinkRequest } from '../messages/message.ts'
import { networkOf } from '../observability/network.ts'
import { chargeAttempt, type RateLimit } from '../rate-limits/rate-limits.ts'
import { ownerOfDevice } from './devices.ts'

type LinkLimits = { [K in keyof typeof limits.reset]: RateLimit }

/** The limits of links that anybody can request by the name of an account; each kind has its own, so that none uses up another's (R119, R222). */
export const linkLimits = (kind: 'reset' | 'lost-phone'): LinkLimits => ({
  perAccount: { name: `${kind}-account`, ...limits.reset.perAccount },
  perAddress: { name: `${kind}-address`, ...limits.reset.perAddress },
  byStrangers: { name: `${kind}-strangers`, ...limits.reset.byStrangers },
  spaced: { name: `${kind}-spaced`, ...limits.reset.spaced },
})

/** What requests are counted by: a device that is known to an account, or else its network (R119). */
export async function sourceOf(db: Db, device: string | undefined, address: string) {
  const known = await ownerOfDevice(db, device)
  return { key: known?.device ?? networkOf(address), knownTo: known?.accountId }
}

/**
 * Limits the mails to a mailbox by source (`wanted`) and by all strangers together. Beyond the limits one mail in a while still goes out, so
 * that the mailbox has a link that works for another ten minutes: otherwise requests from the owner's network would lock the owner out (R119).
 */
export const chargeLinkMail = async (
  tx: Tx,
  keys: Keys,
  { byStrangers, spaced }: LinkLimits,
  accountId: string,
  { wanted, knownTo }: MailedLinkRequest,
): Promise<boolean> =>
  (wanted && (accountId === knownTo || (await chargeAttempt(tx, keys, byStrangers, accountId)).ok)) ||
  (await chargeAttempt(tx, keys, spaced, accountId)).ok
