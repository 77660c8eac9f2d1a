import { hash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { documentsOnDisk } from '../../adapters/documents-disk.ts'
import { countRows } from '../../testing/database-state.ts'
import { createDatabase } from '../../testing/databases.ts'
import { folderOfFile } from '../../testing/open-portal.ts'
import { connect } from '../database/database.ts'
import { deriveKeys } from '../encryption/keys.ts'
import { DocumentTooLarge } from '../ports.ts'
import { piecesOf, releasingPieces } from './byte-streams.ts'
import { encryptedDocuments } from './encrypted-documents.ts'

const folder = folderOfFile()
const database = await createDatabase()
afterAll(database.drop)
const { db, close } = connect(database.url)
afterAll(close)
const store = encryptedDocuments(db, deriveKeys(randomBytes(32)), documentsOnDisk(folder))

const chunk = 65_536
const newKey = () => `agreements/${randomUUID()}`
const pathOf = (key: string) => join(folder, key)

async function file(content: Buffer, key = newKey()) {
  // In pieces that fit no chunk.
  const pieces = Array.from({ length: Math.ceil(content.length / 10_007) }, (_, i) =>
    content.subarray(i * 10_007, (i + 1) * 10_007),
  )
  return { key, stored: await store.write(key, Readable.from(pieces), content.length) }
}

/** Returns the decrypted document, or undefined if reading it fails. */
async function readBack(key: string) {
  const read = (await store.read(key))!
  return buffer(read.content).catch(() => undefined)
}

test('R83 a document of any size is read back as it was, with its own size and hash, and rests as nothing like it', async () => {
  for (const size of [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 300_000]) {
    const content = randomBytes(size)
    const { key, stored } = await file(content)
    expect(stored).toEqual({ bytes: size, sha256: hash('sha256', content) })
    const read = (await store.read(key))!
    expect(read.bytes).toBe(size)
    expect((await buffer(read.content)).equals(content)).toBe(true)
    const resting = readFileSync(pathOf(key))
    for (let at = 0; at + 16 <= size; at += 4096) expect(resting.includes(content.subarray(at, at + 16))).toBe(false)
  }
})

test('R54 R83 a document of which a byte was changed, cut, added or moved is not read to its end', async () => {
  const content = randomBytes(3 * chunk + 100)
  const { key } = await file(content)
  const good = readFileSync(pathOf(key))
  const whole = chunk + 16
  const changed = (at: number) => {
    const copy = Buffer.from(good)
    copy[at]! ^= 1
    return copy
  }
  const damaged: Buffer[] = [
    ...[0, whole - 1, whole, 2 * whole, good.length - 17, good.length - 1].map(changed),
    // Cut within a chunk, after a chunk, before the last one, and to nothing.
    ...[good.length - 1, 3 * whole, 2 * whole, whole, 15, 0].map((length) => good.subarray(0, length)),
    Buffer.concat([good, Buffer.of(0)]),
    Buffer.concat([good.subarray(whole, 2 * whole), good.subarray(0, whole), good.subarray(2 * whole)]),
    Buffer.concat([good.subarray(0, whole), good.subarray(2 * whole)]),
  ]
  for (const [i, bytes] of damaged.entries()) {
    writeFileSync(pathOf(key), bytes)
    expect([i, await readBack(key)]).toEqual([i, undefined])
  }
  writeFileSync(pathOf(key), good)
  expect((await readBack(key))!.equals(content)).toBe(true)
})

test('R83 each document has a key of its own: no other key decrypts it, and without it no copy of the file decrypts', async () => {
  const content = randomBytes(1000)
  const [first, second] = [await file(content), await file(content)]
  const kept = readFileSync(pathOf(first.key))
  writeFileSync(pathOf(second.key), kept)
  expect(await readBack(second.key)).toBeUndefined()
  await store.remove(first.key)
  writeFileSync(pathOf(first.key), kept)
  expect(await store.read(first.key)).toBeUndefined()
})

test('R70 a document that is too large or breaks off leaves neither file nor key', async () => {
  const before = await countRows(database, 'document_keys')
  await expect(store.write(newKey(), Readable.from([randomBytes(11)]), 10)).rejects.toBeInstanceOf(DocumentTooLarge)
  const broken = new Readable({ read: () => void broken.destroy(new Error('left')) })
  await expect(store.write(newKey(), broken, 10)).rejects.toThrow('left')
  expect(await countRows(database, 'document_keys')).toBe(before)
  // The sender is still connected, to get the error.
  const sender = Readable.from(Array.from({ length: 5 }, () => randomBytes(11)))
  await expect(store.write(newKey(), sender, 10)).rejects.toBeInstanceOf(DocumentTooLarge)
  expect(sender.destroyed).toBe(false)
})

test('R83 a key is never used for a second document of the same name', async () => {
  const { key } = await file(randomBytes(10))
  await expect(file(randomBytes(10), key)).rejects.toThrow(/document_keys/)
  expect((await readBack(key))!.length).toBe(10)
})

test('R42 the memory of a piece is released when the next one is requested, unless other data shares it', async () => {
  const shared = Buffer.alloc(100, 'shared')
  const sent = [Buffer.alloc(70_000, 1), shared.subarray(0, 50), Buffer.alloc(70_000, 2)]
  const held: number[][] = []
  for await (const piece of releasingPieces(piecesOf(Readable.from(sent)))) {
    held.push(sent.map(({ length }) => length))
    expect(piece.length).toBeGreaterThan(0)
  }
  expect(held).toEqual([
    [70_000, 50, 70_000],
    [0, 50, 70_000],
    [0, 50, 70_000],
  ])
  expect(sent.map(({ length }) => length)).toEqual([0, 50, 0])
  expect(shared).toEqual(Buffer.alloc(100, 'shared'))
})
