import type { Tx } from '../platform/database/database.ts'
import { voidAllLinks, voidLinks } from '../platform/authentication/links.ts'
import type { Message } from '../platform/messages/message.ts'
import { enqueueBulk } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { endAllSessions } from '../platform/authentication/session.ts'
import { isChosenCountry } from '../platform/messages/sms-policy.ts'
import { contactChangedBySms } from '../platform/messages/sms-text.ts'
import { contactChangedMail } from './customer-mails.ts'
import { delayResets, type ContactChange } from './customer-store.ts'

/**
 * Handles the provider's changes of e-mail addresses and phone numbers (R116), in their transaction: ends sessions and links, notifies the
 * old address and number, and delays reset links. Returns the end of the delay by account.
 */
export async function applyContactChanges(
  tx: Tx,
  { keys, settings }: Pick<Portal, 'keys' | 'settings'>,
  changes: readonly ContactChange[],
): Promise<Map<string, Date>> {
  if (!changes.length) return new Map()
  const ids = changes.map(({ accountId }) => accountId)
  const resetsFrom = await delayResets(tx, settings.resetDelay, ids)
  await endAllSessions(tx, ...ids)
  // A link in a former mailbox of the customer must not work (R11). In the current one an invitation still works, and so does the link for a lost
  // phone: whoever gives another number must not keep the owner from suspending (R224).
  const idsOf = (ended: readonly ContactChange[]) => ended.map(({ accountId }) => accountId)
  await voidAllLinks(tx, idsOf(changes.filter(({ changed }) => changed.email)))
  await voidLinks(tx, idsOf(changes.filter(({ changed, invited }) => !changed.email && !invited)))
  await enqueueBulk(
    tx,
    keys,
    changes.flatMap((change) => noticesOf(settings, change, resetsFrom.get(change.accountId))),
  )
  return resetsFrom
}

function noticesOf(settings: Settings, change: ContactChange, resetsFrom: Date | undefined): Message[] {
  const { locale, before, changed } = change
  const mail: Message = { channel: 'mail', to: before.email, ...contactChangedMail(settings, change, resetsFrom) }
  if (before.phone === null || !isChosenCountry(settings, before.phone)) return [mail]
  const text = contactChangedBySms(settings, locale, changed)
  return [mail, { channel: 'sms', kind: 'notice', to: before.phone, text }]
}
