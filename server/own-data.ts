import { sql } from 'kysely'
import type { ActivityEntry } from '../contract/activity.ts'
import { acts, actsOf, type Act } from '../contract/acts.ts'
import type { Locale } from '../contract/enums.ts'
import type { Db } from './db.ts'
import { unseal, type Keys } from './keys.ts'
import { ownDocuments, ownRenewals, ownVouchers } from './own-cases.ts'
import { ownSeals, ownSignatures, ownTimestamps } from './own-services.ts'
import { readPersonalData } from './personal-data.ts'
import { openNewPhone, openPhone } from './sealed-fields.ts'

/** Everything that is kept of a customer but the history, which is told by pages (DAT-6, R87). Instants are `Date`; no secrets. */
export type OwnData = Awaited<ReturnType<typeof readOwnData>>

export async function readOwnData(db: Db, keys: Keys, accountId: string) {
  return {
    account: await ownAccount(db, keys, accountId),
    identification: (await readPersonalData(db, keys, accountId)) ?? null,
    consents: await ownConsents(db, accountId),
    signatures: await ownSignatures(db, keys, accountId),
    seals: await ownSeals(db, keys, accountId),
    timestampAccounts: await ownTimestamps(db, accountId),
    documents: await ownDocuments(db, keys, accountId),
    vouchers: await ownVouchers(db, keys, accountId),
    renewals: await ownRenewals(db, keys, accountId),
    passkeys: await ownPasskeys(db, keys, accountId),
    sessions: await ownSessions(db, accountId),
    knownDevices: await ownDevices(db, accountId),
    phoneChanges: await ownPhoneChanges(db, keys, accountId),
  }
}

async function ownAccount(db: Db, keys: Keys, accountId: string) {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
  return {
    id: row.id,
    providerId: row.provider_id,
    login: row.login,
    email: row.email,
    phone: openPhone(keys, row.id, row.phone),
    firstName: row.first_name,
    secondName: row.second_name,
    surname: row.surname,
    language: row.locale,
    createdAt: row.created_at,
    blockedAt: row.blocked_at,
    blockedForUnknownDevices: row.blocked_for_strangers,
    earlyReminders: row.early_reminders,
    phoneConfirmed: row.phone_confirmed,
    resetsFrom: row.resets_from,
  }
}

/** Each time that one was given or withdrawn, with its words. */
async function ownConsents(db: Db, accountId: string) {
  const rows = await db
    .selectFrom('consents')
    .innerJoin('wordings', 'wordings.sha256', 'wording_sha256')
    .select(['kind', 'given', 'version', 'locale', 'at', 'sha256', 'wording'])
    .where('account_id', '=', accountId)
    .orderBy('consents.id')
    .execute()
  return rows.map(({ wording, ...row }) => ({ ...row, wording: JSON.parse(wording) as unknown }))
}

async function ownPasskeys(db: Db, keys: Keys, accountId: string) {
  const rows = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'transports', 'added_at as addedAt', 'used_at as usedAt'])
    .where('account_id', '=', accountId)
    .orderBy('added_at')
    .execute()
  return rows.map((row) => ({ ...row, name: unseal(keys, `passkeys.name ${row.id}`, row.name) }))
}

const ownSessions = (db: Db, accountId: string) =>
  db
    .selectFrom('sessions')
    .select([
      'id',
      'stage',
      'browser',
      'system',
      'address',
      'country',
      'started_at as startedAt',
      'used_at as usedAt',
      'ends_at as endsAt',
      'absolute_ends_at as absoluteEndsAt',
    ])
    .where('account_id', '=', accountId)
    .orderBy('started_at')
    .execute()

const ownDevices = (db: Db, accountId: string) =>
  db
    .selectFrom('devices')
    .select('expires_at as knownUntil')
    .where('account_id', '=', accountId)
    .orderBy('expires_at')
    .execute()

async function ownPhoneChanges(db: Db, keys: Keys, accountId: string) {
  const rows = await db
    .selectFrom('phone_changes')
    .select(['id', 'step', 'phone', 'started_at as startedAt'])
    .where('account_id', '=', accountId)
    .execute()
  return rows.map((row) => ({ ...row, phone: row.phone && openNewPhone(keys, row.id, row.phone) }))
}

export type OwnAct = Pick<ActivityEntry, 'act' | 'actor' | 'address'> & {
  id: string
  at: Date
  words: string
  details: Record<string, unknown>
}

const pageSize = 1000

/** The account's part of the audit trail, newest first, a page at a time: nothing holds all of it. Addresses only of the customer's side. */
export async function* ownHistory(db: Db, accountId: string, locale: Locale): AsyncGenerator<OwnAct[]> {
  for (let before: string | undefined; ;) {
    const { rows } = await sql<Omit<OwnAct, 'words'> & { act: Act }>`
      select id::text, at, act, actor, case when actor = 'customer' then address end as address,
        case when actor = 'customer' then details else '{}' end as details
      from audit
      where account_id = ${accountId} and act = any(${actsOf()}::text[]) and ${before ? sql`id < ${before}::bigint` : sql`true`}
      order by audit.id desc limit ${pageSize}`.execute(db)
    if (rows.length) yield rows.map((row) => ({ ...row, words: acts[row.act][locale] }))
    if (rows.length < pageSize) return
    before = rows.at(-1)!.id
  }
}
