import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import {
  confirmPersonalData,
  declineAgreement,
  readSigningReadiness,
  returnToPersonalData,
  signAgreement,
  type Renewal,
} from '../../contract/renewal.ts'
import { enterServiceCodes, sendServiceCode } from '../../contract/signing.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import {
  agreed,
  at,
  codeFor,
  expectedOf,
  openRenewalPortal,
  read,
  renewalIn,
  shownOf,
  type RenewalPortal,
  type Renewing,
} from '../testing/samples/sample-renewals.ts'
import { openSigning, signBy, type TestSigning } from '../testing/signing.ts'

let setup: RenewalPortal
let signing: TestSigning
beforeAll(async () => {
  setup = await openRenewalPortal()
  signing = await openSigning(setup.provider.authority, setup.keys)
  await signBy(setup.portal, signing, setup.provider)
})
afterAll(async () => {
  await signing.close()
  await setup.close()
})
beforeEach(() => signing.tamperBy())

const pin = '7391'
const refusesPin = (path: string) =>
  path === 'credentials/authorize' ? { status: 400, body: JSON.stringify({ error: 'invalid_pin' }) } : undefined

async function readyToSign() {
  const renewing = await setup.makeRenewable({
    requirement: { settings: { otp: 'sent', pin: true }, factors: { pin } },
  })
  return { renewing, renewal: await agreed(setup, renewing) }
}

/** The portal's code is entered; the service requires its own code and the PIN. */
async function begin(renewing: Renewing, renewal: Renewal) {
  const code = await codeFor(setup, renewing, renewal)
  const answer = await renewing.browser.call(signAgreement, {
    params: at(renewal),
    body: { ...shownOf(renewal), code },
  })
  expect(answer.status).toBe(200)
  return answer.body.authorisation!
}

const enter = async ({ browser }: Renewing, id: string, body = { otp: signing.otps.at(-1)!, pin }) =>
  (await browser.call(enterServiceCodes, { params: { id }, body })).problem?.code ?? 'ok'
const offered = async ({ browser }: Renewing, renewal: Renewal) =>
  (await browser.call(readSigningReadiness, { params: at(renewal) })).body.authorisation?.id ?? null
/** The portal sends the next code only after a while, and so does the service. */
async function wait(seconds: number) {
  await setup.advance(seconds)
  signing.advance(seconds * 1000)
}

test('R138 REN-7 after the last wrong entry the signing has ended, and a new code of the portal starts another one', async () => {
  const { renewing, renewal } = await readyToSign()
  const { id } = await begin(renewing, renewal)
  signing.tamperBy(refusesPin)
  for (let tries = 1; tries < limits.signing.tries; tries++) expect(await enter(renewing, id)).toBe('invalid-input')
  expect(await offered(renewing, renewal)).toBe(id)
  expect(await enter(renewing, id)).toBe('invalid-input')
  expect(await offered(renewing, renewal)).toBeNull()
  signing.tamperBy()
  expect(await enter(renewing, id)).toBe('signing-over')
  await wait(61)
  const again = await begin(renewing, renewal)
  expect(await offered(renewing, renewal)).toBe(again.id)
  expect(await enter(renewing, again.id)).toBe('ok')
  expect((await read(renewing.browser, renewal)).state).toBe('signed')
})

test('SGN-11 codes that the service could not send do not count, however many, and the next one counts', async () => {
  const { renewing, renewal } = await readyToSign()
  signing.tamperBy((path) => (path === 'credentials/getChallenge' ? 'cut' : undefined))
  const { id, sentAt, sendsLeft } = await begin(renewing, renewal)
  expect([sentAt, sendsLeft]).toEqual([null, limits.signing.sends])
  const send = () => renewing.browser.call(sendServiceCode, { params: { id } })
  for (let tries = 0; tries <= limits.signing.sends; tries++)
    expect((await send()).problem).toMatchObject({ code: 'unavailable' })
  signing.tamperBy()
  // The service made a code whose sending it could not confirm, and makes the next one only after a while.
  signing.advance(limits.signing.resendAfter * 1000)
  expect((await send()).body).toMatchObject({ sendsLeft: limits.signing.sends - 1, sentAt: expect.any(String) })
  expect(await enter(renewing, id)).toBe('ok')
})

test('R33 R137 going back or declining ends the authorisation, and a new agreement begins with a new code of the portal', async () => {
  const { renewing, renewal } = await readyToSign()
  const { browser } = renewing
  const first = await begin(renewing, renewal)
  const body = { expected: expectedOf(renewal) }
  const back = renewalIn(await browser.call(returnToPersonalData, { params: at(renewal), body }))
  await browser.call(confirmPersonalData, { params: at(renewal), body: { expected: expectedOf(back) } })
  await setup.backOffice.work()
  const next = await read(browser, renewal)
  expect([next.state, next.agreement?.sha256 === renewal.agreement!.sha256]).toEqual(['signing', false])
  expect(await offered(renewing, next)).toBeNull()
  expect(await enter(renewing, first.id)).toBe('signing-over')

  await wait(61)
  const second = await begin(renewing, next)
  expect(await offered(renewing, next)).toBe(second.id)
  await browser.call(declineAgreement, { params: at(next), body: { expected: expectedOf(next) } })
  expect(await enter(renewing, second.id)).toBe('signing-over')
  const open = await setup.portal.owner.query(
    'select from service_authorisations where renewal_id = $1 and ended_at is null',
    [renewal.uid],
  )
  expect(open.rowCount).toBe(0)
})

test('R138 while one entry waits for the service another one is answered with busy, and a request whose claim has expired changes nothing', async () => {
  const { renewing, renewal } = await readyToSign()
  const { id } = await begin(renewing, renewal)
  const body = { otp: signing.otps.at(-1)!, pin }
  const shots = [0, 1, 2].map(() =>
    shotOf(enterServiceCodes, { params: { id }, body }, { cookie: renewing.browser.cookie }),
  )
  const codes = (await fireTogether(setup.portal, shots)).map(({ status, problem }) =>
    status === 204 ? 'ok' : problem.code,
  )
  expect(codes.toSorted()).toEqual(['busy', 'busy', 'ok'])

  const other = await readyToSign()
  const { id: slow } = await begin(other.renewing, other.renewal)
  const answers: (() => void)[] = []
  let arrived = () => {}
  signing.tamperBy((path) => {
    const refused = refusesPin(path)
    return refused && new Promise((resolve) => (answers.push(() => resolve(refused)), arrived()))
  })
  /** An entry that the service does not answer until the test lets it. */
  const enterSlowly = async () => {
    const isThere = new Promise<void>((resolve) => (arrived = resolve))
    const entered = enter(other.renewing, slow)
    await isThere
    return { entered }
  }
  const first = await enterSlowly()
  await wait(limits.signing.busy)
  const second = await enterSlowly()
  answers[0]!()
  expect(await first.entered).toBe('invalid-input')
  expect(await enter(other.renewing, slow)).toBe('busy')
  answers[1]!()
  expect(await second.entered).toBe('invalid-input')
})
