import { Readable } from 'node:stream'
import { allAuditActions } from '../../contract/desk/all-audit-actions.ts'
import * as calls from '../../contract/desk/desk-audit.ts'
import { readingActions, type TrailFilters } from '../../contract/desk/desk-audit.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { addDays, atWarsawClock } from '../../contract/rules/warsaw-time.ts'
import type { AuditEntry } from '../platform/audit/audit-entry.ts'
import { readHead } from '../platform/audit/audit-head.ts'
import { endOfTrail, type AuditFilters } from '../platform/audit/audit-list.ts'
import {
  readEntriesBefore,
  readPagesBefore,
  findPairs,
  findRange,
  type NewestEntry,
  type Range,
} from '../platform/audit/audit-newest.ts'
import {
  allowLongStatements,
  isLongerThan,
  tryLockVerification,
  periodOfDay,
  verifyTrail,
  type Finding,
} from '../platform/audit/audit-verify.ts'
import { findAccountOfEither, readCustomers } from '../platform/authentication/account-names.ts'
import type { Db } from '../platform/database/database.ts'
import { csvLines, csvOf, csvSeparator } from '../platform/http/csv.ts'
import { makeCursor, readCursor } from '../platform/http/cursor.ts'
import { handler } from '../platform/http/http.ts'
import type { DeskPortal } from './staff-limits.ts'

const { page: size, examined, exported, examinedForFile, pairs } = deskLimits.trail

// The audit trail for auditors. Each call is an entry of the trail itself, before its answer leaves (DSK-13, DSK-15, DSK-16, R239).

export const listDeskAudit = handler(
  calls.listDeskAudit,
  async ({ query: { cursor, ...given }, staff, transaction }, { db, keys }) => {
    const filters = await readFilters(db, given)
    const list = `desk audit ${JSON.stringify(given)}`
    const range =
      cursor === undefined
        ? await findRange(db, filters, (await endOfTrail(db)).end)
        : (readCursor(keys, list, staff.id, cursor) as Range)
    const { entries, next } = await readEntriesBefore(db, filters, range, { size, examined })
    const withoutCursors = entries.map(({ cursor: _, ...entry }) => entry)
    const items = await withCustomers(db, withoutCursors)
    await transaction((_, audit) => audit('desk-trail-read', auditDetailsOf(given, entries.length), ownerOf(filters)))
    return {
      items,
      next: next ? makeCursor(keys, list, staff.id, { ...range, before: next.before }) : null,
      readTo: next && !next.isFull ? next.readTo : null,
    }
  },
)

const columnHeads: readonly Text[] = [
  { pl: 'Nr', en: 'No.' },
  { pl: 'Kiedy (UTC)', en: 'When (UTC)' },
  { pl: 'Działanie', en: 'Action' },
  { pl: 'Opis', en: 'Description' },
  { pl: 'Kto', en: 'Who' },
  { pl: 'Nazwa', en: 'Name' },
  { pl: 'Konto', en: 'Account' },
  { pl: 'Adres sieciowy', en: 'Network address' },
  { pl: 'Szczegóły', en: 'Details' },
]

const actionTexts: Record<string, Text> = allAuditActions

const rowOf = (locale: Locale, { position, at, action, actor, actorName, account, address, details }: NewestEntry) => [
  String(position),
  at,
  action,
  actionTexts[action]?.[locale] ?? '',
  actor,
  actorName ?? '',
  account ?? '',
  address ?? '',
  JSON.stringify(details),
]

type Pages = AsyncIterable<readonly NewestEntry[] | undefined>

/** Writes the trail as a file, page by page while it is sent (DSK-15). Its times are exact, unlike those in files for customers. */
function trailFile(
  format: 'csv' | 'ndjson',
  locale: Locale,
): { type: string; text: (pages: Pages) => AsyncIterable<string> } {
  if (format === 'ndjson') return { type: 'application/x-ndjson', text: writeNdjson }
  return { type: 'text/csv; charset=utf-8', text: (pages) => writeCsv(pages, locale) }
}

async function* writeNdjson(pages: Pages) {
  for await (const page of pages)
    yield requirePage(page)
      .map(({ cursor, ...entry }) => `${JSON.stringify({ ...entry, position: cursor })}\n`)
      .join('')
}

async function* writeCsv(pages: Pages, locale: Locale) {
  const separator = csvSeparator[locale]
  yield csvOf([columnHeads.map((head) => head[locale])], separator)
  for await (const page of pages)
    yield csvLines(
      requirePage(page).map((entry) => rowOf(locale, entry)),
      separator,
    )
}

/** Throws if a page is missing: all pages were counted before, and a trail never loses entries. */
function requirePage(page: readonly NewestEntry[] | undefined): readonly NewestEntry[] {
  if (!page) throw new Error('The file of the audit trail would not be whole.')
  return page
}

export const exportDeskAudit = handler(
  calls.exportDeskAudit,
  async ({ query, staff, fail, limit, transaction }, { db }) => {
    const { format, locale, ...given } = query
    await limit('too-many-requests', ['desk-trail-exports', staff.subject])
    const filters = await readFilters(db, given)
    const { end, isComplete } = await endOfTrail(db)
    // A file without the entries that come a moment later would look whole.
    if (!isComplete) throw fail('unavailable', { retryAfter: 2 })
    const range = await findRange(db, filters, end)
    const pages = () =>
      readPagesBefore(db, filters, range, { size: limits.audit.maxPage, examined, short: examinedForFile / examined })
    const found = await countEntries(pages())
    if (found === undefined) throw fail('invalid-input', { fields: [{ name: 'from', problem: 'too-long' }] })
    await transaction((_, audit) =>
      audit('desk-trail-exported', { format, ...auditDetailsOf(given, found) }, ownerOf(filters)),
    )
    const { type, text } = trailFile(format, locale)
    return { name: `audit.${format}`, type, content: Readable.from(text(pages()), { highWaterMark: 1 }) }
  },
)

export const listDeskReaders = handler(calls.listDeskReaders, async ({ query, transaction }, { db }) => {
  const filters = await readFilters(db, query)
  const range = await findRange(db, filters, (await endOfTrail(db)).end)
  const { rows, readTo } = await findPairs(db, readingActions, filters, range, { pairs, examined })
  const shown = await withCustomers(db, rows.slice(0, pairs))
  await transaction((_, audit) =>
    audit('desk-trail-read', { readers: true, ...auditDetailsOf(query, shown.length) }, ownerOf(filters)),
  )
  return {
    items: shown,
    hasMore: rows.length > pairs,
    readTo: readTo ?? null,
  }
})

/** Nobody’s account, for a customer who is not there. */
const nobody = '00000000-0000-0000-0000-000000000000'
const ownerOf = ({ account }: AuditFilters) => (account === nobody ? null : (account ?? null))

async function readFilters(db: Db, { from, to, customer, name, action, actor }: TrailFilters): Promise<AuditFilters> {
  return {
    account: customer === undefined ? undefined : ((await findAccountOfEither(db, customer)) ?? nobody),
    since: from && atWarsawClock(`${from}T00:00:00`).toISOString(),
    until: to && atWarsawClock(`${addDays(to, 1)}T00:00:00`).toISOString(),
    name,
    action,
    actor,
  }
}

/**
 * Returns the details of a query for its audit entry: a customer only as the entry's account, and a name only if the trail has it (R239).
 */
const auditDetailsOf = (
  { from, to, name, action, actor }: TrailFilters,
  found: number,
): NonNullable<AuditEntry['details']> => ({
  ...(from && { from }),
  ...(to && { to }),
  ...(action && { action }),
  ...(actor && { by: actor }),
  ...(name && found && { name }),
  found,
})

/** Counts the entries; undefined if a file may not have so many, or if too many would have to be examined for them. */
async function countEntries(pages: AsyncIterable<readonly NewestEntry[] | undefined>): Promise<number | undefined> {
  let found = 0
  for await (const page of pages) {
    if (!page) return undefined
    found += page.length
    if (found > exported) return undefined
  }
  return found
}

async function withCustomers<T extends { account: string | null }>(db: Db, rows: readonly T[]) {
  const accounts = rows.flatMap(({ account }) => account ?? [])
  const customers = await readCustomers(db, accounts)
  return rows.map((row) => ({ ...row, customer: (row.account && customers.get(row.account)) ?? null }))
}

const { verified: longest, findings: most } = deskLimits.trail

/** Verifies the chain of a day as `sygnet audit verify --day` does, with the signed head of this node (DSK-14). */
export const verifyDeskAudit = handler(
  calls.verifyDeskAudit,
  async ({ body: { day }, staff, fail, limit, transaction }, { keys, directory, db }: DeskPortal) => {
    await limit('too-many-requests', ['desk-trail-verifications', staff.subject])
    const head = readHead(keys, directory)
    const heads = { known: head ? [head] : [], now: () => readHead(keys, directory) }
    const findings: Finding[] = []
    let found = 0
    const report = (finding: Finding) => {
      if (++found <= most) findings.push(finding)
    }
    const period = periodOfDay(new Date(`${day}T00:00:00Z`))
    const verified = await db.transaction().execute(async (tx) => {
      if (!(await tryLockVerification(tx))) throw fail('unavailable', { retryAfter: 2 })
      await allowLongStatements(tx)
      // A longer day would take more time than its connection has: the command has no such limit.
      if (await isLongerThan(tx, period, longest))
        throw fail('invalid-input', { fields: [{ name: 'day', problem: 'too-long' }] })
      return verifyTrail(tx, keys.audit, heads, report, period)
    })
    const { records: entries, chains } = verified
    await transaction((_, audit) => audit('desk-trail-verified', { day, entries, findings: found }, null))
    return { entries, chains, head: head ? { ordinal: head.ordinal, at: head.at } : null, found, findings }
  },
)
