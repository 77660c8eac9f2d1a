import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../platform/database/embedded-postgres.ts'
import { migrate } from '../platform/database/migrate.ts'

/**
 * Returns Linux's file system in memory if it has room, because databases of hundreds of files are created and dropped there ten times
 * faster; otherwise the system's temporary folder.
 */
function roomyFolder() {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 2 * 1024 ** 3 ? memory : tmpdir()
}

/** Starts a PostgreSQL with the migrated template; every test portal gets a copy of the template. */
export async function startTestPostgres(folder = roomyFolder(), settings: Record<string, string> = {}) {
  const directory = mkdtempSync(join(folder, 'sygnet-test-postgres-'))
  // A test database need not survive a power cut, and its log should take little room.
  const server = await startPostgres(directory, {
    fsync: 'off',
    max_connections: '300',
    max_wal_size: '256MB',
    ...settings,
  })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('create database sygnet_template')
  // The password is random, so 4096 rounds of hashing for each of thousands of connections gain nothing.
  await client.query('set scram_iterations = 1')
  await client.query(
    `alter role ${client.escapeIdentifier(client.user!)} password ${client.escapeLiteral(client.password!)}`,
  )
  await client.end()
  const url = new URL(server.url)
  url.pathname = '/sygnet_template'
  await migrate(url.href)
  return {
    url: server.url,
    async stop() {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/**
 * Runs as Vitest's global setup: starts one server for a whole test run, and creates a folder for temporary files that is removed at the
 * end.
 */
export async function setup(project: TestProject) {
  const { url, stop } = await startTestPostgres()
  const files = mkdtempSync(join(roomyFolder(), 'sygnet-test-files-'))
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(files, 0o755)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = files
  project.provide('postgres', url)
  return async () => {
    await stop()
    rmSync(files, { recursive: true, force: true })
    // tools/mutants.ts continues in this process.
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
