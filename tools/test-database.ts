import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../server/embedded-postgres.ts'
import { migrate } from '../server/migrate.ts'

/** One PostgreSQL for a whole test run; every test portal gets a copy of its migrated template. */
export async function setup(project: Pick<TestProject, 'provide'>) {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-test-postgres-'))
  // A test database need not outlive a power cut.
  const server = await startPostgres(directory, { fsync: 'off', max_connections: '300' })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('create database sygnet_template')
  await client.end()
  const url = new URL(server.url)
  url.pathname = '/sygnet_template'
  await migrate(url.href)
  project.provide('postgres', server.url)
  return async () => {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
