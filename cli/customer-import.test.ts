import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { samplePerson } from '../server/testing/portal-nodes.ts'
import { openCommand } from './testing/sygnet-command.ts'
import { exhaustive } from '../server/testing/breadth.ts'

let command: Awaited<ReturnType<typeof openCommand>>
beforeAll(async () => {
  command = await openCommand()
})
afterAll(() => command.close())

type Customer = ReturnType<typeof samplePerson> & { customer: string }
const customers = (count: number): Customer[] =>
  Array.from({ length: count }, () => ({ customer: `c-${crypto.randomUUID()}`, ...samplePerson() }))

function write(name: string, lines: readonly unknown[]): string {
  const file = join(command.folder, name)
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
  return file
}

async function stored(lines: readonly Customer[]): Promise<number> {
  const { rows } = await command.portal.owner.query<{ n: number }>(
    'select count(*)::int as n from accounts where provider_id = any($1)',
    [lines.map(({ customer }) => customer)],
  )
  return rows[0]!.n
}

/** A proxy between the command and the portal, which answers each call as `intercept` decides. */
async function openProxy(
  intercept: (call: number, answer: () => Promise<Response>, reply: ServerResponse) => Promise<void>,
) {
  let calls = 0
  const forward = async (request: IncomingMessage, reply: ServerResponse) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const answer = () =>
      fetch(command.portal.origin + request.url, {
        method: request.method!,
        headers: { authorization: request.headers.authorization!, 'content-type': request.headers['content-type']! },
        body: Buffer.concat(pieces),
      })
    await intercept(++calls, answer, reply)
  }
  const server = createServer((request, reply) => void forward(request, reply)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const pass = async (answer: () => Promise<Response>, reply: ServerResponse) => {
  const { status, headers, text } = await answer().then(async (response) => ({
    status: response.status,
    headers: { 'content-type': response.headers.get('content-type')! },
    text: await response.text(),
  }))
  reply.writeHead(status, headers).end(text)
}

test('OPS-4 a file is imported by calls of a thousand lines; refused lines are listed by their number in the file, and all others are imported', async () => {
  const good = customers(1205)
  const lines: unknown[] = [...good]
  lines.splice(
    1100,
    0,
    '{"customer":',
    '',
    { ...good[0], customer: 'c-rival' },
    { ...good[3], surname: 'x'.repeat(20_000) },
  )
  lines.splice(2, 0, { customer: 'c-bare' })
  const file = write('customers.ndjson', lines)
  const first = await command.sygnet(['customers', 'import', file])
  expect(first).toEqual({
    code: 1,
    out: `1,210 lines: 1,205 created, 0 updated, 0 unchanged, 4 refused.\nRefused lines and reasons: ${file}.refused.ndjson\n`,
    err: '',
  })
  const refused = readFileSync(`${file}.refused.ndjson`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(refused).toEqual([
    {
      line: 3,
      customer: 'c-bare',
      code: 'invalid-input',
      fields: expect.arrayContaining([{ name: 'login', problem: expect.any(String) }]),
    },
    { line: 1102, customer: null, code: 'malformed-request' },
    { line: 1104, customer: 'c-rival', code: 'login-taken' },
    { line: 1105, customer: null, code: 'body-too-large' },
  ])
  expect(await stored(good)).toBe(1205)
  const again = await command.watched(['customers', 'import', file, '--json'])
  const bar = String.raw`\r[█░]{24} +\d+ % · [\d,]+ lines · [\d,]+ a second · \d refused`
  expect(again.err).toMatch(new RegExp(`^${bar} · \\d+ s left\u001b\\[K${bar}\u001b\\[K\n$`))
  expect([again.code, JSON.parse(again.out)]).toEqual([
    1,
    { lines: 1210, created: 0, updated: 0, unchanged: 1205, refused: 4, refusedFile: `${file}.refused.ndjson` },
  ])
  expect(again.out + again.err + first.err).not.toContain(good[0]!.email)
  expect(existsSync(`${file}.import.json`)).toBe(false)
  write('customers.ndjson', good.slice(0, 3))
  expect(await command.sygnet(['customers', 'import', file])).toMatchObject({ code: 0, err: '' })
  expect(existsSync(`${file}.refused.ndjson`)).toBe(false)
})

test.runIf(exhaustive)(
  'OPS-4 R90 killed twice after the portal has processed a call and before the command gets the answer, it continues after the last confirmed line, and no customer is created twice',
  async () => {
    const good = customers(2600)
    const lines: unknown[] = [...good]
    lines.splice(500, 0, 'first bad')
    lines.splice(1500, 0, 'second bad')
    const file = write('killed.ndjson', lines)
    let kill = () => {}
    const proxy = await openProxy(async (call, answer, reply) => {
      if (call !== 2 && call !== 4) return pass(answer, reply)
      await answer()
      kill()
    })
    const killed = async () => {
      const { child, ended } = command.start(['customers', 'import', file], { SYGNET_URL: proxy })
      kill = () => void child.kill('SIGKILL')
      expect(await ended).toMatchObject({ code: null, out: '' })
    }
    await killed()
    expect(await stored(good)).toBe(1998)
    const elsewhere = await command.sygnet(['customers', 'import', file])
    expect(elsewhere).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`was started at ${proxy}`) })
    // This run starts in the middle of the file.
    await killed()
    const rest = await command.sygnet(['customers', 'import', file], { SYGNET_URL: proxy })
    expect(rest).toEqual({
      code: 1,
      out: `2,602 lines: 999 created, 0 updated, 1,601 unchanged, 2 refused.\nRefused lines and reasons: ${file}.refused.ndjson\n`,
      err: 'Continuing after line 2,000.\n',
    })
    const refused = readFileSync(`${file}.refused.ndjson`, 'utf8').trim().split('\n')
    expect(refused.map((line) => (JSON.parse(line) as { line: number }).line)).toEqual([501, 1501])
    expect(await stored(good)).toBe(2600)
  },
)

test.runIf(exhaustive)(
  'OPS-4 Ctrl+C stops it after the current call, and a file that has changed since needs --restart',
  async () => {
    const good = customers(2100)
    const file = write('stopped.ndjson', good)
    let stop = () => {}
    const proxy = await openProxy(async (call, answer, reply) => {
      if (call === 1) stop()
      await pass(answer, reply)
    })
    const run = (...words: string[]) => command.start(['customers', 'import', file, ...words], { SYGNET_URL: proxy })
    const { child, ended } = run()
    stop = () => void child.kill('SIGINT')
    const { code, out, err } = await ended
    // One call more, if the signal came late.
    const [, thousands] = /^Stopped after line ([12]),000\. The same command continues from there\.\n$/.exec(err) ?? []
    expect([code, out, thousands]).toEqual([130, '', expect.any(String)])
    const done = Number(thousands) * 1000
    expect(await stored(good)).toBe(done)
    write('stopped.ndjson', [...good, ...customers(1)])
    expect(await run().ended).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`has changed since line ${done}`),
    })
    expect(await run('--restart').ended).toEqual({
      code: 0,
      out: `2,101 lines: ${(2101 - done).toLocaleString('en-GB')} created, 0 updated, ${done.toLocaleString('en-GB')} unchanged, 0 refused.\n`,
      err: '',
    })
  },
)

test.runIf(exhaustive)(
  'OPS-4 a call is retried after a temporary failure; after a permanent one the command says how to continue',
  async () => {
    const good = customers(1100)
    const file = write('tried.ndjson', good)
    const proxy = await openProxy(async (call, answer, reply) => {
      if (call === 1) reply.writeHead(503, { 'retry-after': '1', 'content-type': 'application/problem+json' }).end('{}')
      else if (call === 2) reply.destroy()
      else if (call === 4)
        reply
          .writeHead(401, { 'content-type': 'application/problem+json' })
          .end(JSON.stringify({ type: '', title: 'x', status: 401, code: 'client-key-refused' }))
      else await pass(answer, reply)
    })
    const run = () => command.sygnet(['customers', 'import', file], { SYGNET_URL: proxy })
    expect(await run()).toEqual({
      code: 1,
      out: '',
      err: 'Stopped after line 1,000. The same command continues from there.\nThe portal refuses the key: it is unknown, was revoked, or has expired.\n',
    })
    expect(await run()).toMatchObject({
      code: 0,
      out: '1,100 lines: 1,100 created, 0 updated, 0 unchanged, 0 refused.\n',
    })
    expect(await command.sygnet(['customers', 'import', join(command.folder, 'absent')])).toEqual({
      code: 2,
      out: '',
      err: `${join(command.folder, 'absent')} cannot be read: there is no such file.\n`,
    })
  },
)
