import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../server/embedded-postgres.ts'
import { migrate } from '../server/migrate.ts'

/** A PostgreSQL with the migrated template, of which every test portal gets a copy. */
export async function startTestPostgres() {
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
  return {
    url: server.url,
    async stop() {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** One for a whole test run. */
export async function setup(project: TestProject) {
  const { url, stop } = await startTestPostgres()
  project.provide('postgres', url)
  return stop
}
