import { sql } from 'kysely'
import type { Locale } from '../contract/enums.ts'
import type { Tx } from './db.ts'
import { voidLinks } from './links.ts'
import { momentIn } from './mail-moments.ts'
import { renderMail } from './mail-template.ts'
import { maskEmail, maskPhone } from './masks.ts'
import { enqueueBulk, type Message } from './outbox.ts'
import type { Portal, Settings } from './portal.ts'
import { endAllSessions } from './session.ts'
import { isChosenCountry } from './sms-policy.ts'
import { contactChangedBySms } from './sms-text.ts'

type Contact = { email: string; phone: string }

/** `before.phone` is null where nobody had confirmed it: such a number gets no message. */
export type ContactChange = {
  accountId: string
  locale: Locale
  before: { email: string; phone: string | null }
  now: Contact
  changed: { email: boolean; phone: boolean }
  /** Without a password yet. */
  invited: boolean
}

/**
 * What the provider's change of an e-mail address or a phone number ends and who is notified of it (R116): nothing that was opened by
 * the old ones stays open, the old ones are notified, and for a while no reset link leaves. All of it in the transaction of the change.
 */
export async function followContactChanges(
  tx: Tx,
  { keys, settings }: Pick<Portal, 'keys' | 'settings'>,
  changes: readonly ContactChange[],
): Promise<void> {
  if (!changes.length) return
  const ids = changes.map(({ accountId }) => accountId)
  const resetsFrom = await delayResets(tx, settings, ids)
  await endAllSessions(tx, ...ids)
  // A link in a mailbox that is no longer the customer's must open nothing (R11). An invitation in the right one still invites.
  const ended = changes.filter(({ changed, invited }) => changed.email || !invited)
  await voidLinks(tx, ...ended.map(({ accountId }) => accountId))
  await enqueueBulk(
    tx,
    keys,
    changes.flatMap((change) => noticesOf(settings, change, resetsFrom.get(change.accountId))),
  )
}

/** An account without a password has nothing to reset: its invitation goes to the new address at once. */
async function delayResets(tx: Tx, { resetDelay }: Settings, ids: readonly string[]): Promise<Map<string, Date>> {
  if (!resetDelay) return new Map()
  const { rows } = await sql<{ id: string; from: Date }>`
    update accounts set resets_from = portal_now() + make_interval(secs => ${resetDelay})
    where id = any(${ids}::uuid[]) and password_hash is not null returning id, resets_from as "from"`.execute(tx)
  return new Map(rows.map(({ id, from }) => [id, from]))
}

function noticesOf(settings: Settings, change: ContactChange, resetsFrom: Date | undefined): Message[] {
  const { locale, before, changed } = change
  const mail = contactChangedMail(settings, change, resetsFrom)
  return [
    { channel: 'mail', to: before.email, ...mail },
    ...(before.phone === null || !isChosenCountry(settings, before.phone)
      ? []
      : [{ channel: 'sms', to: before.phone, text: contactChangedBySms(settings, locale, changed) } as const]),
  ]
}

function contactChangedMail({ brand }: Settings, { locale, now, changed }: ContactChange, resetsFrom?: Date) {
  const [email, phone] = [maskEmail(now.email), maskPhone(now.phone)]
  const words = {
    pl: {
      subject: `${brand.product}: zmieniono dane kontaktowe konta`,
      paragraphs: [
        changed.email && `Nowy adres e-mail Twojego konta: ${email}.`,
        changed.phone && `Nowy numer telefonu do kodów SMS: ${phone}.`,
        `Zmiany dokonała firma ${brand.company}. Wylogowaliśmy Cię ze wszystkich urządzeń. Hasło się nie zmieniło.`,
        resetsFrom && `Nowe hasło przez e-mail można ustawić dopiero od ${momentIn(locale, resetsFrom)}.`,
        `Jeśli ta zmiana nie była z\u00a0Tobą uzgodniona, zadzwoń od razu: ${brand.phone}.`,
      ],
    },
    en: {
      subject: `${brand.product}: the contact details of your account have changed`,
      paragraphs: [
        changed.email && `The new e-mail address of your account: ${email}.`,
        changed.phone && `The new phone number for text-message codes: ${phone}.`,
        `${brand.company} made the change. We have logged you out on all devices. Your password is the same.`,
        resetsFrom && `A new password can be set by e-mail only from ${momentIn(locale, resetsFrom)}.`,
        `If you did not agree to this change, call us at once: ${brand.phone}.`,
      ],
    },
  }[locale]
  const paragraphs = words.paragraphs.filter((one) => typeof one === 'string')
  return renderMail(locale, brand, { ...words, paragraphs })
}
