import { sql } from 'kysely'
import type { Locale } from '../../../contract/enums.ts'
import { inLocale, pages } from '../../../contract/pages.ts'
import type { ChangedBy } from '../audit/audit-entry.ts'
import { addAuditEntry } from '../audit/audit.ts'
import { query, type Tx } from '../database/database.ts'
import type { Keys } from '../encryption/keys.ts'
import { renderMail } from '../messages/mail-template.ts'
import { enqueue } from '../messages/outbox.ts'
import type { Portal } from '../portal.ts'
import { settle, type LimitKey, charge } from '../rate-limits/rate-limits.ts'
import type { Settings } from '../settings.ts'
import { canonicalLogin } from './canonical-login.ts'

/** Returns the limit key of the daily count of all unknown devices together. A sign-in, a new password and an unblock reset it. */
export const dailyWrongPasswords = (accountId: string): LimitKey => ['sign-in-block', accountId]

/** Marks counts of known devices and signed-in customers, apart from those of strangers who have the password (R118). */
export const knownDevice = 'known'

/** Returns the limit key of the streak of strangers, or with `knownDevice` that of known devices, which strangers cannot lock out. */
export const wrongCodesKey = (accountId: string, ...device: string[]): LimitKey => [
  'code-entries-unbroken',
  accountId,
  ...device,
]
/**
 * Returns the limit keys of both streaks, which a new password and an unblock reset, since nothing else does. The limit of the day stays
 * (R12).
 */
export const wrongCodesKeys = (accountId: string): LimitKey[] => [
  wrongCodesKey(accountId),
  wrongCodesKey(accountId, knownDevice),
]

type NamedAccount = { name: string } | { providerId: string } | { accountId: string }

function accountConditionOf(account: NamedAccount) {
  if ('accountId' in account) return sql`id = ${account.accountId}`
  if ('providerId' in account) return sql`provider_id = ${account.providerId}`
  const key = canonicalLogin(account.name)
  return sql`(login_key = ${key} or email_key = ${key})`
}

/**
 * Unblocks an account for the operator, the provider or its staff; its password stays. Resets the count that blocked it, or the next typing
 * mistake would block it again. Resets wrong codes even if the account is not blocked. False if no blocked account matches.
 */
export async function unblockAccount(tx: Tx, keys: Keys, account: NamedAccount, actor: ChangedBy): Promise<boolean> {
  const accountCondition = accountConditionOf(account)
  const row = await query(tx).first(sql<{ id: string; unblocked: boolean }>`
    with unblocked as (
      update accounts set blocked_at = null, blocked_for_strangers = false where ${accountCondition} and blocked_at is not null returning id
    )
    select id, id in (select id from unblocked) as unblocked from accounts where ${accountCondition}`)
  if (!row) return false
  const { id: accountId, unblocked } = row
  await settle(tx, keys, { clear: wrongCodesKeys(accountId) })
  if (!unblocked) return false
  await settle(tx, keys, { clear: dailyWrongPasswords(accountId) })
  await addAuditEntry(tx, { action: 'account-unblocked', accountId, ...actor })
  return true
}

type BlockReason = 'wrong-passwords' | 'provider'

type Owner = { id: string; email: string; locale: Locale }

/** Notifies the owner of a block, in the same transaction (AUT-4). */
export async function notifyOfBlock(tx: Tx, { keys, settings }: Portal, owner: Owner, reason: BlockReason) {
  const { id, email, locale } = owner
  if (!(await charge(tx, keys, ['block-notice', id, reason])).ok) return
  await enqueue(tx, keys, { channel: 'mail', to: email, ...blockMail(settings, locale, reason) })
}

function blockMail({ brand, publicUrl, featuresOff }: Settings, locale: Locale, reason: BlockReason) {
  const { company, phone } = brand
  const hasPasskeys = !featuresOff.includes('passkeys')
  const texts = {
    pl: {
      subject: 'konto zostało zablokowane',
      what: {
        'wrong-passwords': 'Ktoś zbyt wiele razy wpisał błędne hasło do Twojego konta, więc je zablokowaliśmy.',
        provider: `Firma ${company} zablokowała Twoje konto i\u00a0zakończyła wszystkie sesje. Powodem nie były błędne hasła.`,
      },
      solution: {
        'wrong-passwords': `Nadal zalogujesz się ${hasPasskeys ? 'kluczem dostępu albo ' : ''}na urządzeniu, z\u00a0którego już korzystasz. Na każdym innym najpierw ustaw nowe hasło: podaj swój e-mail, a\u00a0wyślemy Ci link.`,
        provider: 'Aby wejść na konto, ustaw nowe hasło: podaj swój e-mail, a\u00a0wyślemy Ci link.',
      },
      label: 'Ustaw nowe hasło',
      note: {
        'wrong-passwords': `Jeśli to nie Twoje próby, wystarczy nowe hasło: bez kodu SMS nikt nie wejdzie na konto. Pytania? Zadzwoń: ${phone}.`,
        provider: `Blokada dotyczy konta w\u00a0portalu, nie Twoich certyfikatów. Chcesz poznać powód? Zadzwoń: ${phone}.`,
      },
    },
    en: {
      subject: 'your account was blocked',
      what: {
        'wrong-passwords': 'Someone entered the wrong password for your account too many times, so we’ve blocked it.',
        provider: `${company} has blocked your account and signed you out everywhere. This has nothing to do with wrong passwords.`,
      },
      solution: {
        'wrong-passwords': `You can still sign in ${hasPasskeys ? 'with a passkey, or ' : ''}on a device you already use. On any other device, first set a new password: enter your e-mail and we’ll send you a link.`,
        provider: 'To get back in, set a new password: enter your e-mail and we’ll send you a link.',
      },
      label: 'Set new password',
      note: {
        'wrong-passwords': `If this wasn’t you, a new password is enough: nobody can get into the account without a text-message code. Questions? Call ${phone}.`,
        provider: `Only your portal account is blocked, not your certificates. Want to know why? Call ${phone}.`,
      },
    },
  }[locale]
  return renderMail(locale, brand, {
    subject: texts.subject,
    paragraphs: [texts.what[reason], texts.solution[reason]],
    action: { label: texts.label, url: publicUrl + inLocale(locale, pages.passwordReset.path) },
    note: texts.note[reason],
  })
}
