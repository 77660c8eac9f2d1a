import { sql } from 'kysely'
import type { Allowance } from '../contract/limits.ts'
import type { Db } from './db.ts'
import { mac, type Keys } from './keys.ts'

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
  const used = (await pay(db, keys, [[budget, ...key]])).get(budget.name)
  if (used !== undefined) return { ok: true, used, left: budget.limit - used }
  return { ok: false, retryAfter: await secondsUntilFree(db, keys, budget, ...key) }
}

/** Pays one try of each claim in one statement, or of none. `refused` is the index of the first claim that had none left. */
export async function spendAll(
  db: Db,
  keys: Keys,
  claims: readonly Claim[],
): Promise<{ ok: true } | { ok: false; refused: number; retryAfter: number }> {
  const paid = await pay(db, keys, claims)
  const refused = claims.findIndex(([{ name }]) => !paid.has(name))
  if (refused < 0) return { ok: true }
  await refund(db, keys, ...claims.filter(([{ name }]) => paid.has(name)))
  const [budget, ...key] = claims[refused]!
  return { ok: false, refused, retryAfter: await secondsUntilFree(db, keys, budget, ...key) }
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
async function pay(db: Db, keys: Keys, claims: readonly Claim[]): Promise<Map<string, number>> {
  const asked = ordered(keys, claims)
  const { rows } = await sql<{ name: string; used: number }>`
    with asked as (
      select * from unnest(${asked.map(({ name }) => name)}::text[], ${asked.map(({ id }) => id)}::bytea[], ${asked.map(({ limit }) => limit)}::int[],
        ${asked.map(({ window }) => make(window))}::interval[], ${asked.map(({ locks }) => locks ?? false)}::boolean[])
        as asked (name, key, most, span, locks)
    )
    insert into budgets as b (name, key, spent, locked_until, forget_at)
    select name, key, array[portal_now()], case when locks and most = 1 then portal_now() + span end, portal_now() + span from asked
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

/** Seconds until a try is free again; 0 when one is. Reads only, so it must not be what lets a try through. */
export function secondsUntilFree(db: Db, keys: Keys, budget: Budget, ...key: string[]): Promise<number> {
  return secondsUntilAllFree(db, keys, [budget], ...key)
}

/** The same for several budgets of one key: the longest of their waits. */
export async function secondsUntilAllFree(
  db: Db,
  keys: Keys,
  budgets: readonly Budget[],
  ...key: string[]
): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select max(ceil(extract(epoch from greatest(
      coalesce(b.locked_until, '-infinity'),
      coalesce((select t from unnest(b.spent) t where t > portal_now() - make_interval(secs => asked.span)
        order by t desc offset asked.most - 1 limit 1) + make_interval(secs => asked.span), '-infinity')
    ) - portal_now())))::float8 as seconds
    from unnest(${budgets.map(({ name }) => name)}::text[], ${budgets.map(({ name }) => mac(keys.budget, name, ...key))}::bytea[],
        ${budgets.map(({ limit }) => limit)}::int[], ${budgets.map(({ window }) => window)}::float8[]) as asked (name, key, most, span)
      join budgets b on b.name = asked.name and b.key = asked.key`.execute(db)
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/** Gives back the newest try of each claim: it turned out not to count. */
export async function refund(db: Db, keys: Keys, ...claims: Claim[]): Promise<void> {
  if (!claims.length) return
  const asked = ordered(keys, claims)
  await sql`
    update budgets b set spent = trim_array(b.spent, 1), locked_until = null
    from unnest(${asked.map(({ name }) => name)}::text[], ${asked.map(({ id }) => id)}::bytea[]) as asked (name, key)
    where b.name = asked.name and b.key = asked.key and cardinality(b.spent) > 0`.execute(db)
}

/** Forgets all tries: a success ended the row of failures. */
export async function clear(db: Db, keys: Keys, budget: Budget, ...key: string[]): Promise<void> {
  await sql`delete from budgets where name = ${budget.name} and key = ${mac(keys.budget, budget.name, ...key)}`.execute(
    db,
  )
}
