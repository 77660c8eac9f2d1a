import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../testing/databases.ts'
import { ConfigurationError } from '../configuration/startup-error.ts'
import { requireDocumentsFolder } from './documents-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'sygnet-folders-'))
afterAll(() => rmSync(root, { recursive: true }))

let database: Awaited<ReturnType<typeof createDatabase>>
beforeEach(async () => {
  const created = await createDatabase()
  onTestFinished(created.drop)
  database = created
})
const newFolder = () => join(mkdtempSync(join(root, 'node-')), 'documents')
const start = (folder: string) => requireDocumentsFolder(database.url, folder)
/** Why a node does not start. */
const refusal = (folder: string) =>
  start(folder).then(
    () => 'it starts',
    (error: unknown) => {
      expect(error).toBeInstanceOf(ConfigurationError)
      return (error as Error).message
    },
  )

test('OPS-12 a node whose documents are in another folder does not start, one with the same folder does, as often as it likes', async () => {
  const [first, second] = [newFolder(), newFolder()]
  await start(first)
  await start(first)
  expect(await refusal(second)).toContain(
    `The documents of this database are in another folder than ${second}. Several nodes need a bucket (S3_URL).`,
  )
  await start(first)
})

test('OPS-12 of nodes that start together, those with one folder start, and of two folders one', async () => {
  const shared = newFolder()
  const others = [newFolder(), newFolder()]
  await Promise.all([start(shared), start(shared), start(shared)])
  expect(await Promise.all(others.map(refusal))).not.toContain('it starts')
  await database.owner.query('delete from documents_folder')
  const started = (await Promise.all(others.map(refusal))).filter((reason) => reason === 'it starts')
  expect(started).toHaveLength(1)
})

test('OPS-12 documents that are moved or restored with their folder start, and others by the id that the message names', async () => {
  const [first, moved, restored] = [newFolder(), newFolder(), newFolder()]
  await start(first)
  cpSync(first, moved, { recursive: true })
  await start(moved)
  const [, id] = /write (\S+) into (\S+)\.$/.exec(await refusal(restored))!
  writeFileSync(join(restored, 'folder-id'), `${id}\n`)
  await start(restored)
  // The database was restored to a time before it knew the folder.
  await database.owner.query('delete from documents_folder')
  await start(restored)
  expect(await refusal(newFolder())).toContain('in another folder')
})

test('OPS-12 a start that ends half-way leaves nothing that refuses the next one, and a damaged id is reported', async () => {
  const folder = newFolder()
  await start(folder)
  const id = readFileSync(join(folder, 'folder-id'), 'utf8')
  rmSync(join(folder, 'folder-id'))
  await database.owner.query('delete from documents_folder')
  // The id was written, but not renamed.
  writeFileSync(join(folder, 'folder-id.new'), id.slice(0, 5))
  await start(folder)
  writeFileSync(join(folder, 'folder-id'), '')
  expect(await refusal(folder)).toContain(`${join(folder, 'folder-id')} has no id of a folder.`)
})
