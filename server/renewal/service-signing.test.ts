import { afterAll, expect, test } from 'vitest'
import {
  confirmPersonalData,
  declineAgreement,
  readSigningReadiness,
  returnToPersonalData,
  signAgreement,
  type Renewal,
} from '../../contract/renewal.ts'
import { enterServiceCodes } from '../../contract/service-authorisation.ts'
import { closingWithFile } from '../testing/open-portal.ts'
import {
  agreed,
  at,
  codeFor,
  expectedOf,
  openRenewalPortal,
  read,
  renewalIn,
  shownOf,
} from '../testing/samples/sample-renewals.ts'
import { openSigning, signBy } from '../testing/signing.ts'

const setup = await closingWithFile(openRenewalPortal, ({ close }) => close())
const signing = await openSigning(setup.provider.authority, setup.keys)
afterAll(() => signing.close())
await signBy(setup.portal, signing, setup.provider)

test('R33 R137 going back or declining ends an authorisation, and a new agreement needs a new code', async () => {
  const pin = '7391'
  const renewing = await setup.makeRenewable({
    requirement: { settings: { otp: 'sent', pin: true }, factors: { pin } },
  })
  const { browser } = renewing
  /** The portal's code is entered; the service requires its own code and the PIN. */
  const begin = async (renewal: Renewal) => {
    const code = await codeFor(setup, renewing, renewal)
    const { body } = await browser.call(signAgreement, { params: at(renewal), body: { ...shownOf(renewal), code } })
    return body.authorisation!.id
  }
  const enter = async (id: string) =>
    (await browser.call(enterServiceCodes, { params: { id }, body: { otp: signing.otps.at(-1)!, pin } })).problem.code
  const offered = async (renewal: Renewal) =>
    (await browser.call(readSigningReadiness, { params: at(renewal) })).body.authorisation?.id

  const renewal = await agreed(setup, renewing)
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
