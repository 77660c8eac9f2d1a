import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { clientScopes } from '../contract/provider/client-keys.ts'
import { hashClientKey } from '../server/platform/authentication/authenticate.ts'
import { migrate } from '../server/platform/database/migrate.ts'
import { freePort } from '../server/testing/free-port.ts'
import { pause } from './acknowledged-load.ts'
import { atMost, type Figure } from '../bench/figures.ts'
import { countsOf, missingWrites, openSteadyLoad, perSecond, startOperated } from './operated-nodes.ts'
import { withTestPostgres } from '../bench/testing/postgres.ts'

const root = join(import.meta.dirname, '..')
/** The version before is the newest one that lacks at least this many of today's migrations. */
const behind = 3
const rows = 1_000_000
/** Where this version keeps them, and where versions up to 0.4.0 do. */
const migrationFolders = ['server/platform/database/migrations', 'server/migrations']
const migrationsOf = (folder: string) =>
  migrationFolders.flatMap((path) =>
    existsSync(join(folder, path)) ? readdirSync(join(folder, path)).filter((name) => name.endsWith('.sql')) : [],
  )

/**
 * R97: the version before serves on tables of a million rows while this version's migrations run, and continues to serve next
 * to a node of this version. No request may fail, and none may wait for a lock longer than a second.
 */
export const measureMigrations = (): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const folder = mkdtempSync(join(tmpdir(), 'sygnet-migrations-'))
    const before = checkOut(join(folder, 'before'))
    const url = await makeDatabase(postgres)
    const owner = new pg.Pool({ connectionString: url, max: 2 })
    const masterKey = randomBytes(32)
    const ports = [await freePort(), await freePort()] as const
    const nodes = [await startOperated({ databaseUrl: url, masterKey, folder, port: ports[0], root: before.directory })]
    try {
      const clientKey = await fill(owner)
      const origins = ports.map((port) => `http://127.0.0.1:${port}`)
      const targets = { origins: origins.slice(0, 1) }
      const load = openSteadyLoad(targets, clientKey)
      await pause(5000)
      const usual = load.longest()
      const began = performance.now()
      await migrate(url)
      const took = performance.now() - began
      const waited = load.longest()
      nodes.push(await startOperated({ databaseUrl: url, masterKey, folder, port: ports[1] }))
      targets.origins = origins
      await pause(10_000)
      const { sent, failed, put } = await load.stop()
      const applied = migrationsOf(root).length - before.migrations
      return [
        {
          what: `${applied} migrations under ${perSecond} requests a second: failed`,
          value: failed.length,
          unit: 'requests',
          limit: atMost(0),
          detail: `of ${sent}, the version before is ${before.commit} ${countsOf(failed)}`,
        },
        {
          what: 'longest answer meanwhile',
          value: waited,
          unit: 'ms',
          limit: atMost(1000),
          detail: `${usual.toFixed(0)} ms before; the migrations took ${took.toFixed(0)} ms`,
        },
        await missingWrites(put, owner),
      ]
    } finally {
      for (const node of nodes) node.kill('SIGKILL')
      await owner.end()
      execFileSync('git', ['worktree', 'remove', '--force', before.directory], { cwd: root })
      rmSync(folder, { recursive: true })
    }
  })

/** The newest commit that lacks the newest migrations, in a tree of its own. */
function checkOut(directory: string) {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  /** With their contents: a migration that was renumbered before its release belongs to no version. */
  const migrations = (commit: string) =>
    migrationFolders
      .flatMap((path) => git('ls-tree', commit, `${path}/`).split('\n'))
      .filter((line) => line.endsWith('.sql'))
      .map((line) => line.replace(/\t.*\//, '\t'))
  const ours = migrations('HEAD')
  const isBefore = (theirs: string[]) =>
    theirs.length <= migrationsOf(root).length - behind && theirs.every((line, i) => line === ours[i])
  const added = git('log', '--format=%h', '--diff-filter=A', '--', ...migrationFolders).split('\n')
  const child = added.find((commit) => isBefore(migrations(`${commit}^`)))
  if (!child) throw new Error('The history has no version before.')
  const commit = git('rev-parse', '--short', `${child}^`)
  git('worktree', 'add', '--detach', directory, commit)
  for (const name of ['node_modules', 'dist'])
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(directory, name))
  return { directory, commit, migrations: migrationsOf(directory).length }
}

async function makeDatabase(postgres: string): Promise<string> {
  const admin = new pg.Client({ connectionString: postgres })
  await admin.connect()
  await admin.query('create database migrated')
  await admin.end()
  const url = new URL(postgres)
  url.pathname = '/migrated'
  return url.href
}

/** A client key, and tables as they are after years: sent messages, idempotency records, accounts. */
async function fill(owner: pg.Pool): Promise<string> {
  const clientKey = `sygnet_${randomBytes(32).toString('base64url')}`
  await owner.query('insert into provider_keys (key_hash, name) values ($1, $2)', [hashClientKey(clientKey), 'drill'])
  // Keys of versions without scopes get them from the migration.
  const { rowCount: scoped } = await owner.query(
    `select from information_schema.columns where table_name = 'provider_keys' and column_name = 'scopes'`,
  )
  if (scoped) await owner.query('update provider_keys set scopes = $1, per_second = 1000', [[...clientScopes]])
  await owner.query(
    `insert into outbox (channel, message, outcome) select 'mail', '', 'sent' from generate_series(1, ${rows})`,
  )
  await owner.query(
    `insert into idempotency (caller, key, request_hash) select gen_random_uuid(), n, '' from generate_series(1, ${rows}) n`,
  )
  await owner.query(
    `insert into accounts (provider_id, login, login_key, email, email_key, phone, first_name, surname, locale)
     select 'many-' || n, 'many' || n, 'many' || n, n || '@many.example', n || '@many.example', '', 'A', 'B', 'pl' from generate_series(1, ${rows}) n`,
  )
  await owner.query('vacuum analyze')
  return clientKey
}
