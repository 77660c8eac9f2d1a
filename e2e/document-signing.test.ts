import type { Page, Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  downloadDocument,
  listDocuments,
  listDocumentSigners,
  type DocumentCase,
  finishDocumentSigning,
} from '../contract/documents.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import {
  confirmPersonalData,
  enterIdentityDocument,
  fixParameters,
  signAgreement,
  type Renewal,
} from '../contract/renewal.ts'
import { enterServiceCodes as serviceCodes } from '../contract/service-authorisation.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { desktop, enterWrongCode, phone, untilFocused, downloadBy, holdRequests } from './testing/browser-pages.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { enterAccessCode, openDocumentCases, uploadFile } from './testing/document-cases.ts'
import { reply, sendPdf, intercept } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { pathOf, readRenewalOf, request, openRenewalOf } from './testing/portal-calls.ts'
import { accessCode, lockedAgreement, lockedPageless, agreement } from './testing/samples/documents.ts'

const portal = await openPortal()
const locale = language('pl')
const { button, heading, translate, waitForText } = inLanguage(locale)
const cases = await openDocumentCases(portal)
const person = customerOf('malgorzata')

/** A case in each language; the second one was not downloaded yet. */
const documents = {
  pl: { number: 'U-20846', name: 'demo-document-downloaded' },
  en: { number: 'U-20871', name: 'demo-document-passed' },
}

const caseOf = (page: Page, document: string) =>
  page.evaluate(
    async ([path, number]) => {
      const { items } = (await (await fetch(path!)).json()) as { items: DocumentCase[] }
      return items.find((documentCase) => documentCase.document === number)!
    },
    [listDocuments.path, document],
  )

/** Collects the addresses of all requests that may change something, which are all but GET. */
function watchPosts(page: Page) {
  const said: string[] = []
  page.on('request', (call) => void (call.method() !== 'GET' && said.push(call.url())))
  return said
}

/** Presses the button of the case that signs here, and opens its document. */
async function openWithCode(page: Page) {
  const row = page.locator('tr', { hasText: documents.pl.number })
  await row.getByRole('button', { name: /^(?:Przeczytaj i.podpisz|Read and sign)/ }).press('Enter')
  await enterAccessCode(page.locator('dialog[open]'), accessCode)
}

/** Returns the text of the newest SMS, without taking its code. */
async function newestSms() {
  const [newest] = (await portal.messages()).filter(({ to }) => to === person.phone)
  return newest!.text
}

test.runIf(exhaustive)('DOC-12 R50 a document is read, zoomed, searched by keyboard; Enter signs nothing', async () => {
  const page = await portal.openAs(person.login, { to: '/documents' })
  // An agreement of three pages, in the form in which the portal sends it.
  await sendPdf(downloadDocument, lockedAgreement)({ page })
  const dialog = page.locator('dialog[open]')
  await openWithCode(page)
  const said = watchPosts(page)
  const reader = dialog.getByRole('region', { name: 'Strony dokumentu' })
  const shows = async (number: number) => {
    await dialog.getByText(`Strona ${number} z\u00a03`, { exact: true }).waitFor()
    await expect.poll(() => reader.getAttribute('aria-busy')).toBe(null)
  }
  await shows(1)
  await dialog.getByText('3\u00a0strony').waitFor()
  const picture = reader.locator('canvas')
  const look = () => picture.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  const first = await look()

  // From the title: close, two for pages, three for the zoom, the search, the download.
  for (let stop = 0; stop < 9; stop++) await page.keyboard.press('Tab')
  await untilFocused(reader)
  for (const [key, number] of [
    ['ArrowRight', 2],
    ['End', 3],
    ['PageUp', 2],
    ['Home', 1],
  ] as const) {
    await page.keyboard.press(key)
    await shows(number)
    expect([key, (await look()) === first]).toEqual([key, number === 1])
  }
  const width = async () => (await picture.boundingBox())!.width
  const fitting = await width()
  await page.keyboard.press('+')
  await expect.poll(async () => (await width()) / fitting).toBeCloseTo(1.25, 1)
  await page.keyboard.press('-')
  await expect.poll(width).toBe(fitting)
  // The end of a page leads to the next one.
  await dialog.getByText('Przewiń, aby czytać dalej').waitFor()
  await reader.evaluate((place) => place.scrollTo(0, place.scrollHeight))
  await dialog.getByRole('button', { name: 'Czytaj stronę 2 z\u00a03' }).press('Enter')
  await shows(2)
  await untilFocused(reader)
  await page.keyboard.press('End')
  await shows(3)
  await reader.evaluate((place) => place.scrollTo(0, place.scrollHeight))
  await dialog.getByText('Koniec dokumentu').waitFor()
  await page.keyboard.press('Home')
  await shows(1)

  await dialog.getByRole('button', { name: 'Szukaj w\u00a0dokumencie' }).press('Enter')
  const search = dialog.getByRole('searchbox')
  await untilFocused(search)
  await search.fill('nie ma takiego tekstu')
  await dialog.getByText('Brak wyników').waitFor()
  await search.fill('ODSTĄPI')
  const found = dialog.locator('.reader__found')
  const total = async () => /^1 (?:z|of)\s(\d+)$/.exec(await found.innerText())?.[1]
  await expect.poll(total).toBeTruthy()
  const count = Number(await total())
  // What is found is on a later page, which is shown with its places marked.
  await dialog.getByText(new RegExp('^Strona [23] z')).waitFor()
  await expect.poll(() => reader.getAttribute('aria-busy')).toBe(null)
  expect((await reader.locator('p').innerText()).toLowerCase()).toContain('odstąpi')
  await search.press('Enter')
  await expect.poll(() => found.innerText()).toMatch(/^2 /)
  // Before the first place is the last one.
  for (let back = 0; back < 2; back++) await search.press('Shift+Enter')
  await expect.poll(() => found.innerText()).toMatch(new RegExp(`^${count} `))
  await dialog.getByRole('heading', { name: 'Przeczytaj i\u00a0podpisz' }).waitFor()
  expect(said).toEqual([])
})

test.runIf(exhaustive)('DOC-11 DOC-12 on a phone the tools are a row; the button says why it cannot sign', async () => {
  const page = await portal.openAs(person.login, { locale: 'en', viewport: phone, to: '/documents' })
  await sendPdf(downloadDocument, lockedAgreement)({ page })
  const dialog = page.locator('dialog[open]')
  async function openHere() {
    await openWithCode(page)
    await expect.poll(() => dialog.locator('.reader__at').innerText()).toContain('1 of 3')
  }
  await openHere()
  const note = dialog.locator('.dialog__foot [role=status]')
  await expect
    .poll(() => note.innerText())
    .toContain('You’re signing with the personal certificate of Małgorzata Wiśniewska. A signature can’t be undone.')
  // The page has most of the screen.
  expect((await dialog.locator('.reader__place').boundingBox())!.height).toBeGreaterThan(phone.height * 0.6)
  // The page fits the width without its white margins; two taps enlarge it there, and one press fits the width again.
  const place = dialog.locator('.reader__place')
  const picture = place.locator('canvas')
  const isWide = () => place.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
  expect(await isWide()).toBe(false)
  // A4 is 0.707 wide to its height.
  expect(
    await picture.evaluate(({ offsetWidth, offsetHeight }: HTMLCanvasElement) => offsetWidth / offsetHeight),
  ).toBeLessThan(0.6)
  const smaller = dialog.getByRole('button', { name: 'Zoom out' })
  expect(await smaller.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByText('Double-tap to enlarge.').waitFor()
  await picture.dblclick({ position: { x: 300, y: 200 } })
  await dialog.getByText('Scroll down and sideways to read').waitFor()
  expect(await place.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(100)
  await dialog.getByRole('button', { name: '150%, fit' }).click()
  await expect.poll(isWide).toBe(false)

  // Its letters are small, so its text can be read alone.
  const letters = dialog.getByRole('button', { name: 'Show text only' })
  await letters.click()
  const paragraph = dialog.locator('.reader__text').getByText('1. Przedmiot umowy', { exact: true })
  await paragraph.waitFor()
  expect(await picture.isVisible()).toBe(false)
  expect(await paragraph.evaluate((element) => parseFloat(getComputedStyle(element).fontSize))).toBeGreaterThan(16)
  expect(await isWide()).toBe(false)
  await letters.click()
  await picture.waitFor()

  const bar = dialog.locator('.reader__bar')
  const heights = async () => (await bar.boundingBox())!.height
  expect(await heights()).toBeLessThan(60)
  const opener = bar.getByRole('button', { name: 'Search the document' })
  await opener.press('Enter')
  const search = dialog.getByRole('searchbox')
  await untilFocused(search)
  expect(await heights()).toBeLessThan(60)
  await search.fill('ODSTĄPI')
  await expect.poll(() => dialog.locator('.reader__found').innerText()).toMatch(/^1 /)
  await bar.getByRole('button', { name: 'Close search' }).press('Enter')
  await untilFocused(opener)
  expect(await dialog.locator('input[type=search]').inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await reply(listDocumentSigners, { signers: [], maskedPhone: '+48 ••• ••• 417' })({ page })
  await page.reload()
  await openHere()
  await expect.poll(() => note.innerText()).toContain('you have no valid signature in the mobile app')
  const saving = downloadBy(page, () =>
    dialog.locator('.dialog__foot').getByRole('button', { name: 'Download PDF' }).click(),
  )
  expect((await saving).suggestedFilename()).toContain('U-20846')
})

test.runIf(exhaustive)('DOC-11 no code is sent before a page is shown; without pages it is downloaded', async () => {
  const page = await portal.openAs(person.login, { to: '/documents' })
  await sendPdf(downloadDocument, lockedPageless)({ page })
  const dialog = page.locator('dialog[open]')
  await openWithCode(page)
  const foot = dialog.locator('.dialog__foot')
  await foot.getByText('Nie możemy pokazać tego dokumentu, więc').waitFor()
  expect(await dialog.getByRole('button', { name: 'Wyślij kod SMS' }).count()).toBe(0)
  const saving = downloadBy(page, () => foot.getByRole('button', { name: 'Pobierz PDF' }).click())
  expect((await saving).suggestedFilename()).toContain('U-20846')

  // Nor before a page is shown.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await sendPdf(downloadDocument, lockedAgreement)({ page })
  const arrive = await holdRequests(page, '**/page-worker*')
  await openWithCode(page)
  const send = foot.getByRole('button', { name: 'Wyślij kod SMS' })
  await foot.getByText('Otwieramy dokument.').waitFor()
  expect(await send.getAttribute('aria-disabled')).toBe('true')
  arrive()
  await expect.poll(() => send.getAttribute('aria-disabled')).toBe(null)
  await foot
    .getByRole('status')
    .getByText(`••• ${person.phone.slice(-3)}`)
    .waitFor()
})

test('DOC-10 DOC-11 a document is opened, read and signed by a code that names it', async () => {
  const page = await portal.openAs(person.login, {
    locale,
    viewport: locale === 'pl' ? desktop : phone,
    to: '/documents',
  })
  const { number: document, name } = documents[locale]
  const row = page.locator('tr', { hasText: document })
  await button(row, /^Przeczytaj i.podpisz/, /^Read and sign/).press('Enter')

  const dialog = page.locator('dialog[open]')
  await dialog.getByText('Małgorzata Wiśniewska').waitFor()
  await cases.openToSign(dialog, name)
  const send = button(dialog, 'Wyślij kod SMS', 'Send code')
  await send.press('Enter')

  const field = dialog.locator('input[name=code]')
  await field.waitFor()
  const code = await portal.smsCode(person.phone)
  const [, mark] = /(?:Oznaczenie dokumentu|Document reference): ([0-9a-f]{8})/.exec(await dialog.innerText())!
  // In the language of the account, not of the page.
  expect(await newestSms()).toContain(`do podpisania dokumentu ${mark}:`)

  // What is signed is said here as well, and the document can be read again: its code stays valid.
  await waitForText(dialog, 'Podpisu nie można cofnąć.', 'A signature can’t be undone.')
  await button(dialog, 'Wróć do dokumentu', 'Back to document').press('Enter')
  await dialog.getByRole('img').waitFor()
  await expect.poll(() => send.getAttribute('aria-disabled')).not.toBe('true')
  await send.press('Enter')
  await field.waitFor()

  // A wrong code is an error at its field, and typing the last digit does not sign by itself.
  await enterWrongCode(page, code)
  await dialog.locator('.error').waitFor()
  await field.fill(code)
  expect((await caseOf(page, document)).status).toBe('subscriber-downloaded')
  await page.keyboard.press('Enter')
  await heading(dialog, 'Dokument jest podpisany', 'The document is signed').waitFor()
  // The row behind it changes at once.
  await row.getByText(translate('Czeka na podpis', 'Awaiting your signature')).waitFor({ state: 'detached' })
  await button(dialog, 'Wróć do dokumentów', 'Back to documents').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await button(row, /^Przeczytaj i.podpisz/, /^Read and sign/).waitFor({ state: 'detached' })
  expect(['subscriber-uploaded', 'issuer-uploaded', 'finished']).toContain((await caseOf(page, document)).status)
})

/**
 * Customers by what the signing service asks for: its own code and a PIN from Tomasz, an authorisation on its page from Bruno, a
 * confirmation elsewhere from Kamila.
 */
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
    await expect.poll(async () => (await readRenewalOf(page, uid)).stops).toEqual([])
    renewal = await readRenewalOf(page, uid)
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

const buttonNamed = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name })

/** The buttons and links that lead on, in both languages. */
const names = {
  sendCode: /^(?:Wyślij kod SMS|Send code)/,
  waysOut: /^(?:Wstecz|Odmów podpisania|Back|Decline to sign)$/,
  startAgain: /^(?:Zacznij od.nowa nowym kodem|Start again with a new)/,
  readAndSign: /^(?:Przeczytaj i.podpisz|Read and sign)/,
  goThere: /^(?:Przejdź do usługi podpisu|Go to the signing service)/,
}

/** Requests and enters the portal's code; what the signing service asks for comes next. */
async function passPortalCode(page: Page, within: Page | Locator, login: string) {
  await buttonNamed(within, names.sendCode).click()
  const field = within.locator('input[name=code]')
  await field.waitFor()
  await field.fill(await portal.smsCode(customerOf(login).phone))
  await page.keyboard.press('Enter')
}

/** Enters the service's code with a wrong PIN, checks that the error is shown and the code is kept, then enters the right PIN. */
async function enterServiceCodes(page: Page, within: Page | Locator) {
  const [otp, pin] = [within.locator('input[name=otp]'), within.locator('input[name=pin]')]
  await otp.waitFor()
  const code = await portal.serviceCode(customerOf('tomasz').phone)
  await otp.fill(code)
  await pin.fill('111111')
  await page.keyboard.press('Enter')
  await waitForText(within, /PIN się nie zgadza/, /The PIN is incorrect/)
  await expect.poll(() => otp.inputValue()).toBe(code)
  await pin.fill(people.tomasz.pin)
  await page.keyboard.press('Enter')
}

/** Authorises on the page of the embedded signing service. */
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

/** Waits for step 4, in which the provider issues the certificate, and checks that the agreement is signed. */
async function expectAgreementSigned(page: Page, uid: string) {
  await page.getByRole('heading', { level: 1, name: /^(?:Krok|Step) 4/ }).waitFor()
  const renewal = await readRenewalOf(page, uid)
  expect([renewal.agreement!.isSigned, renewal.hasSigningFailed]).toEqual([true, false])
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
  const page = await portal.openAs('tomasz', { locale, viewport: translate(desktop, phone), tolerate: /400/ })
  const uid = await openThirdStep(page, 'tomasz')
  await waitForText(
    page,
    /^Po kodzie SMS podasz PIN/,
    /^After the text-\u2060message code, you’ll enter your signing PIN/,
  )
  const box = page.locator('.sign-box')
  const waysOut = buttonNamed(box, names.waysOut)
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
  const startAgain = buttonNamed(page, names.startAgain)
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
  await expectAgreementSigned(page, uid)
})

test.runIf(exhaustive)('SGN-13 a renewal is authorised at the service’s page, after a cancellation there', async () => {
  const page = await portal.openAs('bruno', { viewport: phone, tolerate: /422/ })
  const uid = await openThirdStep(page, 'bruno')
  await passPortalCode(page, page, 'bruno')
  await buttonNamed(page, names.goThere).click()
  await cancelThere(page)
  // The same step of the same renewal, and nothing of the return is left in the address.
  await page.waitForURL(`${portal.origin}/renewal/${uid}?step=3`)
  await page.getByText(/^Podpisywanie przerwano/).waitFor()
  expect((await readRenewalOf(page, uid)).state).toBe('signing')
  await buttonNamed(page, names.goThere).click()
  await authorise(page, 'bruno')
  await expectAgreementSigned(page, uid)
  expect(page.url()).not.toMatch(/state|code/)
})

/** Opens a document in the dialog that signs here, and returns the dialog. Home links directly to the only document that waits. */
async function openSignHere(page: Page, login: keyof typeof people, number: string) {
  await cases.give(number, undefined, { owner: login, signer: people[login].signer })
  await portal.signIn(page, login, { locale: 'en', to: '/home' })
  await page.getByRole('link', { name: names.readAndSign }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByText(number).first().waitFor()
  // Once: after a reload the address only names the row.
  await page.waitForURL(/\/documents#document-/)
  await page.reload()
  await buttonNamed(page.locator('tr:focus', { hasText: number }), names.readAndSign).click()
  await cases.openToSign(dialog, `e2e-${number}`)
  return dialog
}

const isSigned = (page: Page) =>
  page.locator('dialog[open]').getByRole('heading', { name: 'The document is signed' }).waitFor()

test.runIf(exhaustive)('DOC-9 SGN-13 a document is authorised at the service’s page; its dialog reopens', async () => {
  const page = await portal.openPage({ locale: 'en', viewport: desktop, tolerate: /422/ })
  const dialog = await openSignHere(page, 'bruno', 'B-en')
  await passPortalCode(page, dialog, 'bruno')
  await buttonNamed(dialog, names.goThere).click()
  await cancelThere(page)
  await dialog.getByText(/^Signing was cancelled/).waitFor()
  expect(page.url()).toBe(`${portal.origin}/en/documents`)
  await buttonNamed(dialog, names.goThere).click()
  await authorise(page, 'bruno')
  await isSigned(page)
})

test.runIf(exhaustive)('SGN-4 SGN-10 before the SMS code and after, the page says that the app confirms', async () => {
  const page = await portal.openPage({ locale: 'en' })
  const confirmation = await hold(page, finishDocumentSigning)
  const dialog = await openSignHere(page, 'kamila', 'K-en')
  await dialog.getByText(/After the text-\u2060message code, you’ll confirm/).waitFor()
  await passPortalCode(page, dialog, 'kamila')
  const wait = dialog.getByRole('status').getByText(/^Confirm the signature in/)
  await wait.waitFor()
  // The dialog is about the confirmation then: the code is done with, and the time that is left is shown.
  await dialog.getByRole('heading', { name: 'Confirm in the app' }).waitFor()
  await expect.poll(() => dialog.getByRole('timer').innerText()).toMatch(/^1:[0-2]\d left$/)
  expect(await dialog.locator('.unseen .code-field').count()).toBe(1)
  confirmation.release()
  await isSigned(page)
  await expect.poll(() => wait.count()).toBe(0)
})

test.runIf(exhaustive)('SGN-25 SGN-15 for files the service’s page is another tab; this one goes on', async () => {
  const page = await portal.openAs('bruno', { locale: 'en', alone: true, to: '/sign' })
  await page.locator('.drop input[type=file]').setInputFiles(uploadFile(await agreement()))
  await page
    .locator('.radio-card', { hasText: /service’s page/ })
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
