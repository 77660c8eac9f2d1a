import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Endpoint } from '../contract/endpoint.ts'
import { finishSigning } from '../contract/documents.ts'
import {
  confirmPersonalData,
  enterIdentityDocument,
  fixParameters,
  signAgreement,
  type Renewal,
} from '../contract/renewal.ts'
import { enterServiceCodes as serviceCodes } from '../contract/service-authorisation.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { desktop, phone } from './testing/browser-pages.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { intercept } from './testing/fake-replies.ts'
import { filed, openDocumentCases } from './testing/document-cases.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { pathOf, renewalOf, request, openRenewalOf } from './testing/renewal-calls.ts'
import { agreement } from './testing/samples/agreement.ts'

const portal = await openPortal()
const cases = await openDocumentCases(portal)

/** What the service asks: of Tomasz its own code and a PIN, of Bruno an authorisation at its page, of Kamila a confirmation elsewhere. */
const people = {
  tomasz: { signature: 'demo-tomasz-now', signer: 'TINPL-1234563218', pin: '246810' },
  bruno: { signature: 'demo-bruno-app', signer: 'PNOPL-78110402331' },
  kamila: { signature: 'demo-kamila-app', signer: 'IDCPL-ABA400007' },
}

const expectedOf = ({ state, version }: Renewal) => ({ state, version })

/** Goes from Home to the third step of a renewal, whose steps before it were made by the calls of their screens. */
async function openThirdStep(page: Page, login: keyof typeof people) {
  let renewal = await openRenewalOf(page, cases.provider, people[login].signature)
  const { uid } = renewal
  if (renewal.stops.length) {
    const document = { ...renewal.person.document!, validTo: null }
    await request(page, pathOf(enterIdentityDocument, uid), { expected: expectedOf(renewal), document })
    await expect.poll(async () => (await renewalOf(page, uid)).stops).toEqual([])
    renewal = await renewalOf(page, uid)
  }
  const parameters = { ...renewal.parameters, years: 1 }
  const fixed = await request<Renewal>(page, pathOf(fixParameters, uid), {
    expected: expectedOf(renewal),
    parameters,
    shortenedTo: null,
  })
  await request(page, pathOf(confirmPersonalData, uid), { expected: expectedOf(fixed) })
  await page.goto(page.url().replace('/home', `/renewal/${uid}`))
  return uid
}

const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name })

/** The buttons and links that lead on, in both languages. */
const names = {
  sendCode: /^(?:Wyślij kod SMS|Send code)/,
  waysOut: /^(?:Wstecz|Odmów podpisania|Back|Decline to sign)$/,
  startAgain: /^(?:Zacznij od.nowa nowym kodem|Start again with a new)/,
  readAndSign: /^(?:Przeczytaj i.podpisz|Read and sign)/,
  goThere: /^(?:Przejdź do usługi podpisu|Go to the signing service)/,
}

const locale = language('pl')
const { see, translate } = inLanguage(locale)

/** Up to what the service asks for, by the portal's code. */
async function passPortalCode(page: Page, within: Page | Locator, login: string) {
  await button(within, names.sendCode).click()
  const field = within.locator('input[name=code]')
  await field.waitFor()
  await field.fill(await portal.smsCode(customerOf(login).phone))
  await page.keyboard.press('Enter')
}

/** A wrong PIN is shown at its field, which keeps the code next to it; then both are right. */
async function enterServiceCodes(page: Page, within: Page | Locator) {
  const [otp, pin] = [within.locator('input[name=otp]'), within.locator('input[name=pin]')]
  await otp.waitFor()
  const code = await portal.serviceCode(customerOf('tomasz').phone)
  await otp.fill(code)
  await pin.fill('111111')
  await page.keyboard.press('Enter')
  await see(within, /PIN się nie zgadza/, /The PIN is incorrect/)
  await expect.poll(() => otp.inputValue()).toBe(code)
  await pin.fill(people.tomasz.pin)
  await page.keyboard.press('Enter')
}

/** At the page of the embedded signing service. */
async function authorise(page: Page, login: string) {
  await page.waitForURL(/\/csc\/v2\/oauth2\/authorize/)
  await page.locator('input[name=login]').fill(login)
  await page.locator('button[value=login]').click()
  await page.locator('input[name=code]').fill(await portal.serviceCode(customerOf(login).phone))
  await page.locator('button[value=confirm]').click()
}

async function cancelThere(page: Page) {
  await page.waitForURL(/\/csc\/v2\/oauth2\/authorize/)
  await page.locator('button[value=cancel]').click()
}

/** The agreement is signed, and the provider issues the certificate. */
async function becomesIssued(page: Page, uid: string) {
  await page.getByRole('heading', { level: 1, name: /^(?:Krok|Step) 4/ }).waitFor()
  const renewal = await renewalOf(page, uid)
  expect([renewal.agreement!.signed, renewal.signingFailed]).toEqual([true, false])
}

/** Holds a call until `release` is called; `arrived` resolves once it has been made. */
async function hold(page: Page, endpoint: Endpoint) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  await intercept(endpoint, async (route) => {
    arrive()
    await released
    await route.fallback()
  })({ page })
  return { arrived, release }
}

test('SGN-10 SGN-12 a renewal is signed with the service’s code and PIN, after a wrong PIN', async () => {
  const page = await portal.openPage({ locale, viewport: translate(desktop, phone), tolerate: /400/ })
  await portal.signIn(page, 'tomasz', { locale })
  const uid = await openThirdStep(page, 'tomasz')
  await see(page, /^Po kodzie SMS podasz PIN/, /^After the text-\u2060message code, you’ll enter your signing PIN/)
  const box = page.locator('.signbox')
  const waysOut = button(box, names.waysOut)
  const checked = await hold(page, signAgreement)
  await passPortalCode(page, page, 'tomasz')
  await checked.arrived
  await expect.poll(() => waysOut.count()).toBe(0)
  checked.release()
  await page.locator('input[name=otp]').waitFor()
  await expect.poll(() => waysOut.count()).toBe(2)
  const step = await page.reload()
  // HTT-7: this step, too, is rendered on the server.
  expect(await step!.text()).toContain('id="page-data"')
  const startAgain = button(page, names.startAgain)
  await startAgain.click()
  const again = page.locator('input[name=code]')
  await again.waitFor()
  await again.fill(await portal.smsCode(customerOf('tomasz').phone))
  await page.keyboard.press('Enter')
  await startAgain.waitFor()
  const sent = await hold(page, serviceCodes)
  const entered = enterServiceCodes(page, box)
  await sent.arrived
  await expect.poll(() => waysOut.count()).toBe(0)
  expect(await startAgain.count()).toBe(0)
  sent.release()
  await entered
  await becomesIssued(page, uid)
})

test.runIf(exhaustive)('SGN-13 a renewal is authorised at the service’s page, after a cancellation there', async () => {
  const page = await portal.openPage({ viewport: phone, tolerate: /422/ })
  await portal.signIn(page, 'bruno')
  const uid = await openThirdStep(page, 'bruno')
  await passPortalCode(page, page, 'bruno')
  await button(page, names.goThere).click()
  await cancelThere(page)
  // The same step of the same renewal, and nothing of the return is left in the address.
  await page.waitForURL(`${portal.origin}/renewal/${uid}?step=3`)
  await page.getByText(/^Podpisywanie przerwano/).waitFor()
  expect((await renewalOf(page, uid)).state).toBe('signing')
  await button(page, names.goThere).click()
  await authorise(page, 'bruno')
  await becomesIssued(page, uid)
  expect(page.url()).not.toMatch(/state|code/)
})

/** The dialog in which a document is signed, which it has opened. Home leads straight to the only one that waits. */
async function openSignHere(page: Page, login: keyof typeof people, number: string) {
  await cases.give(number, undefined, { owner: login, signer: people[login].signer })
  await portal.signIn(page, login, { locale: 'en', to: '/home' })
  await page.getByRole('link', { name: names.readAndSign }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByText(number).first().waitFor()
  // Once: after a reload the address only names the row.
  await page.waitForURL(/\/documents#document-/)
  await page.reload()
  await button(page.locator('tr:focus', { hasText: number }), names.readAndSign).click()
  await cases.openToSign(dialog, `e2e-${number}`)
  return dialog
}

const isSigned = (page: Page) =>
  page.locator('dialog[open]').getByRole('heading', { name: 'The document is signed' }).waitFor()

test.runIf(exhaustive)('DOC-9 SGN-13 a document is authorised at the service’s page; its dialog reopens', async () => {
  const page = await portal.openPage({ locale: 'en', viewport: desktop, tolerate: /422/ })
  const dialog = await openSignHere(page, 'bruno', 'B-en')
  await passPortalCode(page, dialog, 'bruno')
  await button(dialog, names.goThere).click()
  await cancelThere(page)
  await dialog.getByText(/^Signing was cancelled/).waitFor()
  expect(page.url()).toBe(`${portal.origin}/en/documents`)
  await button(dialog, names.goThere).click()
  await authorise(page, 'bruno')
  await isSigned(page)
})

test.runIf(exhaustive)('SGN-4 SGN-10 before the SMS code and after, the page says that the app confirms', async () => {
  const page = await portal.openPage({ locale: 'en' })
  const confirmation = await hold(page, finishSigning)
  const dialog = await openSignHere(page, 'kamila', 'K-en')
  await dialog.getByText(/After the text-\u2060message code, you’ll confirm/).waitFor()
  await passPortalCode(page, dialog, 'kamila')
  const wait = dialog.getByRole('status').getByText(/^Confirm the signature in/)
  await wait.waitFor()
  // The dialog is about the confirmation then: the code is done with, and the time that is left is shown.
  await dialog.getByRole('heading', { name: 'Confirm in the app' }).waitFor()
  await expect.poll(() => dialog.getByRole('timer').innerText()).toMatch(/^1:[0-2]\d left$/)
  expect(await dialog.locator('.vh .otp').count()).toBe(1)
  confirmation.release()
  await isSigned(page)
  await expect.poll(() => wait.count()).toBe(0)
})

test.runIf(exhaustive)('SGN-25 SGN-15 for files the service’s page is another tab; this one goes on', async () => {
  const page = await portal.openPage({ locale: 'en', alone: true })
  await portal.signIn(page, 'bruno', { locale: 'en', to: '/sign' })
  await page.locator('.drop input[type=file]').setInputFiles(filed(await agreement()))
  await page
    .locator('.rcard', { hasText: /service’s page/ })
    .locator('input')
    .check()
  await page.getByText('You’re signing 1 file').waitFor()
  await passPortalCode(page, page, 'bruno')
  const link = page.getByRole('link', { name: names.goThere })
  const open = async () => (await Promise.all([page.context().waitForEvent('page'), link.click()]))[0]
  const cancelled = await open()
  await cancelThere(cancelled)
  await cancelled.getByText(/^Signing was cancelled/).waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  const tab = await open()
  await authorise(tab, 'bruno')
  await tab.getByText('The signature is confirmed').waitFor()
  await page.getByRole('heading', { name: 'Your file is signed' }).waitFor()
})
