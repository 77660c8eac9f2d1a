import { sql } from 'kysely'
import type { Locale } from '../contract/enums.ts'
import { inLocale, pages } from '../contract/pages.ts'
import { takeNames } from './account-names.ts'
import { record } from './audit.ts'
import { canonicalLogin } from './canonical.ts'
import { storeConsents, type ConsentGiven } from './consents.ts'
import type { Tx } from './db.ts'
import { renderMail } from './mail-template.ts'
import { enqueue } from './outbox.ts'
import { sendPasswordLink } from './password-link.ts'
import type { Portal, Settings } from './portal.ts'
import { sendConfirmation } from './registration-link.ts'
import { sealPhone } from './sealed-fields.ts'

/** What somebody entered to get an account; `id` becomes the account's. */
export type RegistrationRequest = {
  registration: string
  replaces: string | null
  email: string
  firstName: string
  secondName: string | null
  surname: string
  phone: string
  locale: Locale
  consents: ConsentGiven[]
  /** When they were given. */
  at: string
  address: string
  /** False when this e-mail has had its share of mails; the request takes the same way all the same (R29). */
  wanted: boolean
}

/**
 * What the outbox does with a registration: an e-mail that nobody has gets a link which confirms just what was entered
 * with it, and one that somebody has gets a mail that says so (REG-4).
 */
export async function answerRegistration(portal: Portal, request: RegistrationRequest): Promise<void> {
  const { db, keys, settings } = portal
  const { address, wanted } = request
  const key = canonicalLogin(request.email)
  await db.transaction().execute(async (tx) => {
    const known = await tx
      .selectFrom('accounts')
      .select(['id', 'login', 'email', 'locale', 'password_hash'])
      .where((is) => is.or([is('email_key', '=', key), is('login_key', '=', key)]))
      .executeTakeFirst()
    if (wanted && request.replaces) await dropRegistration(tx, request.replaces)
    const begun = wanted && !known && (await beginRegistration(tx, portal, request, key))
    if (wanted && known) {
      // A customer who never set a password gets the invitation again.
      if (!known.password_hash) await sendPasswordLink(tx, portal, known, 'set-up')
      else
        await enqueue(tx, keys, { channel: 'mail', to: known.email, ...alreadyRegisteredMail(settings, known.locale) })
    }
    await record(tx, {
      act: 'registration-requested',
      accountId: known?.id ?? (begun ? request.registration : null),
      actor: 'customer',
      address,
      details: { known: Boolean(known), sent: wanted },
    })
  })
}

/** False when it was begun already: the outbox may bring one message twice. */
async function beginRegistration(tx: Tx, portal: Portal, request: RegistrationRequest, key: string): Promise<boolean> {
  const { registration: id, email, phone, locale, firstName, secondName, surname } = request
  const { numAffectedRows } = await sql`
    insert into accounts (id, login, email, unconfirmed_key, phone, phone_confirmed, first_name, second_name, surname, locale)
    values (${id}, ${email}, ${email}, ${key}, ${sealPhone(portal.keys, id, phone)}, false, ${firstName}, ${secondName}, ${surname}, ${locale})
    on conflict (id) do nothing`.execute(tx)
  if (!numAffectedRows) return false
  await storeConsents(tx, id, new Date(request.at), request.consents)
  await sendConfirmation(tx, portal, { id, email, phone, locale })
  return true
}

/** Removes a registration that was not confirmed, and its link with it. */
export async function dropRegistration(tx: Tx, id: string): Promise<void> {
  await sql`delete from accounts where id = ${id} and unconfirmed_key is not null`.execute(tx)
}

/**
 * The mailbox's owner has used the link, so the account gets its names, and every other registration of the e-mail
 * ends. False when somebody has taken them meanwhile. Before any other row is locked: names come first.
 */
export async function confirmRegistration(
  tx: Tx,
  account: { id: string; login: string; email: string },
): Promise<boolean> {
  const [names] = await takeNames(tx, [account])
  if (!names) return false
  const { numAffectedRows } = await sql`
    update accounts set login_key = ${names.loginKey}, email_key = ${names.emailKey}, unconfirmed_key = null
    where id = ${account.id} and unconfirmed_key is not null`.execute(tx)
  return numAffectedRows === 1n
}

function alreadyRegisteredMail(settings: Settings, locale: Locale) {
  const name = settings.brand.product
  const addressOf = (page: 'login' | 'passwordReset') => settings.publicUrl + inLocale(locale, pages[page].path)
  const words = {
    pl: {
      subject: `${name}: masz już konto`,
      paragraphs: [
        `Ktoś – mamy nadzieję, że Ty – chce założyć konto w\u00a0portalu ${name} na ten adres e-mail. Masz już takie konto, więc nic się nie zmieniło.`,
        `Nie pamiętasz hasła? Ustaw nowe: ${addressOf('passwordReset')}`,
      ],
      label: 'Zaloguj się',
      note: 'Jeśli to nie Ty, nie rób nic: Twoje konto działa bez zmian.',
    },
    en: {
      subject: `${name}: you already have an account`,
      paragraphs: [
        `Someone – we hope it is you – wants to create an account in the ${name} portal with this e-mail address. You already have one, so nothing has changed.`,
        `Forgot your password? Set a new one: ${addressOf('passwordReset')}`,
      ],
      label: 'Log in',
      note: 'If it was not you, do nothing: your account works as before.',
    },
  }[locale]
  return renderMail(locale, settings.brand, { ...words, action: { label: words.label, url: addressOf('login') } })
}
