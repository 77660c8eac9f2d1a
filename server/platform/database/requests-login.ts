import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { appRole, single, type Db } from './database.ts'
import { missingRight, takesRole, UnsupportedDatabaseError, withClient } from './migrate.ts'

const requestsLogin = 'sygnet_requests'

/**
 * The embedded database's login for requests, which can only become their role; created if it does not exist yet (R123).
 * `ownerUrl` belongs to a migrated database; only the portal can read `passwordFile`.
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
 * Whether the login of requests has more rights than their role. An injected statement could then leave the role and own the
 * tables, or as a superuser read files and run programs (R123).
 */
export async function canLeaveRole(db: Db): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select r.rolsuper or r.rolcreaterole
      or exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_has_role(r.oid, c.relowner, 'member'))
      or has_table_privilege(r.oid, 'secrets', 'update') or has_table_privilege(r.oid, 'provider_keys', 'insert, update, delete')
      or pg_has_role(r.oid, 'pg_read_server_files', 'member') or pg_has_role(r.oid, 'pg_write_server_files', 'member')
      or pg_has_role(r.oid, 'pg_execute_server_program', 'member') as may
    from pg_roles r where r.rolname = session_user`.execute(db)
  return single(rows).may
}
