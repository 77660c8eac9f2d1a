import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { consentKinds, type ConsentKind } from '../contract/consent-statements.ts'
import type { Consent, Wording } from '../contract/consents.ts'
import type { Locale } from '../contract/enums.ts'
import type { Brand } from '../contract/page-config.ts'
import { wordingOf, written } from '../contract/wordings.ts'
import type { Db, Tx } from './db.ts'

/** A wording as it is kept: by the SHA-256 of its writing (REG-5). */
export type KeptWording = { kind: ConsentKind; version: string; locale: Locale; sha256: string; text: string }

/** What the pages of this portal show now, in one language. */
export const currentWordings = (brand: Brand, locale: Locale): KeptWording[] =>
  consentKinds.map((kind) => {
    const wording = wordingOf(kind, locale, brand)
    const text = written(wording)
    return { kind, version: wording.version, locale, text, sha256: createHash('sha256').update(text).digest('hex') }
  })

/** Keeps the words themselves, so that a customer can read later what they consented to. */
export async function keepWordings(tx: Tx, wordings: readonly KeptWording[]): Promise<void> {
  await sql`
    insert into wordings (sha256, wording)
    select * from unnest(${wordings.map(({ sha256 }) => sha256)}::text[], ${wordings.map(({ text }) => text)}::text[])
    on conflict do nothing`.execute(tx)
}

/** What names a kept wording. */
export type ConsentGiven = Pick<KeptWording, 'kind' | 'version' | 'locale' | 'sha256'>

/** Writes down consents that were given at a moment. */
export async function storeConsents(
  tx: Tx,
  accountId: string,
  at: Date,
  consents: readonly ConsentGiven[],
): Promise<void> {
  await tx
    .insertInto('consents')
    .values(
      consents.map(({ kind, version, locale, sha256 }) => ({
        account_id: accountId,
        kind,
        given: true,
        version,
        locale,
        wording_sha256: sha256,
        at,
      })),
    )
    .execute()
}

/** Gives or withdraws one consent; false when that is how it was already. */
export async function changeConsent(
  tx: Tx,
  accountId: string,
  { kind, version, locale, sha256 }: ConsentGiven,
  given: boolean,
): Promise<boolean> {
  // One change of an account at a time, or two at once would both find the state before.
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
  const { numAffectedRows } = await sql`
    insert into consents (account_id, kind, given, version, locale, wording_sha256)
    select ${accountId}, ${kind}, ${given}, ${version}, ${locale}, ${sha256}
    where ${given} is distinct from coalesce(
      (select given from consents where account_id = ${accountId} and kind = ${kind} order by id desc limit 1), false)`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** What was last said about each consent, with its words. */
export async function consentsOf(db: Db, accountId: string): Promise<Consent[]> {
  const { rows } = await sql<{ kind: ConsentKind; given: boolean; at: Date; wording: string }>`
    select distinct on (kind) kind, given, at, wording
    from consents join wordings on wordings.sha256 = wording_sha256
    where account_id = ${accountId} order by kind, id desc`.execute(db)
  return rows.map(({ kind, given, at, wording }) => ({
    kind,
    given,
    at: at.toISOString(),
    wording: JSON.parse(wording) as Wording,
  }))
}
