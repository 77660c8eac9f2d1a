import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import type { Tx } from '../platform/database/database.ts'
import { linkAddress, makeLink } from '../platform/authentication/links.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { findRegistration, type Registration } from './registration-store.ts'

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

/** The same for a registration that exists and is not confirmed: its link was lost or has expired. */
export async function renewConfirmation(tx: Tx, portal: Portal, id: string): Promise<void> {
  const registration = await findRegistration(tx, portal.keys, id)
  if (registration) await sendConfirmation(tx, portal, registration)
}

/** Contains nothing that was typed but the end of the number: otherwise it could carry any text to any address (R74). */
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
