import { sql } from 'kysely'
import type { Allowance } from '../contract/limits.ts'
import type { Db } from './db.ts'
import { mac, type Keys } from './keys.ts'
import { budgetRefused } from './observed.ts'

/**
 * The one mechanism for every limit on tries and sends: so many within a sliding window, shared by all nodes,
 * exact under any parallelism, kept over restarts (R16, R20, R25, R78). A try is paid for before it is made.
 */
export type Budget = Allowance & {
  name: string
  /** With the last try the budget locks for a whole window from then; otherwise tries come back one by one. */
  locks?: true
}

export type Spent = { ok: true; used: number; left: number } | { ok: false; retryAfter: number }

/** A budget and whatever of it is counted by: an account, a number, an account and an address. */
export type Claim = readonly [Budget, ...string[]]

/** Pays one try of a budget for whatever `key` names. The one statement decides; two nodes cannot both take the last try. */
export async function spend(db: Db, keys: Keys, budget: Budget, ...key: string[]): Promise<Spent> {
  return (await spendEach(db, keys, [[budget, ...key]]))[0]!
}

/** Pays one try of each claim in one statement, each whether or not the others can be paid. */
export async function spendEach(db: Db, keys: Keys, claims: readonly Claim[]): Promise<Spent[]> {
  const paid = await pay(db, keys, claims)
  return Promise.all(
    claims.map(async ([budget, ...key]) => {
      const used = paid.get(budget.name)
      if (used !== undefined) return { ok: true as const, used, left: budget.limit - used }
      budgetRefused.tell({ budget: budget.name })
      return { ok: false as const, retryAfter: await secondsUntilFree(db, keys, budget, ...key) }
    }),
  )
}

/**
 * Pays one try of each claim in one statement, or of none; of none also when a gate, which is only looked at, has no
 * try left. `left` are the tries that each claim still has. `refused` is the index of the first that had none, gates counted after claims.
 */
export async function spendAll(
  db: Db,
  keys: Keys,
  claims: readonly Claim[],
  gates: readonly Claim[] = [],
): Promise<{ ok: true; left: number[] } | { ok: false; refused: number; retryAfter: number }> {
  const paid = await pay(db, keys, claims, gates)
  if (paid.size === claims.length) return { ok: true, left: claims.map(([{ name, limit }]) => limit - paid.get(name)!) }
  await refund(db, keys, ...claims.filter(([{ name }]) => paid.has(name)))
  const unpaid = claims.findIndex(([{ name }]) => !paid.has(name))
  const asked = paid.size ? [unpaid] : [...claims.keys(), ...gates.keys().map((i) => claims.length + i)]
  for (const index of asked) {
    const [budget, ...key] = [...claims, ...gates][index]!
    const retryAfter = await secondsUntilFree(db, keys, budget, ...key)
    if (!retryAfter) continue
    budgetRefused.tell({ budget: budget.name })
    return { ok: false, refused: index, retryAfter }
  }
  // It has become free since.
  return { ok: false, refused: unpaid, retryAfter: 1 }
}

/** The claims in the order of their keys, so that two requests can never wait for each other's rows. */
function ordered(keys: Keys, claims: readonly Claim[]) {
  return claims
    .map(([budget, ...key]) => ({ ...budget, id: mac(keys.budget, budget.name, ...key) }))
    .toSorted((one, other) =>
      one.name < other.name ? -1 : one.name > other.name ? 1 : Buffer.compare(one.id, other.id),
    )
}

/** By the name of each budget that could be paid: how many tries are used with this one. */
async function pay(
  db: Db,
  keys: Keys,
  claims: readonly Claim[],
  gates: readonly Claim[] = [],
): Promise<Map<string, number>> {
  const asked = ordered(keys, claims)
  const open = gates.length
    ? sql`where not exists (select from (${freeFrom(keys, gates)}) gate where gate.free_from > portal_now())`
    : sql``
  const { rows } = await sql<{ name: string; used: number }>`
    with asked as (
      select * from unnest(${asked.map(({ name }) => name)}::text[], ${asked.map(({ id }) => id)}::bytea[], ${asked.map(({ limit }) => limit)}::int[],
        ${asked.map(({ window }) => make(window))}::interval[], ${asked.map(({ locks }) => locks ?? false)}::boolean[])
        as asked (name, key, most, span, locks)
    )
    insert into budgets as b (name, key, spent, locked_until, forget_at)
    select name, key, array[portal_now()], case when locks and most = 1 then portal_now() + span end, portal_now() + span from asked ${open}
    on conflict (name, key) do update set (spent, locked_until, forget_at) = (
      select live.spent || portal_now(), case when asked.locks and cardinality(live.spent) + 1 >= asked.most then portal_now() + asked.span end, portal_now() + asked.span
      from asked, lateral (select array(select t from unnest(b.spent) t where t > portal_now() - asked.span) as spent) live
      where asked.name = b.name and asked.key = b.key
    )
    where (b.locked_until is null or b.locked_until <= portal_now()) and (
      select (select count(*) from unnest(b.spent) t where t > portal_now() - asked.span) < asked.most
      from asked where asked.name = b.name and asked.key = b.key
    )
    returning b.name, cardinality(b.spent) as used`.execute(db)
  return new Map(rows.map(({ name, used }) => [name, used]))
}

const make = (seconds: number) => `${seconds} seconds`

/** For each claim that was ever paid: the moment from which a try of it is free. */
const freeFrom = (keys: Keys, claims: readonly Claim[]) => sql`
  select greatest(
      coalesce(b.locked_until, '-infinity'),
      coalesce((select t from unnest(b.spent) t where t > portal_now() - make_interval(secs => gate.span)
        order by t desc offset gate.most - 1 limit 1) + make_interval(secs => gate.span), '-infinity')
    ) as free_from
  from unnest(${claims.map(([{ name }]) => name)}::text[], ${claims.map(([{ name }, ...key]) => mac(keys.budget, name, ...key))}::bytea[],
      ${claims.map(([{ limit }]) => limit)}::int[], ${claims.map(([{ window }]) => window)}::float8[]) as gate (name, key, most, span)
    join budgets b on b.name = gate.name and b.key = gate.key`

/** When a try is free again; undefined when one is. Reads only, so it must not be what lets a try through. */
export async function freeAgain(
  db: Db,
  keys: Keys,
  budget: Budget,
  ...key: string[]
): Promise<{ at: Date; seconds: number } | undefined> {
  const { rows } = await sql<{ at: Date; seconds: number }>`
    select free_from as at, ceil(extract(epoch from free_from - portal_now()))::float8 as seconds
    from (${freeFrom(keys, [[budget, ...key]])}) one where free_from > portal_now()`.execute(db)
  return rows[0]
}

/** Seconds until a try is free again; 0 when one is. */
export const secondsUntilFree = async (db: Db, keys: Keys, budget: Budget, ...key: string[]): Promise<number> =>
  (await freeAgain(db, keys, budget, ...key))?.seconds ?? 0

/** Gives back the newest try of each claim: it turned out not to count. */
export const refund = (db: Db, keys: Keys, ...claims: Claim[]): Promise<void> => settle(db, keys, { refund: claims })

/** Forgets all tries of each claim: a success ended the row of failures. */
export const clear = (db: Db, keys: Keys, ...claims: Claim[]): Promise<void> => settle(db, keys, { clear: claims })

/**
 * Gives back the newest try of some claims, as many as each is named times, and forgets all of others, in one statement.
 */
export async function settle(
  db: Db,
  keys: Keys,
  claims: { refund?: readonly Claim[]; clear?: readonly Claim[] },
): Promise<void> {
  const whole = claims.clear ?? []
  const all = ordered(keys, [...(claims.refund ?? []), ...whole])
  const isSame = (one: (typeof all)[number]) => (other: (typeof all)[number]) =>
    one.name === other.name && one.id.equals(other.id)
  const asked = all.filter((one, i) => all.findIndex(isSame(one)) === i)
  if (!asked.length) return
  const times = asked.map((one) =>
    whole.some(([budget]) => budget.name === one.name) ? null : all.filter(isSame(one)).length,
  )
  await sql`
    update budgets b set locked_until = null,
      spent = case when asked.times is null then '{}' else trim_array(b.spent, least(asked.times, cardinality(b.spent))) end
    from unnest(${asked.map(({ name }) => name)}::text[], ${asked.map(({ id }) => id)}::bytea[], ${times}::int[])
      as asked (name, key, times)
    where b.name = asked.name and b.key = asked.key and cardinality(b.spent) > 0`.execute(db)
}

/** A steady flow of calls: so many a second, of which `burst` seconds' may come at once. */
export type Pace = { name: string; perSecond: number; burst: number }

/**
 * Takes one call of a flow; false when it has to wait, which is a second at most. Of a flow one instant is kept, up to which
 * its share is taken (the generic cell rate algorithm, ITU-T I.371): a budget, which lists its tries, is for few of them.
 * An instant further off than it can come to be is from before a clock went back, and means nothing (R94).
 */
export async function keepPace(
  db: Db,
  keys: Keys,
  { name, perSecond, burst }: Pace,
  ...key: string[]
): Promise<boolean> {
  const one = sql`make_interval(secs => ${1 / perSecond})`
  const furthest = sql`portal_now() + make_interval(secs => ${burst})`
  const next = sql`case when b.forget_at > ${furthest} then portal_now() else greatest(b.forget_at, portal_now()) end + ${one}`
  const { numAffectedRows } = await sql`
    insert into budgets as b (name, key, spent, forget_at)
    values (${name}, ${mac(keys.budget, name, ...key)}, '{}', portal_now() + ${one})
    on conflict (name, key) do update set forget_at = ${next} where ${next} <= ${furthest}`.execute(db)
  return numAffectedRows === 1n
}
