import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Locale } from '../contract/enums.ts'
import { finishSigning } from '../contract/documents.ts'
import { inLocale } from '../contract/pages.ts'
import { putVoucherCodes } from '../contract/provider/provider-vouchers.ts'
import {
  confirmPersonalData,
  enterIdentityDocument,
  fixParameters,
  openRenewal,
  signAgreement,
  type Renewal,
} from '../contract/renewal.ts'
import { enterServiceCodes as serviceCodes } from '../contract/signing.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { desktop, phone } from './testing/browser-pages.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { intercept } from './testing/fake-replies.ts'
import { filed, openDocumentCases } from './testing/document-cases.ts'
import { openPortal, say, see } from './testing/open-portal.ts'
import { pathOf, renewalOf, request } from './testing/renewal-calls.ts'
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

/** The third step of a renewal, whose steps before it were made by the calls of their screens. */
async function openThirdStep(page: Page, login: keyof typeof people, locale: Locale) {
  const expiresAt = new Date(Date.now() + 1e9).toISOString()
  const order = { id: crypto.randomUUID(), kind: 'renewal' as const, signature: people[login].signature, expiresAt }
  const { codes } = await cases.provider.call(putVoucherCodes, { body: { codes: [order] } })
  let renewal = await request<Renewal>(page, openRenewal.path, { code: codes[0]!.code })
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
  await page.goto(inLocale(locale, `/renewal/${uid}`))
  return uid
}

const button = (within: Page | Locator, locale: Locale, name: Record<Locale, string | RegExp>) =>
  within.getByRole('button', { name: say(locale, name) })

const texts = {
  sendCode: { pl: /^Wyślij kod SMS/, en: /^Send code/ },
  waysOut: { pl: /^(?:Wstecz|Odmów podpisania)$/, en: /^(?:Back|Decline to sign)$/ },
  startAgain: { pl: /^Zacznij od.nowa nowym kodem/, en: /^Start again with a new/ },
  readAndSign: { pl: /^Przeczytaj i.podpisz/, en: /^Read and sign/ },
  signAgreement: { pl: 'Podpisz umowę', en: 'Sign the agreement' },
  signDocument: { pl: 'Podpisz dokument', en: 'Sign document' },
  goThere: { pl: 'Przejdź do usługi podpisu', en: 'Go to the signing service' },
  pinWrong: { pl: /PIN się nie zgadza/, en: /The PIN is incorrect/ },
  cancelled: { pl: /^Podpisywanie przerwano/, en: /^Signing was cancelled/ },
}

/** Up to what the service asks for, by the portal's code. */
async function passPortalCode(page: Page, within: Page | Locator, login: string, locale: Locale) {
  await button(within, locale, texts.sendCode).click()
  const field = within.locator('input[name=code]')
  await field.waitFor()
  await field.fill(await portal.smsCode(customerOf(login).phone))
  await page.keyboard.press('Enter')
}

/** A wrong PIN is shown at its field, which keeps the code next to it; then both are right. */
async function enterServiceCodes(page: Page, within: Page | Locator, locale: Locale) {
  const [otp, pin] = [within.locator('input[name=otp]'), within.locator('input[name=pin]')]
  await otp.waitFor()
  const code = await portal.serviceCode(customerOf('tomasz').phone)
  await otp.fill(code)
  await pin.fill('111111')
  await page.keyboard.press('Enter')
  await within.getByText(say(locale, texts.pinWrong)).waitFor()
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
async function becomesIssued(page: Page, uid: string, locale: Locale) {
  await page
    .getByRole('heading', { level: 1, name: new RegExp(say(locale, { pl: '^Krok 4', en: '^Step 4' })) })
    .waitFor()
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

test.each(languages('pl'))(
  'SGN-10 SGN-12 %s a renewal is signed with the service’s code and PIN, after a wrong PIN',
  async (locale) => {
    const page = await portal.openPage({ locale, viewport: say(locale, { pl: desktop, en: phone }), tolerate: /400/ })
    await portal.signIn(page, 'tomasz', { locale })
    const uid = await openThirdStep(page, 'tomasz', locale)
    await see(page, locale, {
      pl: /^Po kodzie SMS podasz PIN/,
      en: /^After the text-\u2060message code, you’ll enter your signing PIN/,
    })
    const box = page.locator('.signbox')
    const waysOut = box.getByRole('button', { name: say(locale, texts.waysOut) })
    const checked = await hold(page, signAgreement)
    await passPortalCode(page, page, 'tomasz', locale)
    await checked.arrived
    await expect.poll(() => waysOut.count()).toBe(0)
    checked.release()
    await page.locator('input[name=otp]').waitFor()
    await expect.poll(() => waysOut.count()).toBe(2)
    const step = await page.reload()
    // HTT-7: this step, too, is rendered on the server.
    expect(await step!.text()).toContain('id="page-data"')
    const startAgain = button(page, locale, texts.startAgain)
    await startAgain.click()
    const again = page.locator('input[name=code]')
    await again.waitFor()
    await again.fill(await portal.smsCode(customerOf('tomasz').phone))
    await page.keyboard.press('Enter')
    await startAgain.waitFor()
    const sent = await hold(page, serviceCodes)
    const entered = enterServiceCodes(page, box, locale)
    await sent.arrived
    await expect.poll(() => waysOut.count()).toBe(0)
    expect(await startAgain.count()).toBe(0)
    sent.release()
    await entered
    await becomesIssued(page, uid, locale)
  },
)

test.runIf(exhaustive).each(languages('en'))(
  'SGN-13 %s a renewal is authorised at the page of the service, after it was cancelled there',
  async (locale) => {
    const page = await portal.openPage({ locale, viewport: say(locale, { pl: phone, en: desktop }), tolerate: /422/ })
    await portal.signIn(page, 'bruno', { locale })
    const uid = await openThirdStep(page, 'bruno', locale)
    await passPortalCode(page, page, 'bruno', locale)
    await button(page, locale, texts.goThere).click()
    await cancelThere(page)
    // The same step of the same renewal, and nothing of the return is left in the address.
    await page.waitForURL(portal.origin + inLocale(locale, `/renewal/${uid}?step=3`))
    await page.getByText(say(locale, texts.cancelled)).waitFor()
    expect((await renewalOf(page, uid)).state).toBe('signing')
    await button(page, locale, texts.goThere).click()
    await authorise(page, 'bruno')
    await becomesIssued(page, uid, locale)
    expect(page.url()).not.toMatch(/state|code/)
  },
)

/** The dialog in which a document is signed, which it has opened. Home leads straight to the only one that waits. */
async function openSignHere(page: Page, login: keyof typeof people, number: string, locale: Locale) {
  await cases.give(number, undefined, { owner: login, signer: people[login].signer })
  await portal.signIn(page, login, { locale, to: '/home' })
  await page.getByRole('link', { name: say(locale, texts.readAndSign) }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByText(number).first().waitFor()
  // Once: after a reload the address only names the row.
  await page.waitForURL(/\/documents#document-/)
  await page.reload()
  await button(page.locator('tr:focus', { hasText: number }), locale, texts.readAndSign).click()
  await cases.openToSign(dialog, `e2e-${number}`)
  return dialog
}

const isSigned = (page: Page, locale: Locale) =>
  page
    .locator('dialog[open]')
    .getByRole('heading', { name: say(locale, { pl: 'Dokument jest podpisany', en: 'The document is signed' }) })
    .waitFor()

test.runIf(exhaustive).each(languages('pl'))(
  'DOC-9 SGN-13 %s a document is authorised at the service’s page, and its dialog opens again',
  async (locale) => {
    const page = await portal.openPage({ locale, viewport: say(locale, { pl: phone, en: desktop }), tolerate: /422/ })
    const dialog = await openSignHere(page, 'bruno', `B-${locale}`, locale)
    await passPortalCode(page, dialog, 'bruno', locale)
    await button(dialog, locale, texts.goThere).click()
    await cancelThere(page)
    await dialog.getByText(say(locale, texts.cancelled)).waitFor()
    expect(page.url()).toBe(portal.origin + inLocale(locale, '/documents'))
    await button(dialog, locale, texts.goThere).click()
    await authorise(page, 'bruno')
    await isSigned(page, locale)
  },
)

test.runIf(exhaustive).each(languages('pl'))(
  'SGN-4 SGN-10 %s the page says before the SMS code and while it waits that the app confirms',
  async (locale) => {
    const page = await portal.openPage({ locale })
    const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>()
    await intercept(finishSigning, async (route) => {
      await confirmed
      await route.fallback()
    })({ page })
    const dialog = await openSignHere(page, 'kamila', `K-${locale}`, locale)
    await dialog
      .getByText(
        say(locale, {
          pl: /Po kodzie SMS potwierdzisz podpis/,
          en: /After the text-\u2060message code, you’ll confirm/,
        }),
      )
      .waitFor()
    await passPortalCode(page, dialog, 'kamila', locale)
    const wait = dialog
      .getByRole('status')
      .getByText(say(locale, { pl: /^Potwierdź podpis w/, en: /^Confirm the signature in/ }))
    await wait.waitFor()
    // The dialog is about the confirmation then: the code is done with, and the time that is left is shown.
    await dialog
      .getByRole('heading', { name: say(locale, { pl: 'Potwierdź w\u00a0aplikacji', en: 'Confirm in the app' }) })
      .waitFor()
    await expect
      .poll(() => dialog.getByRole('timer').innerText())
      .toMatch(say(locale, { pl: /^Zostało 1:[0-2]\d$/, en: /^1:[0-2]\d left$/ }))
    expect(await dialog.locator('.vh .otp').count()).toBe(1)
    confirm()
    await isSigned(page, locale)
    await expect.poll(() => wait.count()).toBe(0)
  },
)

test.runIf(exhaustive).each(languages('pl'))(
  'SGN-25 SGN-15 %s for files, the service’s page is another tab, and this one completes them',
  async (locale) => {
    const page = await portal.openPage({ locale, alone: true })
    await portal.signIn(page, 'bruno', { locale, to: '/sign' })
    await page.locator('.drop input[type=file]').setInputFiles(filed(await agreement()))
    const hint = say(locale, { pl: /stronie usługi/, en: /service’s page/ })
    await page.locator('.rcard', { hasText: hint }).locator('input').check()
    await see(page, locale, { pl: 'Podpiszesz 1 plik', en: 'You’re signing 1 file' })
    await passPortalCode(page, page, 'bruno', locale)
    const link = page.getByRole('link', { name: say(locale, texts.goThere) })
    const open = async () => (await Promise.all([page.context().waitForEvent('page'), link.click()]))[0]
    const cancelled = await open()
    await cancelThere(cancelled)
    await cancelled.getByText(say(locale, texts.cancelled)).waitFor()
    await page.getByRole('button', { name: say(locale, { pl: 'Anuluj', en: 'Cancel' }), exact: true }).click()
    await page.getByRole('button', { name: say(locale, { pl: 'Dalej', en: 'Continue' }), exact: true }).click()
    const tab = await open()
    await authorise(tab, 'bruno')
    await tab.getByText(say(locale, { pl: 'Podpis jest potwierdzony', en: 'The signature is confirmed' })).waitFor()
    const signed = say(locale, { pl: 'Plik jest podpisany', en: 'Your file is signed' })
    await page.getByRole('heading', { name: signed }).waitFor()
  },
)
