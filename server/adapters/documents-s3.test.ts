import { hash, randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { StorageFull, StorageUnreachable } from '../platform/ports.ts'
import { closingWithFile, folderOfFile } from '../testing/open-portal.ts'
import { documentsInS3 } from './documents-s3.ts'
import { startS3 } from './loopback/loopback-s3.ts'
import { listenOnLoopback } from './loopback/loopback-server.ts'

const directory = folderOfFile()
const spooled = () => readdirSync(join(directory, '.incoming'))
const newKey = () => `uploads/${randomUUID()}`
const s3 = await closingWithFile(startS3, (opened) => opened[Symbol.asyncDispose]())
const bucket = (wrong: Partial<{ url: string; secretAccessKey: string; timeoutMs: number }> = {}) =>
  documentsInS3({ ...s3, url: s3.url(), ...wrong }, directory)

test('OPS-3 a document is read back from the bucket as it was written, with its size and SHA-256, and is gone when removed', async () => {
  const store = bucket()
  for (const size of [0, 1, 300_000, 9_700_000]) {
    const content = randomBytes(size)
    const key = newKey()
    const pieces = Array.from({ length: Math.ceil(size / 65_536) }, (_, i) =>
      Buffer.from(content.subarray(i * 65_536, (i + 1) * 65_536)),
    )
    expect(await store.write(key, Readable.from(pieces), size)).toEqual({
      bytes: size,
      sha256: hash('sha256', content),
    })
    const read = await store.read(key)
    expect(read!.bytes).toBe(size)
    expect(hash('sha256', await buffer(read!.content))).toBe(hash('sha256', content))
    await store.remove(key)
    await store.remove(key)
    expect(await store.read(key)).toBeUndefined()
  }
  expect(spooled()).toEqual([])
})

test('OPS-3 a refused secret or a missing bucket is a store that cannot be reached, never a document that is not there', async () => {
  const key = newKey()
  await bucket().write(key, Readable.from([Buffer.from('x')]), 10)
  for (const store of [bucket({ secretAccessKey: 'wrong' }), bucket({ url: s3.url().replace('portal', 'other') })]) {
    const write = () => store.write(newKey(), Readable.from([Buffer.from('x')]), 10)
    for (const call of [() => store.read(key), write, () => store.remove(key)])
      await expect(call()).rejects.toBeInstanceOf(StorageUnreachable)
  }
  expect(await buffer((await bucket().read(key))!.content)).toEqual(Buffer.from('x'))
})

test('R50 R96 a full store is distinguished from a failing one; a truncated answer is an error for its reader', async () => {
  await using full = await listenOnLoopback(({ method }, response) => {
    if (method === 'GET') {
      response.writeHead(200, { 'content-length': 10 })
      response.write('half')
      response.destroy()
    } else response.writeHead(503).end('<Error><Code>XMinioStorageFull</Code></Error>')
  })
  const store = bucket({ url: `${full.url}/portal` })
  await expect(store.write(newKey(), Readable.from([Buffer.from('x')]), 10)).rejects.toBeInstanceOf(StorageFull)
  // Node may see the end before or after the head of the answer.
  const whole = store.read(newKey()).then((half) => buffer(half!.content))
  await expect(whole).rejects.toBeInstanceOf(StorageUnreachable)
})

test('R96 a document that comes byte by byte is an error to its reader when the time of the conversation is over', async () => {
  const bytes = 100
  await using trickling = await listenOnLoopback((_received, response) => {
    response.writeHead(200, { 'content-length': bytes })
    let sent = 0
    // No pause is too long by itself.
    const drip = setInterval(() => (++sent < bytes ? response.write('x') : response.end('x')), 50)
    response.on('close', () => clearInterval(drip))
  })
  const store = bucket({ url: `${trickling.url}/portal`, timeoutMs: 500 })
  const whole = store.read(newKey()).then((found) => buffer(found!.content))
  await expect(whole).rejects.toBeInstanceOf(StorageUnreachable)
})

test('OPS-3 a document without its size is refused', async () => {
  await using server = await listenOnLoopback((_received, response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked' }).end('content')
  })
  await expect(bucket({ url: `${server.url}/portal` }).read(newKey())).rejects.toBeInstanceOf(StorageUnreachable)
})

test('OPS-3 R87 what some stores call missing is gone, and a bucket that is missing says nothing of its documents', async () => {
  let code = 'NoSuchKey'
  await using server = await listenOnLoopback((_received, response) =>
    response.writeHead(404).end(`<Error><Code>${code}</Code></Error>`),
  )
  const store = bucket({ url: `${server.url}/portal` })
  await store.remove(newKey())
  code = 'NoSuchBucket'
  await expect(store.remove(newKey())).rejects.toBeInstanceOf(StorageUnreachable)
})

test('OPS-3 the request is signed with the hash of its content (SigV4)', async () => {
  await using server = await listenOnLoopback((_received, response) => response.writeHead(200).end())
  const content = Buffer.from('content')
  const key = newKey()
  await bucket({ url: `${server.url}/portal` }).write(key, Readable.from([content]), 10)
  expect(server.received[0]).toMatchObject({
    method: 'PUT',
    path: `/portal/${key}`,
    headers: {
      'content-length': '7',
      'x-amz-content-sha256': hash('sha256', content),
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=S3RVER\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/,
      ),
    },
  })
})
