import { sql, type RawBuilder } from 'kysely'
import { type Db, type Tx, query } from '../database/database.ts'
import { mac, type Keys } from '../encryption/keys.ts'
import { rateLimitExceeded } from '../observability/events.ts'
import { rateLimit, type LimitName, type RateLimit } from './rate-limit-table.ts'

/** A rate limit and what it is counted by, such as an account and an address. */
export type LimitKey = readonly [LimitName | RateLimit, ...string[]]
export type LimitKeys = LimitKey | readonly LimitKey[]

type Options<Row extends object> = {
  /** The limits that are only checked: if one has no try left, nothing is charged. */
  gates?: readonly LimitKey[]
  /** Whether each limit is charged independently of the others. */
  areIndependent?: boolean
  /** Returns a change of one row in the same statement, made only if all limits are charged: its condition is `chargedCondition`. */
  change?: (chargedCondition: RawBuilder<unknown>) => RawBuilder<Row>
}

/** The result of a charge. `left` has the tries that each limit still has; undefined where it was not charged. */
type Charged<Row> =
  | { ok: true; left: [number, ...number[]]; changed: Row | undefined }
  /**
   * `refused`: the first limit without a try, gates last. `waits`: seconds until each has one; `retryAfter` is that of the
   * refused one.
   */
  | { ok: false; left: (number | undefined)[]; refused: LimitKey; waits: number[]; retryAfter: number }

/**
 * Charges one try of each limit, or of none: a number within a sliding window, shared by all nodes, exact under any
 * parallelism and kept over restarts (R16, R20, R25, R78). A try is charged before it is made. One statement decides,
 * so that two nodes cannot both take the last try.
 */
export async function charge<Row extends object = never>(
  db: Db,
  keys: Keys,
  limitKeys: LimitKeys,
  { gates = [], areIndependent, change }: Options<Row> = {},
): Promise<Charged<Row>> {
  const withinLimit = countersOf(keys, limitKeys)
  const closing = countersOf(keys, gates)
  const chargedCondition = sql`(select count(*) from charged) = ${withinLimit.length}`
  const { used, isChanged, ...row } = await query(db).one(sql<
    Row & { used: Record<string, number> | null; isChanged: true | null }
  >`
    with ${charging(withinLimit, closing)}${change ? sql`, changed as (${change(chargedCondition)})` : sql``}
    select * from (select json_object_agg(name, used) as used from charged) charged
      ${change ? sql`left join (select true as is_changed, * from changed) changed on true` : sql``}`)
  const left = withinLimit.map(({ name, limit }) => (used?.[name] === undefined ? undefined : limit - used[name]))
  if (!left.includes(undefined))
    return { ok: true, left: left as [number], changed: isChanged ? (row as unknown as Row) : undefined }
  if (!areIndependent) await settle(db, keys, { refund: listOf(limitKeys).filter((_, i) => left[i] !== undefined) })
  const all = [...withinLimit, ...closing]
  const found = await readWaits(db, all)
  const waits = all.map(({ name }, i) => (left[i] === undefined ? (found.get(name) ?? 0) : 0))
  const first = waits.findIndex((wait) => wait > 0)
  for (const [i, { name }] of all.entries())
    if (areIndependent ? waits[i]! > 0 : i === first) rateLimitExceeded.publish({ rateLimit: name })
  // A try may have become free since.
  const at = first < 0 ? left.indexOf(undefined) : first
  const refused = [...listOf(limitKeys), ...gates][at]!
  return { ok: false, left, refused, waits, retryAfter: waits[at] || 1 }
}

const listOf = (limitKeys: LimitKeys) =>
  (limitKeys.every(Array.isArray) ? limitKeys : [limitKeys]) as readonly LimitKey[]

/** A row of the table: a limit and the MAC of what it is counted by. */
type Counter = RateLimit & { id: Buffer }

const countersOf = (keys: Keys, limitKeys: LimitKeys): Counter[] =>
  listOf(limitKeys).map(([limit, ...key]) => {
    const row = typeof limit === 'string' ? rateLimit(limit) : limit
    return { ...row, id: mac(keys.rateLimit, row.name, ...key) }
  })

/** Sorts counters by id, so that two requests never wait for each other's rows. */
const inOrder = (counters: Counter[]) => counters.toSorted((a, b) => Buffer.compare(a.id, b.id))

/** Returns the part of a statement that charges, and names the charged limits with their used tries. */
function charging(counters: Counter[], gates: Counter[]): RawBuilder<unknown> {
  const requested = inOrder(counters)
  const open = gates.length
    ? sql`where not exists (select from (${freeFrom(gates)}) gate where gate.free_from > portal_now())`
    : sql``
  return sql`
    requested as (
      select * from unnest(${requested.map(({ name }) => name)}::text[], ${requested.map(({ id }) => id)}::bytea[], ${requested.map(({ limit }) => limit)}::int[],
        ${requested.map(({ window }) => intervalOf(window))}::interval[], ${requested.map(({ locks }) => locks ?? false)}::boolean[])
        as requested (name, key, most, span, locks)
    ), charged as (
    insert into rate_limits as r (name, key, spent, locked_until, forget_at)
    select name, key, array[portal_now()], case when locks and most = 1 then portal_now() + span end, portal_now() + span from requested ${open}
    on conflict (name, key) do update set (spent, locked_until, forget_at) = (
      select live.spent || portal_now(), case when requested.locks and cardinality(live.spent) + 1 >= requested.most then portal_now() + requested.span end, portal_now() + requested.span
      from requested, lateral (select array(select t from unnest(r.spent) t where t > portal_now() - requested.span) as spent) live
      where requested.name = r.name and requested.key = r.key
    )
    where (r.locked_until is null or r.locked_until <= portal_now()) and (
      select (select count(*) from unnest(r.spent) t where t > portal_now() - requested.span) < requested.most
      from requested where requested.name = r.name and requested.key = r.key
    )
    returning r.name, cardinality(r.spent) as used
    )`
}

const intervalOf = (seconds: number) => `${seconds} seconds`

/** Returns the query for the time at which a try is free, for each limit that was ever charged. */
const freeFrom = (counters: Counter[]) => sql`
  select gate.name, greatest(
      coalesce(r.locked_until, '-infinity'),
      coalesce((select t from unnest(r.spent) t where t > portal_now() - make_interval(secs => gate.span)
        order by t desc offset gate.most - 1 limit 1) + make_interval(secs => gate.span), '-infinity')
    ) as free_from
  from unnest(${counters.map(({ name }) => name)}::text[], ${counters.map(({ id }) => id)}::bytea[],
      ${counters.map(({ limit }) => limit)}::int[], ${counters.map(({ window }) => window)}::float8[]) as gate (name, key, most, span)
    join rate_limits r on r.name = gate.name and r.key = gate.key`

const seconds = sql`ceil(extract(epoch from free_from - portal_now()))::float8`

/** Returns the seconds until a try is free, by the names of the limits that have none. */
async function readWaits(db: Db, counters: Counter[]): Promise<Map<string, number>> {
  const rows = await query(db).all(sql<{ name: string; seconds: number }>`
    select name, ${seconds} as seconds from (${freeFrom(counters)}) gate where free_from > portal_now()`)
  return new Map(rows.map((row) => [row.name, row.seconds]))
}

/**
 * Finds the time at which each of the limits has a try again; undefined if that is now. It only reads, so it must not decide whether a try
 * is made.
 */
export async function findNextFreeTry(
  db: Db,
  keys: Keys,
  limitKeys: LimitKeys,
): Promise<{ at: Date; seconds: number } | undefined> {
  return query(db).first(sql<{ at: Date; seconds: number }>`
    select free_from as at, ${seconds} as seconds from (${freeFrom(countersOf(keys, limitKeys))}) gate
    where free_from > portal_now() order by free_from desc limit 1`)
}

/**
 * Refunds, in one statement, as many of the newest tries of a limit as it is listed times in `refund`, because they turned out not to
 * count, and removes all tries of those in `clear`, because a success ended the streak of failures.
 */
export async function settle(
  db: Db,
  keys: Keys,
  { refund = [], clear = [] }: { refund?: LimitKeys; clear?: LimitKeys },
): Promise<void> {
  const cleared = countersOf(keys, clear)
  const all = inOrder([...countersOf(keys, refund), ...cleared])
  const isSame = (a: Counter) => (b: Counter) => a.id.equals(b.id)
  const settled = all.filter((counter, i) => all.findIndex(isSame(counter)) === i)
  if (!settled.length) return
  const times = settled.map((counter) => (cleared.some(isSame(counter)) ? null : all.filter(isSame(counter)).length))
  await query(db).run(sql`
    update rate_limits r set locked_until = null,
      spent = case when requested.times is null then '{}' else trim_array(r.spent, least(requested.times, cardinality(r.spent))) end
    from unnest(${settled.map(({ name }) => name)}::text[], ${settled.map(({ id }) => id)}::bytea[], ${times}::int[])
      as requested (name, key, times)
    where r.name = requested.name and r.key = requested.key and cardinality(r.spent) > 0`)
}

/**
 * Locks limits until the end of the transaction, before it locks other rows: calls that charge limits lock them first, too, so that neither
 * waits for the other.
 */
export async function lockLimits(tx: Tx, keys: Keys, limitKeys: LimitKeys): Promise<void> {
  const counters = countersOf(keys, limitKeys)
  await query(tx).run(sql`
    select from rate_limits where name = any(${counters.map(({ name }) => name)}::text[]) and key = any(${counters.map(({ id }) => id)}::bytea[])
    order by key for update`)
}

/** A limit that allows a steady flow of calls. */
export type TokenBucket = {
  name: string
  perSecond: number
  /** The seconds whose calls may come at once. */
  burst: number
}

/**
 * Takes one call of a flow; false if it has to wait, for a second at most. One instant is stored per flow, up to which its
 * share is taken (the generic cell rate algorithm, ITU-T I.371); a rate limit stores each try, so it is for few of them.
 * An instant too far ahead was stored before the clock was set back, and is ignored (R94).
 */
export async function takeToken(
  db: Db,
  keys: Keys,
  { name, perSecond, burst }: TokenBucket,
  ...key: string[]
): Promise<boolean> {
  const interval = sql`make_interval(secs => ${1 / perSecond})`
  const furthest = sql`portal_now() + make_interval(secs => ${burst})`
  const next = sql`case when r.forget_at > ${furthest} then portal_now() else greatest(r.forget_at, portal_now()) end + ${interval}`
  return query(db).changesOne(sql`
    insert into rate_limits as r (name, key, spent, forget_at)
    values (${name}, ${mac(keys.rateLimit, name, ...key)}, '{}', portal_now() + ${interval})
    on conflict (name, key) do update set forget_at = ${next} where ${next} <= ${furthest}`)
}
