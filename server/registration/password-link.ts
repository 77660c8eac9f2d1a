import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { linkAddress, makeLink, type PasswordPurpose, chargeLinkMail } from '../platform/authentication/links.ts'
import type { Tx } from '../platform/database/database.ts'
import { renderMail, momentIn } from '../platform/messages/mail-template.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import type { CustomerInvitation, LinkRequest } from '../platform/messages/message.ts'
import { enqueue, enqueueBulk } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import {
  findInvited,
  lockForReset,
  type LinkRecipient,
  findRegistration,
  type Registration,
} from './registration-store.ts'

/**
 * Creates a link that sets a password, and queues its mail. `bulk`: one of many that go out at once. `keepsOlder`: earlier links
 * remain valid.
 */
export async function sendPasswordLink(
  tx: Tx,
  { keys, settings }: Portal,
  account: Omit<LinkRecipient, 'passwordHash'>,
  purpose: PasswordPurpose,
  { bulk = false, keepsOlder = false } = {},
): Promise<void> {
  const { token, expiresAt } = await makeLink(tx, account.id, purpose, { keepsOlder })
  const mail = passwordLinkMail(settings, account.locale, purpose, { login: account.login, token })
  const message = { channel: 'mail', to: account.email, ...mail } as const
  await (bulk ? enqueueBulk(tx, keys, [message], expiresAt) : enqueue(tx, keys, message, expiresAt))
}

/** Creates the link that confirms a registration, and queues its mail; an earlier link becomes void. */
export async function sendConfirmation(
  tx: Tx,
  { keys, settings }: Portal,
  { id, email, phone, locale }: Registration,
): Promise<void> {
  const { token, expiresAt } = await makeLink(tx, id, 'set-up', { seconds: limits.link.registration })
  const mail = confirmationMail(settings, locale, { phone, url: linkAddress(settings, locale, token) })
  await enqueue(tx, keys, { channel: 'mail', to: email, ...mail }, expiresAt)
}

/** Sends the confirmation link again for a registration that exists and is not confirmed, because its link was lost or has expired. */
async function renewConfirmation(tx: Tx, portal: Portal, id: string): Promise<void> {
  const registration = await findRegistration(tx, portal.keys, id)
  if (registration) await sendConfirmation(tx, portal, registration)
}

/** Writes the mail of a registration. It has nothing that was typed but the end of the number, or it could carry any text (R74). */
function confirmationMail(settings: Settings, locale: Locale, { phone, url }: { phone: string; url: string }) {
  const name = settings.brand.product
  const number = maskPhone(phone)
  const text = {
    pl: {
      subject: 'dokończ zakładanie konta',
      paragraphs: [
        `Ktoś – mamy nadzieję, że Ty – zakłada konto w\u00a0portalu ${name} na ten adres e-mail.`,
        `Kody SMS będziemy wysyłać na numer ${number}. Sprawdź, czy to Twój numer: po ustawieniu hasła potwierdzisz go kodem albo poprawisz.`,
        'Link działa 24\u00a0godziny i\u00a0tylko raz. Działa tylko link z\u00a0najnowszej wiadomości.',
      ],
      label: 'Ustaw hasło',
      note: 'Jeśli to nie Ty zakładasz konto, nie otwieraj linku: bez niego konto nie powstanie. Własne konto założysz w\u00a0każdej chwili.',
    },
    en: {
      subject: 'finish creating your account',
      paragraphs: [
        `Someone – we hope it’s you – is creating an account in the ${name} portal with this e-mail address.`,
        `We’ll send text-message codes to ${number}. Check that it’s your number: once you’ve set a password, you’ll confirm or correct it.`,
        'You can use the link once. It expires in 24\u00a0hours. Only the link in the newest message works.',
      ],
      label: 'Set password',
      note: 'If this wasn’t you, don’t open the link: without it, no account is created. You can create one with your own details at any time.',
    },
  }[locale]
  return renderMail(locale, settings.brand, { ...text, action: { label: text.label, url } })
}

/**
 * Answers a request for a reset link, from the outbox: if the account exists, its owner gets one. `wanted` is false beyond the rate limit
 * of the source; such a request is processed in the same way (R29). Earlier links work until one is used: otherwise anyone could void the
 * owner's link by repeated requests (R119).
 */
export async function answerLinkRequest(portal: Portal, request: LinkRequest): Promise<void> {
  const { email, address, wanted, registration } = request
  await portal.db.transaction().execute(async (tx) => {
    const account = await lockForReset(tx, canonicalLogin(email))
    const isSent = account && (await chargeLinkMail(tx, portal.keys, 'reset', account.id, request))
    await addAuditEntry(tx, {
      action: 'password-reset-requested',
      accountId: account?.id ?? null,
      actor: 'customer',
      address,
      details: { sent: Boolean(isSent && !account.delayedUntil) },
    })
    if (account?.delayedUntil) {
      // The provider has just changed how the account is reached; its owner was notified and has this time to call (R116).
      if (isSent) await enqueue(tx, portal.keys, resetLater(portal.settings, account, account.delayedUntil))
      return
    }
    // A customer who never set a password gets the invitation again.
    if (isSent)
      await sendPasswordLink(tx, portal, account, account.passwordHash ? 'reset' : 'set-up', { keepsOlder: true })
    else if (!account && registration && wanted && !(await resendInvitation(tx, portal, registration)))
      await renewConfirmation(tx, portal, registration)
  })
}

/** Lets features send the invitation of an account again; true if one has. */
async function resendInvitation(tx: Tx, portal: Portal, accountId: string): Promise<boolean> {
  for (const feature of portal.features) if (await feature.resendInvitation?.(tx, portal, accountId)) return true
  return false
}

function resetLater({ brand }: Settings, { email, locale }: Pick<LinkRecipient, 'email' | 'locale'>, from: Date) {
  const moment = momentIn(locale, from)
  const text = {
    pl: {
      subject: `nowe hasło ustawisz od ${moment}`,
      paragraphs: [
        'Ktoś – mamy nadzieję, że Ty – chce ustawić nowe hasło do Twojego konta.',
        `Niedawno zmieniły się dane kontaktowe konta, więc dla bezpieczeństwa link do nowego hasła możemy wysłać dopiero od ${moment}. Zamów go wtedy jeszcze raz.`,
        `Pamiętasz hasło? Zaloguj się już teraz. Pytania? Zadzwoń: ${brand.phone}.`,
      ],
    },
    en: {
      subject: `you can set a new password from ${moment}`,
      paragraphs: [
        'Someone – we hope it’s you – wants to set a new password for your account.',
        `Your contact details changed recently, so to keep your account safe we can’t send a link for a new password until ${moment}. Ask for it again then.`,
        `Remember your password? You can sign in now. Questions? Call ${brand.phone}.`,
      ],
    },
  }[locale]
  return { channel: 'mail', to: email, ...renderMail(locale, brand, text) } as const
}

/** Creates the link only when the outbox delivers the message, so that its seven days begin when its mail goes out. */
export async function inviteNewCustomer(portal: Portal, { account: id }: CustomerInvitation): Promise<void> {
  await portal.db.transaction().execute(async (tx) => {
    const account = await findInvited(tx, id)
    if (account) await sendPasswordLink(tx, portal, account, 'set-up', { bulk: true })
  })
}

/** Writes the mail with a link that sets a password: an invitation or a reset. */
function passwordLinkMail(
  settings: Settings,
  locale: Locale,
  purpose: PasswordPurpose,
  { login, token }: { login: string; token: string },
) {
  const { product: name, phone } = settings.brand
  const url = linkAddress(settings, locale, token)
  const text = {
    'set-up': {
      pl: {
        subject: 'ustaw hasło do konta',
        paragraphs: [
          `Twoje konto w\u00a0portalu ${name} jest gotowe. Login: ${login}.`,
          'Ustaw hasło, aby z\u00a0niego korzystać. Link działa 7\u00a0dni i\u00a0tylko raz.',
        ],
        label: 'Ustaw hasło',
        note: `Nie spodziewasz się tej wiadomości? Zadzwoń: ${phone}. Bez hasła nikt nie wejdzie na konto.`,
      },
      en: {
        subject: 'set a password for your account',
        paragraphs: [
          `Your account in the ${name} portal is ready. Username: ${login}.`,
          'Set a password to start using it. You can use the link once. It expires in 7\u00a0days.',
        ],
        label: 'Set password',
        note: `Weren’t expecting this message? Call ${phone}. Nobody can get into the account without a password.`,
      },
    },
    reset: {
      pl: {
        subject: 'ustaw nowe hasło',
        paragraphs: [
          'Ktoś – mamy nadzieję, że Ty – chce ustawić nowe hasło do Twojego konta.',
          'Link działa 30\u00a0minut i\u00a0tylko raz. Po zmianie wylogujemy Cię ze wszystkich urządzeń.',
        ],
        label: 'Ustaw nowe hasło',
        note: 'Jeśli to nie Ty, nie rób nic: dotychczasowe hasło działa bez zmian.',
      },
      en: {
        subject: 'set a new password',
        paragraphs: [
          'Someone – we hope it’s you – wants to set a new password for your account.',
          'You can use the link once. It expires in 30\u00a0minutes. After the change we’ll sign you out on all devices.',
        ],
        label: 'Set new password',
        note: 'If this wasn’t you, you don’t need to do anything: your current password still works.',
      },
    },
  }[purpose][locale]
  return renderMail(locale, settings.brand, { ...text, action: { label: text.label, url } })
}
