import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, chownSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../server/platform/database/embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrate.ts'
import { pause } from './acknowledged-load.ts'

/** Starts a PostgreSQL server with the migrated template of test portals. */
export async function startMigrated(directory: string, settings: Record<string, string>) {
  const server = await startPostgres(directory, settings)
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('create database sygnet_template')
  await client.end()
  const template = new URL(server.url)
  template.pathname = '/sygnet_template'
  await migrate(template.href)
  return server
}

/** Kills the postmaster first, so that it restarts none of its processes, and then these. */
export const killDatabase = (directory: string): void => signalAll(directory, 'SIGKILL')

function signalAll(directory: string, signal: NodeJS.Signals): void {
  const postmaster = Number(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster)
    .map(Number)
  for (const pid of [postmaster, ...children]) {
    try {
      process.kill(pid, signal)
    } catch {
      // Gone by itself.
    }
  }
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return 0
  }
}

/** Starts the database again, with retries: the shared memory of the killed processes may be freed a moment later. */
export const startAgain = (directory: string, settings: Record<string, string>) =>
  retry(() => startPostgres(directory, settings))

export async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 100) throw error
      await pause(50)
    }
  }
}

/** Gives a path to the embedded server, which has an account of its own when we are root. */
export function giveToServer(path: string): string {
  if (process.getuid?.() === 0) chownSync(path, 65_534, 65_534)
  return path
}

/** Writes a file for the server, such as a signal file that sets its role. */
export const writeForServer = (path: string, content: string) => {
  writeFileSync(path, content)
  giveToServer(path)
}

/** Takes a base backup of a running server's folder into another one, with PostgreSQL's low-level API. */
export async function takeBaseCopy(url: string, from: string, to: string): Promise<void> {
  // The two calls belong to one session.
  const session = new pg.Client({ connectionString: url })
  await session.connect()
  await session.query(`select pg_backup_start('drill', true)`)
  // A file may go while it is copied; what the log has of it brings it back.
  spawnSync('cp', ['-a', join(from, 'data'), to])
  const { rows } = await session.query<{ labelfile: string }>('select labelfile from pg_backup_stop(true)')
  await session.end()
  rmSync(join(to, 'data/postmaster.pid'), { force: true })
  for (const name of readdirSync(join(to, 'data/pg_wal'))) rmSync(join(to, 'data/pg_wal', name), { recursive: true })
  writeForServer(join(to, 'data/backup_label'), rows[0]!.labelfile)
}
