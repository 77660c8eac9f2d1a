import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { downloadDataExport } from '../../contract/data-export.ts'
import { downloadDocument, downloadSignedDocument } from '../../contract/documents.ts'
import { samplePageConfig } from '../../contract/testing/sample-page-config.ts'
import { configure } from '../app/config.ts'
import { download } from './download.ts'

const id = 'b2f4ad61-7b0e-4f0c-9d3e-5d0f7a1c2b3d'
const content = Buffer.from('%PDF-1.7 as it is')

let answers: ((response: ServerResponse) => void)[]
let asked: string[]
let close: () => void
beforeEach(async () => {
  asked = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answers.shift()!(response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  configure({ ...samplePageConfig, baseURL: `http://127.0.0.1:${port}` })
  close = () => {
    server.closeAllConnections()
    server.close()
  }
})
afterEach(() => close())

const whole = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': content.length }).end(content)
const problem = (status: number, code: string) => (response: ServerResponse) =>
  response
    .writeHead(status, { 'content-type': 'application/problem+json' })
    .end(JSON.stringify({ code, retryAfter: 60 }))

async function fetchIt(
  endpoint: typeof downloadDocument | typeof downloadSignedDocument,
  signal = new AbortController().signal,
) {
  const seen: { received: number; total: number | undefined }[] = []
  const outcome = await download(endpoint, {
    params: { id },
    onProgress: (progress) => seen.push(progress),
    signal,
  }).then(
    async (file) => Buffer.from(await file.arrayBuffer()),
    ({ code, status, problem: { retryAfter } }) => ({ code, status, retryAfter }),
  )
  return { outcome, seen }
}

test('DOC-3 a file comes byte by byte, and its progress is reported', async () => {
  answers = [whole]
  const { outcome, seen } = await fetchIt(downloadDocument)
  expect(outcome).toEqual(content)
  expect(seen.at(-1)).toEqual({ received: content.length, total: content.length })
  expect(asked).toEqual([`POST /api/documents/${id}/file`])
})

test('DAT-6 a file of JSON stays the bytes that it is, and its refusal is read as one', async () => {
  const json = Buffer.from('{\n  "format": "sygnet-own-data"\n}\n')
  answers = [
    (response) => response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(json),
    problem(422, 'state-passed'),
  ]
  const take = () =>
    download(downloadDataExport, {
      params: { format: 'json' },
      onProgress: () => {},
      signal: new AbortController().signal,
    })
  expect(Buffer.from(await (await take()).arrayBuffer())).toEqual(json)
  await expect(take()).rejects.toMatchObject({ code: 'state-passed' })
})

test('DOC-7 HTT-1 a download that moves its case is never repeated by itself; one that only reads is tried again', async () => {
  answers = [problem(503, 'busy'), problem(503, 'busy'), whole]
  expect((await fetchIt(downloadDocument)).outcome).toMatchObject({ code: 'busy', status: 503 })
  expect((await fetchIt(downloadSignedDocument)).outcome).toEqual(content)
  expect(asked.length).toBe(3)
})

test('DOC-7 what the server says of a document that is not there comes with its code and its time', async () => {
  answers = [problem(422, 'document-not-ready')]
  expect((await fetchIt(downloadDocument)).outcome).toEqual({ code: 'document-not-ready', status: 422, retryAfter: 60 })
})

test('DOC-7 an interrupted download fails as offline', async () => {
  answers = [
    (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 1000 }).write(content)
      setImmediate(() => response.destroy())
    },
  ]
  expect((await fetchIt(downloadDocument)).outcome).toMatchObject({ code: 'offline', status: 0 })
})

test('DOC-7 a cancelled download fails as cancelled', async () => {
  const controller = new AbortController()
  answers = [() => controller.abort()]
  expect((await fetchIt(downloadDocument, controller.signal)).outcome).toMatchObject({ code: 'canceled' })
})
