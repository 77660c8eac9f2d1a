import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { downloadDocument, listDocuments, listSigners, type DocumentCase } from '../contract/documents.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { enterAccessCode, openDocumentCases } from './testing/document-cases.ts'
import { reply, sendPdf } from './testing/fake-replies.ts'
import { accessCode, lockedAgreement, lockedPageless } from './testing/samples/agreement.ts'
import { desktop, enterWrongCode, phone, untilFocused, downloadBy, holdRequests } from './testing/browser-pages.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()
const { openToSign } = await openDocumentCases(portal)
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

/** Everything that is sent to be changed. */
function watchPosts(page: Page) {
  const said: string[] = []
  page.on('request', (request) => void (request.method() !== 'GET' && said.push(request.url())))
  return said
}

/** Presses the button of the case that signs here, and opens its document. */
async function openWithCode(page: Page) {
  const row = page.locator('tr', { hasText: documents.pl.number })
  await row.getByRole('button', { name: /^(?:Przeczytaj i.podpisz|Read and sign)/ }).press('Enter')
  await enterAccessCode(page.locator('dialog[open]'), accessCode)
}

/** The newest SMS, without its code. */
async function newestSms() {
  const [newest] = (await portal.messages()).filter(({ to }) => to === person.phone)
  return newest!.text
}

test.runIf(exhaustive)('DOC-12 R50 a document is read, zoomed, searched by keyboard; Enter signs nothing', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, person.login, { to: '/documents' })
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
  for (let place = 2; place <= count + 1; place++) {
    await search.press('Enter')
    const shown = place > count ? 1 : place
    await expect.poll(() => found.innerText()).toMatch(new RegExp(`^${shown} `))
  }
  await search.press('Shift+Enter')
  await expect.poll(() => found.innerText()).toMatch(new RegExp(`^${count} `))
  await dialog.getByRole('heading', { name: 'Przeczytaj i\u00a0podpisz' }).waitFor()
  expect(said).toEqual([])
})

test.runIf(exhaustive)('DOC-11 DOC-12 on a phone the tools are a row; the button says why it cannot sign', async () => {
  const page = await portal.openPage({ locale: 'en', viewport: phone })
  await portal.signIn(page, person.login, { locale: 'en', to: '/documents' })
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

  await reply(listSigners, { signers: [], maskedPhone: '+48 ••• ••• 417' })({ page })
  await page.reload()
  await openHere()
  await expect.poll(() => note.innerText()).toContain('you have no valid signature in the mobile app')
  const saving = downloadBy(page, () =>
    dialog.locator('.dialog__foot').getByRole('button', { name: 'Download PDF' }).click(),
  )
  expect((await saving).suggestedFilename()).toContain('U-20846')
})

test.runIf(exhaustive)('DOC-11 no code is sent before a page is shown; without pages it is downloaded', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, person.login, { to: '/documents' })
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

const locale = language('pl')
const { button, heading, translate } = inLanguage(locale)

test('DOC-10 DOC-11 a document is opened, read and signed by a code that names it', async () => {
  const page = await portal.openPage({ locale, viewport: locale === 'pl' ? desktop : phone })
  await portal.signIn(page, person.login, { locale, to: '/documents' })
  const { number: document, name } = documents[locale]
  const row = page.locator('tr', { hasText: document })
  await button(row, /^Przeczytaj i.podpisz/, /^Read and sign/).press('Enter')

  const dialog = page.locator('dialog[open]')
  await dialog.getByText('Małgorzata Wiśniewska').waitFor()
  await openToSign(dialog, name)
  const send = button(dialog, 'Wyślij kod SMS', 'Send code')
  await send.press('Enter')

  const field = dialog.locator('input[name=code]')
  await field.waitFor()
  const code = await portal.smsCode(person.phone)
  const [, mark] = /(?:Oznaczenie dokumentu|Document reference): ([0-9a-f]{8})/.exec(await dialog.innerText())!
  // In the language of the account, not of the page.
  expect(await newestSms()).toContain(`do podpisania dokumentu ${mark}:`)

  // What is signed is said here as well, and the document can be read again: its code stays valid.
  await dialog.getByText(translate('Podpisu nie można cofnąć.', 'A signature can’t be undone.')).waitFor()
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
