import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { requiredConsents, type RequiredConsent, type Wording } from '../../contract/consents.ts'
import type { Locale } from '../../contract/enums.ts'
import { consentKinds, type ConsentKind } from '../../contract/legal/consent-statements.ts'
import { wordingOf, written } from '../../contract/legal/wordings.ts'
import type { Brand } from '../../contract/page-config.ts'
import { lockAccount } from '../platform/authentication/account-names.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'

/** A wording as it is stored: by the SHA-256 of its text (REG-5). */
export type StoredWording = { kind: ConsentKind; version: string; locale: Locale; sha256: string; text: string }

/** Returns the wordings that the pages of this portal show now, in one language. */
export const currentWordings = (brand: Brand, locale: Locale): StoredWording[] =>
  consentKinds.map((kind) => {
    const wording = wordingOf(kind, locale, brand)
    const text = written(wording)
    return { kind, version: wording.version, locale, text, sha256: hash('sha256', text) }
  })

/** Stores the texts, so that a customer can read later what they consented to. */
export async function addWordings(tx: Tx, wordings: readonly StoredWording[]): Promise<void> {
  await query(tx).run(sql`
    insert into wordings (sha256, wording)
    select * from unnest(${wordings.map(({ sha256 }) => sha256)}::text[], ${wordings.map(({ text }) => text)}::text[])
    on conflict do nothing`)
}

/** The identity of a stored wording. */
export type ConsentGiven = Pick<StoredWording, 'kind' | 'version' | 'locale' | 'sha256'>

/** Stores consents that were given at the same time. */
export async function addConsents(
  tx: Tx,
  accountId: string,
  at: Date,
  consents: readonly ConsentGiven[],
): Promise<void> {
  const values = consents.map(
    ({ kind, version, locale, sha256 }) => sql`(${accountId}, ${kind}, true, ${version}, ${locale}, ${sha256}, ${at})`,
  )
  await query(tx).run(sql`
    insert into consents (account_id, kind, given, version, locale, wording_sha256, at) values ${sql.join(values)}`)
}

/** Gives or withdraws a consent; false if nothing changed. */
export async function changeConsent(
  tx: Tx,
  accountId: string,
  { kind, version, locale, sha256 }: ConsentGiven,
  isGiven: boolean,
): Promise<boolean> {
  // One change of an account at a time: two at once would both find the earlier state.
  await lockAccount(tx, accountId)
  return query(tx).changesOne(sql`
    insert into consents (account_id, kind, given, version, locale, wording_sha256)
    select ${accountId}, ${kind}, ${isGiven}, ${version}, ${locale}, ${sha256}
    where ${isGiven} is distinct from coalesce(
      (select given from consents where account_id = ${accountId} and kind = ${kind} order by id desc limit 1), false)`)
}

/** A consent that was given or withdrawn, with the text that the customer read. */
export type ConsentEvent = ConsentGiven & { given: boolean; at: Date; wording: Wording }

const columns = sql`kind, given, version, locale, at, sha256, wording::json as wording`

export async function listLatestConsents(db: Db, accountId: string): Promise<ConsentEvent[]> {
  return query(db).all(sql<ConsentEvent>`
    select distinct on (kind) ${columns} from consents join wordings on sha256 = wording_sha256
    where account_id = ${accountId} order by kind, id desc`)
}

/** Acceptance outside the portal, as the provider has reported it (PRV-11). */
export type ReportedAcceptance = { kind: RequiredConsent; version: string; at: Date }

/** Stores what the provider reports of customers, by account, and returns what of it has changed. */
export async function addReportedAcceptances(
  tx: Tx,
  reported: ReadonlyMap<string, readonly ReportedAcceptance[]>,
): Promise<(ReportedAcceptance & { accountId: string })[]> {
  const all = [...reported].flatMap(([accountId, acceptances]) =>
    acceptances.map((acceptance) => ({ accountId, ...acceptance })),
  )
  if (!all.length) return []
  return query(tx).all(sql<ReportedAcceptance & { accountId: string }>`
    insert into reported_acceptances as r (account_id, kind, version, at)
    select * from unnest(${all.map(({ accountId }) => accountId)}::uuid[], ${all.map(({ kind }) => kind)}::text[],
      ${all.map(({ version }) => version)}::text[], ${all.map(({ at }) => at)}::timestamptz[])
    on conflict (account_id, kind) do update set version = excluded.version, at = excluded.at
    where (r.version, r.at) is distinct from (excluded.version, excluded.at)
    returning account_id, kind, version, at`)
}

/** Lists the acceptances that the provider has reported of a customer. */
export async function listReportedAcceptances(db: Db, accountId: string): Promise<ReportedAcceptance[]> {
  return query(db).all(sql<ReportedAcceptance>`
    select kind, version, at from reported_acceptances where account_id = ${accountId} order by kind`)
}

/** Lists the reported acceptances, without those of consents that the customer has given in the portal since. */
export async function listCurrentReports(db: Db, accountId: string): Promise<ReportedAcceptance[]> {
  return query(db).all(sql<ReportedAcceptance>`
    select kind, version, at from reported_acceptances r
    where account_id = ${accountId} and not exists (
      select from consents c where c.account_id = r.account_id and c.kind = r.kind and c.at >= r.at)
    order by kind`)
}

/** Lists the required consents that a customer has given neither in the portal nor, as the provider has reported, elsewhere. */
export async function listMissingConsents(db: Db, accountId: string): Promise<RequiredConsent[]> {
  const rows = await query(db).all(sql<{ kind: RequiredConsent }>`
    select kind from consents where account_id = ${accountId} union select kind from reported_acceptances where account_id = ${accountId}`)
  return requiredConsents.filter((required) => rows.every(({ kind }) => kind !== required))
}
