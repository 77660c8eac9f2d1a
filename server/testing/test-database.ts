import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../server/embedded-postgres.ts'
import { migrate } from '../server/migrate.ts'

/** Linux' file system in memory, if it has room: a database of hundreds of files is made and dropped there in a tenth of the time. */
function roomyFolder() {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 2 * 1024 ** 3 ? memory : tmpdir()
}

/** A PostgreSQL with the migrated template, of which every test portal gets a copy. */
export async function startTestPostgres() {
  const directory = mkdtempSync(join(roomyFolder(), 'sygnet-test-postgres-'))
  // A test database need not outlive a power cut, and what was logged of it takes little room.
  const server = await startPostgres(directory, { fsync: 'off', max_connections: '300', max_wal_size: '256MB' })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('create database sygnet_template')
  // The password is random, so nothing is gained by 4096 rounds of hashing for each of thousands of connections.
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

/** One for a whole test run; what the tests put into files is kept beside it, and gone in the end. */
export async function setup(project: TestProject) {
  const { url, stop } = await startTestPostgres()
  const files = mkdtempSync(join(roomyFolder(), 'sygnet-test-files-'))
  // PostgreSQL runs as somebody else where the tests are root.
  chmodSync(files, 0o755)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = files
  project.provide('postgres', url)
  return async () => {
    await stop()
    rmSync(files, { recursive: true, force: true })
    // tools/mutants.ts goes on in this process.
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
