import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { DeliveryFailed, StorageUnreachable } from '../platform/ports.ts'
import { openFaultyWire, type FaultyWire } from '../testing/faults/faulty-wire.ts'
import { folderOfFile } from '../testing/open-portal.ts'
import { botCheckBySiteverify } from './bot-check-siteverify.ts'
import { countryByHttp } from './country-http.ts'
import { remoteSigningByCsc } from './csc/remote-signing-csc.ts'
import { documentsInS3 } from './documents-s3.ts'
import { mail, portTo, smtpServer } from './loopback/loopback-mail-server.ts'
import { startS3 } from './loopback/loopback-s3.ts'
import { listenAsScanner } from './loopback/loopback-scanner.ts'
import { answerEndlessly, listenOnLoopback, type Received } from './loopback/loopback-server.ts'
import { malwareByClamd } from './malware-clamd.ts'
import { timestampAccountsByHttp } from './provider-services-http.ts'
import { smsByGenericGateway, smsBySmsapi } from './sms-http.ts'
import { pingDss } from './verification-dss.ts'

// A counterpart may be slow, break off, swallow requests, answer byte by byte or without an end, refuse, or redirect. Every call ends
// within its limit with a result that its caller handles; nobody is called whom the operator has not named; no connection stays open; and
// the same adapter works again after the fault (R81, R92, R96).

const directory = folderOfFile()
const opened = new AsyncDisposableStack()
/** A time limit that is short enough for a test, and less than a trickled answer takes. */
const hasty = { timeoutMs: 300 }

type Counterpart = { wire: FaultyWire; call: () => Promise<unknown> }
const counterparts = new Map<string, Counterpart>()

async function counterpart(name: string, port: number, open: (url: string, port: number) => Counterpart['call']) {
  const wire = opened.use(await openFaultyWire({ port, host: '127.0.0.1' }))
  counterparts.set(name, { wire, call: open(`http://127.0.0.1:${wire.port}`, wire.port) })
}

/** A text that is long enough to trickle beyond every timeout. */
const kept = 'kept'.repeat(100)
const sms = { id: randomUUID(), to: '+48501000001', text: 'kod 123456' }
const answers: Record<string, string> = {
  '/sms.do': '{"count":1,"list":[{"id":"1","error":null}]}',
  '/ip/203.0.113.9': '1;PL;POL;Poland, and more words than a hasty caller waits for',
  '/csc/info': JSON.stringify({
    specs: '2.0.0.2',
    methods: ['credentials/list', 'credentials/info', 'credentials/authorize', 'signatures/signHash'],
  }),
  '/csc/oauth2/token': '{"access_token":"token","expires_in":300}',
  '/csc/credentials/list': '{"credentialIDs":[]}',
}
const verdict = () =>
  JSON.stringify({ success: true, hostname: 'portal.example', challenge_ts: new Date().toISOString() })

const judgement = (body: string) => {
  const { signedDocument } = JSON.parse(body) as { signedDocument: { name: string } }
  return JSON.stringify({ SimpleReport: { DocumentName: signedDocument.name, SignaturesCount: 0 } })
}
const answer = ({ path, body }: Received, response: ServerResponse) => {
  if (path === '/siteverify') response.end(verdict())
  else if (path.startsWith('/dss')) response.end(judgement(body))
  else response.end(answers[path] ?? 'done')
}
/** Answer of the HTTP counterparts while they are faulty, and the target of a redirect. */
let faulty: typeof answer | undefined
let trap: Awaited<ReturnType<typeof listenOnLoopback>>

beforeAll(async () => {
  trap = opened.use(await listenOnLoopback(answer))
  const http = opened.use(await listenOnLoopback((received, response) => (faulty ?? answer)(received, response)))
  const smtp = opened.use(await smtpServer())
  const s3 = opened.use(await startS3())
  const scanner = await listenAsScanner((_content, socket) => socket.end('stream: OK\0'))
  opened.defer(() => scanner.close())

  await counterpart('SMS gateway', http.port, (url) => {
    const port = smsByGenericGateway({ url, token: 'token', ...hasty })
    return () => port.send(sms)
  })
  await counterpart('SMSAPI', http.port, (url) => {
    const port = smsBySmsapi({ url: `${url}/sms.do`, token: 'token', ...hasty })
    return () => port.send(sms)
  })
  await counterpart('mail server', smtp.port, (_, port) => {
    const mails = opened.use(portTo(port, hasty))
    return () => mails.send({ ...mail, id: randomUUID() })
  })
  await counterpart('timestamp accounts', http.port, (url) => {
    const port = timestampAccountsByHttp({ url, token: 'token', ...hasty })
    return () => port.setPassword('account', 'Haslo-123')
  })
  await counterpart('signing service', http.port, (url) => {
    const port = remoteSigningByCsc({ url: `${url}/csc`, clientId: 'portal', clientSecret: 'secret', ...hasty })
    return () => port.listCredentials('somebody')
  })
  await counterpart('bot check', http.port, (url) => {
    const keys = { kind: 'turnstile', siteKey: 'site', secret: 'secret', hostname: 'portal.example' } as const
    const now = async () => new Date()
    const port = botCheckBySiteverify({ ...keys, now, verifyUrl: `${url}/siteverify`, ...hasty })
    return async () => (await port.verify('proof', { action: 'sign-in', address: '203.0.113.9' })).verdict
  })
  await counterpart('country', http.port, (url) => {
    const port = countryByHttp({ url: `${url}/ip/{ip}`, ...hasty })
    return () => port.lookUp('203.0.113.9')
  })
  await counterpart('EU DSS', http.port, (url) => () => pingDss(`${url}/dss`, hasty.timeoutMs))
  await counterpart('scanner', scanner.port, (_, port) => {
    const { scan } = malwareByClamd(`127.0.0.1:${port}`, hasty.timeoutMs)
    return () => scan(Readable.from([Buffer.from('content')]))
  })
  const key = `uploads/${randomUUID()}`
  await documentsInS3({ ...s3, url: s3.url() }, directory).write(key, Readable.from([Buffer.from(kept)]), kept.length)
  await counterpart('bucket', Number(new URL(s3.url()).port), (url) => {
    const store = documentsInS3({ ...s3, url: `${url}/portal`, ...hasty }, directory)
    return async () => {
      const [read] = await Promise.all([
        store.read(key).then((document) => buffer(document!.content)),
        store.write(`uploads/${randomUUID()}`, Readable.from([Buffer.alloc(1000)]), 1000),
        store.remove(`uploads/${randomUUID()}`),
      ])
      return read.toString()
    }
  })
})
afterAll(() => opened.disposeAsync())

/** Returns the outcome of a call: its answer, or the kind of its failure. */
const outcomeOf = (call: () => Promise<unknown>): Promise<unknown> =>
  call().catch((error: unknown) => {
    if (error instanceof DeliveryFailed) return error.isPermanent ? 'failed permanently' : 'retried'
    return error instanceof StorageUnreachable ? 'store away' : error
  })

const outcomes: Record<string, { whole: unknown; broken: unknown }> = {
  'SMS gateway': { whole: undefined, broken: 'retried' },
  SMSAPI: { whole: undefined, broken: 'retried' },
  'mail server': { whole: undefined, broken: 'retried' },
  'timestamp accounts': { whole: 'changed', broken: 'unreachable' },
  'signing service': { whole: [], broken: 'unreachable' },
  'bot check': { whole: 'human', broken: 'unreachable' },
  country: { whole: '1;PL', broken: undefined },
  'EU DSS': { whole: true, broken: false },
  scanner: { whole: 'clean', broken: 'unreachable' },
  bucket: { whole: kept, broken: 'store away' },
}

const overHttp = ['SMS gateway', 'SMSAPI', 'timestamp accounts', 'signing service', 'bot check', 'country', 'EU DSS']

test.each(['cut', 'swallowed', 'trickling'] as const)(
  'R92 R96 every call to a counterpart that is %s ends, nothing stays open, and later calls work',
  async (fault) => {
    expect([...counterparts.keys()]).toEqual(Object.keys(outcomes))
    await Promise.all(
      [...counterparts].map(async ([name, { wire, call }]) => {
        const { whole, broken } = outcomes[name]!
        // On a busy machine a short timeout may need a retry.
        await expect.poll(() => outcomeOf(call)).toEqual(whole)
        wire.become(fault)
        // More than any pool allows, so that a lost slot would be noticed.
        const reasons = await Promise.all(Array.from({ length: 12 }, () => outcomeOf(call)))
        expect([name, new Set(reasons)]).toEqual([name, new Set([broken])])
        wire.become()
        await expect.poll(() => outcomeOf(call)).toEqual(whole)
        // A mail server's connections are kept for the next mail.
        await expect.poll(wire.held).toBeLessThanOrEqual(name === 'mail server' ? 5 : 0)
      }),
    )
  },
)

test.each<[string, typeof answer]>([
  ['redirects', ({ path }, response) => response.writeHead(307, { location: trap.url + path }).end()],
  ['fails', (_, response) => response.writeHead(503).end('<h1>not json</h1>')],
  ['answers without an end', (_, response) => answerEndlessly(response, '{"list":'.repeat(512))],
])('R81 R92 a service that %s is not followed and not believed, and later calls work', async (_, fault) => {
  faulty = fault
  onTestFinished(() => void (faulty = undefined))
  const called = await Promise.all(overHttp.map(async (name) => [name, await outcomeOf(counterparts.get(name)!.call)]))
  expect(called).toEqual(overHttp.map((name) => [name, outcomes[name]!.broken]))
  expect(trap.connections()).toBe(0)
  faulty = undefined
  for (const name of overHttp)
    await expect.poll(() => outcomeOf(counterparts.get(name)!.call)).toEqual(outcomes[name]!.whole)
})
