import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { Refusal } from '../platform/api-error.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { type Tx, type Db, query } from '../platform/database/database.ts'
import { encryptPhone, phoneIndex } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { discardFiles } from '../platform/files/discarded-files.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { ErasureRules, Portal } from '../platform/portal.ts'
import { erasedMail } from './customer-mails.ts'

/** Collects the values that `read` takes from the erasure rules of the features. */
const collect = <T>({ features }: Portal, read: (rules: ErasureRules) => readonly T[] | T | undefined): T[] =>
  features.flatMap(({ erasure }) => (erasure && read(erasure)) ?? [])

type Erasure =
  /** The end of the time for which evidence is kept; null if there was none, and the account was deleted. */
  { evidenceUntil: Date | null } | Refusal<'customer-in-use'>

const evidencePeriod = sql`make_interval(years => ${limits.retention.evidenceYears})`

const anyOf = (conditions: readonly RawBuilder<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`

type ErasableAccount = { isHeld: boolean; isInUse: boolean; email: string; locale: Locale; evidenceUntil: Date }

/** Finds an account and locks it until the transaction ends; `isInUse` if one of the conditions holds. */
async function lockErasable(
  tx: Tx,
  id: string,
  inUse: readonly RawBuilder<boolean>[],
): Promise<ErasableAccount | undefined> {
  await query(tx).run(sql`select from accounts where id = ${id} for update`)
  return query(tx).first(sql<ErasableAccount>`
    select held_at is not null as is_held, ${anyOf(inUse)} as is_in_use, email, locale, portal_now() + ${evidencePeriod} as evidence_until
    from accounts where id = ${id}`)
}

/** Discards the files whose keys the queries return. */
const discardFilesOf = (tx: Tx, queries: readonly RawBuilder<unknown>[]) =>
  discardFiles(tx, sql.join(queries, sql` union `))

/** Removes everything from an account that names its owner or lets anyone sign in. */
async function anonymiseAccount(tx: Tx, keys: Keys, id: string): Promise<void> {
  // A name with a space is neither a login nor an e-mail.
  const erasedName = `erased ${id}`
  await query(tx).run(sql`
    update accounts set provider_id = null, login = '', login_key = ${erasedName}, email = '', email_key = ${erasedName}, unconfirmed_key = null,
      phone = ${encryptPhone(keys, id, '')}, phone_index = ${phoneIndex(keys, '')}, first_name = '', second_name = null, surname = '', password_hash = null, earlier_hashes = '{}',
      blocked_at = portal_now(), blocked_for_strangers = false
    where id = ${id}`)
  await query(tx).run(sql`insert into erasures (account_id) values (${id})`)
  await query(tx).run(sql`select forget_marketing(${id})`)
}

/** Deletes an account unless one of the conditions says that it holds evidence; true if it was deleted. */
async function deleteAccount(
  tx: Tx,
  id: string,
  evidenceConditions: readonly RawBuilder<boolean>[] = [sql`false`],
): Promise<boolean> {
  return query(tx).changesOne(sql`
    delete from accounts where id = ${id} and held_at is null and not ${anyOf(evidenceConditions)}`)
}

/** Lists the accounts whose evidence has been kept long enough, except those under a legal hold. */
async function listExpiredEvidence(db: Db): Promise<string[]> {
  const rows = await query(db).all(sql<{ id: string }>`
    select account_id as id from erasures e join accounts a on a.id = e.account_id
    where e.at <= portal_now() - ${evidencePeriod} and a.held_at is null limit 100`)
  return rows.map(({ id }) => id)
}

/** Locks an account whose evidence has expired; false if it is gone, or under a legal hold by now (R251). */
async function lockExpired(tx: Tx, id: string): Promise<boolean> {
  return query(tx).finds(sql`select from accounts where id = ${id} and held_at is null for update`)
}

/**
 * Erases an account (R87, GDPR article 17): removes its names, numbers, sign-in data and marketing. An account that
 * nobody can sign in to or find keeps the evidence, and the audit trail stays. Refused while a service of the account
 * still runs, and during a legal hold (DSK-26).
 */
export async function eraseAccount(tx: Tx, portal: Portal, id: string): Promise<Erasure> {
  const { keys, settings } = portal
  const inUse = collect(portal, (rules) => rules.inUse?.(id))
  const account = await lockErasable(tx, id, inUse)
  if (account?.isHeld) return { refused: 'customer-in-use', data: { reason: 'legal-hold' } }
  if (!account || account.isInUse) return { refused: 'customer-in-use', data: { reason: 'active-services' } }
  const removed = collect(portal, ({ files }) => files?.(id).removed)
  await discardFilesOf(tx, removed)
  for (const statement of collect(portal, (rules) => rules.remove?.(id))) await query(tx).run(statement)
  for (const anonymise of collect(portal, (rules) => rules.anonymise)) await anonymise(tx, keys, id)
  await anonymiseAccount(tx, keys, id)
  const evidenceConditions = collect(portal, (rules) => rules.evidenceConditions?.(id))
  const evidenceUntil = (await deleteAccount(tx, id, evidenceConditions)) ? null : account.evidenceUntil
  const mail = erasedMail(settings, account.locale, evidenceUntil)
  await enqueue(tx, keys, { channel: 'mail', to: account.email, ...mail })
  return { evidenceUntil }
}

/** Removes expired evidence: the files with the next round, everything else with the account. */
export async function endRetention(portal: Portal): Promise<void> {
  const { db } = portal
  for (const id of await listExpiredEvidence(db))
    await db.transaction().execute(async (tx) => {
      // Another node may have deleted it first.
      if (!(await lockExpired(tx, id))) return
      const kept = collect(portal, ({ files }) => files?.(id).kept)
      await discardFilesOf(tx, kept)
      for (const statement of collect(portal, (rules) => rules.removeEvidence?.(id))) await query(tx).run(statement)
      if (await deleteAccount(tx, id))
        await addAuditEntry(tx, { action: 'evidence-removed', accountId: id, actor: 'system' })
    })
}
