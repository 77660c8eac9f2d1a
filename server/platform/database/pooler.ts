import { sql } from 'kysely'
import { appRole, planSettings, single, statementLimitMs, type Db } from './database.ts'
import { UnsupportedDatabaseError } from './migrate.ts'

/**
 * A pooler in transaction mode gives each transaction any of its connections, so it has to make the settings of each: PgBouncer by
 * `connect_query`. A connection without them would run with other rights and other plans, so the portal does not start.
 */
const settings = [
  { name: 'role', set: appRole, is: appRole },
  ...Object.entries(planSettings).map(([name, value]) => ({ name, set: value, is: value })),
  ...['statement_timeout', 'idle_in_transaction_session_timeout'].map((name) => ({
    name,
    set: String(statementLimitMs),
    is: `${statementLimitMs / 1000}s`,
  })),
]

/** The statements of `connect_query`, which the guide has. */
export const connectQuery = settings.map(({ name, set }) => `set ${name} to ${set}`).join('; ')

export async function requirePoolerSettings(db: Db): Promise<void> {
  const { rows } = await sql<Record<string, string>>`
    select ${sql.join(settings.map(({ name }) => sql`current_setting(${name}) as ${sql.id(name)}`))}`.execute(db)
  const actual = Object.values(single(rows))
  const wrong = settings.filter(({ is }, i) => actual[i] !== is)
  if (wrong.length)
    throw new UnsupportedDatabaseError(
      `DATABASE_URL is a pooler without ${wrong.map(({ name, is }) => `${name} = ${is}`).join(', ')}: set its connect_query as docs/guides/scale.md says.`,
    )
}
