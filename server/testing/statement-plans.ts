import type pg from 'pg'
import { statements } from '../platform/observability/events.ts'

/** Returns the texts of the statements that `work` runs, each with the name that `work` had given to `doing` when it first ran. */
export async function recordStatements(
  work: (doing: (name: string) => void) => Promise<void>,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  let name = ''
  const stop = statements.follow({ end: ({ text }) => void (texts.has(text) || texts.set(text, name)) })
  await work((next) => {
    name = next
  })
  stop()
  return texts
}

/**
 * Makes the planner of a test database believe that each table with a row, and each index of it, has ten million: ids
 * and digests with four rows each, other columns with 200 values, and columns that may be null with a tenth of their
 * rows. It takes an empty table for one of ten pages, as if that was never analysed; otherwise for one that stays
 * empty.
 */
export async function pretendManyRows(client: pg.ClientBase): Promise<void> {
  const { rows: relations } = await client.query<{ relation: string }>(
    `select relname as relation from pg_class c left join pg_index i on i.indexrelid = c.oid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and pg_relation_size(coalesce(i.indrelid, c.oid)) > 0`,
  )
  const { rows: empty } = await client.query<{ relation: string }>(
    `select relname as relation from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples = 0 and pg_relation_size(oid) = 0`,
  )
  // Autovacuum would put the real figures back.
  const { rows: tables } = await client.query<{ statement: string }>(
    `select format('alter table %I set (autovacuum_enabled = off)', relname) as statement
     from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  for (const { statement } of tables) await client.query(statement)
  for (const { relation } of relations)
    await client.query(
      `select pg_restore_relation_stats('schemaname', 'public', 'relname', $1::text, 'relpages', 1, 'reltuples', 1e7::real)`,
      [relation],
    )
  for (const { relation } of empty) await client.query(`select pg_clear_relation_stats('public', $1)`, [relation])
  const { rows: columns } = await client.query<{ relation: string; column: string; nulls: number; distinct: number }>(
    `select relname as relation, attname as column, case when attnotnull then 0 else 0.9 end as nulls,
       case when atttypid in ('uuid'::regtype, 'bytea'::regtype) then -0.25 else 200 end as distinct
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`,
  )
  for (const { relation, column, nulls, distinct } of columns)
    await client.query(
      `select pg_restore_attribute_stats('schemaname', 'public', 'relname', $1::text, 'attname', $2::text, 'inherited', false,
         'null_frac', $3::real, 'avg_width', 16, 'n_distinct', $4::real)`,
      [relation, column, nulls, distinct],
    )
}

/** A part of a plan in PostgreSQL's JSON, with what matters here. */
type PlanNode = {
  'Node Type': string
  'Parent Relationship'?: string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: PlanNode[]
}

/** Plan nodes that read all of their input, even if only a few rows of the result are wanted. */
const readsAll = new Set(['Aggregate', 'Hash', 'Hash Join', 'Merge Join', 'SetOp', 'Sort', 'Unique', 'WindowAgg'])

/**
 * Returns the tables and indexes that a plan reads from end to end; an index does not count if a limit ends its reading after the first
 * rows.
 */
function readToTheEnd(node: PlanNode, isLimited = false): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index } = node
  const isWhole = index !== undefined && !node['Index Cond'] && (!isLimited || node.Filter !== undefined)
  const own = type === 'Seq Scan' ? [`table ${table}`] : isWhole ? [`index ${index}`] : []
  const below = (node.Plans ?? []).flatMap((each, i) =>
    readToTheEnd(
      each,
      each['Parent Relationship'] !== 'InitPlan' &&
        each['Parent Relationship'] !== 'SubPlan' &&
        (type === 'Limit' || (isLimited && !readsAll.has(type) && !(type === 'Nested Loop' && i > 0))),
    ),
  )
  return [...own, ...below]
}

async function readPlan(client: pg.ClientBase, text: string): Promise<PlanNode> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (generic_plan, format json) ${text}`,
  )
  return rows[0]!['QUERY PLAN'][0].Plan
}

/**
 * Returns the tables and indexes that a statement reads from end to end, whatever its parameters are. Months of the audit trail are named
 * without their month.
 */
export const findWholeReads = async (client: pg.ClientBase, text: string): Promise<string[]> =>
  readToTheEnd(await readPlan(client, text)).map((name) => name.replace(/_(?:before|default|\d{4}_\d\d)\b/, ''))

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Returns the indexes that a statement reads, whatever its parameters are. */
export const findIndexes = async (client: pg.ClientBase, text: string): Promise<string[]> =>
  nodesOf(await readPlan(client, text)).flatMap((node) => node['Index Name'] ?? [])

/** Explains statements on a connection for which every table has many rows. */
export async function withManyRows<T>(
  { owner }: { owner: pg.Pool },
  explain: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await owner.connect()
  try {
    await client.query('set enable_seqscan = off')
    await pretendManyRows(client)
    return await explain(client)
  } finally {
    client.release(true)
  }
}
