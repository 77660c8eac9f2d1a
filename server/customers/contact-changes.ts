import type { ChangedBy } from '../platform/audit/audit-entry.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { takeNames } from '../platform/authentication/account-names.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { voidAllLinks, voidLinks } from '../platform/authentication/links.ts'
import { endAllSessions } from '../platform/authentication/session.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Message } from '../platform/messages/message.ts'
import { enqueueBulk, enqueue } from '../platform/messages/outbox.ts'
import { isChosenCountry } from '../platform/messages/sms-policy.ts'
import { contactChangedBySms } from '../platform/messages/sms-text.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { contactChangedMail } from './customer-mails.ts'
import { delayResets, type ContactChange, setEmail, setPhone, type CustomerRow } from './customer-store.ts'

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
  // A link in a former mailbox of the customer must not work (R11). In the current one an invitation still works, and
  // so does the link for a lost phone: whoever gives another number must not keep the owner from suspending (R224).
  const idsOf = (ended: readonly ContactChange[]) => ended.map(({ accountId }) => accountId)
  await voidAllLinks(tx, idsOf(changes.filter(({ changed }) => changed.email)))
  await voidLinks(tx, idsOf(changes.filter(({ changed, isInvited }) => !changed.email && !isInvited)))
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

type Account = Pick<CustomerRow, 'id' | 'login' | 'email' | 'phone' | 'locale'> & {
  phoneConfirmed: boolean
  hasPassword: boolean
}

/**
 * Changes the e-mail address or the phone number of one account, which the caller has locked, with everything that follows a change by the
 * provider (R116). The new address gets a notice too. False if another account has the address.
 */
export async function changeContact(
  tx: Tx,
  portal: Portal,
  account: Account,
  to: { email: string } | { phone: string },
  by: ChangedBy,
): Promise<boolean> {
  const { keys, settings } = portal
  const { id, locale, email, phone } = account
  if ('email' in to) {
    // Who signs in with the e-mail address does so with the new one.
    const login = canonicalLogin(account.login) === canonicalLogin(email) ? to.email : account.login
    const [names] = await takeNames(tx, [{ id, login, email: to.email }])
    if (!names) return false
    await setEmail(tx, id, { login, email: to.email, ...names })
  } else await setPhone(tx, keys, id, to.phone)
  const changed = { email: 'email' in to, phone: 'phone' in to }
  const change: ContactChange = {
    accountId: id,
    locale,
    before: { email, phone: account.phoneConfirmed ? phone : null },
    now: { email, phone, ...to },
    changed,
    isInvited: !account.hasPassword,
  }
  const resetsFrom = await applyContactChanges(tx, portal, [change])
  const mail = contactChangedMail(settings, change, resetsFrom.get(id))
  if ('email' in to) await enqueue(tx, keys, { channel: 'mail', to: to.email, ...mail })
  const details = { ...by.details, ...changed }
  await addAuditEntry(tx, { ...by, action: 'customer-contact-changed', accountId: id, details })
  return true
}
