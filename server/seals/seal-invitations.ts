import { sql } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { productPhrase } from '../../contract/product-text.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import type { SealProduct, SealInvitation, SealUserRole } from '../../contract/seals.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { linkAddress, makeLink } from '../platform/authentication/links.ts'
import { type Tx, type Db, query } from '../platform/database/database.ts'
import { decryptInvitedPhone, encryptPhone, phoneIndex } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import type { InvitationRequest } from '../platform/messages/message.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { charge } from '../platform/rate-limits/rate-limits.ts'
import type { Settings } from '../platform/settings.ts'
import { membershipCondition, sealEndedCondition } from './seal-membership-store.ts'
import { roleText } from './seal-store.ts'

/**
 * Charges the rate limit and enqueues the invitation. The outbox looks up the account, so that neither the answer nor
 * its time reveals whether there is one.
 */
export async function sendInvitation(
  tx: Tx,
  { keys }: Portal,
  { id, email, expiresAt }: { id: string; email: string; expiresAt: Date },
): Promise<{ retryAfter: number } | undefined> {
  const charged = await charge(tx, keys, ['seal-invitation', canonicalLogin(email)])
  if (!charged.ok) return { retryAfter: charged.retryAfter }
  await queueInvitation(tx, keys, id, expiresAt)
  return undefined
}

/** Queues an invitation. It has no rate limit of its own: the provider's invitations are not counted. */
export const queueInvitation = (tx: Tx, keys: Keys, sealUser: string, expiresAt: Date) =>
  enqueue(tx, keys, { channel: 'seal-invitation', sealUser }, expiresAt)

type Invitation = Given<typeof SealInvitation>

/** Lists the pending invitations to the e-mail of an account, nearest end first (R41). */
export async function listInvitations(db: Db, keys: Keys, accountId: string): Promise<Invitation[]> {
  const rows = await query(db).all(sql<Omit<Invitation, 'phone'> & { phone: Buffer }>`
    select u.id, s.organisation, u.role, u.phone, u.expires_at
    from accounts a join seal_users u on u.email_key = a.email_key and u.status = 'pending' and u.expires_at > portal_now()
      join seals s on s.id = u.seal_id and not ${sealEndedCondition}
    where a.id = ${accountId} and not ${membershipCondition(sql`u.seal_id`, sql`a.id`)} order by u.expires_at, u.id limit ${limits.seal.invitationsShown}`)
  return rows.map(({ phone, ...row }) => ({
    ...row,
    phone: maskPhone(decryptInvitedPhone(keys, row.id, phone)),
  }))
}

/** Finds an invitation to the e-mail of an account, and whether it can be activated; anybody else's is not found. */
export async function findInvitation(db: Db, keys: Keys, accountId: string, id: string) {
  const row = await query(db).first(sql<{ sealId: string; phone: Buffer; isExpired: boolean; hasEnded: boolean }>`
    select u.seal_id, u.phone, u.expires_at <= portal_now() as is_expired, ${sealEndedCondition} as has_ended
    from accounts a join seal_users u on u.email_key = a.email_key join seals s on s.id = u.seal_id
    where a.id = ${accountId} and u.id = ${id} and u.status = 'pending'
      and not ${membershipCondition(sql`u.seal_id`, sql`a.id`)}`)
  return row && { ...row, phone: decryptInvitedPhone(keys, id, row.phone) }
}

type Invited = {
  id: string
  email: string
  phone: string
  firstName: string
  surname: string
  role: SealUserRole
  locale: Locale
  expiresAt: Date
  organisation: string
  product: SealProduct
  accountId: string | null
  accountLocale: Locale | null
  hasPassword: boolean
}

/** Finds a pending invitation, with the account of its e-mail if there is one. */
async function findInvited(db: Db, keys: Keys, id: string): Promise<Invited | undefined> {
  const row = await query(db).first(sql<Omit<Invited, 'phone'> & { phone: Buffer }>`
    select u.id, u.email, u.phone, u.first_name, u.surname, u.role, u.locale, u.expires_at, s.organisation, s.product,
      a.id as account_id, a.locale as account_locale, a.password_hash is not null as has_password
    from seal_users u join seals s on s.id = u.seal_id left join accounts a on a.email_key = u.email_key
    where u.id = ${id} and u.status = 'pending' and u.expires_at > portal_now()`)
  return row && { ...row, phone: decryptInvitedPhone(keys, id, row.phone) }
}

/** Inserts an unconfirmed account with the id of the invitation, so that a repeated mail finds it and it is removed with the invitation. */
async function insertUnconfirmedAccount(
  tx: Tx,
  keys: Keys,
  { id, email, phone, firstName, surname, locale }: Invited,
): Promise<void> {
  await query(tx).run(sql`
    insert into accounts (id, login, email, unconfirmed_key, phone, phone_index, phone_confirmed, first_name, surname, locale)
    values (${id}, ${email}, ${email}, ${canonicalLogin(email)}, ${encryptPhone(keys, id, phone)}, ${phoneIndex(keys, phone)}, false, ${firstName}, ${surname}, ${locale})
    on conflict (id) do nothing`)
}

/**
 * Mails an invitation: a customer with a password gets a link to the seals, anybody else a link that sets a password.
 * For an e-mail without an account that link belongs to an unconfirmed registration (decision 0036). Nobody is invited
 * while seals are off (ERR-5).
 */
export async function deliverInvitation(portal: Portal, { sealUser }: InvitationRequest): Promise<void> {
  const { db, keys, settings } = portal
  if (settings.featuresOff.includes('seals')) return
  await db.transaction().execute(async (tx) => {
    const invited = await findInvited(tx, keys, sealUser)
    if (!invited) return
    const { email, phone, role, organisation, product, expiresAt } = invited
    const locale = invited.accountLocale ?? invited.locale
    const url = invited.hasPassword
      ? settings.publicUrl + inLocale(locale, pages.seals.path)
      : linkAddress(settings, locale, await makeSetUpLink(tx, keys, invited))
    const mail = invitationMail(settings, locale, {
      role,
      organisation,
      product,
      phone,
      url,
      isNew: !invited.hasPassword,
    })
    await enqueue(tx, keys, { channel: 'mail', to: email, ...mail }, expiresAt)
  })
}

async function makeSetUpLink(tx: Tx, keys: Keys, invited: Invited): Promise<string> {
  if (!invited.accountId) await insertUnconfirmedAccount(tx, keys, invited)
  return (await makeLink(tx, invited.accountId ?? invited.id, 'set-up')).token
}

/** Sends the mail of an invitation again, if the invitation is still pending. */
export async function resendInvitation(tx: Tx, { keys }: Portal, accountId: string): Promise<boolean> {
  const invited = await findInvited(tx, keys, accountId)
  if (invited) await queueInvitation(tx, keys, accountId, invited.expiresAt)
  return Boolean(invited)
}

type InvitationContent = {
  role: SealUserRole
  organisation: string
  product: SealProduct
  phone: string
  url: string
  isNew: boolean
}

/** Writes the invitation. It has no text of an Administrator but the end of the number, so that it carries no message of theirs (R74). */
function invitationMail(
  settings: Settings,
  locale: Locale,
  { role, organisation, product, phone, url, isNew }: InvitationContent,
) {
  const name = settings.brand.product
  const number = maskPhone(phone)
  const texts = {
    pl: {
      subject: 'zaproszenie do pieczęci',
      paragraphs: [
        `${endSentence(`${organisation} udostępnia Ci pieczęć kwalifikowaną w\u00a0portalu ${name}`)} Rodzaj: pieczęć ${productPhrase[product].pl}. Twoja rola: ${roleText[role].pl}.`,
        isNew
          ? `Ustaw hasło, zaloguj się i\u00a0naciśnij „Aktywuj dostęp”. Kody SMS wyślemy na numer ${number}.`
          : `Zaloguj się i\u00a0naciśnij „Aktywuj dostęp”. Wyślemy wtedy kod SMS na numer ${number}.`,
        isNew ? 'Link działa 7\u00a0dni i\u00a0tylko raz.' : 'Zaproszenie jest ważne 7\u00a0dni.',
      ],
      label: isNew ? 'Ustaw hasło' : 'Zobacz zaproszenie',
      note: 'Nie znasz tej organizacji albo to nie Twój numer? Nie rób nic: zaproszenie samo wygaśnie.',
    },
    en: {
      subject: 'an invitation to use a seal',
      paragraphs: [
        `${organisation} is sharing a qualified seal with you in the ${name} portal. Type: seal ${productPhrase[product].en}. Your role: ${roleText[role].en}.`,
        isNew
          ? `Set a password, sign in and press “Activate access”. We’ll send text-message codes to ${number}.`
          : `Sign in and press “Activate access”. We’ll then send a text-message code to ${number}.`,
        isNew ? 'You can use the link once. It expires in 7\u00a0days.' : 'The invitation is valid for 7\u00a0days.',
      ],
      label: isNew ? 'Set password' : 'View invitation',
      note: 'Don’t know this organisation, or not your number? You don’t need to do anything: the invitation will expire.',
    },
  }[locale]
  return renderMail(locale, settings.brand, { ...texts, action: { label: texts.label, url } })
}
