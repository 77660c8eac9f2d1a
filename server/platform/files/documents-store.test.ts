import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { testFolder } from '../../../pki/testing/peer-programs.ts'
import { documentsOnDisk } from '../../adapters/documents-disk.ts'
import { documentsInS3 } from '../../adapters/documents-s3.ts'
import { startS3 } from '../../adapters/loopback/loopback-s3.ts'
import { listenOnLoopback } from '../../adapters/loopback/loopback-server.ts'
import { createDatabase } from '../../testing/databases.ts'
import { ConfigurationError } from '../configuration/startup-error.ts'
import type { DocumentStore } from '../ports.ts'
import { requireDocumentsStore } from './documents-store.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
beforeEach(async () => {
  database = await createDatabase()
  onTestFinished(database.drop)
})
const newFolder = () => join(testFolder(), 'documents')

type S3 = Omit<Parameters<typeof documentsInS3>[0], 'url'> & { url: () => string }

/** Returns `starts`, or why a node does not start or its store is not checked. */
const start = (store: DocumentStore, place: string) =>
  requireDocumentsStore(database.url, store, place).then(
    (warning) => warning ?? 'starts',
    (error: unknown) => {
      expect(error).toBeInstanceOf(ConfigurationError)
      return (error as Error).message
    },
  )
const startOn = (folder: string) => start(documentsOnDisk(folder), folder)
const inBucket = (key: S3) => documentsInS3({ ...key, url: key.url() }, newFolder())
const startOnBucket = (key: S3) => start(inBucket(key), 'the bucket of S3_URL')
const refused = (place: string) =>
  expect.stringContaining(
    `The documents of this database are in another folder or bucket than ${place}. Several nodes need one bucket (S3_URL).`,
  ) as string

test('OPS-12 a node whose documents are in another folder does not start, one with the same folder does, as often as it likes', async () => {
  const [first, second] = [newFolder(), newFolder()]
  expect([await startOn(first), await startOn(first)]).toEqual(['starts', 'starts'])
  expect(await startOn(second)).toEqual(refused(second))
  expect(await startOn(first)).toBe('starts')
})

test('OPS-12 of nodes that start together, those with one folder start, and of two folders one', async () => {
  const shared = newFolder()
  expect(await Promise.all([startOn(shared), startOn(shared), startOn(shared)])).toEqual(['starts', 'starts', 'starts'])
  await database.owner.query('delete from documents_store')
  const started = await Promise.all([newFolder(), newFolder()].map(startOn))
  expect(started.filter((outcome) => outcome === 'starts')).toHaveLength(1)
})

test('OPS-12 documents that are moved or restored with their folder start, and others by the file that the message names', async () => {
  const [first, moved, restored] = [newFolder(), newFolder(), newFolder()]
  await startOn(first)
  cpSync(first, moved, { recursive: true })
  expect(await startOn(moved)).toBe('starts')
  const [, mark] = /put a file named (\S+) there\.$/.exec(await startOn(restored))!
  mkdirSync(dirname(join(restored, mark!)), { recursive: true })
  writeFileSync(join(restored, mark!), '')
  expect(await startOn(restored)).toBe('starts')
  // The database was restored to a time before it knew a store.
  await database.owner.query('delete from documents_store')
  expect(await startOn(restored)).toBe('starts')
  expect(await startOn(first)).toEqual(refused(first))
})

test('OPS-12 a node with a bucket and a node with a folder do not mix, whichever starts first; two nodes with one bucket do', async () => {
  await using s3 = await startS3()
  const bucket = () => startOnBucket(s3)
  const folder = newFolder()
  expect([await bucket(), await bucket()]).toEqual(['starts', 'starts'])
  expect(await startOn(folder)).toEqual(refused(folder))
  await database.owner.query('delete from documents_store')
  expect(await startOn(folder)).toBe('starts')
  expect(await bucket()).toEqual(refused('the bucket of S3_URL'))
  // The documents are copied into the bucket under their names.
  const s3Store = inBucket(s3)
  const source = documentsOnDisk(folder)
  for (const name of readdirSync(join(folder, 'documents-of'))) {
    const { content } = (await source.read(`documents-of/${name}`))!
    await s3Store.write(`documents-of/${name}`, content, 100)
  }
  expect(await bucket()).toBe('starts')
})

test('OPS-12 R96 a node whose bucket cannot be reached starts with a warning, and the next start checks it', async () => {
  await using s3 = await startS3()
  const folder = newFolder()
  await startOn(folder)
  const bucket = () => startOnBucket(s3)
  await s3.stop()
  expect(await bucket()).toMatch(
    /^Whether the bucket of S3_URL has the documents of this database could not be checked/,
  )
  await s3.restart()
  expect(await bucket()).toEqual(refused('the bucket of S3_URL'))
})

test('OPS-12 a node whose key may not know that an object is missing does not start, and names the rights', async () => {
  await startOn(newFolder())
  const answerWith = async (code: string) => {
    // As Amazon answers a key without s3:ListBucket.
    await using server = await listenOnLoopback((_, response) =>
      response.writeHead(403).end(`<Error><Code>${code}</Code></Error>`),
    )
    const key = { accessKeyId: 'sygnet', secretAccessKey: 'secret', region: 'eu-central-1' }
    return await startOnBucket({ ...key, url: () => `${server.url}/portal` })
  }
  expect(await answerWith('AccessDenied')).toBe(
    'Whether the bucket of S3_URL has the documents of this database could not be checked: GetObject was answered with 403, and the key needs s3:GetObject, s3:PutObject, s3:DeleteObject, and s3:ListBucket for objects that are missing. Check the key and its rights.',
  )
  expect(await answerWith('RequestTimeTooSkewed')).toContain('because it cannot be reached')
})
