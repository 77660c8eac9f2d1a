import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../testing/databases.ts'
import { folderOfFile } from '../../testing/open-portal.ts'
import { lockDocumentsFolder } from './documents-store.ts'

const [folder, copy] = [join(folderOfFile(), 'documents'), folderOfFile()]
mkdirSync(folder)
cpSync(folder, copy, { recursive: true })

async function openDatabase() {
  const { url, owner, drop } = await createDatabase()
  onTestFinished(drop)
  const holders = async () => {
    const { rows } = await owner.query<{ pid: number }>(
      `select pid from pg_locks where classid = hashtext('sygnet-documents-folder')::oid and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows.map(({ pid }) => pid)
  }
  const end = (pid: number | undefined) => owner.query('select pg_terminate_backend($1)', [pid])
  return { url, holders, end }
}

async function lock(url: string, of: string, warn: (problem: string) => void = () => {}) {
  const connection = await lockDocumentsFolder(url, of, warn)
  onTestFinished(connection.close)
  return connection
}

test('OPS-12 of nodes that start together on a folder and its copy, only those of one folder do', async () => {
  const { url } = await openDatabase()
  const nodes = [folder, copy, folder, copy]
  const outcomes = await Promise.allSettled(nodes.map((of) => lock(url, of)))
  const started = nodes.filter((_, i) => outcomes[i]!.status === 'fulfilled')
  expect(started).toHaveLength(2)
  expect(new Set(started).size).toBe(1)
})

test('OPS-12 a node takes its lock again when the database has closed the connection, and warns if a copy has started', async () => {
  const { url, holders, end } = await openDatabase()
  const warnings: string[] = []
  await lock(url, folder, (problem) => warnings.push(problem))
  const [first] = await holders()
  await end(first)
  await expect.poll(holders, { timeout: 5000 }).toEqual([expect.toSatisfy((pid) => pid !== first)])
  expect(warnings).toEqual([])
  // As while the database is restarted.
  await end((await holders())[0])
  const other = await lock(url, copy)
  await expect
    .poll(() => warnings, { timeout: 15_000 })
    .toEqual([expect.stringMatching(/^Another node runs .* in another folder than \S+documents,/)])
  await other.close()
  await expect.poll(holders, { timeout: 5000 }).toHaveLength(1)
})
