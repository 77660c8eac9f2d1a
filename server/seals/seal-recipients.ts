import { sql } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { productPhrase } from '../../contract/product-text.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import * as calls from '../../contract/seal-recipients.ts'
import type { SealRecipient } from '../../contract/seal-recipients.ts'
import type { SealProduct } from '../../contract/seals.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { newToken, hashToken } from '../platform/authentication/session.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { handler } from '../platform/http/http.ts'
import { remindOfEnds, reminderDueCondition, reachedStep } from '../platform/messages/end-reminders.ts'
import { renderMail, momentIn } from '../platform/messages/mail-template.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Settings } from '../platform/settings.ts'
import { sealEndMail } from './seal-end.ts'
import { administratorCondition } from './seal-membership-store.ts'
import { findAdministered } from './seal-users.ts'

type Question = { organisation: string; product: SealProduct; token: string }

/**
 * Asks whether an address wants the reminders. It contains nothing that the Administrator typed (R216); the token is in
 * no request of the page.
 */
function recipientMail(settings: Settings, locale: Locale, { organisation, product, token }: Question) {
  const { brand, publicUrl } = settings
  const texts = {
    pl: {
      subject: 'potwierdź przypomnienia o\u00a0pieczęci',
      paragraphs: [
        `Administrator pieczęci ${productPhrase[product].pl} chce, abyśmy pisali na ten adres, zanim pieczęć wygaśnie. ${endSentence(`Organizacja: ${organisation}`)}`,
        'Potwierdź, że chcesz dostawać te przypomnienia. Na tej samej stronie możesz z\u00a0nich zrezygnować.',
        'Link działa 7\u00a0dni.',
      ],
      label: 'Odpowiedz',
      note: 'Nie znasz tej organizacji? Nie rób nic: bez potwierdzenia nie wyślemy tu nic więcej.',
    },
    en: {
      subject: 'confirm the reminders about a seal',
      paragraphs: [
        `An administrator of a seal ${productPhrase[product].en} would like us to write to this address before the seal expires. ${endSentence(`Organisation: ${organisation}`)}`,
        'Confirm that you’d like these reminders. You can also refuse them on the same page.',
        'The link works for 7\u00a0days.',
      ],
      label: 'Answer',
      note: 'Don’t know this organisation? You don’t need to do anything: we won’t send anything else unless you confirm.',
    },
  }[locale]
  const url = `${publicUrl}${inLocale(locale, pages.reminderRecipient.path)}#${token}`
  return renderMail(locale, brand, { ...texts, action: { label: texts.label, url } })
}

type RecipientRow = { email: string; confirmedAt: Date | null; expiresAt: Date }

const findRecipient = (db: Db, sealId: string): Promise<RecipientRow | undefined> =>
  query(db).first(sql<RecipientRow>`
    select email, confirmed_at, expires_at from seal_recipients where seal_id = ${sealId}`)

type NewRecipient = { sealId: string; email: string; locale: Locale; token: string; by: string }
type NamedRecipient = RecipientRow & { organisation: string; product: SealProduct }

/** Puts a recipient in place of the one before, whose link and reminders end. Undefined if `by` is not an Administrator (R217). */
const putRecipient = (
  tx: Tx,
  { sealId, email, locale, token, by }: NewRecipient,
): Promise<NamedRecipient | undefined> =>
  query(tx).first(sql<NamedRecipient>`
    with named as (
      insert into seal_recipients (seal_id, email, email_key, locale, token_hash, expires_at)
      select ${sealId}::uuid, ${email}, ${canonicalLogin(email)}, ${locale}, ${hashToken(token)}::bytea,
        portal_now() + make_interval(secs => ${limits.link.recipient})
      where ${administratorCondition(sealId, by)}
      on conflict (seal_id) do update set email = excluded.email, email_key = excluded.email_key, locale = excluded.locale,
        token_hash = excluded.token_hash, added_at = portal_now(), expires_at = excluded.expires_at, confirmed_at = null,
        reminded_of = null, reminded_step = null
      returning *
    )
    select named.email, named.confirmed_at, named.expires_at, s.organisation, s.product
    from named join seals s on s.id = named.seal_id`)

/** Returns whether there was one to remove. */
const removeRecipient = (tx: Tx, sealId: string, by: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    delete from seal_recipients where seal_id = ${sealId} and ${administratorCondition(sealId, by)}`)

/** Confirms a recipient, and returns the seal; confirming again changes nothing. */
async function confirmRecipient(tx: Tx, token: string): Promise<string | undefined> {
  const row = await query(tx).first(sql<{ sealId: string }>`
    update seal_recipients set confirmed_at = portal_now()
    where token_hash = ${hashToken(token)} and confirmed_at is null and expires_at > portal_now()
    returning seal_id`)
  return row?.sealId
}

/** Removes a recipient who has refused, and returns the seal. */
async function refuseRecipient(tx: Tx, token: string): Promise<string | undefined> {
  const row = await query(tx).first(sql<{ sealId: string }>`
    delete from seal_recipients where token_hash = ${hashToken(token)} returning seal_id`)
  return row?.sealId
}

/** Finds whether a recipient has confirmed by a link; undefined if it is not known. */
async function findConfirmation(db: Db, token: string): Promise<{ isConfirmed: boolean } | undefined> {
  return query(db).first(sql<{ isConfirmed: boolean }>`
    select confirmed_at is not null as is_confirmed from seal_recipients where token_hash = ${hashToken(token)}`)
}

type DueRecipientReminder = {
  sealId: string
  step: number
  validTo: Date
  now: Date
  owner: null
  email: string
  locale: Locale
  product: SealProduct
  organisation: string
}

/** A recipient has no switch of their own, so every step counts. */
const dueRecipients = sql`
  from seals s
    join seal_recipients c on c.seal_id = s.id and c.confirmed_at is not null
    cross join (select true as early_reminders) a
    cross join ${reachedStep}
  where ${reminderDueCondition} and (c.reminded_of is distinct from s.valid_to or c.reminded_step > reached.step)`

/** Yields the seals whose recipients have a due reminder, nearest end first. */
async function* listDueRecipients(db: Db): AsyncGenerator<string> {
  const rows = await query(db).all(sql<{ id: string }>`select s.id ${dueRecipients} order by s.valid_to limit 1000`)
  for (const { id } of rows) yield id
}

/** Claims a reminder. One statement decides which node sends it, so that it is sent once. */
async function claimRecipientReminder(tx: Tx, id: string): Promise<DueRecipientReminder | undefined> {
  // A later statement sees what another node has claimed meanwhile.
  await query(tx).run(sql`select from seal_recipients where seal_id = ${id} for update`)
  return query(tx).first(sql<DueRecipientReminder>`
    with due as (
      select s.id as seal_id, reached.step, s.valid_to, portal_now() as now, c.email, c.locale, s.product, s.organisation ${dueRecipients} and s.id = ${id}
    )
    update seal_recipients r set reminded_of = due.valid_to, reminded_step = due.step
    from due where r.seal_id = due.seal_id
    returning due.seal_id, due.step, due.valid_to, due.now, null as owner, due.email, due.locale, due.product, due.organisation`)
}

/** Writes a reminder like that of an Administrator (SEA-11), for somebody who may have no account. */
function recipientReminderMail(settings: Settings, due: DueRecipientReminder) {
  const { locale, validTo, product } = due
  const translate = (pl: string, en: string) => ({ pl, en })[locale]
  const moment = momentIn(locale, validTo)
  return sealEndMail(settings, due, {
    sentence: translate(
      `Pieczęć ${productPhrase[product].pl} jest ważna do ${moment}.`,
      `The seal ${productPhrase[product].en} is valid until ${moment}.`,
    ),
    note: translate(
      `Ten adres podał administrator pieczęci i\u00a0został on potwierdzony. Nie chcesz tych przypomnień? Użyj linku z\u00a0wiadomości, która o\u00a0nie pytała, albo zadzwoń: ${settings.brand.phone}.`,
      `An administrator of the seal entered this address, and it was confirmed. Don’t want these reminders? Use the link in the message that asked about them, or call ${settings.brand.phone}.`,
    ),
  })
}

/** Mails the confirmed second recipient of a seal's reminders, as its Administrators (SEA-11, SEA-19). */
export const remindRecipients = remindOfEnds({
  feature: 'seals',
  listDue: listDueRecipients,
  claim: claimRecipientReminder,
  mailOf: recipientReminderMail,
  entryOf: ({ sealId, step }) => ({ action: 'seal-recipient-reminded', details: { seal: sealId, step } }),
})

// A second recipient of the reminders, named by an Administrator and confirmed by its own link (SEA-19).

export const readSealRecipient = handler(
  calls.readSealRecipient,
  async ({ params: { id }, session: { accountId }, orNotFound }, { db }) => {
    orNotFound(await findAdministered(db, id, accountId))
    return { recipient: recipientOf(await findRecipient(db, id)) }
  },
)

export const nameSealRecipient = handler(
  calls.nameSealRecipient,
  ({ params, body, session: { accountId }, fail, limit, transaction, orNotFound }, { settings, keys }) =>
    transaction(async (tx, audit) => {
      const seal = orNotFound(await findAdministered(tx, params.id, accountId))
      if (seal.hasEnded) throw fail('seal-ended')
      await limit('sends-spent', ['seal-recipient', canonicalLogin(body.email)], tx)
      const token = newToken()
      const named = orNotFound(await putRecipient(tx, { ...body, sealId: params.id, token, by: accountId }))
      const mail = recipientMail(settings, body.locale, { ...named, token })
      await enqueue(tx, keys, { channel: 'mail', to: named.email, ...mail }, named.expiresAt)
      await audit('seal-recipient-named', { seal: params.id })
      return { recipient: recipientOf(named) }
    }),
)

export const removeSealRecipient = handler(
  calls.removeSealRecipient,
  ({ params: { id }, session: { accountId }, transaction, orNotFound }) =>
    transaction(async (tx, audit) => {
      orNotFound(await findAdministered(tx, id, accountId))
      if (await removeRecipient(tx, id, accountId)) await audit('seal-recipient-removed', { seal: id })
    }),
)

export const answerSealRecipient = handler(
  calls.answerSealRecipient,
  ({ body: { token, answer }, fail, transaction }) =>
    transaction(async (tx, audit) => {
      const isRefused = answer === 'refuse'
      const seal = await (isRefused ? refuseRecipient(tx, token) : confirmRecipient(tx, token))
      if (seal) return audit(isRefused ? 'seal-recipient-refused' : 'seal-recipient-confirmed', { seal })
      const found = isRefused ? undefined : await findConfirmation(tx, token)
      // A repeated confirmation gets the same answer (HTT-1).
      if (!found?.isConfirmed) throw fail(found ? 'link-expired' : 'link-unknown')
    }),
)

const recipientOf = (row: RecipientRow | undefined): Given<typeof SealRecipient> | null =>
  row
    ? {
        email: row.email,
        confirmedAt: row.confirmedAt,
        expiresAt: row.confirmedAt ? null : row.expiresAt,
      }
    : null
