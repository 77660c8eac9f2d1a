import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { clientScopes } from '../contract/client-keys.ts'
import { hashClientKey } from '../server/authenticate.ts'
import { migrate } from '../server/migrate.ts'
import { freePort } from '../tools/demonstration-run.ts'
import { pause } from './acknowledged-load.ts'
import type { Figure } from './figures.ts'
import { countsOf, notThere, openSteadyLoad, perSecond, startOperated } from './operated-nodes.ts'
import { withTestPostgres } from './testing/postgres.ts'

const root = join(import.meta.dirname, '..')
/** The version before is the newest one that lacks at least so many of today's migrations. */
const behind = 3
const rows = 1_000_000
const migrationsOf = (folder: string) =>
  readdirSync(join(folder, 'server/migrations')).filter((name) => name.endsWith('.sql'))

/**
 * R97: the version before serves, on tables of a million rows, while this version's migrations are run beside it, and goes on
 * serving beside a node of this version. No request may fail, and none may wait for a lock longer than a second.
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
      const places = { origins: origins.slice(0, 1) }
      const load = openSteadyLoad(places, clientKey)
      await pause(5000)
      const usual = load.longest()
      const began = performance.now()
      await migrate(url)
      const took = performance.now() - began
      const waited = load.longest()
      nodes.push(await startOperated({ databaseUrl: url, masterKey, folder, port: ports[1] }))
      places.origins = origins
      await pause(10_000)
      const { sent, failed, put } = await load.stop()
      const applied = migrationsOf(root).length - before.migrations
      return [
        {
          what: `${applied} migrations under ${perSecond} requests a second: failed`,
          value: failed.length,
          unit: 'requests',
          limit: { at: 'most', value: 0 },
          detail: `of ${sent}, the version before is ${before.commit} ${countsOf(failed)}`,
        },
        {
          what: 'longest answer meanwhile',
          value: waited,
          unit: 'ms',
          limit: { at: 'most', value: 1000 },
          detail: `${usual.toFixed(0)} ms before; the migrations took ${took.toFixed(0)} ms`,
        },
        await notThere(put, owner),
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
  /** With their contents: what had another number on its way is no version that ever was. */
  const migrations = (commit: string) =>
    git('ls-tree', commit, 'server/migrations/')
      .split('\n')
      .filter((line) => line.endsWith('.sql'))
  const ours = migrations('HEAD')
  const isBefore = (theirs: string[]) =>
    theirs.length <= migrationsOf(root).length - behind && theirs.every((line, i) => line === ours[i])
  const added = git('log', '--format=%h', '--diff-filter=A', '--', 'server/migrations').split('\n')
  const child = added.find((one) => isBefore(migrations(`${one}^`)))
  if (!child) throw new Error('The history has no version before.')
  const commit = git('rev-parse', '--short', `${child}^`)
  git('worktree', 'add', '--detach', directory, commit)
  for (const made of ['node_modules', 'dist'])
    if (existsSync(join(root, made))) symlinkSync(join(root, made), join(directory, made))
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

/** A key of the provider's, and tables as they are after years: what was sent, what was recorded, who was here. */
async function fill(owner: pg.Pool): Promise<string> {
  const clientKey = `sygnet_${randomBytes(32).toString('base64url')}`
  await owner.query('insert into provider_keys (key_hash, name) values ($1, $2)', [hashClientKey(clientKey), 'drill'])
  // Keys of versions that knew no scopes are given them by the migration.
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
