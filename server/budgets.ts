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

/** Pays one try of a budget for whatever `key` names. The one statement decides; two nodes cannot both take the last try. */
export async function spend(db: Db, keys: Keys, budget: Budget, ...key: string[]): Promise<Spent> {
  const { name, limit, window } = budget
  const id = mac(keys.budget, name, ...key)
  const locks = budget.locks ?? false
  const { rows } = await sql<{ used: number }>`
    insert into budgets as b (name, key, spent, locked_until, forget_at)
    values (${name}, ${id}, array[portal_now()],
      case when ${locks} and ${limit}::int = 1 then portal_now() + make_interval(secs => ${window}) end,
      portal_now() + make_interval(secs => ${window}))
    on conflict (name, key) do update set
      spent = array(select t from unnest(b.spent) t where t > portal_now() - make_interval(secs => ${window})) || portal_now(),
      locked_until = case
        when ${locks} and (select count(*) from unnest(b.spent) t where t > portal_now() - make_interval(secs => ${window})) + 1 >= ${limit}
        then portal_now() + make_interval(secs => ${window}) end,
      forget_at = portal_now() + make_interval(secs => ${window})
    where (b.locked_until is null or b.locked_until <= portal_now())
      and (select count(*) from unnest(b.spent) t where t > portal_now() - make_interval(secs => ${window})) < ${limit}
    returning cardinality(b.spent) as used`.execute(db)
  const used = rows[0]?.used
  if (used !== undefined) return { ok: true, used, left: limit - used }
  return { ok: false, retryAfter: await secondsUntilFree(db, keys, budget, ...key) }
}

/** Seconds until a try is free again; 0 when one is. Reads only, so it must not be what lets a try through. */
export async function secondsUntilFree(db: Db, keys: Keys, budget: Budget, ...key: string[]): Promise<number> {
  const { name, limit, window } = budget
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from greatest(
      coalesce(locked_until, '-infinity'),
      coalesce((select t from unnest(spent) t where t > portal_now() - make_interval(secs => ${window})
        order by t desc offset ${limit - 1} limit 1) + make_interval(secs => ${window}), '-infinity')
    ) - portal_now()))::float8 as seconds
    from budgets where name = ${name} and key = ${mac(keys.budget, name, ...key)}`.execute(db)
  const seconds = rows[0]?.seconds ?? 0
  return seconds > 0 ? seconds : 0
}

/** Gives back the newest try: it turned out not to count. */
export async function refund(db: Db, keys: Keys, budget: Budget, ...key: string[]): Promise<void> {
  await sql`
    update budgets set spent = trim_array(spent, 1), locked_until = null
    where name = ${budget.name} and key = ${mac(keys.budget, budget.name, ...key)} and cardinality(spent) > 0`.execute(db)
}

/** Forgets all tries: a success ended the row of failures. */
export async function clear(db: Db, keys: Keys, budget: Budget, ...key: string[]): Promise<void> {
  await db.deleteFrom('budgets').where('name', '=', budget.name).where('key', '=', mac(keys.budget, budget.name, ...key)).execute()
}
