import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { readSession, signIn } from '../../../contract/account.ts'
import { findCountry } from '../../../contract/country.ts'
import { jobs, spansDropped } from './events.ts'
import { countryByHttp } from '../../adapters/country-http.ts'
import { listenOnLoopback } from '../../adapters/loopback/loopback-server.ts'
import { tracesByOtlp } from '../../adapters/traces-otlp.ts'
import { openTestPortal } from '../../testing/portal-nodes.ts'
import { makeCustomer, openBrowser, signInAs, smsCode } from '../../testing/browser.ts'
import { parentOf, summaryOf } from './trace-context.ts'
import type { Span } from './span.ts'
import { openTraces } from './traces.ts'

type OtlpSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[]
  status: { code?: number }
}
type OtlpBody = {
  resourceSpans: {
    resource: { attributes: OtlpSpan['attributes'] }
    scopeSpans: { scope: { name: string }; spans: OtlpSpan[] }[]
  }[]
}

const attributesOf = ({ attributes }: Pick<OtlpSpan, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))

/** A portal whose traces go to a collector, and a country service that it calls. */
async function openTraced({ percent = 100, trustedProxies = ['127.0.0.1'], collectorStatus = 200 } = {}) {
  const collector = await listenOnLoopback((_, response) => response.writeHead(collectorStatus).end('{}'))
  const country = await listenOnLoopback((_, response) =>
    response.setHeader('content-type', 'application/json').end('{"country":"PL"}'),
  )
  const send = tracesByOtlp({ url: `${collector.url}/v1/traces`, version: '1.2.3' })
  const traces = openTraces({ send, percent, trustedProxies })
  // A caller has its answer a moment before the node knows that it has.
  let underWay = 0
  const portal = await openTestPortal({
    settings: { trustedProxies },
    ports: { country: countryByHttp({ url: `${country.url}/{ip}` }) },
    observe: (app) => {
      app.addHook('onRequest', async () => void (underWay += 1))
      traces.observe(app)
      app.addHook('onResponse', async () => void (underWay -= 1))
    },
  })
  onTestFinished(async () => {
    await portal.close()
    await traces.close()
    await collector[Symbol.asyncDispose]()
    await country[Symbol.asyncDispose]()
  })
  return {
    portal,
    country,
    /** All spans that the collector was sent, after the last. */
    async exported() {
      while (underWay) await turn()
      await traces.close()
      expect(collector.received.map(({ method, path }) => `${method} ${path}`)).toEqual(
        collector.received.map(() => 'POST /v1/traces'),
      )
      const bodies = collector.received.map(({ body }) => JSON.parse(body) as OtlpBody)
      return {
        text: collector.received.map(({ body }) => body).join('\n'),
        resources: bodies.flatMap(({ resourceSpans }) => resourceSpans.map(({ resource }) => attributesOf(resource))),
        spans: bodies.flatMap(({ resourceSpans }) =>
          resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
        ),
      }
    },
  }
}

test('OPS-6 R86 a request, a message and a job are traces, and none contains personal data', async () => {
  const { portal, exported } = await openTraced()
  const person = await makeCustomer(portal)
  await signInAs(portal, person)
  const code = smsCode(portal, person.phone)
  await jobs.do({ job: 'tidy' }, async () => void (await sql`select id from sessions`.execute(portal.db)))
  const { text, resources, spans } = await exported()

  expect(resources[0]).toMatchObject({ 'service.name': 'sygnet', 'service.version': '1.2.3' })
  const ids = new Map(spans.map((span) => [span.spanId, span]))
  expect(ids.size).toBe(spans.length)
  for (const span of spans) {
    expect(span.traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/)
    expect(span.spanId).toMatch(/^(?!0+$)[0-9a-f]{16}$/)
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true)
    expect(Math.abs(Number(BigInt(span.startTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(120_000)
    if (span.parentSpanId) expect(ids.get(span.parentSpanId)?.traceId).toBe(span.traceId)
  }
  const request = spans.find(({ name }) => name === `POST ${signIn.path}`)!
  expect([request.kind, request.parentSpanId, request.status]).toEqual([2, undefined, {}])
  expect(attributesOf(request)).toMatchObject({
    'http.request.method': 'POST',
    'http.route': signIn.path,
    'http.response.status_code': 200,
    'sygnet.request': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  // The body was read before them: the trace is not lost on the way.
  const within = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
  const statements = within.map((span) => attributesOf(span)['db.query.summary'])
  expect(statements).toEqual(
    expect.arrayContaining(['insert rate_limits', 'insert sessions', 'insert outbox', 'commit']),
  )
  for (const name of ['deliver sms', 'deliver mail', 'tidy']) {
    const own = spans.find((span) => span.name === name)!
    expect([name, own.kind, own.parentSpanId]).toEqual([name, 1, undefined])
  }
  const tidy = spans.find(({ name }) => name === 'tidy')!
  expect(spans.filter(({ parentSpanId }) => parentSpanId === tidy.spanId).map(({ name }) => name)).toEqual([
    'select sessions',
  ])
  const secrets = [person.id, person.login, person.email, person.phone, person.surname, person.password, code]
  expect([...secrets, '198.51.100', '127.0.0.1'].filter((value) => text.includes(value))).toEqual([])
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = (flags: string) => `00-${traceId}-00f067aa0ba902b7-${flags}`

test('OPS-6 R67 a trace that the trusted hop began goes on, and is handed on to whom the portal calls', async () => {
  const { portal, country, exported } = await openTraced()
  await openBrowser(portal).raw('GET', findCountry.path, undefined, { traceparent: traceparent('01') })
  const { spans } = await exported()
  const request = spans.find(({ name }) => name === `GET ${findCountry.path}`)!
  expect([request.traceId, request.parentSpanId]).toEqual([traceId, '00f067aa0ba902b7'])
  const call = spans.find(({ kind, name }) => kind === 3 && name === 'GET')!
  expect([call.traceId, call.parentSpanId]).toEqual([traceId, request.spanId])
  expect(attributesOf(call)).toEqual({
    'http.request.method': 'GET',
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
  })
  expect(country.received.map(({ headers }) => headers['traceparent'])).toEqual([`00-${traceId}-${call.spanId}-01`])
})

test('OPS-6 R67 what anybody else says of a trace is not believed', async () => {
  const { portal, country, exported } = await openTraced({ trustedProxies: ['10.0.0.0/8'] })
  await openBrowser(portal).raw('GET', findCountry.path, undefined, { traceparent: traceparent('00') })
  const { text, spans } = await exported()
  expect(spans.map(({ name }) => name)).toContain(`GET ${findCountry.path}`)
  expect(text).not.toContain(traceId)
  expect(country.received[0]?.headers['traceparent']).toMatch(/^00-(?!4bf9)[0-9a-f]{32}-[0-9a-f]{16}-01$/)
})

test('OPS-6 a trace that is not sampled is not sent, and called services get that flag', async () => {
  const { portal, country, exported } = await openTraced({ percent: 0 })
  await openBrowser(portal).call(readSession)
  await openBrowser(portal).raw('GET', findCountry.path, undefined, { traceparent: traceparent('00') })
  expect((await exported()).spans).toEqual([])
  expect(country.received[0]?.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
})

test('OPS-6 a collector that refuses costs spans, which are counted, and no request', async () => {
  let dropped = 0
  onTestFinished(spansDropped.subscribe(({ count }) => (dropped += count)))
  const { portal, exported } = await openTraced({ collectorStatus: 503 })
  for (let i = 0; i < 5; i++) expect((await openBrowser(portal).call(readSession)).status).toBe(401)
  const { spans } = await exported()
  expect(spans.length).toBeGreaterThanOrEqual(5)
  expect(dropped).toBe(spans.length)
})

test('OPS-6 a collector that hangs is not waited for: spans beyond a bound are dropped', async () => {
  let dropped = 0
  onTestFinished(spansDropped.subscribe(({ count }) => (dropped += count)))
  const sent: (readonly Span[])[] = []
  const hanging = Promise.withResolvers<void>()
  const traces = openTraces({ send: (spans) => (sent.push(spans), hanging.promise), percent: 100, trustedProxies: [] })
  for (let i = 0; i < 6000; i++) await jobs.do({ job: 'tidy' }, async () => {})
  expect(sent).toHaveLength(1)
  expect(dropped).toBe(6000 - 512 - 4096)
  hanging.resolve()
  await traces.close()
  expect(sent.flat()).toHaveLength(512 + 4096)
})

test.each([
  [traceparent('01'), true],
  [traceparent('03'), true],
  [traceparent('00'), false],
  [`cc-${traceId}-00f067aa0ba902b7-01-what-comes`, true],
  [`00-${traceId}-00f067aa0ba902b7-01-more`, undefined],
  [`ff-${traceId}-00f067aa0ba902b7-01`, undefined],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${traceId}-${'0'.repeat(16)}-01`, undefined],
  [traceparent('01').toUpperCase(), undefined],
  ['', undefined],
  [undefined, undefined],
])('OPS-6 the traceparent %s says of being kept: %s (W3C Trace Context)', (header, kept) => {
  expect(parentOf(header)?.isSampled).toBe(kept)
})

test.each([
  ['select "id" from "sessions" where "id" = $1', 'select sessions'],
  ['select from accounts where id = $1 for no key update', 'select accounts'],
  [
    `update outbox set leased_until = portal_now() where id in (select id from outbox for update skip locked)`,
    'update outbox',
  ],
  ['update rate_limits b set spent = $1', 'update rate_limits'],
  [
    'with asked as (select 1) insert into rate_limits as b (name) select name from asked on conflict do update set name = 1',
    'insert rate_limits',
  ],
  ['delete from "sessions" where "id" = $1', 'delete sessions'],
  ['commit', 'commit'],
])('OPS-6 %s is called %s', (text, summary) => {
  expect(summaryOf(text)).toBe(summary)
})
