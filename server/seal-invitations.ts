import { sql } from 'kysely'
import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { inLocale, pages } from '../contract/pages.ts'
import type { SealUserRole } from '../contract/seal-users.ts'
import { spend, type Budget } from './budgets.ts'
import { canonicalLogin } from './canonical.ts'
import type { Db, Tx } from './db.ts'
import { linkAddress, makeLink } from './links.ts'
import { renderMail } from './mail-template.ts'
import { maskPhone } from './masks.ts'
import { enqueue } from './outbox.ts'
import type { Portal, Settings } from './portal.ts'
import { openInvitedPhone, sealPhone } from './sealed-fields.ts'

/** Whoever is asked for a seal user: `sealUser` is the row that says everything else. */
export type InvitationRequest = { sealUser: string }

/** Mails to one e-mail, whichever seal they are for and however often it is added and removed (R74). */
const perEmail: Budget = { name: 'seal-invitation', ...limits.seal.invitations }

/** Pays for an invitation and queues it; the outbox finds out whether the person has an account, so that neither answer nor time tells. */
export async function sendInvitation(
  tx: Tx,
  { keys }: Portal,
  { id, email, expiresAt }: { id: string; email: string; expiresAt: Date },
): Promise<{ retryAfter: number } | undefined> {
  const paid = await spend(tx, keys, perEmail, canonicalLogin(email))
  if (!paid.ok) return paid
  await queueInvitation(tx, keys, id, expiresAt)
  return undefined
}

/** The provider's own invitations are not counted. */
export const queueInvitation = (tx: Tx, keys: Portal['keys'], sealUser: string, expiresAt: Date) =>
  enqueue(tx, keys, { channel: 'seal-invitation', sealUser }, expiresAt)

type Invited = {
  id: string
  email: string
  phone: Buffer
  firstName: string
  surname: string
  role: SealUserRole
  locale: Locale
  expiresAt: Date
  organisation: string
  accountId: string | null
  accountLocale: Locale | null
  hasPassword: boolean
}

/** An invitation that still waits, with the account of its e-mail where there is one. */
async function findInvited(db: Db, id: string): Promise<Invited | undefined> {
  const { rows } = await sql<Invited>`
    select u.id, u.email, u.phone, u.first_name as "firstName", u.surname, u.role, u.locale, u.expires_at as "expiresAt", s.organisation,
      a.id as "accountId", a.locale as "accountLocale", a.password_hash is not null as "hasPassword"
    from seal_users u join seals s on s.id = u.seal_id left join accounts a on a.email_key = u.email_key
    where u.id = ${id} and u.status = 'pending' and u.expires_at > portal_now()`.execute(db)
  return rows[0]
}

/**
 * What the outbox does with an invitation: who has a password is led to the seals; who has none gets a link that sets
 * one. For an e-mail that nobody has, that is a registration's (decision 0036): it names nobody until the mailbox's owner uses it.
 */
export async function deliverInvitation(portal: Portal, { sealUser }: InvitationRequest): Promise<void> {
  const { db, keys, settings } = portal
  await db.transaction().execute(async (tx) => {
    const invited = await findInvited(tx, sealUser)
    if (!invited) return
    const { id, email, role, organisation, expiresAt } = invited
    const locale = invited.accountLocale ?? invited.locale
    const phone = openInvitedPhone(keys, id, invited.phone)
    const url = invited.hasPassword
      ? settings.publicUrl + inLocale(locale, pages.seals.path)
      : linkAddress(settings, locale, await makeSetUpLink(tx, portal, invited, phone))
    const mail = invitationMail(settings, locale, { role, organisation, phone, url, isNew: !invited.hasPassword })
    await enqueue(tx, keys, { channel: 'mail', to: email, ...mail }, expiresAt)
  })
}

/** The account that nobody confirmed has the id of the invitation: asked for again it is the same, and goes when the invitation goes. */
async function makeSetUpLink(tx: Tx, { keys }: Portal, invited: Invited, phone: string): Promise<string> {
  const { id, accountId, email, firstName, surname, locale } = invited
  if (!accountId)
    await sql`
      insert into accounts (id, login, email, unconfirmed_key, phone, phone_confirmed, first_name, surname, locale)
      values (${id}, ${email}, ${email}, ${canonicalLogin(email)}, ${sealPhone(keys, id, phone)}, false, ${firstName}, ${surname}, ${locale})
      on conflict (id) do nothing`.execute(tx)
  return (await makeLink(tx, accountId ?? id, 'set-up')).token
}

/** Sends the mail again whose link was lost, if it was an invitation's that still waits; asked for through that very link. */
export async function sendInvitationAgain(tx: Tx, { keys }: Portal, account: string): Promise<boolean> {
  const invited = await findInvited(tx, account)
  if (invited) await queueInvitation(tx, keys, account, invited.expiresAt)
  return Boolean(invited)
}

const roles: Record<SealUserRole, Record<Locale, string>> = {
  administrator: { pl: 'administrator', en: 'administrator' },
  user: { pl: 'użytkownik', en: 'user' },
}

type Words = { role: SealUserRole; organisation: string; phone: string; url: string; isNew: boolean }

/** Holds nothing that an Administrator has typed but the end of the number, or it would be a way to send anything to anybody (R74). */
function invitationMail(settings: Settings, locale: Locale, { role, organisation, phone, url, isNew }: Words) {
  const name = settings.brand.product
  const number = maskPhone(phone)
  const words = {
    pl: {
      subject: `${name}: zaproszenie do pieczęci`,
      paragraphs: [
        `${organisation} udostępnia Ci pieczęć kwalifikowaną w\u00a0portalu ${name}. Twoja rola: ${roles[role].pl}.`,
        isNew
          ? `Ustaw hasło, zaloguj się i\u00a0naciśnij „Aktywuj dostęp”. Kody SMS wyślemy na numer ${number}.`
          : `Zaloguj się i\u00a0naciśnij „Aktywuj dostęp”. Kod SMS wyślemy wtedy na numer ${number}.`,
        isNew ? 'Link działa 7 dni i\u00a0tylko raz.' : 'Zaproszenie działa 7 dni.',
      ],
      label: isNew ? 'Ustaw hasło' : 'Zobacz zaproszenie',
      note: 'Nie znasz tej organizacji albo to nie Twój numer? Nie rób nic: zaproszenie samo straci ważność.',
    },
    en: {
      subject: `${name}: an invitation to a seal`,
      paragraphs: [
        `${organisation} shares a qualified seal with you in the ${name} portal. Your role: ${roles[role].en}.`,
        isNew
          ? `Set a password, log in and press “Activate access”. Text-message codes will go to ${number}.`
          : `Log in and press “Activate access”. A text-message code will then go to ${number}.`,
        isNew ? 'The link works for 7 days, and once only.' : 'The invitation works for 7 days.',
      ],
      label: isNew ? 'Set password' : 'See the invitation',
      note: 'You do not know this organisation, or it is not your number? Do nothing: the invitation expires by itself.',
    },
  }[locale]
  return renderMail(locale, settings.brand, { ...words, action: { label: words.label, url } })
}
