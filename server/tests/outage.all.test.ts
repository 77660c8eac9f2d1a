import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSession, signIn } from '../../contract/account.ts'
import { listSigners } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import { putCustomer } from '../../contract/provider/provider-api.ts'
import { deliveriesOf } from '../platform/operations/deliveries.ts'
import { sendDue } from '../platform/messages/outbox.ts'
import { openCircuit } from '../adapters/circuit.ts'
import { portTo, smtpServer, type Arrived } from '../adapters/loopback/loopback-mail-server.ts'
import { listenOnLoopback } from '../adapters/loopback/loopback-server.ts'
import { remoteSigningByCsc } from '../adapters/csc/remote-signing-csc.ts'
import { smsByGenericGateway } from '../adapters/sms-http.ts'
import { openPortal } from '../testing/open-portal.ts'
import { now, samplePerson } from '../testing/portal-nodes.ts'
import { makeCustomer, openBrowser, passPassword, signInAs, type Person } from '../testing/browser.ts'
import { downloadFile, giveDocument } from '../testing/samples/sample-documents.ts'
import { openFaultyWire } from '../testing/faults/faulty-wire.ts'

/**
 * R92, R93, ERR-5: mail server, SMS gateway and signing service are down for half an hour of the portal's time, in each of the
 * `outages`, while customers and the provider continue.
 */
const outages = ['refused', 'swallowed', 'cut', 'failing'] as const
const minutes = 30
const stepSeconds = 30
/** A try after 2, 4, 8, 16 and 32 seconds, and then one a minute. */
const mostTries = 6 + minutes

const opened = new AsyncDisposableStack()
let failing = false
/** The messages that the gateway got, by idempotency key: the portal's time of the first request, and their number. */
const texts = new Map<string, { at: number; to: string; times: number }>()
let at = 0

const signingService: Record<string, object> = {
  '/csc/info': {
    specs: '2.0.0.2',
    methods: ['credentials/list', 'credentials/info', 'credentials/authorize', 'signatures/signHash'],
  },
  '/csc/oauth2/token': { access_token: 'token' },
  '/csc/credentials/list': { credentialIDs: [] },
}

async function openCounterparts() {
  const smtp = opened.use(
    await smtpServer({
      onMailFrom: (_address, _session, callback) =>
        callback(failing ? Object.assign(new Error('later'), { responseCode: 451 }) : undefined),
    }),
  )
  const http = opened.use(
    await listenOnLoopback(({ path, headers, body }, response) => {
      if (failing) return void response.writeHead(500).end()
      if (path !== '/sms') return void response.end(JSON.stringify(signingService[path]))
      const id = String(headers['idempotency-key'])
      const known = texts.get(id)
      if (known) known.times++
      else texts.set(id, { at, to: (JSON.parse(body) as { to: string }).to, times: 1 })
      response.end()
    }),
  )
  const open = async (port: number) => opened.use(await openFaultyWire({ port, host: '127.0.0.1' }))
  const wires = { mail: await open(smtp.port), http: await open(http.port) }

  /** With a short timeout during the outage; otherwise with that of the operator. */
  function portsOf(limit: { timeoutMs?: number }) {
    const origin = `http://127.0.0.1:${wires.http.port}`
    const csc = remoteSigningByCsc({ url: `${origin}/csc`, clientId: 'portal', clientSecret: 'secret', ...limit })
    const guarded = openCircuit(() => at)
    return {
      mail: opened.use(portTo(wires.mail.port, limit)),
      sms: smsByGenericGateway({ url: `${origin}/sms`, token: 'token', ...limit }),
      remoteSigning: { ...csc, credentials: guarded(csc.credentials) },
      timestamps: { stamp: async () => 'unreachable' as const },
    }
  }
  const use = (limit: { timeoutMs?: number }) => {
    for (const node of portal.nodes) Object.assign(node.portal.ports, portsOf(limit))
  }
  async function become(outage: (typeof outages)[number] | undefined) {
    for (const wire of [wires.mail, wires.http]) {
      if (outage === 'refused') await wire.cut()
      else wire.become(outage === 'failing' ? undefined : outage)
      if (outage === outages[1]) await wire.mend()
    }
    failing = outage === 'failing'
  }
  return { smtp, use, become }
}

const portal = await openPortal({ nodes: 2 })
beforeAll(async () => {
  at = (await now(portal.db)).getTime()
})
afterAll(async () => {
  await opened.disposeAsync()
})

async function pass(seconds: number) {
  at += seconds * 1000
  await portal.clock.stopAt(new Date(at))
}

/** Both nodes send all due messages. */
async function deliver() {
  const byNode = () => portal.nodes.map((node) => sendDue(node.db, portal.portal.keys, deliveriesOf(node.portal)))
  while ((await Promise.all(byNode())).some((sent) => sent > 0));
}

type Sent = { id: string; channel: string; outcome: string | null; tries: number; created: Date; end: Date | null }
const messages = async () =>
  (
    await sql<Sent>`
      select id, channel, outcome, tries, created_at as created, drop_at as end from outbox where channel in ('sms', 'mail') order by created_at`.execute(
      portal.db,
    )
  ).rows

const idsOf = (mails: Arrived[]) => mails.map(({ raw }) => /^Message-ID: <([\w-]+)@/im.exec(raw.toString())![1]!)

test('R92 R93 ERR-5 through half an hour without mail server, SMS gateway and signing service nothing is lost, doubled or sent late, and customers are informed', async () => {
  const people: Person[] = []
  for (let i = 0; i < 10; i++) people.push(await makeCustomer(portal))
  const owner = await makeCustomer(portal)
  const customer = await signInAs(portal, owner)
  const { documentCase: id } = await giveDocument(portal, owner.id)
  await downloadFile(customer, id)
  await portal.deliver()
  await portal.owner.query('truncate outbox')
  await pass(0)
  const { smtp, use, become } = await openCounterparts()
  use({ timeoutMs: 200 })
  const invited: string[] = []

  for (let seconds = 0; seconds < minutes * 60; seconds += stepSeconds) {
    if (seconds % ((minutes * 60) / outages.length) === 0) {
      const outage = outages[seconds / ((minutes * 60) / outages.length)]!
      await become(outage)
      // Calls that need the provider fail; all others work.
      const signers = await customer.call(listSigners, { params: { id } })
      expect([outage, signers.status, signers.problem.code]).toEqual([outage, 503, 'unavailable'])
      expect((await customer.call(readSession)).status).toBe(200)
    }
    if (seconds % 60 === 0) {
      const body = samplePerson()
      await openBrowser(portal).call(putCustomer, { params: { customer: `new-${seconds}` }, body })
      invited.push(body.email)
      // For the portal the code is in delivery, and the customer sees when another can be requested.
      const { login, password } = people[(seconds / 60) % people.length]!
      const address = `203.0.113.${seconds / 60}`
      const answer = await openBrowser(portal, { address }).call(signIn, { body: { login, password } })
      expect([answer.status, Object.keys(answer.body)]).toEqual([
        200,
        expect.arrayContaining(['resendAt', 'expiresAt']),
      ])
    }
    await deliver()
    await pass(stepSeconds)
  }
  const before = await messages()
  expect(before.filter(({ channel }) => channel === 'mail').map(({ outcome }) => outcome)).toEqual(
    invited.map(() => null),
  )
  expect(Math.max(...before.map(({ tries }) => tries))).toBeLessThanOrEqual(mostTries)
  expect(smtp.arrived).toEqual([])

  await become(undefined)
  use({})
  for (let seconds = 0; seconds < 120; seconds += stepSeconds) {
    await deliver()
    await pass(stepSeconds)
  }
  const after = await messages()
  // Every mail exactly once, since each is useful for days.
  expect(smtp.arrived.flatMap(({ to }) => to).toSorted()).toEqual(invited.toSorted())
  expect(idsOf(smtp.arrived).toSorted()).toEqual(
    after
      .filter(({ channel }) => channel === 'mail')
      .map(({ id: message }) => message)
      .toSorted(),
  )
  // A code arrives while it is valid, or never.
  const codes = after.filter(({ channel }) => channel === 'sms')
  expect(codes).toHaveLength(minutes)
  for (const { id: message, outcome, created, end } of codes) {
    const got = texts.get(message)
    expect(end!.getTime() - created.getTime()).toBe(limits.code.life * 1000)
    const alive = end!.getTime() > at
    expect(alive ? ['sent'] : ['sent', 'expired']).toContain(outcome)
    if (outcome === 'sent') expect(got).toBeDefined()
    if (got) expect(got.at).toBeLessThan(end!.getTime())
  }
  expect(codes.filter(({ end }) => end!.getTime() > at).length).toBeGreaterThanOrEqual(7)
  // Messages that the gateway took without answering were sent again with the same key.
  expect([...texts.values()].some(({ times }) => times > 1)).toBe(true)
  expect([...texts.keys()].every((key) => codes.some((code) => code.id === key))).toBe(true)

  expect((await customer.call(listSigners, { params: { id } })).status).toBe(200)
  const newest = people[0]!
  const { answer } = await passPassword(portal, newest, openBrowser(portal, { address: '203.0.113.99' }))
  expect(answer.status).toBe(200)
  await deliver()
  expect([...texts.values()].filter((sms) => sms.to === newest.phone && sms.at === at)).toHaveLength(1)
})
