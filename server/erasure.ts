import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { record } from './audit.ts'
import type { Db, Tx } from './db.ts'
import { discardFiles } from './discarded-files.ts'
import { documentKeyOf } from './document-files.ts'
import { renderMail } from './mail-template.ts'
import { enqueue } from './outbox.ts'
import { momentOf } from './own-data-sections.ts'
import type { Portal, Settings } from './portal.ts'
import { sealInvitedPhone, sealPhone } from './sealed-fields.ts'

/**
 * Whether a service still runs, for which the data is needed (GDPR article 17(1)(a)). Give it the account's id. What is valid no
 * longer, and a draft that nobody signed, keeps nothing.
 */
const isInUse = (id: string) => sql`
  exists (select from signatures where account_id = ${id} and status <> 'revoked' and valid_to > portal_now())
  or exists (select from seal_users u join seals s on s.id = u.seal_id
    where u.account_id = ${id} and u.status = 'active' and s.status <> 'revoked' and s.valid_to > portal_now())
  or exists (select from timestamp_accounts where account_id = ${id} and active)
  or exists (select from document_cases where account_id = ${id} and status not in ('finished', 'canceled'))
  or exists (select from voucher_cases where account_id = ${id} and status = 'in-progress')
  or exists (select from renewals where account_id = ${id} and state in ('authorised', 'signed', 'issued'))`

/** What the law on trust services has a provider keep as evidence: certificates, agreements, signed documents, cases, and access to seals. */
const isHeld = (id: string) => sql`
  exists (select from signatures where account_id = ${id}) or exists (select from document_cases where account_id = ${id})
  or exists (select from renewals where account_id = ${id}) or exists (select from voucher_cases where account_id = ${id})
  or exists (select from seal_users where account_id = ${id})`

/** All that is neither a name nor evidence; what hangs on it goes with it. */
const forgotten = (id: string): RawBuilder<unknown>[] => [
  sql`delete from sessions where account_id = ${id}`,
  sql`delete from codes where account_id = ${id}`,
  sql`delete from links where account_id = ${id}`,
  sql`delete from devices where account_id = ${id}`,
  sql`delete from passkeys where account_id = ${id}`,
  sql`delete from personal_data where account_id = ${id}`,
  sql`delete from idempotency where caller = ${id}`,
  sql`delete from data_exports where account_id = ${id}`,
  sql`delete from document_cases where account_id = ${id} and status = 'canceled'`,
  sql`delete from document_signings where case_id in (select id from document_cases where account_id = ${id})`,
  sql`delete from renewals where account_id = ${id} and signed_key is null`,
  sql`update renewals set identity = null, identity_state = null where account_id = ${id}`,
  sql`delete from voucher_codes where account_id = ${id} and used_at is null`,
  sql`delete from timestamp_accounts where account_id = ${id}`,
  sql`delete from pairings where signature_id in (select id from signatures where account_id = ${id})`,
  sql`delete from signature_reminders where signature_id in (select id from signatures where account_id = ${id})`,
  sql`delete from seal_pairings where seal_user_id in (select id from seal_users where account_id = ${id})`,
  sql`delete from seal_users where status = 'pending' and email_key = (select email_key from accounts where id = ${id})`,
  sql`update seal_users set status = 'deleted', deleted_at = portal_now() where account_id = ${id} and status = 'active'`,
]

const filesForgotten = (id: string) => sql`
  select unnest(files) from data_exports where account_id = ${id}
  union select ${documentKeyOf('')} || f.id from document_files f join document_cases c on c.id = f.case_id
    where c.account_id = ${id} and c.status = 'canceled'
  union select agreement_key from renewals where account_id = ${id} and signed_key is null`

const filesHeld = (id: string) => sql`
  select agreement_key from signatures where account_id = ${id}
  union select ${documentKeyOf('')} || f.id from document_files f join document_cases c on c.id = f.case_id where c.account_id = ${id}
  union select unnest(array[agreement_key, signed_key, archive_draft]) from renewals where account_id = ${id}`

/** Held until then; `null`: nothing was, and the account is gone as a whole. */
type Erasure = { heldUntil: Date | null }

/**
 * Erases an account (R87, GDPR article 17): its names, numbers, ways in and marketing go now, evidence is held by an account that
 * nobody can enter or find, and the audit trail stays. `in-use`: a service still runs.
 */
export async function eraseAccount(tx: Tx, { keys, settings }: Portal, id: string): Promise<Erasure | 'in-use'> {
  await sql`select from accounts where id = ${id} for update`.execute(tx)
  const { rows } = await sql<{ inUse: boolean; email: string; locale: Locale; until: Date }>`
    select ${isInUse(id)} as "inUse", email, locale, portal_now() + make_interval(years => ${limits.retention.evidenceYears}) as until
    from accounts where id = ${id}`.execute(tx)
  const { inUse, email, locale, until } = rows[0]!
  if (inUse) return 'in-use'
  await discardFiles(tx, filesForgotten(id))
  for (const statement of forgotten(id)) await statement.execute(tx)
  // Who had access stays with the seal, how to reach them does not.
  const { rows: seats } = await sql<{ id: string }>`select id from seal_users where account_id = ${id}`.execute(tx)
  for (const seat of seats)
    await sql`
      update seal_users set email = '', email_key = '', phone = ${sealInvitedPhone(keys, seat.id, '')} where id = ${seat.id}`.execute(
      tx,
    )
  // A name with a space is nobody's: it is neither a login nor an e-mail.
  const nobody = `erased ${id}`
  await sql`
    update accounts set provider_id = null, login = '', login_key = ${nobody}, email = '', email_key = ${nobody}, unconfirmed_key = null,
      phone = ${sealPhone(keys, id, '')}, first_name = '', second_name = null, surname = '', password_hash = null, earlier_hashes = '{}',
      blocked_at = portal_now(), blocked_for_strangers = false
    where id = ${id}`.execute(tx)
  await sql`insert into erasures (account_id) values (${id})`.execute(tx)
  await sql`select forget_marketing(${id})`.execute(tx)
  const { numAffectedRows } = await sql`delete from accounts where id = ${id} and not (${isHeld(id)})`.execute(tx)
  const heldUntil = numAffectedRows ? null : until
  await enqueue(tx, keys, { channel: 'mail', to: email, ...erasedMail(settings, locale, heldUntil) })
  return { heldUntil }
}

/** Removes what was held, when its time is over: the files with the next round, everything else with the account. */
export async function endHolds(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select account_id as id from erasures where at <= portal_now() - make_interval(years => ${limits.retention.evidenceYears}) limit 100`.execute(
    db,
  )
  for (const { id } of rows)
    await db.transaction().execute(async (tx) => {
      await discardFiles(tx, filesHeld(id))
      await sql`delete from seal_users where account_id = ${id}`.execute(tx)
      // Another node may have been quicker.
      const { numAffectedRows } = await sql`delete from accounts where id = ${id}`.execute(tx)
      if (numAffectedRows) await record(tx, { act: 'evidence-removed', accountId: id, actor: 'system' })
    })
}

function erasedMail({ brand }: Settings, locale: Locale, heldUntil: Date | null) {
  const { product, phone } = brand
  const until = heldUntil && momentOf(locale, heldUntil)
  const words = {
    pl: {
      subject: `${product}: Twoje konto zostało usunięte`,
      what: 'Usunęliśmy Twoje konto, a\u00a0z\u00a0nim dane kontaktowe, dane z\u00a0dokumentu tożsamości, hasło, klucze dostępu i\u00a0zgodę na informacje handlowe.',
      held: `Umowy, certyfikaty, podpisane dokumenty i\u00a0sprawy zatrzymujemy jako dowody do: ${until}. Potem też je usuniemy.`,
      note: `Jeśli to pomyłka, zadzwoń: ${phone}.`,
    },
    en: {
      subject: `${product}: your account was erased`,
      what: 'We erased your account, and with it your contact data, the data of your identity document, password, passkeys and the consent to marketing.',
      held: `We hold agreements, certificates, signed documents and cases as evidence until ${until}. Then we remove them too.`,
      note: `If this is a mistake, call us: ${phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, {
    subject: words.subject,
    paragraphs: until ? [words.what, words.held] : [words.what],
    note: words.note,
  })
}
