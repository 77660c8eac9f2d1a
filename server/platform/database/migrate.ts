import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { appRole, single } from './database.ts'

/** The SQL files, each run once, in the order of their names. */
const ownDirectory = join(import.meta.dirname, 'migrations')

/** The error of a database that the portal cannot use, which a restart does not change; the message is for the operator. */
export class UnsupportedDatabaseError extends Error {}

/**
 * Migrates the schema to this version, one node at a time, and grants the role of requests its rights. `url` is the owner's. A
 * database that a newer version has migrated is refused unchanged.
 */
export async function migrate(url: string, directory = ownDirectory): Promise<void> {
  await withClient(url, async (client) => {
    await requireSupported(client)
    const rights = await requireRights(client)
    await acquireMigrationLock(client)
    await applyMissingMigrations(client, migrationFiles(directory))
    await grantRights(client, rights)
  })
}

/** Returns what `migrate` would find, without changing anything. Throws UnsupportedDatabaseError as `migrate` would. */
export const inspectDatabase = (url: string) =>
  withClient(url, async (client) => {
    const server = await requireSupported(client)
    const { login } = await requireRights(client)
    const { rowCount } = await client.query(
      `select from pg_tables where schemaname = 'public' and tablename = 'migrations'`,
    )
    const isEmpty = !rowCount
    const missing = isEmpty ? migrationFiles() : await listMissingMigrations(client, migrationFiles())
    return { server, login, isEmpty, missing: missing.length }
  })

/** Runs `work` on a connection of its own, with the rights of its login. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs `work` when no other node is running one of this name. */
export const runOneAtATime = <T>(url: string, name: string, work: () => Promise<T>): Promise<T> =>
  withClient(url, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    return work()
  })

/** Waits until no other node migrates. Without a statement that waits: an index that is built concurrently would wait for that one. */
async function acquireMigrationLock(client: pg.Client) {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(hashtext('sygnet-migrations')) as mine`,
    )
    if (single(rows).mine) return
    await wait(200)
  }
}

/** The collation by which Polish names are sorted. */
const collation = 'pl-x-icu'

/** Returns the server's version. */
async function requireSupported(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ number: number; version: string; encoding: string; has_collation: boolean }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding, exists (select from pg_collation where collname = $1) as has_collation`,
    [collation],
  )
  const { number, version, encoding, has_collation: hasCollation } = single(rows)
  const major = Math.floor(number / 10_000)
  if (major < 15) throw new UnsupportedDatabaseError(`The database is PostgreSQL ${major}; Sygnet needs 15 or newer.`)
  if (encoding !== 'UTF8')
    throw new UnsupportedDatabaseError(
      `The encoding of the database is ${encoding}; Sygnet needs UTF8. Create it again: create database … template template0 encoding 'UTF8';`,
    )
  if (!hasCollation)
    throw new UnsupportedDatabaseError(
      `The database does not have the collation ${collation}. Install a PostgreSQL that was built with ICU.`,
    )
  return version
}

type Rights = {
  login: string
  hasRole: boolean
  isMember: boolean
  /** The statement that lets the login take the role of requests. */
  membership: string
}

/** Privilege by which `pg_has_role` tells whether a login can take a role: from PostgreSQL 16 on, a member need not be able to. */
export const takesRole = "case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end"

/** Requires what a login needs to migrate the database, its tables included if there are any, and to let requests run as their role. */
async function requireRights(client: pg.Client): Promise<Rights> {
  await requireOwnTables(client)
  const { rows } = await client.query<
    Rights & { makesTables: boolean; makesRoles: boolean; mayJoin: boolean; creation: string }
  >(
    `select quote_ident(current_user) as login, coalesce(has_schema_privilege(to_regnamespace('public'), 'create'), false) as "makesTables",
      format('grant create on schema public to %I;', current_user) as creation, format('grant %I to %I;', $1::text, current_user) as membership,
      me.rolsuper or me.rolcreaterole as "makesRoles", app.oid is not null as "hasRole",
      coalesce(pg_has_role(app.oid, ${takesRole}), me.rolsuper) as "isMember",
      coalesce(pg_has_role(app.oid, 'member with admin option'), false)
        or me.rolcreaterole and current_setting('server_version_num')::int < 160000 as "mayJoin"
    from pg_roles me left join pg_roles app on app.rolname = $1::text where me.rolname = current_user`,
    [appRole],
  )
  const { login, makesTables, makesRoles, hasRole, isMember, mayJoin, creation, membership } = single(rows)
  const statements = [
    ...(makesTables ? [] : [creation]),
    ...(hasRole || makesRoles ? [] : [`create role ${appRole} nologin;`]),
    ...((hasRole ? isMember || mayJoin : makesRoles) ? [] : [membership]),
  ]
  if (statements.length) throw new UnsupportedDatabaseError(missingRight(login, statements.join(' ')))
  return { login, hasRole, isMember, membership }
}

/**
 * Requires that the portal’s tables, those that requests may use, belong to the login: a right that it is given instead
 * would let requests change the schema (R73).
 */
async function requireOwnTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ login: string; name: string; owner: string }>(
    `select quote_ident(current_user) as login, quote_ident(relname) as name, quote_ident(pg_get_userbyid(relowner)) as owner
    from pg_class c where relnamespace = to_regnamespace('public') and relkind in ('r', 'p') and not pg_has_role(relowner, 'usage')
      and (relname = 'migrations' or exists (
        select from aclexplode(relacl) join pg_roles on pg_roles.oid = grantee where rolname = $1))
    order by relname limit 1`,
    [appRole],
  )
  const [foreign] = rows
  if (foreign)
    throw new UnsupportedDatabaseError(
      `The database login ${foreign.login} does not own the table ${foreign.name}, which belongs to ${foreign.owner}. ${ownerNeeded}`,
    )
}

export const ownerNeeded = 'Set DATABASE_OWNER_URL to the login of the owner of all tables.'

/**
 * Returns the message with the statements that an administrator has to run, in the database of the portal, because `grant … on schema` is
 * about that alone.
 */
export const missingRight = (login: string, statements: string) =>
  `The database login ${login} lacks a right. Run once as an administrator, in this database: ${statements}`

async function applyMissingMigrations(client: pg.ClientBase, files: MigrationFile[]): Promise<void> {
  await client.query(
    'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  )
  for (const { name, text, sha256 } of await listMissingMigrations(client, files)) {
    await applyWithoutBlocking(client, name, async () => {
      const isOutsideTransaction = text.startsWith(outsideTransaction)
      if (!isOutsideTransaction) await client.query(`begin; set local lock_timeout = '300ms'`)
      for (const statements of isOutsideTransaction ? text.split(/\n{2,}/) : [text]) await client.query(statements)
      await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256])
      if (!isOutsideTransaction) await client.query('commit')
    })
  }
}

/** The first migration of previews of 1.0. */
const firstOfPreviews = '0001-accounts.sql'

type MigrationFile = { name: string; text: string; sha256: string }

const migrationFiles = (directory = ownDirectory): MigrationFile[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(directory, name), 'utf8')
      return { name, text, sha256: hash('sha256', text) }
    })

/** Lists the migrations that are not applied yet; throws if the database knows others. */
async function listMissingMigrations(client: pg.ClientBase, files: MigrationFile[]): Promise<MigrationFile[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migrations')
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]))
  if (applied.has(firstOfPreviews))
    throw new UnsupportedDatabaseError(
      'The database was made by a preview of Sygnet before 1.0, from which there is no upgrade. Use a new, empty database.',
    )
  const unknown = [...applied.keys()].find((known) => !files.some(({ name }) => name === known))
  if (unknown)
    throw new UnsupportedDatabaseError(
      `The database was migrated by a newer version of Sygnet (it knows ${unknown}). Start that version, or use another database.`,
    )
  const changed = files.find(({ name, sha256 }) => (applied.get(name) ?? sha256) !== sha256)
  if (changed)
    throw new UnsupportedDatabaseError(
      `The migration ${changed.name} differs from the one applied to this database. Use the version that made it, or a new, empty database.`,
    )
  return files.filter(({ name }) => !applied.has(name))
}

/**
 * The first words of a migration whose statements, separated by empty lines, run one by one: an index on a large table is built
 * concurrently, which PostgreSQL does outside of transactions only. Each waits for no request and lets none wait, and can be repeated.
 */
const outsideTransaction = '-- outside a transaction'

/** One or two minutes, including the pauses. */
const maxLockAttempts = 200

/**
 * Runs a migration while older nodes serve requests. A migration that waits for a table lock blocks all later requests for the
 * table, so it releases the lock after 300 ms and tries again (R97).
 */
async function applyWithoutBlocking(client: pg.ClientBase, name: string, work: () => Promise<void>): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work()
    } catch (error) {
      // 55P03: lock_not_available, 40P01: deadlock_detected.
      if (!(error instanceof pg.DatabaseError) || !['55P03', '40P01'].includes(error.code ?? '')) throw error
      if (attempts === maxLockAttempts)
        throw new Error(
          `The migration ${name} could not lock its tables in time. End the sessions that use them (pg_stat_activity), and start again.`,
          { cause: error },
        )
      // Without a transaction, this does nothing.
      await client.query('rollback')
      await wait(300)
    }
  }
}

async function grantRights(client: pg.Client, { hasRole, isMember, membership }: Rights) {
  if (!hasRole) await createRole(client)
  // From PostgreSQL 16 on, creating a role does not allow to take it.
  if (!isMember) await client.query(membership)
  // A list of statements is one transaction, so serving nodes never see the rights missing.
  await client.query(`
    revoke all on all tables in schema public from ${appRole};
    revoke all on all sequences in schema public from ${appRole};
    grant usage on schema public to ${appRole};
    grant select, insert, update, delete on all tables in schema public to ${appRole};
    revoke insert, update, delete on migrations from ${appRole};
    revoke update, delete on audit from ${appRole};
    do $$ begin
      -- The months of the audit trail are used through it only.
      execute (select string_agg(format('revoke all on %I from ${appRole}', relname), ';') from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like 'audit\\_%');
    end $$;
    revoke insert, update, delete on secrets, provider_keys, detached_chains, documents_store from ${appRole};
    revoke update, delete on consents, wordings from ${appRole};
    grant usage on all sequences in schema public to ${appRole}`)
}

/**
 * Creates the role of requests, if it does not exist. Roles belong to the whole server: another database may have created it a moment ago.
 */
async function createRole(client: pg.Client) {
  try {
    await client.query(`create role ${appRole} nologin`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || (error.code !== '42710' && error.code !== '23505')) throw error
  }
}
