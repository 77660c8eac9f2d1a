import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import {
  getProviderRenewal,
  listProviderRenewals,
  reportIssued,
  reportNotIssued,
} from '../../contract/provider-renewals.ts'
import {
  finishRenewal,
  listOpenRenewals,
  renewalMoves,
  renewalStates,
  signAgreement,
  startAgreementSigning,
} from '../../contract/renewal.ts'
import { listSignatures, startPairing, summariseSignatures } from '../../contract/signatures.ts'
import { portalClient, type PortalClient } from '../../provider/portal-client.ts'
import { renewalDesk } from '../../provider/renewal-desk.ts'
import { deliveriesOf } from '../deliveries.ts'
import { sendDue } from '../outbox.ts'
import { openBrowser, stepUp } from '../testing/browser.ts'
import { letIn } from '../testing/ready-customers.ts'
import {
  agreed,
  at,
  codeFor,
  openRenewalHouse,
  opened,
  read,
  shownOf,
  signed,
  type RenewalHouse,
} from '../testing/sample-renewals.ts'
import { lookAfterSignatures } from '../unsigned-agreements.ts'

let house: RenewalHouse
beforeAll(async () => {
  house = await openRenewalHouse()
})
afterAll(() => house.close())

const uses = async (uid: string) => {
  const { rows } = await house.portal.owner.query<{ name: string }>(
    `select provider_id as name from signatures where provider_id like 'renewal-' || $1 || '%'`,
    [uid],
  )
  return rows.length
}

/** The certificates that the authority has issued for the key of a renewal. */
async function certificatesOf(uid: string) {
  const key = await house.keys.make(`renewal-${uid}`, '')
  let count = 0
  for await (const certificate of house.provider.certificates())
    if (new X509Certificate(certificate).publicKey.equals(key)) count += 1
  return count
}

test('REN-10 R60 however often an answer is lost on the way, one certificate is issued and one signature comes of it', async () => {
  const renewing = await house.makeRenewable()
  const ready = await agreed(house, renewing)
  await signed(house, renewing, ready)
  const client = portalClient({ url: house.portal.origin, clientKey: house.portal.clientKey })
  const { provider, keys, now } = house
  // Each call once: what it does is done, and its answer is lost.
  const lost = new Set<string>()
  async function losing<R>({ method, path }: Endpoint, answering: Promise<R>): Promise<R> {
    const answer = await answering
    const name = `${method} ${path}`
    if (method === 'GET' || lost.has(name)) return answer
    lost.add(name)
    throw new Error('The connection was lost.')
  }
  const portal: PortalClient = {
    ...client,
    call: (endpoint, input) => losing(endpoint, client.call(endpoint, input)),
    upload: (endpoint, params, file) => losing(endpoint, client.upload(endpoint, params, file)),
  }
  // And once the provider dies between issuing and writing that down.
  let dies = true
  const mortal = {
    ...keys,
    certify: async (id: string, certificates: readonly Uint8Array[]) => {
      if (dies) {
        dies = false
        throw new Error('killed')
      }
      return keys.certify(id, certificates)
    },
  }
  const desk = renewalDesk({ portal, authority: provider.authority, signingKeys: mortal, now })
  let rounds = 0
  while ((await read(renewing.browser, ready)).state === 'signed') {
    rounds += 1
    expect(rounds).toBeLessThan(8)
    await desk.work().catch(() => {})
  }
  await desk.work()
  expect(rounds).toBeGreaterThan(3)
  expect((await read(renewing.browser, ready)).state).toBe('issued')
  expect([await uses(ready.uid), await certificatesOf(ready.uid)]).toEqual([1, 1])
})

test('SIG-4 HOM-3 a signature says that its renewal is begun or signed; signed, it waits for nothing but the app of the new one', async () => {
  const renewing = await house.makeRenewable()
  const { browser } = renewing
  const seen = async () => {
    const { items } = (await browser.call(listSignatures, { query: { sort: 'ends-first' } })).body
    const { attention } = (await browser.call(summariseSignatures)).body
    const waiting = (await browser.call(listOpenRenewals)).body.items
    return [items.map(({ renewal }) => renewal), attention.length, waiting.map(({ state }) => state)]
  }
  expect(await seen()).toEqual([[null], 1, []])
  const ready = await agreed(house, renewing, { start: 'immediately' })
  expect(await seen()).toEqual([['begun'], 1, ['signing']])
  await signed(house, renewing, ready)
  expect(await seen()).toEqual([['signed'], 0, ['signed']])
  await house.desk.work()
  // The new one is in no app yet.
  expect(await seen()).toEqual([['signed', null], 1, ['issued']])
  const issued = await read(browser, ready)
  const { state, version } = issued
  const done = await browser.call(finishRenewal, { params: at(issued), body: { expected: { state, version } } })
  expect(done.body.state).toBe('finished')
  expect(await seen()).toEqual([['signed', null], 1, []])
  await house.portal.owner.query(
    `insert into pairings (signature_id, secret, confirmed_at) values ($1, '\\x00', portal_now())`,
    [issued.signature!.id],
  )
  expect(await seen()).toEqual([['signed', null], 0, []])
})

test('REN-10 R59 R60 a signature that is submitted thirty times over two nodes is made once and ordered once', async () => {
  const renewing = await house.makeRenewable()
  const ready = await agreed(house, renewing)
  const code = await codeFor(house, renewing, ready)
  const before = house.service.orders.length
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code } }, i % 2),
    ),
  )
  // The very same entry gets the answer of the first (R112).
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
  expect(answers[0]!.status).toBe(200)
  await Promise.all([house.portal.deliver(), house.portal.deliver()])
  expect(house.service.orders.length).toBe(before + 1)
  await Promise.all([house.desk.work(), house.desk.work()])
  await house.desk.work()
  expect((await read(renewing.browser, ready)).state).toBe('issued')
  expect(await uses(ready.uid)).toBe(1)
  // A late word of the provider's changes nothing.
  const late = await openBrowser(house.portal).call(reportNotIssued, {
    params: { renewal: ready.uid },
    body: { note: null },
  })
  expect(late.problem).toMatchObject({ code: 'state-passed', current: 'issued' })
})

test('REN-7 REN-10 an agreement that was signed by code waits for a signing service that is out of reach, and a refusal asks for a new code', async () => {
  const renewing = await house.makeRenewable()
  const ready = await agreed(house, renewing)
  const code = await codeFor(house, renewing, ready)
  house.service.says = 'unreachable'
  const answer = await renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code } })
  expect(answer.body.state).toBe('authorised')
  await house.portal.deliver()
  expect((await read(renewing.browser, ready)).state).toBe('authorised')
  house.service.says = 'refused'
  await house.advance(5)
  await house.portal.deliver()
  const refused = await read(renewing.browser, ready)
  expect(refused).toMatchObject({ state: 'signing', signingFailed: true })
  delete house.service.says
  const stale = await renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(refused), code } })
  expect(stale.problem.code).toBe('code-void')
  expect((await signed(house, renewing, refused)).state).toBe('signed')
})

test('R57 a certificate that is not what was signed is not taken as the issued one, and one of another customer is none', async () => {
  const renewing = await house.makeRenewable()
  const ready = await agreed(house, renewing)
  await signed(house, renewing, ready)
  const { call } = openBrowser(house.portal)
  const params = { renewal: ready.uid }
  const { terms } = (await call(getProviderRenewal, { params })).body
  const right = { startsAt: new Date(terms!.from!), endsAt: new Date(terms!.to) }
  const other = await house.makeRenewable()
  const wrong = [
    await house.giveCloudSignature(renewing.person, { ...right, endsAt: new Date(right.endsAt.getTime() + 1000) }),
    await house.giveCloudSignature(renewing.person, { ...right, startsAt: new Date(right.startsAt.getTime() - 1000) }),
    await house.giveCloudSignature(renewing.person, { ...right, subject: { surname: 'Inna' } }),
    await house.giveCloudSignature(renewing.person, { ...right, subject: { serialNumber: 'IDCPL-ABA300000' } }),
    await house.giveCloudSignature(other.person, right),
    renewing.signature,
  ]
  for (const { providerId } of wrong) {
    const answer = await call(reportIssued, { params, body: { signature: providerId } })
    expect(answer.problem.code).toBe('certificate-differs')
  }
  const fitting = await house.giveCloudSignature(renewing.person, right)
  expect((await call(reportIssued, { params, body: { signature: fitting.providerId } })).body.state).toBe('issued')
  expect((await call(reportIssued, { params, body: { signature: fitting.providerId } })).status).toBe(200)
  const second = await house.giveCloudSignature(renewing.person, right)
  const twice = await call(reportIssued, { params, body: { signature: second.providerId } })
  expect(twice.problem).toMatchObject({ code: 'state-passed', current: 'issued' })
})

test('R56 the database makes the moves of the contract and no other', async () => {
  const renewing = await house.makeRenewable()
  const { uid } = await opened(renewing)
  const { owner } = house.portal
  // One connection has the setting without which the state of a row cannot be chosen.
  const client = await owner.connect()
  await client.query(
    `update renewals set terms = '', terms_sha256 = 't', agreement_key = 'k', agreement_sha256 = 'a', signed_key = 's' where id = $1`,
    [uid],
  )
  for (const from of renewalStates)
    for (const to of renewalStates.filter((one) => one !== from)) {
      await client.query('set session_replication_role = replica')
      await client.query('update renewals set state = $2 where id = $1', [uid, from])
      await client.query('set session_replication_role = origin')
      const moved = await client
        .query('update renewals set state = $2 where id = $1', [uid, to])
        .then(() => true)
        .catch(() => false)
      expect([from, to, moved]).toEqual([from, to, renewalMoves[from].includes(to)])
    }
  await client.query('delete from renewals where id = $1', [uid])
  client.release()
})

test('REN-6 R55 the provider finds what waits for it, and a code is not sent for an agreement that is not there', async () => {
  const renewing = await house.makeRenewable()
  const ready = await agreed(house, renewing)
  const { call } = openBrowser(house.portal)
  const waiting = async (task: 'agreement' | 'issue') =>
    (await call(listProviderRenewals, { query: { task } })).body.items.map(({ renewal }) => renewal)
  expect(await waiting('agreement')).not.toContain(ready.uid)
  expect(await waiting('issue')).not.toContain(ready.uid)
  const none = await renewing.browser.call(startAgreementSigning, {
    params: at(ready),
    body: { ...shownOf(ready), sha256: 'b'.repeat(64) },
  })
  expect(none.problem.code).toBe('signing-changed')
  await signed(house, renewing, ready)
  expect(await waiting('issue')).toContain(ready.uid)
  await house.desk.work()
  expect(await waiting('issue')).not.toContain(ready.uid)
})

test('REN-10 whatever dies while the signature is made, what was signed by code is signed in the end, once', async () => {
  const renewing = await house.makeRenewable()
  const ready = await agreed(house, renewing)
  const code = await codeFor(house, renewing, ready)
  await renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code } })
  const { ports, pdfWork } = house.portal.portal
  // Each of these fails once, at its turn: before the service is asked, after it has signed, before and after the file stands.
  const breaks: [object, string][] = [
    [ports.remoteSigning!, 'credentials'],
    [pdfWork, 'prepare'],
    [ports.remoteSigning!, 'sign'],
    [ports.timestamps!, 'stamp'],
    [ports.documents, 'write'],
  ]
  for (const [part, name] of breaks) {
    const parts = part as Record<string, unknown>
    const whole = parts[name]
    parts[name] = async () => {
      throw new Error('killed')
    }
    await house.portal.deliver()
    expect((await read(renewing.browser, ready)).state, name).toBe('authorised')
    parts[name] = whole
    // The outbox waits longer after each try.
    await house.advance(70)
  }
  await house.portal.deliver()
  const done = await read(renewing.browser, ready)
  expect(done).toMatchObject({ state: 'signed', agreement: { signed: true } })
  const { rows } = await house.portal.owner.query(
    `select count(*)::int as signed from audit where act = 'renewal-signed' and details ->> 'renewal' = $1`,
    [ready.uid],
  )
  expect(rows).toEqual([{ signed: 1 }])
})

/** Every node looks after what has no signature, twice at once. */
async function lookAfter() {
  const failures: unknown[] = []
  const { nodes } = house.portal
  await Promise.all(
    [...nodes, ...nodes].map((node) => lookAfterSignatures(node.portal, (error) => failures.push(error))),
  )
  expect(failures).toEqual([])
}

/** The next try of what waits in the outbox is the last one. */
const makeNextTryTheLast = () =>
  house.portal.owner.query(
    `update outbox set tries = 82, next_try_at = portal_now() where channel = 'agreement-signature' and outcome is null`,
  )

test('REN-10 an agreement that cannot be signed for a day alarms the operator and is signed by a new code, and what comes too late is dropped', async () => {
  const renewing = await house.makeRenewable()
  const { portal, service } = house
  const ready = await agreed(house, renewing)
  const code = await codeFor(house, renewing, ready)
  service.says = 'unreachable'
  await renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code } })
  await portal.deliver()
  const files = async () =>
    (await portal.owner.query(`select document from document_keys where document like 'agreements/%'`)).rowCount
  const filesBefore = await files()
  const alarms = () => portal.alarms.filter(({ name }) => name === 'agreement-unsigned')
  await house.advance(500)
  await lookAfter()
  expect(alarms()).toEqual([])
  await house.advance(100)
  await lookAfter()
  // Time to mend the service: the portal goes on trying.
  await expect.poll(alarms).toEqual([{ name: 'agreement-unsigned', about: 'signing service' }])
  expect((await read(renewing.browser, ready)).state).toBe('authorised')

  // One worker hangs in the service until its message is another's, whose try is the last.
  const { remoteSigning } = portal.portal.ports
  const { sign } = remoteSigning!
  const late = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  remoteSigning!.sign = async (order) => {
    asked.resolve()
    await late.promise
    return sign(order)
  }
  await house.advance(70)
  const hanging = portal.deliver()
  await asked.promise
  remoteSigning!.sign = sign
  await house.advance(70)
  await makeNextTryTheLast()
  await sendDue(portal.db, portal.portal.keys, deliveriesOf(portal.nodes[1]!.portal))
  expect((await read(renewing.browser, ready)).state).toBe('authorised')
  await lookAfter()
  const back = await read(renewing.browser, ready)
  expect(back).toMatchObject({ state: 'signing', signingFailed: true, agreement: { sha256: ready.agreement!.sha256 } })
  delete service.says
  late.resolve()
  await hanging
  expect(await read(renewing.browser, ready)).toEqual({ ...back, now: expect.any(String) })
  expect(await files()).toBe(filesBefore)
  await portal.deliver()
  const told = portal.mails.filter(
    ({ to, subject }) => to === renewing.person.email && /nie została podpisana/.test(subject),
  )
  expect(told).toHaveLength(1)
  expect(told[0]!.text).toContain(`https://portal.example/renewal/${ready.uid}`)

  // The old code has signed nothing and signs nothing; a new one signs once.
  const stale = await renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(back), code } })
  expect(stale.problem.code).toBe('code-void')
  expect((await signed(house, renewing, back)).state).toBe('signed')
  await house.desk.work()
  await lookAfter()
  expect((await read(renewing.browser, ready)).state).toBe('issued')
  expect([await uses(ready.uid), await certificatesOf(ready.uid)]).toEqual([1, 1])
  const { rows } = await portal.owner.query<{ act: string }>(
    `select act from audit where details ->> 'renewal' = $1 and act in ('renewal-signed', 'renewal-signing-failed') order by id`,
    [ready.uid],
  )
  expect(rows.map(({ act }) => act)).toEqual(['renewal-signing-failed', 'renewal-signed'])
})

test('REN-9 R61 the QR code is there from the second in which the new certificate begins, and not one before', async () => {
  const endsAt = new Date(Math.floor(house.now().getTime() / 1000) * 1000 + 86_400_000)
  const renewing = await house.makeRenewable({ endsAt })
  const ready = await agreed(house, renewing)
  await signed(house, renewing, ready)
  await house.desk.work()
  const { signature } = await read(renewing.browser, ready)
  const begins = endsAt.getTime() + 1000
  expect(signature).toMatchObject({ validFrom: new Date(begins).toISOString(), pairable: false })
  const { portal } = house
  await portal.clock.stopAt(new Date(begins - 1000))
  const browser = await letIn(portal, renewing.person)
  const asked = async (node: number) => {
    await stepUp(portal, browser, renewing.person, 'pair-app', signature!.id)
    const shown = (await read(browser, ready, node)).signature!.pairable
    const answer = await browser.call(startPairing, { params: { id: signature!.id } }, node)
    return [shown, answer.status, answer.problem.code]
  }
  for (const node of [0, 1]) expect(await asked(node)).toEqual([false, 422, 'pairing-not-possible'])
  await portal.clock.stopAt(new Date(begins))
  expect(await asked(1)).toEqual([true, 200, undefined])
})
