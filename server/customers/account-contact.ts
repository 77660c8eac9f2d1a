import type { AuditEntry } from '../platform/audit/audit-entry.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { takeNames } from '../platform/authentication/account-names.ts'
import { canonicalLogin } from '../platform/authentication/canonical.ts'
import type { Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { applyContactChanges } from './contact-changes.ts'
import { contactChangedMail } from './customer-mails.ts'
import { writeEmail, writePhone, type ContactChange, type CustomerRow } from './customer-store.ts'

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
  by: Pick<AuditEntry, 'actor' | 'address' | 'details'>,
): Promise<boolean> {
  const { keys, settings } = portal
  const { id, locale, email, phone } = account
  if ('email' in to) {
    // Who signs in with the e-mail address does so with the new one.
    const login = canonicalLogin(account.login) === canonicalLogin(email) ? to.email : account.login
    const [names] = await takeNames(tx, [{ id, login, email: to.email }])
    if (!names) return false
    await writeEmail(tx, id, { login, email: to.email, ...names })
  } else await writePhone(tx, keys, id, to.phone)
  const changed = { email: 'email' in to, phone: 'phone' in to }
  const change: ContactChange = {
    accountId: id,
    locale,
    before: { email, phone: account.phoneConfirmed ? phone : null },
    now: { email, phone, ...to },
    changed,
    invited: !account.hasPassword,
  }
  const resetsFrom = await applyContactChanges(tx, portal, [change])
  const mail = contactChangedMail(settings, change, resetsFrom.get(id))
  if ('email' in to) await enqueue(tx, keys, { channel: 'mail', to: to.email, ...mail })
  const details = { ...by.details, ...changed }
  await addAuditEntry(tx, { ...by, action: 'customer-contact-changed', accountId: id, details })
  return true
}
