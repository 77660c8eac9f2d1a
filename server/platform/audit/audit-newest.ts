import { sql, type RawBuilder } from 'kysely'
import type { AuditAction } from '../../../contract/audit-actions.ts'
import type { ListedEntry } from '../../../contract/provider/audit-trail.ts'
import { type Db, query } from '../database/database.ts'
import { filterCondition, listedColumns, listedEntry, lowerName, findNumbersWithin } from './audit-list.ts'
import type { AuditFilters, ListedRow } from './audit-list.ts'

// The trail from its newest entry back, as a person reads it (DSK-13). One of the filters chooses the index, and the
// others judge what it gives, of which a statement examines `examined` entries at most: a rare combination makes a
// short page, never a long statement (R240).

/** A range of the numbers of entries. */
export type Range = {
  /** The number before which the entries are. */
  before: number
  /** The number after which the entries are. */
  after: number
}

/** Returns the range of the numbers for a filter by time, up to the end of the trail. */
export async function findRange(db: Db, filters: AuditFilters, end: number): Promise<Range> {
  const { after, end: last } = await findNumbersWithin(db, filters, { after: 0, end })
  return { after, before: last + 1 }
}

/** Selects entries in the order of an index, the newest first. Pairs of values keep the planner to it, as in `audit-list.ts`. */
function candidates({ account, name, action, since, until }: AuditFilters, range: Range, most: number) {
  const withinCondition = sql`id > ${range.after} and id < ${range.before} and ${filterCondition({ since, until })}`
  const along = (value: RawBuilder<unknown>, wanted: RawBuilder<unknown>) =>
    sql`${value} = ${wanted} and (${value}, id) > (${wanted}, ${range.after}::bigint) and (${value}, id) < (${wanted}, ${range.before}::bigint)`
  const index = () => {
    if (account !== undefined) return sql`account_id = ${account}::uuid`
    if (name !== undefined)
      return sql`details ->> 'actorName' is not null and ${along(lowerName, sql`lower(${name}::text)`)}`
    return action === undefined ? sql`true` : along(sql`act`, sql`${action}::text`)
  }
  return sql`select * from audit where ${index()} and ${withinCondition} order by id desc limit ${most}`
}

/** Selects the candidates for several actions, each along its own part of the index. */
const selectCandidates = (actions: readonly AuditAction[], filters: AuditFilters, range: Range, most: number) =>
  filters.account !== undefined || filters.name !== undefined
    ? candidates(filters, range, most)
    : sql`select * from (${sql.join(
        actions.map((action) => sql`(${candidates({ ...filters, action }, range, most)})`),
        sql` union all `,
      )}) entry order by id desc limit ${most}`

export type NewestEntry = ReturnType<typeof listedEntry>

type Page = {
  entries: NewestEntry[]
  /** The start of the next page, and the time of the last entry that was examined; undefined at the end of the trail. */
  next: { before: number; readTo: Date; isFull: boolean } | undefined
}

export async function readEntriesBefore(
  db: Db,
  filters: AuditFilters,
  range: Range,
  { size, examined }: { size: number; examined: number },
): Promise<Page> {
  const rows = await query(db).all(sql<ListedRow>`
    select ${listedColumns} from (${candidates(filters, range, examined)}) entry
    where ${filterCondition(filters)} order by id desc limit ${size + 1}`)
  const entries = rows.slice(0, size).map(listedEntry)
  const last = rows.length > size ? rows[size - 1] : undefined
  if (last) return { entries, next: { before: Number(last.id), readTo: last.at, isFull: true } }
  const end = await findLast(db, candidates(filters, range, examined), examined)
  return { entries, next: end && { before: Number(end.id), readTo: end.at, isFull: false } }
}

/** Finds the last of the entries that a statement examines, if there may be others before it. */
async function findLast(db: Db, entries: RawBuilder<unknown>, examined: number) {
  return query(db).first(sql<{ id: string; at: Date }>`
    select id, at from (${entries}) entry order by id desc offset ${examined - 1} limit 1`)
}

/** Yields all pages of a filter, at most `short` of them short; yields undefined in place of a page if that does not suffice. */
export async function* readPagesBefore(
  db: Db,
  filters: AuditFilters,
  range: Range,
  { short, ...each }: { size: number; examined: number; short: number },
): AsyncGenerator<NewestEntry[] | undefined> {
  let { before } = range
  for (let left = short; ;) {
    const { entries, next } = await readEntriesBefore(db, filters, { ...range, before }, each)
    if (entries.length) yield entries
    if (!next) return
    if (!next.isFull && --left < 0) return yield undefined
    before = next.before
  }
}

type Reading = {
  actor: ListedEntry['actor']
  actorName: string | null
  /** The `sub` of a member of the staff: two can have one name. */
  staff: string | null
  account: string | null
  times: number
  last: Date
  actions: string[]
  reasons: string[]
}

/** Groups the newest of these actions by pairs of the person and the customer concerned, the latest first (DSK-16). */
export async function findPairs(
  db: Db,
  actions: readonly AuditAction[],
  filters: AuditFilters,
  range: Range,
  { pairs, examined }: { pairs: number; examined: number },
): Promise<{ rows: Reading[]; readTo: Date | undefined }> {
  const entries = selectCandidates(actions, filters, range, examined)
  const rows = await query(db).all(sql<Reading>`
    select actor, details ->> 'actorName' as actor_name, details ->> 'staff' as staff, account_id as account, count(*)::int as times, max(at) as last,
      array_agg(distinct act) as actions,
      coalesce((array_agg(distinct details ->> 'reason') filter (where details ->> 'reason' is not null))[1:5], '{}') as reasons
    from (${entries}) entry where act = any(${actions}::text[]) and ${filterCondition(filters)}
    group by 1, 2, 3, 4 order by 6 desc, 2, 3, 4 limit ${pairs + 1}`)
  return { rows, readTo: (await findLast(db, entries, examined))?.at }
}
