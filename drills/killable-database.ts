import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../server/platform/database/embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrate.ts'
import { pause } from './acknowledged-load.ts'

/** A PostgreSQL server with the migrated template of test portals. */
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

/** The postmaster first, so that it restarts none of its processes, and then these. */
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

/** The shared memory of the killed processes may be freed a moment later. */
export const startAgain = (directory: string, settings: Record<string, string>) =>
  retried(() => startPostgres(directory, settings))

export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 100) throw error
      await pause(50)
    }
  }
}
