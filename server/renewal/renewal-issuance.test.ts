import { X509Certificate } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { getProviderRenewal, listProviderRenewals, reportIssued } from '../../contract/provider/provider-renewals.ts'
import {
  finishRenewal,
  listOpenRenewals,
  renewalMoves,
  RenewalState,
  signAgreement,
  startAgreementSigning,
  confirmPersonalData,
  declineAgreement,
  readSigningReadiness,
  returnToPersonalData,
  type Renewal,
} from '../../contract/renewal.ts'
import { renewalNumber } from '../../contract/rules/access-code.ts'
import { enterServiceCodes } from '../../contract/service-authorisation.ts'
import { listSignatures, startSignaturePairing, summariseSignatures } from '../../contract/signatures.ts'
import { renewalBackOffice } from '../../provider/back-office/renewal-back-office.ts'
import { portalClient, type PortalClient } from '../../provider/portal-client.ts'
import { sendDue } from '../platform/messages/outbox.ts'
import { createDeliveries } from '../platform/operations/deliveries.ts'
import { auditEntries, readAuditedActions } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { runOnAllNodes } from '../testing/concurrency.ts'
import { openPortalWithRenewals } from '../testing/open-portal.ts'
import { signInDirectly } from '../testing/samples/ready-customers.ts'
import {
  renewUntilAgreement,
  at,
  readCodeFor,
  startRenewal,
  read,
  shownOf,
  signAgreementByCode,
  expectedOf,
  renewalIn,
} from '../testing/samples/sample-renewals.ts'
import { openSigning, signBy } from '../testing/signing.ts'
import { stepUp } from '../testing/test-customers.ts'
import { retryFailedSignatures } from './renewal-feature.ts'

const setup = await openPortalWithRenewals()

const uses = async (uid: string) => {
  const sql = `select from signatures where provider_id like 'renewal-' || $1 || '%'`
  return (await setup.portal.owner.query(sql, [uid])).rowCount
}

/** Counts the certificates that the authority has issued for the key of a renewal. */
async function countCertificates(uid: string) {
  const key = await setup.keys.make(`renewal-${uid}`, '')
  let count = 0
  for await (const certificate of setup.provider.certificates())
    if (new X509Certificate(certificate).publicKey.equals(key)) count += 1
  return count
}

test('REN-10 R60 however often an answer is lost, one certificate is issued and one signature is created', async () => {
  const renewing = await setup.makeRenewable()
  const ready = await renewUntilAgreement(setup, renewing)
  await signAgreementByCode(setup, renewing, ready)
  const client = portalClient({ url: setup.portal.origin, clientKey: setup.portal.clientKey })
  const { provider, keys, now } = setup
  // Each call loses its answer once, after its effect.
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
  // Once, the provider also dies between issuing and storing the certificate.
  let dies = true
  const mortal = {
    ...keys,
    certify: async (...given: Parameters<typeof keys.certify>) => {
      if (!dies) return keys.certify(...given)
      dies = false
      throw new Error('killed')
    },
  }
  const backOffice = renewalBackOffice({ portal, authority: provider.authority, signingKeys: mortal, now })
  let rounds = 0
  while ((await read(renewing.browser, ready)).state === 'signed') {
    rounds += 1
    expect(rounds).toBeLessThan(8)
    await backOffice.work().catch(() => {})
  }
  await backOffice.work()
  expect(rounds).toBeGreaterThan(3)
  expect((await read(renewing.browser, ready)).state).toBe('issued')
  expect([await uses(ready.uid), await countCertificates(ready.uid)]).toEqual([1, 1])
})

test('SIG-4 HOM-3 a signature shows that its renewal is open or signed; once signed, only the pairing of the new signature remains', async () => {
  const renewing = await setup.makeRenewable()
  const { browser } = renewing
  const seen = async () => {
    const { items } = (await browser.call(listSignatures, { query: { sort: 'ends-first' } })).body
    const { attention } = (await browser.call(summariseSignatures)).body
    const waiting = (await browser.call(listOpenRenewals)).body.items
    return [items.map(({ renewal }) => renewal), attention.length, waiting.map(({ state }) => state)]
  }
  expect(await seen()).toEqual([[null], 1, []])
  const ready = await renewUntilAgreement(setup, renewing, { start: 'immediately' })
  expect(await seen()).toEqual([['begun'], 1, ['signing']])
  await signAgreementByCode(setup, renewing, ready)
  expect(await seen()).toEqual([['signed'], 0, ['signed']])
  await setup.backOffice.work()
  // The new signature is not paired yet.
  expect(await seen()).toEqual([['signed', null], 1, ['issued']])
  const issued = await read(browser, ready)
  const { state, version } = issued
  const { items } = (await browser.call(listSignatures, { query: { sort: 'ends-first' } })).body
  expect(items.map(({ renewedFrom }) => renewedFrom)).toEqual([issued.signature!.validFrom, null])
  const done = await browser.call(finishRenewal, { params: at(issued), body: { expected: { state, version } } })
  expect(done.body.state).toBe('finished')
  expect(await seen()).toEqual([['signed', null], 1, []])
  await setup.portal.owner.query(
    `insert into pairings (signature_id, secret, confirmed_at) values ($1, '\\x00', portal_now())`,
    [issued.signature!.id],
  )
  expect(await seen()).toEqual([['signed', null], 0, []])
})

test('REN-7 REN-10 an agreement that was signed by code waits for an unreachable signing service, and its refusal requires a new code', async () => {
  const renewing = await setup.makeRenewable()
  const ready = await renewUntilAgreement(setup, renewing)
  const code = await readCodeFor(setup, renewing, ready)
  setup.service.failure = 'unreachable'
  const answer = await renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code } })
  expect(answer.body.state).toBe('authorised')
  await setup.portal.deliver()
  expect((await read(renewing.browser, ready)).state).toBe('authorised')
  setup.service.failure = 'refused'
  await setup.advance(5)
  await setup.portal.deliver()
  const refused = await read(renewing.browser, ready)
  expect(refused).toMatchObject({ state: 'signing', hasSigningFailed: true })
  delete setup.service.failure
  const stale = await renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(refused), code } })
  expect(stale.problem.code).toBe('code-void')
  expect((await signAgreementByCode(setup, renewing, refused)).state).toBe('signed')
})

test('R57 a certificate that is not what was signed is not accepted as issued, and neither is another customer’s', async () => {
  const renewing = await setup.makeRenewable()
  const ready = await renewUntilAgreement(setup, renewing)
  await signAgreementByCode(setup, renewing, ready)
  const { call } = openBrowser(setup.portal)
  const params = { renewal: ready.uid }
  const { terms } = (await call(getProviderRenewal, { params })).body
  const right = { startsAt: new Date(terms!.from!), endsAt: new Date(terms!.to) }
  const stranger = await setup.makeRenewable()
  const give = (over: Parameters<typeof setup.giveCloudSignature>[1] = {}, { person } = renewing) =>
    setup.giveCloudSignature(person, { ...right, ...over })
  const report = ({ providerId }: { providerId: string }) =>
    call(reportIssued, { params, body: { signature: providerId } })
  const wrong = [
    await give({ endsAt: new Date(right.endsAt.getTime() + 1000) }),
    await give({ startsAt: new Date(right.startsAt.getTime() - 1000) }),
    await give({ subject: { surname: 'Inna' } }),
    await give({ subject: { serialNumber: 'IDCPL-ABA300000' } }),
    await give({}, stranger),
    renewing.signature,
  ]
  for (const signature of wrong) expect((await report(signature)).problem.code).toBe('certificate-differs')
  const fitting = await give()
  expect((await report(fitting)).body.state).toBe('issued')
  expect((await report(fitting)).status).toBe(200)
  expect((await report(await give())).problem).toMatchObject({ code: 'state-passed', current: 'issued' })
})

test('R56 the database allows the moves of the contract and refuses the rest', async () => {
  const renewing = await setup.makeRenewable()
  const { uid } = await startRenewal(renewing)
  const { owner } = setup.portal
  // The setting that allows to choose the state of a row belongs to a connection.
  const client = await owner.connect()
  await client.query(
    `update renewals set terms = '', terms_sha256 = 't', agreement_key = 'k', agreement_sha256 = 'a', signed_key = 's' where id = $1`,
    [uid],
  )
  for (const from of RenewalState.options)
    for (const to of RenewalState.options.filter((state) => state !== from)) {
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

test('REN-11 REN-16 the provider finds its tasks by the customer’s number, with its template', async () => {
  const { renewalTemplates } = setup.portal.portal.settings
  const renewing = await setup.makeRenewable()
  const ready = await renewUntilAgreement(setup, renewing)
  const { call } = openBrowser(setup.portal)
  const waiting = async (task: 'agreement' | 'issue') =>
    (await call(listProviderRenewals, { query: { task } })).body.items.map(({ renewal }) => renewal)
  expect(await waiting('agreement')).not.toContain(ready.uid)
  expect(await waiting('issue')).not.toContain(ready.uid)
  const none = await renewing.browser.call(startAgreementSigning, {
    params: at(ready),
    body: { ...shownOf(ready), sha256: 'b'.repeat(64) },
  })
  expect(none.problem.code).toBe('signing-changed')
  await signAgreementByCode(setup, renewing, ready)
  expect(await waiting('issue')).toContain(ready.uid)
  const { body } = await call(getProviderRenewal, { params: { renewal: ready.uid } })
  expect(body).toMatchObject({ number: renewalNumber(ready.uid), template: 'T-2', terms: { period: '2_year' } })
  setup.portal.portal.settings.renewalTemplates = {}
  onTestFinished(() => void (setup.portal.portal.settings.renewalTemplates = renewalTemplates))
  expect((await call(getProviderRenewal, { params: { renewal: ready.uid } })).body.template).toBeNull()
  await setup.backOffice.work()
  expect(await waiting('issue')).not.toContain(ready.uid)
})

test('REN-10 after any crash during signing, the agreement that was signed by code is signed in the end, once', async () => {
  const renewing = await setup.makeRenewable()
  const ready = await renewUntilAgreement(setup, renewing)
  const code = await readCodeFor(setup, renewing, ready)
  await renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code } })
  const { ports, pdfWork } = setup.portal.portal
  const killed = () => Promise.reject(new Error('killed'))
  // Each step fails once: before the request to the service, after its signature, before and after the file is stored.
  const breaks = [
    () => vi.spyOn(ports.remoteSigning!, 'listCredentials').mockImplementation(killed),
    () => vi.spyOn(pdfWork, 'prepare').mockImplementation(killed),
    () => vi.spyOn(ports.remoteSigning!, 'sign').mockImplementation(killed),
    () => vi.spyOn(ports.timestamps!, 'stamp').mockImplementation(killed),
    () => vi.spyOn(ports.documents, 'write').mockImplementation(killed),
  ]
  for (const [step, breakStep] of breaks.entries()) {
    const broken = breakStep()
    await setup.portal.deliver()
    expect([step, (await read(renewing.browser, ready)).state]).toEqual([step, 'authorised'])
    broken.mockRestore()
    // The outbox waits longer after each try.
    await setup.advance(70)
  }
  await setup.portal.deliver()
  const done = await read(renewing.browser, ready)
  expect(done).toMatchObject({ state: 'signed', agreement: { isSigned: true } })
  const entries = await auditEntries(setup.portal, { action: 'renewal-signed', details: { renewal: ready.uid } })
  expect(entries).toHaveLength(1)
})

/** Runs the job for missing signatures. */
const lookAfter = () => runOnAllNodes(setup.portal, retryFailedSignatures)

test('REN-10 an agreement that cannot be signed for a day alarms the operator and is signed by a new code, and a late signature is dropped', async () => {
  const renewing = await setup.makeRenewable()
  const { portal, service } = setup
  const ready = await renewUntilAgreement(setup, renewing)
  const code = await readCodeFor(setup, renewing, ready)
  service.failure = 'unreachable'
  await renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code } })
  await portal.deliver()
  const files = async () =>
    (await portal.owner.query(`select document from document_keys where document like 'agreements/%'`)).rowCount
  const filesBefore = await files()
  const alarms = () => portal.alarms.filter(({ name }) => name === 'agreement-unsigned')
  await setup.advance(500)
  await lookAfter()
  expect(alarms()).toEqual([])
  await setup.advance(100)
  await lookAfter()
  // There is time to repair the service: the portal keeps retrying.
  await expect.poll(alarms).toEqual([{ name: 'agreement-unsigned', about: 'signing service' }])
  expect((await read(renewing.browser, ready)).state).toBe('authorised')

  // One worker hangs in the service until another worker has taken over its message, whose try is the last.
  const { remoteSigning } = portal.portal.ports
  const { sign } = remoteSigning!
  const late = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  remoteSigning!.sign = async (order) => {
    asked.resolve()
    await late.promise
    return sign(order)
  }
  await setup.advance(70)
  const hanging = portal.deliver()
  await asked.promise
  remoteSigning!.sign = sign
  await setup.advance(70)
  // The next try is the last one.
  await portal.owner.query(
    `update outbox set tries = 82, next_try_at = portal_now() where channel = 'agreement-signature' and outcome is null`,
  )
  await sendDue({ ...portal.portal, deliveries: createDeliveries(portal.nodes[1]!.portal) })
  expect((await read(renewing.browser, ready)).state).toBe('authorised')
  await lookAfter()
  const back = await read(renewing.browser, ready)
  expect(back).toMatchObject({
    state: 'signing',
    hasSigningFailed: true,
    agreement: { sha256: ready.agreement!.sha256 },
  })
  delete service.failure
  late.resolve()
  await hanging
  expect(await read(renewing.browser, ready)).toEqual({ ...back, now: expect.any(String) })
  expect(await files()).toBe(filesBefore)
  await portal.deliver()
  const mails = portal.mails.filter(
    ({ to, subject }) => to === renewing.person.email && /nie została podpisana/.test(subject),
  )
  expect(mails).toHaveLength(1)
  expect(mails[0]!.text).toContain(`https://portal.example/renewal/${ready.uid}`)

  // The old code signs nothing, and a new code signs once.
  const stale = await renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(back), code } })
  expect(stale.problem.code).toBe('code-void')
  expect((await signAgreementByCode(setup, renewing, back)).state).toBe('signed')
  await setup.backOffice.work()
  await lookAfter()
  expect((await read(renewing.browser, ready)).state).toBe('issued')
  expect([await uses(ready.uid), await countCertificates(ready.uid)]).toEqual([1, 1])
  const actions = await readAuditedActions(portal, { details: { renewal: ready.uid } })
  expect(actions.filter((action) => /^renewal-sign(?:ed|ing-failed)$/.test(action))).toEqual([
    'renewal-signing-failed',
    'renewal-signed',
  ])
})

test('REN-9 R61 the QR code is there from the second in which the new certificate becomes valid, and not earlier', async () => {
  const endsAt = new Date(Math.floor(setup.now().getTime() / 1000) * 1000 + 86_400_000)
  const renewing = await setup.makeRenewable({ endsAt })
  const ready = await renewUntilAgreement(setup, renewing)
  await signAgreementByCode(setup, renewing, ready)
  await setup.backOffice.work()
  const { signature } = await read(renewing.browser, ready)
  const begins = endsAt.getTime() + 1000
  expect(signature).toMatchObject({ validFrom: new Date(begins).toISOString(), canPair: false })
  const { portal } = setup
  await portal.clock.stopAt(new Date(begins - 1000))
  const browser = await signInDirectly(portal, renewing.person)
  const asked = async (node: number) => {
    await stepUp(portal, browser, renewing.person, 'pair-app', signature!.id)
    const shown = (await read(browser, ready, node)).signature!.canPair
    const answer = await browser.call(startSignaturePairing, { params: { id: signature!.id } }, node)
    return [shown, answer.status, answer.problem.code]
  }
  for (const node of [0, 1]) expect(await asked(node)).toEqual([false, 422, 'pairing-not-possible'])
  await portal.clock.stopAt(new Date(begins))
  expect(await asked(1)).toEqual([true, 200, undefined])
  await portal.clock.advance(0)
})

test('R33 R137 going back or declining ends an authorisation, and a new agreement needs a new code', async () => {
  const signing = await openSigning(setup.provider.authority, setup.keys)
  onTestFinished(() => signing.close())
  await signBy(setup.portal, signing, setup.provider)
  const pin = '7391'
  const renewing = await setup.makeRenewable({
    requirement: { settings: { otp: 'sent', pin: true }, factors: { pin } },
  })
  const { browser } = renewing
  /** Enters the portal's code and returns the authorisation; the service requires its own code and the PIN. */
  const begin = async (renewal: Renewal) => {
    const code = await readCodeFor(setup, renewing, renewal)
    const { body } = await browser.call(signAgreement, { params: at(renewal), body: { ...shownOf(renewal), code } })
    return body.authorisation!.id
  }
  const enter = async (id: string) =>
    (await browser.call(enterServiceCodes, { params: { id }, body: { otp: signing.otps.at(-1)!, pin } })).problem.code
  const offered = async (renewal: Renewal) =>
    (await browser.call(readSigningReadiness, { params: at(renewal) })).body.authorisation?.id

  const renewal = await renewUntilAgreement(setup, renewing)
  const first = await begin(renewal)
  const body = { expected: expectedOf(renewal) }
  const back = renewalIn(await browser.call(returnToPersonalData, { params: at(renewal), body }))
  await browser.call(confirmPersonalData, { params: at(renewal), body: { expected: expectedOf(back) } })
  await setup.backOffice.work()
  const next = await read(browser, renewal)
  expect([next.state, next.agreement?.sha256 === renewal.agreement!.sha256]).toEqual(['signing', false])
  expect([await offered(next), await enter(first)]).toEqual([undefined, 'signing-over'])

  // The portal sends the next code only after a while, and so does the service.
  await setup.advance(61)
  signing.advance(61_000)
  const second = await begin(next)
  expect(await offered(next)).toBe(second)
  await browser.call(declineAgreement, { params: at(next), body: { expected: expectedOf(next) } })
  expect(await enter(second)).toBe('signing-over')
  const open = await setup.portal.owner.query(
    'select from service_authorisations where renewal_id = $1 and ended_at is null',
    [renewal.uid],
  )
  expect(open.rowCount).toBe(0)
})
