import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  type AuditAction,
  auditActionsOf,
  type AuditActionKind,
  type ShownAction,
} from '../../../contract/audit-actions.ts'
import type { StaffAction } from '../../../contract/desk/staff-actions.ts'
import { limits } from '../../../contract/limits.ts'
import type { ListedEntry } from '../../../contract/provider/audit-trail.ts'
import { type Db, query } from '../database/database.ts'
import type { Settings } from '../settings.ts'

// The trail in the order of its numbers (OPS-20). An entry draws its number before its transaction is committed, so one may appear before
// others that were read already. Only numbers up to `end` are read, below which no open transaction can add an entry.

export type AuditFilters = {
  account?: string | undefined
  /** The provider's own id of the customer. */
  customer?: string | undefined
  action?: AuditAction | undefined
  since?: string | undefined
  until?: string | undefined
  actor?: ListedEntry['actor'] | undefined
  /** The whole name of a client key, an operator or a member of the staff, in any case. */
  name?: string | undefined
}

/** The number of attempts, which is enough because transactions take milliseconds; after them the reader comes again. */
const attempts = 100
const pauseMs = 20

/**
 * Returns the last number that was drawn, and whether all entries up to it are committed or never will be. A transaction locks the table
 * before it draws a number and releases it after its commit, so this waits for the transactions that hold the lock now; no writer waits for
 * it.
 */
export async function endOfTrail(db: Db): Promise<{ end: number; isComplete: boolean }> {
  const { last } = await query(db).one(sql<{ last: string | null }>`
    select pg_sequence_last_value('audit_id_seq'::regclass) as last`)
  const end = Number(last ?? 0)
  let writers = await openWriters(db)
  for (let i = 0; writers.length && i < attempts; i++) {
    await setTimeout(pauseMs)
    const open = new Set(await openWriters(db))
    writers = writers.filter((writer) => open.has(writer))
  }
  return { end, isComplete: !writers.length }
}

async function openWriters(db: Db): Promise<string[]> {
  const rows = await query(db).all(sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'audit'::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`)
  return rows.map(({ writer }) => writer)
}

export const filterCondition = ({
  account,
  customer,
  action,
  since,
  until,
  actor,
  name,
}: AuditFilters) => sql<boolean>`(
  ${account === undefined ? sql`true` : sql`account_id = ${account}::uuid`}
  and ${customer === undefined ? sql`true` : sql`account_id = (select id from accounts where provider_id = ${customer})`}
  and ${action === undefined ? sql`true` : sql`act = ${action}`}
  and ${since === undefined ? sql`true` : sql`at >= ${since}::timestamptz`}
  and ${until === undefined ? sql`true` : sql`at < ${until}::timestamptz`}
  and ${actor === undefined ? sql`true` : sql`actor = ${actor}`}
  and ${name === undefined ? sql`true` : sql`${lowerName} = lower(${name}::text)`})`

/** The name of a client key, an operator or a member of the staff, as it is indexed. */
export const lowerName = sql`lower(details ->> 'actorName')`

/**
 * Returns the condition on the numbers of entries. With an action it follows that action's index: for such a range of numbers the planner
 * takes the other index and reads the entries of all actions (decision 0090).
 */
const withinCondition = ({ action }: AuditFilters, after: number, end: number) =>
  action === undefined
    ? sql<boolean>`id > ${after} and id <= ${end}`
    : sql<boolean>`(act, id) > (${action}, ${after}) and (act, id) <= (${action}, ${end})`

/** Entries between which a search by time ends. */
const fewEntries = 1000
/**
 * Entries this far apart have the order of their numbers, unless the database's clock was wrong by more. An entry's time is that of its
 * transaction.
 */
const marginMs = 24 * 3_600_000

/**
 * Finds by bisection the numbers between which all entries of the wanted times are: an index by number alone would pass over everything
 * before `since` and after `until`.
 */
export async function findNumbersWithin(
  db: Db,
  { since, until }: Pick<AuditFilters, 'since' | 'until'>,
  { after, end }: { after: number; end: number },
): Promise<{ after: number; end: number }> {
  const readTimeAfter = async (number: number) => {
    const row = await query(db).first(sql<{ at: Date }>`
      select at from audit where id > ${number} and id <= ${end} order by id limit 1`)
    return row?.at.getTime() ?? Infinity
  }
  /** Returns two numbers close to each other: entries up to `low` are before the time, and those after `high` are not. */
  const search = async (time: number) => {
    let [low, high] = [after, end]
    if ((await readTimeAfter(low)) >= time) return { low, high: low }
    while (high - low > fewEntries) {
      const middle = Math.floor((low + high) / 2)
      if ((await readTimeAfter(middle)) < time) low = middle
      else high = middle
    }
    return { low, high }
  }
  return {
    after: since === undefined ? after : (await search(Date.parse(since) - marginMs)).low,
    end: until === undefined ? end : (await search(Date.parse(until) + marginMs)).high,
  }
}

export type ListedRow = Omit<ListedEntry, 'position' | 'at' | 'actorName'> & { id: string; at: Date; cursor: string }

export const listedColumns = sql`id, ${positionOfEntry()} as cursor, at, act as action, actor, account_id as account, address, details`

export const listedEntry = ({ id, at, details: { actorName, ...details }, ...row }: ListedRow) => ({
  position: Number(id),
  at: at.toISOString(),
  ...row,
  actorName: typeof actorName === 'string' ? actorName : null,
  details,
})

/** Lists entries, each with its position for a program that follows the trail. */
export async function listEntriesAfter(
  db: Db,
  filters: AuditFilters,
  { size, ...numbers }: { after: number; end: number; size: number },
): Promise<(ListedEntry & { cursor: string })[]> {
  const { after, end } = await findNumbersWithin(db, filters, numbers)
  const rows = await query(db).all(sql<ListedRow>`
    select ${listedColumns} from audit
    where ${withinCondition(filters, after, end)} and ${filterCondition(filters)} order by id limit ${size}`)
  return rows.map(listedEntry)
}

type Whole = {
  after: number
  end: number
  /** The maximum number of entries in all pages together. */
  maxEntries: number
  /** Checks before each page but the first whether the reader goes on. */
  mayContinue: () => boolean | Promise<boolean>
}

/** Yields the entries in pages, none of them empty. */
export async function* readPagesAfter(
  db: Db,
  filters: AuditFilters,
  { after, end, maxEntries: most, mayContinue }: Whole,
) {
  for (let from = after, left = most; left > 0;) {
    const size = Math.min(left, limits.audit.maxPage)
    const page = await listEntriesAfter(db, filters, { after: from, end, size })
    if (page.length) yield page
    left -= page.length
    if (page.length < size || (left && !(await mayContinue()))) return
    from = page.at(-1)!.position
  }
}

/** Returns an entry as a line for programs, which continue after its position. */
export const asLine = ({ cursor, ...entry }: ListedEntry & { cursor: string }) => ({ ...entry, position: cursor })

/**
 * Returns the position of the last entry up to a number, for a program that follows the trail: the number with a hash of the entry, which
 * shows that the trail still has it. After a restore to an earlier time, new entries get the numbers of lost ones.
 */
export async function findPositionAt(db: Db, number: number): Promise<string> {
  const row = await query(db).first(sql<{ position: string }>`
    select ${positionOfEntry()} as position from audit where id <= ${number} order by id desc limit 1`)
  return row?.position ?? startOfTrail
}

/** Returns the number of a position; undefined if the trail does not have that entry. */
export async function findNumber(db: Db, position: string): Promise<number | undefined> {
  if (position === startOfTrail) return 0
  const number = Number(position.split('-', 1)[0])
  const row = await query(db).first(sql<{ position: string }>`
    select ${positionOfEntry()} as position from audit where id = ${number}`)
  return row?.position === position ? number : undefined
}

export const startOfTrail = `0-${'0'.repeat(16)}`

/** Returns the SQL of an entry's position, with a hash of the MAC: the MAC itself is kept within the trail. */
function positionOfEntry() {
  return sql`id || '-' || left(encode(sha256(mac), 'hex'), 16)`
}

/** Finds the number of the entry before the newest `count` entries; 0 if there is none. */
export async function findNumberBefore(db: Db, filters: AuditFilters, last: number, count: number): Promise<number> {
  const { after, end } = await findNumbersWithin(db, filters, { after: 0, end: last })
  const entry = await query(db).first(sql<{ id: string }>`
    select id from audit where ${withinCondition(filters, after, end)} and ${filterCondition(filters)} order by id desc offset ${count} limit 1`)
  return Number(entry?.id ?? 0)
}

/** Checks whether there is anything but readings of the trail itself, which do not make it grow by themselves. */
export const hasNews = (entries: readonly ListedEntry[]): boolean =>
  entries.some(({ action, details }) => action !== 'data-read' || details['read'] !== 'audit')

/** Entries of the desk that are whole data of a customer, read by a member of the staff. */
const readings: readonly StaffAction[] = ['desk-customer-unmasked', 'desk-change-unmasked', 'desk-identity-unmasked']
const reading = 'data-read-by-support' satisfies ShownAction

/** Returns the actions whose entries a customer's history shows, with readings at the desk if the operator wants that (DSK-27). */
export function historyActions(
  { areDeskReadsShown }: Pick<Settings, 'areDeskReadsShown'>,
  kind?: AuditActionKind,
): string[] {
  const shown = auditActionsOf(kind)
  return areDeskReadsShown && shown.includes(reading) ? [...shown, ...readings] : shown
}

/** Name of an entry in the history: a reading at the desk has a name of its own there, without the reason and the person. */
export const shownAction = sql`case when act = any(${readings}::text[]) then ${reading} else act end`
