import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { query, appRole, single, type Db, planSettings, statementLimitMs } from './database.ts'
import { missingRight, takesRole, UnsupportedDatabaseError, withClient } from './migrate.ts'

const requestsLogin = 'sygnet_requests'

/**
 * Creates the embedded database's login for requests, which can only become their role, if it does not exist yet (R123). `ownerUrl` belongs
 * to a migrated database; only the portal can read `passwordFile`.
 */
export async function createRequestsLogin(ownerUrl: string, passwordFile: string): Promise<string> {
  if (!existsSync(passwordFile)) writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
  const password = readFileSync(passwordFile, 'utf8')
  await withClient(ownerUrl, async (owner) => {
    const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [requestsLogin])
    if (!rowCount) await owner.query(`create role ${requestsLogin} login in role ${appRole}`)
    await owner.query(`alter role ${requestsLogin} password ${owner.escapeLiteral(password)}`)
  })
  return Object.assign(new URL(ownerUrl), { username: requestsLogin, password }).href
}

/** Requires that the login of requests can take their role. On an empty database, the first start makes the role for `owner` alone. */
export const requireMembership = (url: string, owner: string): Promise<void> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ login: string; hasRole: boolean; mayTake: boolean; membership: string }>(
      `select quote_ident(session_user) as login, app.oid is not null as "hasRole",
        format('grant %I to %I;', $1::text, session_user) as membership,
        coalesce(pg_has_role(session_user, app.oid, ${takesRole}), me.rolsuper) as "mayTake"
      from pg_roles me left join pg_roles app on app.rolname = $1::text where me.rolname = session_user`,
      [appRole],
    )
    const { login, hasRole, mayTake, membership } = single(rows)
    if (mayTake || (!hasRole && login === owner)) return
    const statements = `${hasRole ? '' : `create role ${appRole} nologin; `}${membership}`
    throw new UnsupportedDatabaseError(missingRight(login, statements))
  })

/**
 * Checks whether the login of requests has more rights than their role. An injected statement could then leave the role and own the tables,
 * or as a superuser read files and run programs (R123).
 */
export async function canLeaveRole(db: Db): Promise<boolean> {
  const { may } = await query(db).one(sql<{ may: boolean }>`
    select r.rolsuper or r.rolcreaterole
      or exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_has_role(r.oid, c.relowner, 'member'))
      or has_table_privilege(r.oid, 'secrets', 'update') or has_table_privilege(r.oid, 'provider_keys', 'insert, update, delete')
      or pg_has_role(r.oid, 'pg_read_server_files', 'member') or pg_has_role(r.oid, 'pg_write_server_files', 'member')
      or pg_has_role(r.oid, 'pg_execute_server_program', 'member') as may
    from pg_roles r where r.rolname = session_user`)
  return may
}

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
  const row = await query(db).one(sql<Record<string, string>>`
    select ${sql.join(settings.map(({ name }) => sql`current_setting(${name}) as ${sql.id(name)}`))}`)
  const actual = Object.values(row)
  const wrong = settings.filter(({ is }, i) => actual[i] !== is)
  if (wrong.length)
    throw new UnsupportedDatabaseError(
      `DATABASE_URL is a pooler without ${wrong.map(({ name, is }) => `${name} = ${is}`).join(', ')}: set its connect_query as docs/guides/scale.md says.`,
    )
}

/** An address of the database. */
export type DatabaseAddress = {
  /** The setting that has the address. */
  key: string
  url: string
}

/**
 * Requires that an address leads to the owner's database. Otherwise the keys and rights of one portal would be used on the data of
 * another. A lock is seen in its own database only, so a restored copy, which has the same ids, is found too, and so is a standby.
 */
export async function requireSameDatabase(owner: DatabaseAddress, other: DatabaseAddress): Promise<void> {
  const lock = randomBytes(8).readBigInt64BE().toString()
  const isLocked = await withClient(owner.url, async (holder) => {
    await holder.query('select pg_advisory_lock($1)', [lock])
    const { rows } = await withClient(other.url, (client) =>
      // Until the end of its statement, because behind a pooler the connection goes on to others.
      client.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [lock]),
    )
    return !single(rows).free
  })
  if (!isLocked)
    throw new UnsupportedDatabaseError(
      `${other.key} and ${owner.key} lead to different databases. Set both to the one database of this portal, and to no copy or standby of it.`,
    )
}
