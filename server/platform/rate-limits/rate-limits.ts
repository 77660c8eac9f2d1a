import { sql, type RawBuilder } from 'kysely'
import type { Allowance } from '../../../contract/limits.ts'
import { runAhead, single, type Db } from '../database/database.ts'
import { mac, type Keys } from '../encryption/keys.ts'
import { rateLimitExceeded } from '../observability/events.ts'

/**
 * The rate limits of tries and sends: a number within a sliding window, shared by all nodes, exact under any parallelism and
 * kept over restarts (R16, R20, R25, R78). A try is charged before it is made.
 */
export type RateLimit = Allowance & {
  name: string
  /** The last try locks the limit for a whole window; otherwise tries become free one by one. */
  locks?: true
}

export type Charged = { ok: true; used: number; left: number } | { ok: false; retryAfter: number }

/** A rate limit and what it is counted by: an account, a number, an account and an address. */
export type LimitKey = readonly [RateLimit, ...string[]]

/** Charges one try of a limit for `key`. One statement decides, so that two nodes cannot both take the last try. */
export async function chargeAttempt(db: Db, keys: Keys, rateLimit: RateLimit, ...key: string[]): Promise<Charged> {
  return charged(db, keys, [rateLimit, ...key], await charge(db, keys, [[rateLimit, ...key]]))
}

/** Charges one try of each limit in one statement, each independently of the others. */
export async function chargeEach(db: Db, keys: Keys, limitKeys: readonly LimitKey[]): Promise<Charged[]> {
  const used = await charge(db, keys, limitKeys)
  return Promise.all(limitKeys.map((limitKey) => charged(db, keys, limitKey, used)))
}

async function charged(
  db: Db,
  keys: Keys,
  [rateLimit, ...key]: LimitKey,
  used: ReadonlyMap<string, number>,
): Promise<Charged> {
  const tries = used.get(rateLimit.name)
  if (tries !== undefined) return { ok: true, used: tries, left: rateLimit.limit - tries }
  rateLimitExceeded.publish({ rateLimit: rateLimit.name })
  return { ok: false, retryAfter: await secondsUntilFree(db, keys, rateLimit, ...key) }
}

type AllCharged = { ok: true; left: number[] }
type NotCharged = { ok: false; refused: number; retryAfter: number }

/**
 * Charges one try of each limit in one statement, or of none. Gates are only checked: if one has no try left, nothing is
 * charged. `left`: the tries that each limit still has. `refused`: the index of the first without a try, gates counted last.
 */
export async function chargeAll(
  db: Db,
  keys: Keys,
  limitKeys: readonly LimitKey[],
  gates: readonly LimitKey[] = [],
): Promise<AllCharged | NotCharged> {
  const used = await charge(db, keys, limitKeys, gates)
  return judge(db, keys, limitKeys, gates, used)
}

/**
 * The same with a change of one row in the same statement, which is made only if all limits are charged: its condition is `isCharged`.
 * `changed` is what it returns.
 */
export async function chargeAllAndChange<Row extends object>(
  db: Db,
  keys: Keys,
  limitKeys: readonly LimitKey[],
  change: (isCharged: RawBuilder<unknown>) => RawBuilder<Row>,
): Promise<(AllCharged & { changed: Row | undefined }) | NotCharged> {
  const isCharged = sql`(select count(*) from charged) = ${limitKeys.length}`
  const { rows } = await sql<Row & { used: Record<string, number> | null; isChanged: true | null }>`
    with ${charging(keys, limitKeys)}, changed as (${change(isCharged)})
    select used, changed.* from (select json_object_agg(name, used) as used from charged) charged
      left join (select true as is_changed, * from changed) changed on true`.execute(db)
  const { used, isChanged, ...changed } = single(rows)
  const judged = await judge(db, keys, limitKeys, [], new Map(Object.entries(used ?? {})))
  return judged.ok ? { ...judged, changed: isChanged ? (changed as unknown as Row) : undefined } : judged
}

async function judge(
  db: Db,
  keys: Keys,
  limitKeys: readonly LimitKey[],
  gates: readonly LimitKey[],
  used: ReadonlyMap<string, number>,
): Promise<AllCharged | NotCharged> {
  const left = limitKeys.map(([{ name, limit }]) => limit - (used.get(name) ?? Infinity))
  if (used.size === limitKeys.length) return { ok: true, left }
  await refund(db, keys, ...limitKeys.filter(([{ name }]) => used.has(name)))
  const refused = limitKeys.findIndex(([{ name }]) => !used.has(name))
  for (const [index, [rateLimit, ...key]] of [...limitKeys, ...gates].entries()) {
    if (used.size && index !== refused) continue
    const retryAfter = await secondsUntilFree(db, keys, rateLimit, ...key)
    if (!retryAfter) continue
    rateLimitExceeded.publish({ rateLimit: rateLimit.name })
    return { ok: false, refused: index, retryAfter }
  }
  // A try has become free since.
  return { ok: false, refused, retryAfter: 1 }
}

/** The limits in the order of their keys, so that two requests never wait for each other's rows. */
function ordered(keys: Keys, limitKeys: readonly LimitKey[]) {
  return limitKeys
    .map(([rateLimit, ...key]) => ({ ...rateLimit, id: mac(keys.rateLimit, rateLimit.name, ...key) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : Buffer.compare(a.id, b.id)))
}

/** The used tries, by the name of each limit that could be charged. */
async function charge(
  db: Db,
  keys: Keys,
  limitKeys: readonly LimitKey[],
  gates: readonly LimitKey[] = [],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; used: number }>`
    with ${charging(keys, limitKeys, gates)} select * from charged`.execute(db)
  return new Map(rows.map(({ name, used }) => [name, used]))
}

/** The part of a statement that charges, and names the charged limits with their used tries. */
function charging(keys: Keys, limitKeys: readonly LimitKey[], gates: readonly LimitKey[] = []): RawBuilder<unknown> {
  const requested = ordered(keys, limitKeys)
  const open = gates.length
    ? sql`where not exists (select from (${freeFrom(keys, gates)}) gate where gate.free_from > portal_now())`
    : sql``
  return sql`
    requested as (
      select * from unnest(${requested.map(({ name }) => name)}::text[], ${requested.map(({ id }) => id)}::bytea[], ${requested.map(({ limit }) => limit)}::int[],
        ${requested.map(({ window }) => intervalOf(window))}::interval[], ${requested.map(({ locks }) => locks ?? false)}::boolean[])
        as requested (name, key, most, span, locks)
    ), charged as (
    insert into budgets as b (name, key, spent, locked_until, forget_at)
    select name, key, array[portal_now()], case when locks and most = 1 then portal_now() + span end, portal_now() + span from requested ${open}
    on conflict (name, key) do update set (spent, locked_until, forget_at) = (
      select live.spent || portal_now(), case when requested.locks and cardinality(live.spent) + 1 >= requested.most then portal_now() + requested.span end, portal_now() + requested.span
      from requested, lateral (select array(select t from unnest(b.spent) t where t > portal_now() - requested.span) as spent) live
      where requested.name = b.name and requested.key = b.key
    )
    where (b.locked_until is null or b.locked_until <= portal_now()) and (
      select (select count(*) from unnest(b.spent) t where t > portal_now() - requested.span) < requested.most
      from requested where requested.name = b.name and requested.key = b.key
    )
    returning b.name, cardinality(b.spent) as used
    )`
}

const intervalOf = (seconds: number) => `${seconds} seconds`

/** For each limit that was ever charged: when a try of it is free. */
const freeFrom = (keys: Keys, limitKeys: readonly LimitKey[]) => sql`
  select greatest(
      coalesce(b.locked_until, '-infinity'),
      coalesce((select t from unnest(b.spent) t where t > portal_now() - make_interval(secs => gate.span)
        order by t desc offset gate.most - 1 limit 1) + make_interval(secs => gate.span), '-infinity')
    ) as free_from
  from unnest(${limitKeys.map(([{ name }]) => name)}::text[], ${limitKeys.map(([{ name }, ...key]) => mac(keys.rateLimit, name, ...key))}::bytea[],
      ${limitKeys.map(([{ limit }]) => limit)}::int[], ${limitKeys.map(([{ window }]) => window)}::float8[]) as gate (name, key, most, span)
    join budgets b on b.name = gate.name and b.key = gate.key`

/** When a try is free again; undefined if one is free now. It only reads, so it must not decide whether a try is made. */
export async function nextFreeTry(
  db: Db,
  keys: Keys,
  rateLimit: RateLimit,
  ...key: string[]
): Promise<{ at: Date; seconds: number } | undefined> {
  const { rows } = await sql<{ at: Date; seconds: number }>`
    select free_from as at, ceil(extract(epoch from free_from - portal_now()))::float8 as seconds
    from (${freeFrom(keys, [[rateLimit, ...key]])}) gate where free_from > portal_now()`.execute(db)
  return rows[0]
}

/** When a try of each of the limits is free again; undefined if that is now. It only reads, too. */
export async function allFreeAt(db: Db, keys: Keys, limitKeys: readonly LimitKey[]): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(free_from) as at from (${freeFrom(keys, limitKeys)}) gate where free_from > portal_now()`.execute(db)
  return rows[0]?.at ?? undefined
}

/** Seconds until a try is free again; 0 if one is free now. */
export const secondsUntilFree = async (db: Db, keys: Keys, rateLimit: RateLimit, ...key: string[]): Promise<number> =>
  (await nextFreeTry(db, keys, rateLimit, ...key))?.seconds ?? 0

/** Refunds the newest try of each limit, which turned out not to count. */
export const refund = (db: Db, keys: Keys, ...limitKeys: LimitKey[]): Promise<void> =>
  settle(db, keys, { refund: limitKeys })

/** Removes all tries of each limit, because a success ended the streak of failures. */
export const resetStreak = (db: Db, keys: Keys, ...limitKeys: LimitKey[]): Promise<void> =>
  settle(db, keys, { clear: limitKeys })

/** In one statement, refunds as many of the newest tries of a limit as it is listed times in `refund`, and removes all tries of those in `clear`. */
export async function settle(
  db: Db,
  keys: Keys,
  limitKeys: { refund?: readonly LimitKey[]; clear?: readonly LimitKey[] },
): Promise<void> {
  const cleared = limitKeys.clear ?? []
  const all = ordered(keys, [...(limitKeys.refund ?? []), ...cleared])
  const isSame = (a: (typeof all)[number]) => (b: (typeof all)[number]) => a.name === b.name && a.id.equals(b.id)
  const unique = all.filter((row, i) => all.findIndex(isSame(row)) === i)
  if (!unique.length) return
  const times = unique.map((row) =>
    cleared.some(([{ name }]) => name === row.name) ? null : all.filter(isSame(row)).length,
  )
  await runAhead(
    db,
    sql`
    update budgets b set locked_until = null,
      spent = case when requested.times is null then '{}' else trim_array(b.spent, least(requested.times, cardinality(b.spent))) end
    from unnest(${unique.map(({ name }) => name)}::text[], ${unique.map(({ id }) => id)}::bytea[], ${times}::int[])
      as requested (name, key, times)
    where b.name = requested.name and b.key = requested.key and cardinality(b.spent) > 0`,
  )
}

/** A steady flow of calls: `perSecond`, of which those of `burst` seconds may come at once. */
export type TokenBucket = { name: string; perSecond: number; burst: number }

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
  const next = sql`case when b.forget_at > ${furthest} then portal_now() else greatest(b.forget_at, portal_now()) end + ${interval}`
  const { numAffectedRows } = await sql`
    insert into budgets as b (name, key, spent, forget_at)
    values (${name}, ${mac(keys.rateLimit, name, ...key)}, '{}', portal_now() + ${interval})
    on conflict (name, key) do update set forget_at = ${next} where ${next} <= ${furthest}`.execute(db)
  return numAffectedRows === 1n
}
