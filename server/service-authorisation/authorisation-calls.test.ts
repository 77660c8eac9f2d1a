import { Writable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { finishDocumentSigning, readDocument, startDocumentSigning } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import {
  enterServiceCodes,
  finishAtReturn,
  openServicePage,
  sendServiceCode,
  signingNotCompleted,
  signingReturnPath,
} from '../../contract/service-authorisation.ts'
import type { KeyFactors, KeySettings } from '../../provider/signing-service/signing-keys.ts'
import { logger } from '../platform/observability/log.ts'
import { readAuditedActions } from '../testing/audit-entries.ts'
import { codesOf, openBrowser } from '../testing/browser.ts'
import { sendTogether, preparedCall } from '../testing/burst.ts'
import { readDatabase } from '../testing/database-state.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { dumpDatabase, findIn } from '../testing/samples/canaries.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { downloadFile, giveDocument } from '../testing/samples/sample-documents.ts'
import { smsCode } from '../testing/sent-messages.ts'
import { giveCloudSignature, openSigningPortal, signerSubject } from '../testing/signing.ts'

const logs: string[] = []
const stream = new Writable({ write: (chunk, _encoding, done) => (logs.push(String(chunk)), done()) })
const portal = await openPortal({
  nodes: 2,
  comparesPages: false,
  settings: manySends,
  logger: { ...(logger as object), level: 'trace', stream },
})
const { provider, signing, person, customer } = await openSigningPortal(portal)
beforeEach(async () => {
  signing.tamperBy()
  await portal.owner.query(`delete from rate_limits`)
})

const codes = { settings: { otp: 'sent', pin: true } as Partial<KeySettings>, factors: { pin: '7391' } as KeyFactors }
const redirect = { settings: { mode: 'oauth2code' } as Partial<KeySettings> }

/** Makes a document that the customer has downloaded and signed by the portal's code; the service requires more. */
async function beginSigning(options: typeof codes | typeof redirect, browser = customer, owner = person) {
  const signature = await giveCloudSignature(signing, provider, owner, options)
  const { documentCase } = await giveDocument(portal, owner.id, { signer: signerSubject.serialNumber })
  await downloadFile(browser, documentCase)
  const params = { id: documentCase }
  const started = await browser.call(startDocumentSigning, { params, body: { signer: signature.id } })
  expect(started.status).toBe(200)
  await portal.deliver()
  const entered = await browser.call(finishDocumentSigning, { params, body: { code: smsCode(portal, owner.phone) } })
  const authorisation = options.settings.otp ? byCodes : byPage
  expect(entered.body).toMatchObject({ status: 'subscriber-downloaded', authorisation })
  return { params, signing: { id: entered.body.authorisation!.id } }
}
const byCodes = { kind: 'codes', otp: 'sent', pin: true, sentAt: expect.any(String) }
const byPage = { kind: 'redirect', otp: 'none', pin: false }

const statusOf = async ({ id }: { id: string }) => (await customer.call(readDocument, { params: { id } })).body.status
const callsOf = (method: string) => signing.requestsOf(method).length
const enter = async (id: string, body: object) => {
  const { status, problem } = await customer.call(enterServiceCodes, { params: { id }, body })
  return status === 204 ? 'ok' : problem
}
const newestOtp = () => signing.otps.at(-1)!

/** Takes the customer to the service's page and back, and returns the parameters that the portal's return address then gets. */
async function visitServicePage(id: string, { cancel = false } = {}) {
  const { body } = await customer.call(openServicePage, { params: { id }, body: { locale: 'en' } })
  // The service sends no code within half a minute of the last one.
  signing.advance(30_000)
  const back = await signing.authorise(new URL(body.url), person.id, { cancel })
  expect(back.pathname).toBe(signingReturnPath)
  return Object.fromEntries(back.searchParams) as { state: string; code?: string; error?: string }
}
const finish = async (id: string, body: { state: string; code?: string; error?: string }, browser = customer) =>
  codesOf([await browser.call(finishAtReturn, { params: { id }, body })])[0]

test('DOC-9 SGN-11 SGN-12 SGN-15 a document is signed with the service’s code and PIN; a wrong one names its field, and a failure of the service loses nothing', async () => {
  const { params, signing: begin } = await beginSigning(codes)
  const { id } = begin
  const otp = newestOtp()
  expect(await enter(id, { otp })).toMatchObject({ fields: [{ name: 'pin', problem: 'required' }] })
  expect(await enter(id, { otp, pin: '0000' })).toMatchObject({ fields: [{ name: 'pin', problem: 'pin-wrong' }] })
  expect(await enter(id, { otp: '000000', pin: '7391' })).toMatchObject({
    fields: [{ name: 'otp', problem: 'otp-wrong' }],
  })
  signing.tamperBy((path) => (path === 'signatures/signHash' ? 'cut' : undefined))
  expect(await enter(id, { otp, pin: '7391' })).toMatchObject({ code: 'unavailable' })
  signing.tamperBy()
  // The service has used that code up, so it sends another one, but not at once.
  expect((await customer.call(sendServiceCode, { params: begin })).problem).toMatchObject({ code: 'resend-too-early' })
  await portal.clock.advance(limits.signing.resendAfter)
  signing.advance(limits.signing.resendAfter * 1000)
  const sent = await customer.call(sendServiceCode, { params: begin })
  expect(sent.body).toMatchObject({ ...byCodes, sendsLeft: limits.signing.sends - 2 })
  expect(await statusOf(params)).toBe('subscriber-downloaded')
  expect(await enter(id, { otp: newestOtp(), pin: '7391' })).toBe('ok')
  expect(await statusOf(params)).toBe('subscriber-uploaded')
  expect(await enter(id, { otp: newestOtp(), pin: '7391' })).toMatchObject({ code: 'signing-over' })
})

test('R135 a return counts once, for the session, the customer and the signing that it was made for, and the address to return to changes nothing', async () => {
  const { params, signing: own } = await beginSigning(redirect)
  const other = await beginSigning(redirect)
  const back = await visitServicePage(own.id)
  const foreign = await visitServicePage(other.signing.id)
  const stranger = await signInDirectly(portal, await addCustomer(portal))
  const elsewhere = await signInDirectly(portal, person)
  const signed = callsOf('signatures/signHash')

  const before = await readDatabase(portal)
  const arrive = async (query: Record<string, string>, cookie = '') => {
    const path = `${signingReturnPath}?${new URLSearchParams(query).toString()}`
    const answer = await openBrowser(portal).raw('GET', path, undefined, { cookie })
    return [answer.status, answer.headers.get('location')]
  }
  const fragment = new URLSearchParams({ signing: own.id, state: back.state, code: back.code!, case: params.id })
  expect(await arrive(back)).toEqual([303, `/en/documents#${fragment.toString()}`])
  const lost = `/home?${signingNotCompleted}`
  expect(await arrive({ state: 'x'.repeat(43), code: 'x' })).toEqual([303, lost])
  expect(await arrive({ code: 'x' }, 'locale=en')).toEqual([303, `/en${lost}`])
  expect(await arrive({ code: 'x' }, 'locale=//evil.example')).toEqual([303, lost])
  expect(await readDatabase(portal)).toEqual(before)

  expect(await finish(own.id, back, stranger)).toBe('not-found')
  expect(await finish(own.id, back, elsewhere)).toBe('signing-over')
  expect(await finish(own.id, foreign)).toBe('signing-over')
  expect(await finish(own.id, { ...back, state: 'x'.repeat(43) })).toBe('signing-over')
  expect([callsOf('signatures/signHash'), await statusOf(params)]).toEqual([signed, 'subscriber-downloaded'])

  const shots = [0, 1, 2, 3].map(() =>
    preparedCall(finishAtReturn, { params: own, body: back }, { cookie: customer.cookie }),
  )
  const answers = codesOf(await sendTogether(portal, shots))
  expect(answers.filter((answer) => answer === 'ok')).toHaveLength(1)
  // While the first request waits for the service, the others are answered with `busy`.
  for (const answer of answers) expect(['ok', 'busy', 'signing-over']).toContain(answer)
  expect([callsOf('signatures/signHash'), await statusOf(params)]).toEqual([signed + 1, 'subscriber-uploaded'])
  expect(await finish(own.id, back)).toBe('signing-over')
})

test('R135 SGN-13 a cancelled return is used up and signs nothing; the page opens again with another state, which is the only one that counts', async () => {
  const { params, signing: own } = await beginSigning(redirect)
  const cancelled = await visitServicePage(own.id, { cancel: true })
  expect(cancelled).toEqual({ error: 'access_denied', state: expect.any(String) })
  expect(await finish(own.id, cancelled)).toBe('signing-cancelled')
  expect(await finish(own.id, { state: cancelled.state, code: 'x' })).toBe('signing-over')
  const first = await visitServicePage(own.id)
  const second = await visitServicePage(own.id)
  expect(await finish(own.id, { state: cancelled.state, code: second.code! })).toBe('signing-over')
  expect(await finish(own.id, first)).toBe('signing-over')
  // A code that was made for another state fails PKCE at the service.
  expect(await finish(own.id, { state: second.state, code: first.code! })).toBe('signing-refused')
  expect(await statusOf(params)).toBe('subscriber-downloaded')
  expect(await finish(own.id, await visitServicePage(own.id))).toBe('ok')
  expect(await statusOf(params)).toBe('subscriber-uploaded')
  expect(await readAuditedActions(portal, { details: { documentCase: params.id } })).toEqual(
    expect.arrayContaining(['signing-awaited', 'signing-cancelled', 'signing-refused', 'document-signed-in-place']),
  )
})

test('R136 neither PIN nor code of the service, nor what the page returned, is in the database, in a log or in an answer', async () => {
  const pin = 'Kanarek-PIN-48'
  const { signing: first } = await beginSigning({ ...codes, factors: { pin } })
  const secrets = [pin, newestOtp(), 'Kanarek-Zly-99']
  const answers = [JSON.stringify(await enter(first.id, { otp: newestOtp(), pin: 'Kanarek-Zly-99' }))]
  expect(await enter(first.id, { otp: newestOtp(), pin })).toBe('ok')
  const { signing: second } = await beginSigning(redirect)
  const back = await visitServicePage(second.id)
  secrets.push(back.code!, back.state)
  await openBrowser(portal).raw('GET', `${signingReturnPath}?${new URLSearchParams(back).toString()}`)
  expect(await finish(second.id, back)).toBe('ok')
  const places = [await dumpDatabase(portal.owner), logs.join(''), ...answers]
  expect(logs.join('')).toContain(signingReturnPath)
  for (const secret of secrets) expect(places.flatMap((place) => findIn(place, secret))).toEqual([])
})

test('R137 nothing but what the portal’s code has confirmed is sent to the service: a case, a hash or a key that changed meanwhile ends the signing', async () => {
  for (const change of [
    'update document_cases set version = version + 1 where id = $1',
    `update service_authorisations set hash = repeat('0', 64) where case_id = $1`,
    `update service_authorisations set binding = repeat('0', 64) where case_id = $1`,
  ]) {
    const { params, signing: own } = await beginSigning(codes)
    const before = [callsOf('credentials/authorize'), callsOf('signatures/signHash')]
    await portal.owner.query(change, [params.id])
    for (const code of ['signing-changed', 'signing-over'])
      expect(await enter(own.id, { otp: newestOtp(), pin: '7391' })).toMatchObject({ code })
    expect([callsOf('credentials/authorize'), callsOf('signatures/signHash')]).toEqual(before)

    const page = await beginSigning(redirect)
    const back = await visitServicePage(page.signing.id)
    await portal.owner.query(change, [page.params.id])
    expect(await finish(page.signing.id, back)).toBe('signing-changed')
    expect([callsOf('signatures/signHash'), await statusOf(page.params)]).toEqual([before[1], 'subscriber-downloaded'])
    expect(await readAuditedActions(portal, { details: { documentCase: page.params.id } })).toContain('signing-voided')
  }
})

test('R138 a try that is running when the ten minutes end is still waited for, and nothing is called over before its answer', async () => {
  const { signing: running } = await beginSigning(codes)
  const setEnds = (busy: string) =>
    portal.owner.query(
      `update service_authorisations set expires_at = portal_now(), busy_until = portal_now() + $2::interval where id = $1`,
      [running.id, busy],
    )
  await setEnds('1 minute')
  expect(await enter(running.id, { otp: newestOtp(), pin: '7391' })).toMatchObject({ code: 'busy' })
  await setEnds('0 minutes')
  expect(await enter(running.id, { otp: newestOtp(), pin: '7391' })).toMatchObject({ code: 'signing-over' })
})

test('R138 a signing waits ten minutes, takes five wrong entries and three codes of the service; then the customer starts again', async () => {
  const { params, signing: first } = await beginSigning(codes)
  signing.tamperBy((path) =>
    path === 'credentials/authorize' ? { status: 400, body: JSON.stringify({ error: 'invalid_pin' }) } : undefined,
  )
  for (let tries = 0; tries < limits.signing.tries; tries++)
    expect(await enter(first.id, { otp: '111111', pin: '0000' })).toMatchObject({ code: 'invalid-input' })
  signing.tamperBy()
  expect(await enter(first.id, { otp: newestOtp(), pin: '7391' })).toMatchObject({ code: 'signing-over' })

  const { signing: second } = await beginSigning(codes)
  const sends = signing.otps.length
  // What the service could not send does not count.
  await portal.clock.advance(limits.signing.resendAfter)
  signing.tamperBy((path) => (path === 'credentials/getChallenge' ? 'cut' : undefined))
  for (let tries = 0; tries <= limits.signing.sends; tries++)
    expect((await customer.call(sendServiceCode, { params: second })).problem).toMatchObject({ code: 'unavailable' })
  signing.tamperBy()
  for (let more = 1; more < limits.signing.sends; more++) {
    await portal.clock.advance(limits.signing.resendAfter)
    signing.advance(limits.signing.resendAfter * 1000)
    expect((await customer.call(sendServiceCode, { params: second })).status).toBe(200)
  }
  await portal.clock.advance(limits.signing.resendAfter)
  expect((await customer.call(sendServiceCode, { params: second })).problem).toMatchObject({ code: 'sends-spent' })
  expect(signing.otps.length).toBe(sends + limits.signing.sends - 1)

  const { signing: late } = await beginSigning(redirect)
  const back = await visitServicePage(late.id)
  await portal.clock.advance(limits.signing.life)
  expect(await finish(late.id, back)).toBe('signing-over')
  expect(await statusOf(params)).toBe('subscriber-downloaded')
})
