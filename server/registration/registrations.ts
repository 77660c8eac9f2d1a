import type { Locale } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { addConsents } from '../personal-data/consent-store.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { takeNames } from '../platform/authentication/account-names.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import type { Tx } from '../platform/database/database.ts'
import { renderMail, pageLink } from '../platform/messages/mail-template.ts'
import type { RegistrationRequest } from '../platform/messages/message.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { sendPasswordLink, sendConfirmation } from './password-link.ts'
import { removeRegistration, findNamesake, addRegistration, setNames } from './registration-store.ts'

/**
 * Answers a registration, from the outbox: a new e-mail gets a link that confirms exactly what was entered with it, and a known one gets a
 * mail that says so (REG-4).
 */
export async function answerRegistration(portal: Portal, request: RegistrationRequest): Promise<void> {
  const { db, keys, settings } = portal
  const { address, wanted } = request
  const key = canonicalLogin(request.email)
  await db.transaction().execute(async (tx) => {
    const known = await findNamesake(tx, key)
    if (wanted && request.replaces) await removeRegistration(tx, request.replaces)
    const hasBegun = wanted && !known && (await beginRegistration(tx, portal, request, key))
    if (wanted && known) {
      // A customer who never set a password gets the invitation again.
      if (!known.passwordHash) await sendPasswordLink(tx, portal, known, 'set-up')
      else
        await enqueue(tx, keys, { channel: 'mail', to: known.email, ...alreadyRegisteredMail(settings, known.locale) })
    }
    await addAuditEntry(tx, {
      action: 'registration-requested',
      accountId: known?.id ?? (hasBegun ? request.registration : null),
      actor: 'customer',
      address,
      details: { known: Boolean(known), sent: wanted },
    })
  })
}

/** Begins a registration; false if it was begun before, because the outbox may deliver a message twice. */
async function beginRegistration(tx: Tx, portal: Portal, request: RegistrationRequest, key: string): Promise<boolean> {
  const { registration: id, email, phone, locale } = request
  if (!(await addRegistration(tx, portal.keys, request, key))) return false
  await addConsents(tx, id, new Date(request.at), request.consents)
  await sendConfirmation(tx, portal, { id, email, phone, locale })
  return true
}

/**
 * Confirms a registration after the owner of the mailbox has used the link: the account gets its names, and every other registration of the
 * e-mail ends. False if another account has taken them meanwhile. It locks names, so it comes before any other row lock.
 */
export async function confirmRegistration(
  tx: Tx,
  account: { id: string; login: string; email: string },
): Promise<boolean> {
  const [names] = await takeNames(tx, [account])
  return names !== undefined && setNames(tx, account.id, names)
}

function alreadyRegisteredMail(settings: Settings, locale: Locale) {
  const name = settings.brand.product
  const reset = settings.publicUrl + inLocale(locale, pages.passwordReset.path)
  const text = {
    pl: {
      subject: 'masz już konto',
      paragraphs: [
        `Ktoś – mamy nadzieję, że Ty – chce założyć konto w\u00a0portalu ${name} na ten adres e-mail. Masz już takie konto, więc nic się nie zmieniło.`,
        `Nie pamiętasz hasła? Ustaw nowe: ${reset}`,
      ],
      label: 'Zaloguj się',
      note: 'Jeśli to nie Ty, nie rób nic: Twoje konto działa bez zmian.',
    },
    en: {
      subject: 'you already have an account',
      paragraphs: [
        `Someone – we hope it’s you – wants to create an account in the ${name} portal with this e-mail address. You already have one, so nothing has changed.`,
        `Forgot your password? Set a new one: ${reset}`,
      ],
      label: 'Sign in',
      note: 'If this wasn’t you, you don’t need to do anything: your account works as before.',
    },
  }[locale]
  return renderMail(locale, settings.brand, { ...text, ...pageLink(settings, locale, 'login', text.label) })
}
