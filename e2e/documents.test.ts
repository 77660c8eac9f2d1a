import { createHash } from 'node:crypto'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { limits } from '../contract/limits.ts'
import type { Locale } from '../contract/enums.ts'
import { inLocale } from '../contract/pages.ts'
import { cancelDocumentCase, downloadUpload, getDocumentCase } from '../contract/provider-documents.ts'
import { languages } from '../server/testing/breadth.ts'
import { lockedAgreement, lockedBy, reports } from '../tools/document-states.ts'
import { bytesOf, filed, openDocumentCases } from './document-cases.ts'
import { phone } from './browser-pages.ts'
import { openPortal, say } from './open-portal.ts'

const portal = await openPortal()
const desk = await openDocumentCases(portal)
const path = '/documents'
const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const row = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number })
const focusIsIn = (page: Page, selector: string) =>
  page.evaluate((wanted) => !!document.activeElement?.closest(wanted), selector)

type Profile = Awaited<ReturnType<typeof portal.openProfile>>
const profiles = new Map<string, Promise<Profile>>()

/** A tab of a browser where the customer is signed in; one profile for each language, for only so many SMS go out in a day. */
async function openTab(locale: Locale, to = path, tolerate?: RegExp) {
  const known = profiles.get(locale)
  const profile = known ?? portal.openProfile({ locale })
  profiles.set(locale, profile)
  const page = await (await profile).openTab({ tolerate, close: 'tab' })
  if (known) await page.goto(inLocale(locale, to))
  else await portal.signIn(page, 'malgorzata', { locale, to })
  return page
}

/** A file on the disk, which need not be sent to the browser. */
function emptyFile(name: string, bytes: number) {
  const file = join(portal.directory, name)
  writeFileSync(file, '')
  truncateSync(file, bytes)
  return file
}

/** A case that waits for its signed document, without the way there. */
const waiting = 'U-20846'
const somePdf = filed(Buffer.from('%PDF-1.7\n<< /ByteRange [0 1 2 3] >>'))

describe.each(languages('pl'))('%s', (locale) => {
  const words = (pl: string, en: string) => say(locale, { pl, en })
  const download = words('Pobierz', 'Download')
  const send = words('Prześlij podpisany', 'Send the signed one')
  const check = words('Sprawdź dokument', 'Check the document')
  const confirm = words('Prześlij dokument', 'Send the document')

  test('DOC-1 DOC-2 DOC-6 DOC-7 every case has its number, dates, status and one verb; a refused one says why and what to do', async () => {
    const page = await openTab(locale)
    await row(page, 'U-20714').waitFor()
    const statuses = {
      'U-20871': words('Przekazany do Ciebie', 'Sent to you'),
      'O-20868': words('Przygotowujemy', 'Being generated'),
      [waiting]: words('Pobrany, czeka na podpis', 'Downloaded, awaiting signature'),
      'O-20813': words('W weryfikacji', 'Being verified'),
      'U-20790': words('Gotowy do pobrania', 'Ready to download'),
      'A-20755': words('Anulowany', 'Cancelled'),
      'U-20714': words('Zakończony', 'Completed'),
    }
    for (const [number, status] of Object.entries(statuses))
      expect(plain(await row(page, number).innerText())).toContain(status)
    expect(await page.locator('main .btn--primary').count()).toBe(1)
    const refusal = page.getByRole('row').filter({ hasText: words('Nie przyjęliśmy', 'We did not take') })
    expect(plain(await refusal.innerText())).toMatch(
      say(locale, {
        pl: /unieważniony w dniu podpisania[^]*Użyj podpisu z ważnym certyfikatem[^]*Zadzwoń/,
        en: /revoked on the day of signing[^]*Use a signature with a valid certificate[^]*Call us/,
      }),
    )
    // Cards on a phone keep the roles of the table.
    await page.setViewportSize(phone)
    expect(await page.getByRole('rowheader').count()).toBeGreaterThanOrEqual(8)
    await page.getByRole('button', { name: new RegExp(`${download}.*U-20871`) }).waitFor()

    const newcomer = await portal.openPage({ locale })
    await portal.signIn(newcomer, 'nowy', { locale, to: path })
    await newcomer.getByText(words('Brak danych', 'No data')).waitFor()
  })

  test('DOC-3 DOC-5 DOC-6 DOC-8 HOM-3 by keyboard alone a document is downloaded, signed, checked, handed over for good, verified, countersigned and fetched', async () => {
    const number = `U-3918-${locale}`
    const { case: name } = await desk.give(number)
    const page = await openTab(locale, '/home')
    const matter = page.getByRole('main').getByRole('article').first()
    await matter.waitFor()
    expect(plain(await matter.innerText())).toContain(words('Czeka na Twój podpis', 'Awaiting your signature'))
    await matter.getByRole('link', { name: words('Przejdź do dokumentów', 'Go to the documents') }).press('Enter')

    await row(page, number)
      .getByRole('button', { name: new RegExp(download) })
      .press('Enter')
    const dialog = page.getByRole('dialog')
    const [encrypted] = await Promise.all([
      page.waitForEvent('download'),
      dialog
        .getByRole('button', { name: words('Pobierz zaszyfrowany PDF', 'Download the encrypted PDF') })
        .press('Enter'),
    ])
    const file = await bytesOf(encrypted)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const signed = await desk.sign(file, await desk.accessCode(number))

    const opener = row(page, number).getByRole('button', { name: new RegExp(send) })
    await opener.press('Enter')
    const input = dialog.locator('input[type=file]')
    await input.waitFor()
    expect(await focusIsIn(page, 'input[type=file]')).toBe(true)
    await input.setInputFiles(filed(signed))
    await dialog.getByText(words('Zawiera podpis elektroniczny', 'It has an electronic signature')).waitFor()
    await dialog.getByRole('button', { name: check }).press('Enter')
    await dialog.getByRole('heading', { name: words('Sprawdź i\u00a0potwierdź', 'Check and confirm') }).waitFor()
    const report = plain(await dialog.innerText())
    for (const part of words(
      'Podpis jest w porządku|To dokument z tej sprawy|Małgorzata Wiśniewska|według zegara podpisującego|Jest nienaruszony|Obejmuje cały dokument|Certyfikat jest zaufany|Przesłania nie można cofnąć.',
      'The signature is fine|It is the document of this case|Małgorzata Wiśniewska|by the signer’s clock|It is intact|It covers the whole document|The certificate is trusted|Sending cannot be undone.',
    ).split('|'))
      expect(report).toContain(part)
    // Nothing is decided yet.
    expect((await desk.provider.call(getDocumentCase, { params: { case: name } })).status).toBe('subscriber-downloaded')

    await dialog.getByRole('button', { name: confirm }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(words('Dokument przesłany', 'Document sent'), { exact: true }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toContain(number)
    expect(sha256(await desk.provider.download(downloadUpload, { case: name }))).toBe(sha256(signed))

    // The provider's desk verifies, countersigns and finishes by itself.
    await expect
      .poll(async () => (await desk.provider.call(getDocumentCase, { params: { case: name } })).status)
      .toBe('finished')
    await page.reload()
    await row(page, number).getByText(words('Zakończony', 'Completed')).waitFor()
    await row(page, number)
      .getByRole('button', { name: new RegExp(download) })
      .press('Enter')
    const [final] = await Promise.all([
      page.waitForEvent('download'),
      dialog.locator('.dialog__foot .btn--primary:not([aria-disabled])').press('Enter'),
    ])
    const both = await bytesOf(final)
    expect(both.length).toBeGreaterThan(signed.length)
    expect(Buffer.from(both.subarray(0, signed.length)).equals(Buffer.from(signed))).toBe(true)
  })

  test('DOC-5 DOC-7 files that cannot be it are refused before they are sent, to the letter, and the one chosen before stays', async () => {
    const page = await openTab(locale)
    const asked: string[] = []
    page.on('request', (request) => void (request.url().endsWith('/uploads') && asked.push(request.url())))
    await row(page, waiting)
      .getByRole('button', { name: new RegExp(send) })
      .click()
    const dialog = page.getByRole('dialog')
    const input = dialog.locator('input[type=file]')
    const notPdf = words('Wybierz plik PDF.', 'Only PDF files are allowed')
    await dialog.getByRole('button', { name: check }).click()
    await dialog.getByRole('alert').filter({ hasText: notPdf }).waitFor()
    expect(await focusIsIn(page, 'input[type=file]')).toBe(true)
    await input.setInputFiles(somePdf)
    await dialog.getByText('umowa-podpisana.pdf').waitFor()
    expect(await dialog.getByText(notPdf).count()).toBe(0)
    await input.setInputFiles(filed(Buffer.from('PK\u0003\u0004'), 'umowa.docx'))
    await dialog.getByRole('alert').filter({ hasText: notPdf }).waitFor()
    await input.setInputFiles(emptyFile('wielki.pdf', 14_200_000))
    await dialog
      .getByText(
        words('Plik ma 14,2\u00a0MB. Wybierz plik do\u00a010\u00a0MB.', 'The file is too large. Maximum size is 10MB'),
      )
      .waitFor()
    await dialog.getByText('umowa-podpisana.pdf').waitFor()
    expect(asked).toEqual([])
    // What has no signature in it is warned of, and can be sent.
    await input.setInputFiles(filed(Buffer.from('%PDF-1.7\n'), 'pusta.pdf'))
    await dialog.getByText(words('Nie widać w\u00a0nim podpisu', 'No signature can be seen')).waitFor()
    await dialog.getByRole('button', { name: check }).click()
    const unchecked = dialog
      .getByRole('alert')
      .filter({ hasText: words('Nie udało się sprawdzić pliku', 'The file could not be checked') })
    await unchecked.waitFor()
    await dialog.getByText('pusta.pdf').waitFor()
    // One reason at a time, that of what was done last.
    await input.setInputFiles(filed(Buffer.from('PK\u0003\u0004'), 'umowa.docx'))
    await dialog.getByRole('alert').filter({ hasText: notPdf }).waitFor()
    await unchecked.waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: check }).click()
    await unchecked.waitFor()
    expect(await dialog.getByText(notPdf).count()).toBe(0)
    await dialog.getByText('pusta.pdf').waitFor()
  })
})

/** What a test cuts on purpose is reported by the browser. */
const cut = /ERR_FAILED|status of 503/
const uploads = /\/api\/documents\/[\w-]+\/uploads$/
const confirmation = /\/api\/documents\/[\w-]+\/confirmation$/
const checked = { sha256: 'ab'.repeat(32), bytes: 100, version: 2, report: reports.accepted }

/** An hour passes in the browser alone, and must not end the session there. */
const keepSession = (page: Page) =>
  page.route('**/api/session', async (route) => {
    const answer = await route.fetch()
    const session = (await answer.json()) as { now: string }
    const endsAt = new Date(Date.parse(session.now) + 7_200_000).toISOString()
    await route.fulfill({ response: answer, json: { ...session, endsAt } })
  })

async function openUpload(page: Page) {
  await row(page, waiting)
    .getByRole('button', { name: /Prześlij podpisany/ })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles(somePdf)
  await dialog.getByText('umowa-podpisana.pdf').waitFor()
  return { dialog, check: dialog.getByRole('button', { name: 'Sprawdź dokument' }) }
}

test('DOC-8 of a file that was signed in its locked form the first page is shown once its code is entered, which stays in the browser', async () => {
  const page = await openTab('pl')
  const { dialog } = await openUpload(page)
  await dialog.locator('input[type=file]').setInputFiles(filed(await lockedAgreement()))
  const field = dialog.getByRole('textbox', { name: 'Kod dostępu' })
  await field.fill('0000-0000-0000-0000')
  let asked = 0
  page.on('request', (request) => void (request.method() === 'GET' || asked++))
  await page.keyboard.press('Enter')
  await dialog.getByText('Kod się nie zgadza.').waitFor()
  await field.fill(lockedBy.toLowerCase())
  await page.keyboard.press('Enter')
  await dialog.getByText('Strona 1 z\u00a0').waitFor()
  expect([await field.count(), asked]).toEqual([0, 0])
})

test('DOC-5 DOC-7 while a file is sent the dialog stays, no new version is offered, the sending can be stopped, and what fails keeps the file', async () => {
  const page = await portal.openPage({ tolerate: cut, clock: true })
  await keepSession(page)
  await portal.signIn(page, 'malgorzata', { to: path })
  const { dialog, check } = await openUpload(page)
  let held: (() => void) | undefined
  await page.route(uploads, (route) => {
    held = () => void route.abort()
  })
  await check.click()
  await dialog.getByRole('progressbar').waitFor()
  await dialog.getByRole('status').filter({ hasText: 'Przesyłanie pliku' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await dialog.getByRole('button', { name: 'Zamknij' }).count()).toBe(0)
  let asked = 0
  await page.route('**/builds/**', (route) => {
    asked++
    return route.fulfill({ json: { id: 'newer', timestamp: 1 } })
  })
  await page.clock.runFor(limits.buildCheckMs + 1000)
  expect([asked, await page.getByText('Jest nowa wersja portalu').count()]).toEqual([0, 0])
  await dialog.getByRole('button', { name: 'Przerwij' }).click()
  await check.waitFor()
  await dialog.getByText('umowa-podpisana.pdf').waitFor()

  await check.click()
  await dialog.getByRole('progressbar').waitFor()
  await expect.poll(() => !!held).toBe(true)
  held!()
  const failure = dialog.getByRole('alert').filter({ hasText: 'Nie ma połączenia' })
  await failure.waitFor()
  await page.unroute(uploads)
  await page.route(uploads, (route) => route.fulfill({ json: checked }))
  await dialog.getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await dialog.getByText('Podpis jest w\u00a0porządku').waitFor()
})

test('DOC-5 R52 a confirmation whose answer was lost is tried again under the same key, and says so', async () => {
  const page = await openTab('pl', path, cut)
  const { dialog, check } = await openUpload(page)
  await page.route(uploads, (route) => route.fulfill({ json: checked }))
  const keys: (string | undefined)[] = []
  await page.route(confirmation, (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    return route.abort()
  })
  await check.click()
  const confirm = dialog.getByRole('button', { name: 'Prześlij dokument' })
  await confirm.click()
  await dialog.getByText('Nie wiemy, czy dokument dotarł').waitFor()
  await confirm.click()
  await expect.poll(() => keys.length).toBe(2)
  expect(keys[0]).toMatch(/^[\w-]{16,}$/)
  expect(keys[1]).toBe(keys[0])
})

test('DOC-2 DOC-5 R51 what another window has handed over is told with the status the case has now, and never twice', async () => {
  const number = 'U-5172'
  await desk.give(number)
  const open = async () => {
    const page = await openTab('pl')
    return { page, dialog: page.getByRole('dialog') }
  }
  const one = await open()
  await row(one.page, number)
    .getByRole('button', { name: /Pobierz/ })
    .click()
  const [encrypted] = await Promise.all([
    one.page.waitForEvent('download'),
    one.dialog.getByRole('button', { name: 'Pobierz zaszyfrowany PDF' }).click(),
  ])
  await one.page.keyboard.press('Escape')
  const code = await desk.accessCode(number)
  const signed = await desk.sign(await bytesOf(encrypted), code)
  const other = await open()
  for (const { page, dialog } of [one, other]) {
    await row(page, number)
      .getByRole('button', { name: /Prześlij podpisany/ })
      .click()
    // Two files of one case: the same document, signed twice.
    const file = page === one.page ? signed : await desk.sign(await bytesOf(encrypted), code)
    await dialog.locator('input[type=file]').setInputFiles(filed(file))
    await dialog.getByText('Zawiera podpis elektroniczny').waitFor()
    await dialog.getByRole('button', { name: 'Sprawdź dokument' }).click()
    await dialog.getByText('Przesłania nie można cofnąć.').waitFor()
  }
  const confirmIn = ({ dialog }: typeof one) => dialog.getByRole('button', { name: 'Prześlij dokument' }).click()
  await confirmIn(one)
  await one.dialog.waitFor({ state: 'detached' })
  await confirmIn(other)
  await other.dialog.getByRole('heading', { name: 'Sprawa zmieniła się w\u00a0międzyczasie' }).waitFor()
  await other.dialog.getByText('Tego pliku nie przekazaliśmy.').waitFor()
  await other.dialog.getByText('Status sprawy teraz').waitFor()
  expect(sha256(await desk.provider.download(downloadUpload, { case: `e2e-${number}` }))).toBe(sha256(signed))
})

test('DOC-7 a document that is being generated is looked for after 5, 15 and 45 seconds, then by hand, and nothing in the list moves', async () => {
  const page = await portal.openPage({ clock: true })
  let looks = 0
  let answered = 0
  // Nobody asks for it, so it does not keep the session alive (R6).
  const isLook = (request: Request) =>
    new URL(request.url()).pathname.endsWith('/api/documents') && !!request.headers()['x-background']
  page.on('request', (request) => void (isLook(request) && looks++))
  page.on('requestfinished', (request) => void (isLook(request) && answered++))
  await portal.signIn(page, 'malgorzata', { to: path })
  const generating = row(page, 'O-20868')
  await generating.waitFor()
  const late = generating.getByText('To trwa dłużej niż zwykle.')
  let seconds = 0
  while (!(await late.isVisible())) {
    await expect.poll(() => looks - answered).toBe(0)
    await page.clock.runFor(1000)
    seconds++
  }
  // The browser's own clock goes on as well.
  expect(seconds).toBeLessThanOrEqual(46)
  await expect.poll(() => looks).toBe(3)
  const before = await page.getByRole('row').allInnerTexts()
  await page.route('**/api/documents', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as { items: { document: string; content: string }[] }
    const items = list.items.map((one) => (one.document === 'O-20868' ? { ...one, content: 'ready' } : one))
    await route.fulfill({ response, json: { ...list, items } })
  })
  await generating.getByRole('button', { name: /Sprawdź ponownie/ }).click()
  await generating.getByRole('button', { name: /Pobierz/ }).waitFor()
  const after = await page.getByRole('row').allInnerTexts()
  expect(after.map((text) => text.split('\n')[0])).toEqual(before.map((text) => text.split('\n')[0]))
})

test('DOC-1 names and numbers of any length stay on their card and in their dialog', async () => {
  const number = 'D'.repeat(60)
  const name = 'Umowa'.repeat(40)
  await desk.give(number, { pl: name, en: name })
  const page = await openTab('pl')
  await page.setViewportSize({ width: 320, height: 640 })
  await row(page, number).waitFor()
  const beyond = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length)
  expect(await beyond('html, main .card')).toBe(0)
  await row(page, number)
    .getByRole('button', { name: /Pobierz/ })
    .click()
  const close = page.getByRole('dialog').getByRole('button', { name: 'Zamknij' }).first()
  await close.waitFor()
  expect((await close.boundingBox())!.x).toBeLessThan(320 - 44)
  expect(await beyond('dialog[open] .dialog__head')).toBe(0)
  await page.keyboard.press('Escape')
  await desk.provider.call(cancelDocumentCase, { params: { case: `e2e-${number}` } })
})

test('DOC-1 a list that cannot be read says so and is asked for again; beyond eight cases it is filtered by status', async () => {
  await desk.give('U-8800')
  const page = await openTab('pl', '/home', cut)
  let fails = true
  await page.route('**/api/documents', (route) =>
    fails
      ? route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          body: JSON.stringify({ code: 'unavailable', status: 503 }),
        })
      : route.continue(),
  )
  await page.goto(path)
  await page.getByText('Funkcjonalność jest obecnie niedostępna').waitFor()
  expect(await page.getByText('Brak danych').count()).toBe(0)
  fails = false
  await page.getByRole('button', { name: 'Spróbuj ponownie' }).click()
  const filter = page.getByRole('combobox', { name: 'Status' })
  await filter.selectOption({ label: 'Zakończony' })
  await row(page, 'U-20714').waitFor()
  await row(page, waiting).waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('status')).toBe('finished')
  await filter.selectOption({ label: 'Wszystkie' })
  await row(page, waiting).waitFor()
})
