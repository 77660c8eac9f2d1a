import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { warsawDay } from '../../contract/rules/warsaw-time.ts'
import { readConfiguration } from '../platform/configuration/configuration.ts'
import { runPortal } from '../run-portal.ts'
import { createClock, createDatabase } from './databases.ts'
import { sharedPdfWork } from './portal-nodes.ts'
import { freePort } from './processes.ts'

/** Runs a portal in this process, which has loaded the modules already; a process of its own would load them again. */
async function run(environment: Record<string, string>) {
  let output = ''
  const write = (text: string) => void (output += text)
  const { started, stop } = runPortal(readConfiguration(environment), { out: write, error: write }, sharedPdfWork())
  try {
    await started
  } catch (error) {
    await stop()
    throw error
  }
  return { output: () => output, stop }
}

/** Returns the settings of a demonstration. One with its own database must be declared public (R122). */
const settingsOf = (databaseUrl: string, directory: string, port: number) => ({
  DEMONSTRATION_PUBLIC: 'on',
  DATABASE_URL: databaseUrl,
  DATA_DIR: directory,
  PORT: String(port),
})

/**
 * Fills the demonstration once for the whole run, because that takes longer than most test files: the first file that needs it fills it,
 * and the others copy its database and its data folder. Both are removed with the PostgreSQL of the run.
 */
async function fillTemplate() {
  // The demonstration is filled for one day, and would fill itself again on the next.
  const day = warsawDay(new Date())
  const template = `filled_demonstration_${day}`
  const client = new pg.Client({ connectionString: inject('postgres') })
  await client.connect()
  try {
    // One file fills, the others wait.
    await client.query('select pg_advisory_lock(1)')
    const { rows } = await client.query<{ directory: string; filled: boolean }>(
      `select current_setting('data_directory') as directory, exists (select from pg_database where datname = $1) as filled`,
      [template],
    )
    const directory = join(rows[0]!.directory, `../filled-demonstration-${day}`)
    if (rows[0]!.filled) return { template, directory }
    // A failed test file may have left these.
    await client.query(`drop database if exists filling with (force)`)
    rmSync(directory, { recursive: true, force: true })
    await client.query(`create database filling template sygnet_template`)
    const url = new URL(inject('postgres'))
    url.pathname = '/filling'
    mkdirSync(directory, { recursive: true })
    const portal = await run(settingsOf(url.href, directory, await freePort()))
    await portal.stop()
    await client.query(`alter database filling rename to ${client.escapeIdentifier(template)}`)
    return { template, directory }
  } finally {
    await client.end()
  }
}

/** Copies the filled demonstration without starting it: its database, and its data folder, marked as filled for a free port. */
export async function copyDemonstration() {
  const { template, directory: filled } = await fillTemplate()
  const database = await createDatabase(template)
  const port = await freePort()
  const directory = `${filled}-${port}`
  cpSync(filled, directory, { recursive: true })
  // It would fill itself again at another address.
  const mark = join(directory, 'demonstration.json')
  writeFileSync(mark, readFileSync(mark, 'utf8').replace(/\d+$/, String(port)))
  return {
    port,
    directory,
    owner: database.owner,
    clock: createClock(database.owner),
    settings: settingsOf(database.url, directory, port),
    async drop() {
      await database.drop()
      if (existsSync(directory)) rmSync(directory, { recursive: true })
    },
  }
}

/** Starts the whole portal with its filled demonstration, in this process. */
export async function startFilledDemonstration(environment: Record<string, string> = {}) {
  const copy = await copyDemonstration()
  const { output, stop } = await run({ ...environment, ...copy.settings }).catch(async (error: unknown) => {
    await copy.drop()
    throw error
  })
  return {
    ...copy,
    origin: `http://127.0.0.1:${copy.port}`,
    output,
    async stop() {
      await stop()
      await copy.drop()
    },
  }
}
