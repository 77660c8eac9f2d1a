import type { Db, Tx } from '../database/database.ts'
import type { Keys } from '../encryption/keys.ts'
import type { MailedLinkRequest } from '../messages/message.ts'
import { networkOf } from '../observability/network.ts'
import { charge } from '../rate-limits/rate-limits.ts'
import { ownerOfDevice } from './devices.ts'

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
  kind: 'reset' | 'lost-phone',
  accountId: string,
  { wanted, knownTo }: MailedLinkRequest,
): Promise<boolean> =>
  (wanted && (accountId === knownTo || (await charge(tx, keys, [`${kind}-strangers`, accountId])).ok)) ||
  (await charge(tx, keys, [`${kind}-spaced`, accountId])).ok
