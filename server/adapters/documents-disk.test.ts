import { hash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DocumentTooLarge, StorageFull } from '../platform/ports.ts'
import { exhaustive } from '../testing/breadth.ts'
import { documentsOnDisk } from './documents-disk.ts'

async function storeInNewFolder() {
  const outer = await mkdtemp(join(tmpdir(), 'documents-'))
  const directory = join(outer, 'store')
  return {
    outer,
    directory,
    store: documentsOnDisk(directory),
    /** Lists the files below the folder, including unfinished ones. */
    files: async () =>
      (await readdir(outer, { recursive: true, withFileTypes: true }))
        .filter((entry) => !entry.isDirectory())
        .map(({ parentPath, name }) => join(parentPath, name)),
    [Symbol.asyncDispose]: () => rm(outer, { recursive: true }),
  }
}

const newKey = () => `agreements/${randomUUID()}`

test('a document is read back as it was written, with its size and SHA-256', async () => {
  await using folder = await storeInNewFolder()
  const content = randomBytes(300_000)
  const key = newKey()
  const pieces = Array.from({ length: 30 }, (_, i) => content.subarray(i * 10_000, (i + 1) * 10_000))
  expect(await folder.store.write(key, Readable.from(pieces), 300_000)).toEqual({
    bytes: 300_000,
    sha256: hash('sha256', content),
  })
  const read = await folder.store.read(key)
  expect(read!.bytes).toBe(300_000)
  expect((await buffer(read!.content)).equals(content)).toBe(true)
  expect(await folder.files()).toEqual([join(folder.directory, key)])
})

test('R87 only the portal’s own user may read files and folders', async () => {
  await using folder = await storeInNewFolder()
  const key = newKey()
  await folder.store.write(key, Readable.from(['x']), 10)
  expect((await stat(join(folder.directory, key))).mode & 0o777).toBe(0o600)
  for (const path of [folder.directory, join(folder.directory, 'agreements')])
    expect((await stat(path)).mode & 0o777).toBe(0o700)
})

test('a missing document reads as undefined, and removing is repeatable', async () => {
  await using folder = await storeInNewFolder()
  const key = newKey()
  expect(await folder.store.read(key)).toBeUndefined()
  await folder.store.remove(key)
  await folder.store.write(key, Readable.from(['x']), 10)
  await folder.store.remove(key)
  await folder.store.remove(key)
  expect(await folder.store.read(key)).toBeUndefined()
  expect(await folder.files()).toEqual([])
})

test('R70 a document at the limit is accepted; one byte more leaves nothing behind', async () => {
  await using folder = await storeInNewFolder()
  expect(await folder.store.write(newKey(), Readable.from(['12345', '67890']), 10)).toMatchObject({ bytes: 10 })
  const before = await folder.files()
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1000)
    })(),
  )
  await expect(folder.store.write(newKey(), endless, 10_000)).rejects.toBeInstanceOf(DocumentTooLarge)
  const eleven = folder.store.write(newKey(), Readable.from(['12345', '678901']), 10)
  await expect(eleven).rejects.toBeInstanceOf(DocumentTooLarge)
  // The sender is still connected and gets the error.
  expect(endless.destroyed).toBe(false)
  expect(await folder.files()).toEqual(before)
})

test('R90 an interrupted upload leaves nothing behind, and the previous document stays', async () => {
  await using folder = await storeInNewFolder()
  const key = newKey()
  await folder.store.write(key, Readable.from(['old']), 10)
  const breaking = Readable.from(
    (async function* () {
      yield Buffer.from('new')
      throw new Error('hung up')
    })(),
  )
  await expect(folder.store.write(key, breaking, 100)).rejects.toThrow('hung up')

  const cut = new Readable({ read() {} })
  cut.push('ne')
  const writing = folder.store.write(key, cut, 100)
  cut.destroy()
  await expect(writing).rejects.toThrow('Premature close')

  const failing = new Readable({ read() {} })
  const late = folder.store.write(key, failing, 100)
  failing.destroy(new Error('gone'))
  await expect(late).rejects.toThrow('gone')

  expect(await text((await folder.store.read(key))!.content)).toBe('old')
  expect(await folder.files()).toEqual([join(folder.directory, key)])
})

test('R90 of many concurrent writes of one key, one remains complete', async () => {
  await using folder = await storeInNewFolder()
  const key = newKey()
  const contents = Array.from({ length: 20 }, (_, i) => Buffer.alloc(200_000, i + 1))
  const inPieces = (content: Buffer) => Readable.from([content.subarray(0, 70_000), content.subarray(70_000)])
  await Promise.all(contents.map((content) => folder.store.write(key, inPieces(content), 1e6)))
  const kept = await buffer((await folder.store.read(key))!.content)
  expect(contents.some((content) => content.equals(kept))).toBe(true)
  expect(await folder.files()).toEqual([join(folder.directory, key)])
})

test('R90 a reader of a document that is being replaced gets the version that was opened', async () => {
  await using folder = await storeInNewFolder()
  const key = newKey()
  await folder.store.write(key, Readable.from(['old']), 10)
  const open = await folder.store.read(key)
  await folder.store.write(key, Readable.from(['newer']), 10)
  expect(await text(open!.content)).toBe('old')
  expect(await text((await folder.store.read(key))!.content)).toBe('newer')
})

const hostileKeys = [
  '',
  'agreements',
  'agreements/',
  '../agreements/00000000-0000-4000-8000-000000000000',
  '../../etc/passwd',
  '/etc/passwd',
  'agreements/../../../../../../../../../etc/pas',
  'agreements/00000000-0000-4000-8000-000000000000/x',
  'agreements/00000000-0000-4000-8000-00000000000\0',
  'agreements/00000000-0000-4000-8000-000000000000\n',
  'Agreements/00000000-0000-4000-8000-000000000000',
  '.incoming/00000000-0000-4000-8000-000000000000',
  './00000000-0000-4000-8000-000000000000',
  'agreements\\00000000-0000-4000-8000-000000000000',
  'agreements/CON.....................................',
  'agreements/\u202e0000000-0000-4000-8000-000000000000',
  `agreements/${'0'.repeat(300)}`,
  'agreements/agreements/0000-0000-4000-8000-000000000000',
]

test('R49 a key that is not ours is refused, and nothing is read or written anywhere', async () => {
  await using folder = await storeInNewFolder()
  await writeFile(join(folder.outer, 'secret'), 'secret')
  const anyKey = fc.oneof(
    fc.constantFrom(...hostileKeys),
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('..', '/', 'secret', '.', 'agreements', '\0', '%2e', '\\', randomUUID()), { maxLength: 8 })
      .map((parts) => parts.join('')),
  )
  const refuses = async (key: string) => {
    fc.pre(!/^[a-z-]+\/[0-9a-f-]{36}$/.test(key))
    const before = await folder.files()
    await expect(folder.store.write(key, Readable.from(['x']), 10)).rejects.toThrow('not a key')
    await expect(folder.store.read(key)).rejects.toThrow('not a key')
    await expect(folder.store.remove(key)).rejects.toThrow('not a key')
    expect(await folder.files()).toEqual(before)
  }
  for (const key of hostileKeys) await refuses(key)
  await fc.assert(fc.asyncProperty(anyKey, refuses), { numRuns: exhaustive ? 500 : 60 })
})

test('R53 R87 unfinished files of a killed process are removed after a quarter of an hour, newer ones stay', async () => {
  await using folder = await storeInNewFolder()
  const incoming = join(folder.directory, '.incoming')
  await mkdir(incoming, { recursive: true })
  await writeFile(join(incoming, 'old'), 'personal')
  await writeFile(join(incoming, 'young'), 'personal')
  const longAgo = new Date(Date.now() - 16 * 60 * 1000)
  await utimes(join(incoming, 'old'), longAgo, longAgo)
  await folder.store.removeUnfinished()
  expect(await readdir(incoming)).toEqual(['young'])
})

test('R91 a disk error is reported as it is and leaves nothing behind', async () => {
  await using folder = await storeInNewFolder()
  await folder.store.write(newKey(), Readable.from(['x']), 10)
  const before = await folder.files()
  await rm(join(folder.directory, '.incoming'), { recursive: true })
  const writing = folder.store.write(newKey(), Readable.from(['x']), 10)
  await expect(writing).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' })
  expect(await folder.files()).toEqual(before)
})

test('R50 room is left on the disk for what uploads that are running may still bring', async () => {
  await using folder = await storeInNewFolder()
  const store = documentsOnDisk(folder.directory, { keepFree: 100, free: async () => 250 })
  const first = new Readable({ read() {} })
  const writing = store.write(newKey(), first, 100)
  await expect.poll(folder.files).toHaveLength(1)
  await expect(store.write(newKey(), Readable.from(['x']), 100)).rejects.toBeInstanceOf(StorageFull)
  first.push(null)
  expect((await writing).bytes).toBe(0)
  expect((await store.write(newKey(), Readable.from(['x']), 100)).bytes).toBe(1)
})
