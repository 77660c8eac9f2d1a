import { sql } from 'kysely'
import type { ActivityEntry } from '../../contract/activity.ts'
import { auditActions, type ShownAction } from '../../contract/audit-actions.ts'
import type { ExportFormat } from '../../contract/data-export.ts'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { historyActions, shownAction } from '../platform/audit/audit-list.ts'
import { lockAccount } from '../platform/authentication/account-names.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import type { Portal } from '../platform/portal.ts'

/** Condition on `data_exports e` that an export has not expired. An export is attempted and then offered for the same time. */
const liveCondition = sql`coalesce(e.made_at, e.requested_at) > portal_now() - make_interval(secs => ${limits.dataExport.fileLife})`

export type LiveExport = {
  id: string
  locale: Locale
  requestedAt: Date
  madeAt: Date | null
  expiresAt: Date
  files: Record<ExportFormat, { key: string; bytes: number }>
}

/** Finds the export that is being made or offered now. */
export const findLiveExport = (db: Db, accountId: string): Promise<LiveExport | undefined> =>
  query(db).first(sql<LiveExport>`
    select e.id, e.locale, e.requested_at, e.made_at, e.made_at + make_interval(secs => ${limits.dataExport.fileLife}) as expires_at,
      json_build_object('json', json_build_object('key', e.json_file, 'bytes', e.json_bytes),
        'pdf', json_build_object('key', e.pdf_file, 'bytes', e.pdf_bytes)) as files
    from data_exports e where e.account_id = ${accountId} and ${liveCondition}`)

/** Stores an order, which expires at `dropAt`; undefined while another export of the account is being made or offered. */
export async function orderExport(
  tx: Tx,
  accountId: string,
  locale: Locale,
): Promise<{ id: string; dropAt: Date } | undefined> {
  // One order of an account at a time: two at once would both find no export.
  await lockAccount(tx, accountId)
  return query(tx).first(sql<{ id: string; dropAt: Date }>`
    insert into data_exports (id, account_id, locale)
    select ${crypto.randomUUID()}::uuid, ${accountId}, ${locale} where not exists (select from data_exports e where e.account_id = ${accountId} and ${liveCondition})
    returning id, requested_at + make_interval(secs => ${limits.dataExport.fileLife}) as drop_at`)
}

export type StartedExport = { accountId: string; locale: Locale; startedAt: Date; email: string }

/** Adds the files of an attempt to an export, before they are written; undefined if it is finished or removed. */
export const startExport = (db: Db, id: string, files: readonly string[]): Promise<StartedExport | undefined> =>
  query(db).first(sql<StartedExport>`
    update data_exports e set files = files || ${files}::text[] from accounts a
    where e.id = ${id} and e.made_at is null and a.id = e.account_id
    returning e.account_id, e.locale, portal_now() as started_at, a.email`)

/** Offers the files of an attempt; false if another attempt has finished first. */
export const finishExport = (tx: Tx, id: string, { json, pdf }: LiveExport['files']): Promise<boolean> =>
  query(tx).changesOne(sql`
    update data_exports set made_at = portal_now(), json_file = ${json.key}, json_bytes = ${json.bytes}, pdf_file = ${pdf.key},
      pdf_bytes = ${pdf.bytes}
    where id = ${id} and made_at is null`)

type ExpiredExport = { id: string; accountId: string; files: string[]; isMade: boolean; locale: Locale; email: string }

/** Lists exports that are no longer offered, and those that were never finished. */
export async function listExpiredExports(db: Db): Promise<ExpiredExport[]> {
  return query(db).all(sql<ExpiredExport>`
    select e.id, e.account_id, e.files, e.made_at is not null as is_made, e.locale, a.email
    from data_exports e join accounts a on a.id = e.account_id where not ${liveCondition}
    order by coalesce(e.made_at, e.requested_at) limit 1000`)
}

/** Removes an export; false if another node was quicker, or an attempt that has started meanwhile has added its files. */
export const removeExport = (tx: Tx, { id, files }: ExpiredExport): Promise<boolean> =>
  query(tx).changesOne(sql`
    delete from data_exports where id = ${id} and files = ${files}::text[]`)

export type HistoryEntry = Pick<ActivityEntry, 'act' | 'actor' | 'address'> & {
  id: string
  at: Date
  words: string
  details: Record<string, unknown>
}

const pageSize = 1000

/**
 * Yields the account's part of the audit trail, newest first and page by page, so that memory never holds all of it. Only the customer's
 * own addresses are included.
 */
export async function* readExportedHistory(
  { db, settings }: Portal,
  accountId: string,
  locale: Locale,
): AsyncGenerator<HistoryEntry[]> {
  for (let before: string | undefined; ;) {
    const rows = await query(db).all(sql<Omit<HistoryEntry, 'words'> & { act: ShownAction }>`
      select id::text, at, ${shownAction} as act, case actor when 'staff' then 'provider' else actor end as actor, case when actor = 'customer' then address end as address,
        case when actor = 'customer' then details else '{}' end as details
      from audit
      where account_id = ${accountId} and act = any(${historyActions(settings)}::text[]) and ${before ? sql`id < ${before}::bigint` : sql`true`}
      order by audit.id desc limit ${pageSize}`)
    if (rows.length) yield rows.map((row) => ({ ...row, words: auditActions[row.act][locale] }))
    if (rows.length < pageSize) return
    before = rows.at(-1)?.id
  }
}
