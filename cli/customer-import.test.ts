import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listenOnLoopback } from '../server/adapters/loopback/loopback-server.ts'
import { closingWithFile } from '../server/testing/open-portal.ts'
import { samplePerson } from '../server/testing/portal-nodes.ts'
import { openCommand } from './testing/sygnet-command.ts'

const command = await closingWithFile(openCommand, ({ close }) => close())

type Customer = ReturnType<typeof samplePerson> & { customer: string }
const customers = (count: number): Customer[] =>
  Array.from({ length: count }, () => ({ customer: `c-${crypto.randomUUID()}`, ...samplePerson() }))

function write(name: string, lines: readonly unknown[]): string {
  const file = join(command.folder, name)
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
  return file
}

/** Reads the list of the lines that an import refused. */
const refusedOf = (file: string) =>
  readFileSync(`${file}.refused.ndjson`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { line: number })

async function stored(lines: readonly Customer[]): Promise<number | null> {
  const text = 'select from accounts where provider_id = any($1)'
  return (await command.portal.owner.query(text, [lines.map(({ customer }) => customer)])).rowCount
}

/** A call between the command and the portal: `answer` only asks the portal, and `pass` also gives its answer to the command. */
type Call = { number: number; reply: ServerResponse; answer: () => Promise<Response>; pass: () => Promise<unknown> }

/** Starts a proxy between the command and the portal, which answers each call as `intercept` decides. */
async function openProxy(intercept: (call: Call) => unknown) {
  let number = 0
  const server = await listenOnLoopback(({ path, headers: given, body }, reply) => {
    const headers = { authorization: String(given.authorization), 'content-type': String(given['content-type']) }
    const answer = () => fetch(command.portal.origin + path, { method: 'PUT', headers, body })
    const pass = async () => {
      const response = await answer()
      reply.writeHead(response.status, { 'content-type': response.headers.get('content-type')! })
      reply.end(await response.text())
    }
    void intercept({ number: ++number, reply, answer, pass })
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server.url
}

test('OPS-4 a file is imported by calls of a thousand lines; refused ones are listed by number', async () => {
  const good = customers(1205)
  const bad = ['{"customer":', '', { ...good[0], customer: 'c-rival' }, { ...good[3], surname: 'x'.repeat(20_000) }]
  const lines = [...good.slice(0, 2), { customer: 'c-bare' }, ...good.slice(2, 1100), ...bad, ...good.slice(1100)]
  const file = write('customers.ndjson', lines)
  const run = (...words: string[]) =>
    command.sygnet(['customers', 'import', file, ...words], {}, { isTerminal: words.length > 0 })
  const first = await run()
  expect(first).toEqual({
    code: 1,
    out: `1,210 lines: 1,205 created, 0 updated, 0 unchanged, 4 refused.\nRefused lines and reasons: ${file}.refused.ndjson\n`,
    err: '',
  })
  const fields = expect.arrayContaining([{ name: 'login', problem: expect.any(String) }]) as unknown
  expect(refusedOf(file)).toEqual([
    { line: 3, customer: 'c-bare', code: 'invalid-input', fields },
    { line: 1102, customer: null, code: 'malformed-request' },
    { line: 1104, customer: 'c-rival', code: 'login-taken' },
    { line: 1105, customer: null, code: 'body-too-large' },
  ])
  expect(await stored(good)).toBe(1205)
  const again = await run('--json')
  const bar = String.raw`\r[█░]{24} +\d+ % · [\d,]+ lines · [\d,]+ a second · \d refused`
  expect(again.err).toMatch(new RegExp(`^${bar} · \\d+ s left\u001b\\[K${bar}\u001b\\[K\n$`))
  expect([again.code, JSON.parse(again.out)]).toEqual([
    1,
    { lines: 1210, created: 0, updated: 0, unchanged: 1205, refused: 4, refusedFile: `${file}.refused.ndjson` },
  ])
  expect(again.out + again.err + first.err).not.toContain(good[0]!.email)
  expect(existsSync(`${file}.import.json`)).toBe(false)
  write('customers.ndjson', good.slice(0, 3))
  expect(await run()).toMatchObject({ code: 0, err: '' })
  expect(existsSync(`${file}.refused.ndjson`)).toBe(false)
})

test('OPS-4 Ctrl+C stops it after a call, and a file that has changed since needs --restart', async () => {
  const good = customers(1100)
  const file = write('stopped.ndjson', good)
  const run = (...words: string[]) => command.sygnet(['customers', 'import', file, ...words])
  const err = 'Stopped after line 1,000. The same command continues from there.\n'
  const stopped = await command.sygnet(['customers', 'import', file], {}, { isStopped: true })
  expect(stopped).toEqual({ code: 130, out: '', err })
  expect(await stored(good)).toBe(1000)
  write('stopped.ndjson', [...good, ...customers(1)])
  const changed = { code: 1, out: '', err: expect.stringContaining('has changed since line 1000') }
  expect(await run()).toMatchObject(changed)
  const out = '1,101 lines: 101 created, 0 updated, 1,000 unchanged, 0 refused.\n'
  expect(await run('--restart')).toEqual({ code: 0, out, err: '' })
})

test('OPS-4 R90 a call is retried after a failure; after a lost answer nobody is created twice', async () => {
  const good = customers(1600)
  const file = write('tried.ndjson', [
    ...good.slice(0, 500),
    'first bad',
    ...good.slice(500, 1400),
    'second bad',
    ...good.slice(1400),
  ])
  const problem = { 'content-type': 'application/problem+json' }
  const proxy = await openProxy(async ({ number, reply, answer, pass }) => {
    if (number === 1) return reply.writeHead(503, { 'retry-after': '1', ...problem }).end('{}')
    if (number === 2) return reply.destroy()
    if (number !== 4) return pass()
    // The portal has imported the rest, but the command does not get to know it.
    await answer()
    const refused = { type: '', title: 'x', status: 401, code: 'client-key-refused' }
    return reply.writeHead(401, problem).end(JSON.stringify(refused))
  })
  const run = (SYGNET_URL = proxy) => command.sygnet(['customers', 'import', file], { SYGNET_URL })
  expect(await run()).toEqual({
    code: 1,
    out: '',
    err: 'Stopped after line 1,000. The same command continues from there.\nThe portal refuses the key: it is unknown, was revoked, or has expired.\n',
  })
  expect(await stored(good)).toBe(1600)
  const elsewhere = { code: 1, out: '', err: expect.stringContaining(`was started at ${proxy}`) }
  expect(await run(command.portal.origin)).toMatchObject(elsewhere)
  expect(await run()).toEqual({
    code: 1,
    out: `1,602 lines: 999 created, 0 updated, 601 unchanged, 2 refused.\nRefused lines and reasons: ${file}.refused.ndjson\n`,
    err: 'Continuing after line 1,000.\n',
  })
  expect(refusedOf(file).map(({ line }) => line)).toEqual([501, 1402])
  expect(await stored(good)).toBe(1600)
  const absent = join(command.folder, 'absent')
  const err = `${absent} cannot be read: there is no such file.\n`
  expect(await command.sygnet(['customers', 'import', absent])).toEqual({ code: 2, out: '', err })
})
