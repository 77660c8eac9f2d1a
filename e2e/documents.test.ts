import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { confirmUpload, listDocuments, stageUpload } from '../contract/documents.ts'
import type { Locale } from '../contract/enums.ts'
import { inLocale } from '../contract/pages.ts'
import { downloadUpload, getDocumentCase } from '../contract/provider/provider-documents.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { reports } from './testing/samples/reports.ts'
import { bytesOf, filed, openDocumentCases } from './testing/document-cases.ts'
import { phone, downloadBy, focusedText, plain } from './testing/browser-pages.ts'
import { changeReply, intercept, reply, stall } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()
const backOffice = await openDocumentCases(portal)
const path = '/documents'
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const row = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number })
const focusIsIn = (page: Page, selector: string) =>
  page.evaluate((wanted) => !!document.activeElement?.closest(wanted), selector)

type Profile = Awaited<ReturnType<typeof portal.openProfile>>
const profiles = new Map<string, Promise<Profile>>()

/** A tab in which the customer is signed in; one profile per language, because the SMS per day are limited. */
async function openTab(locale: Locale, to = path, tolerate?: RegExp) {
  const known = profiles.get(locale)
  const profile = known ?? portal.openProfile({ locale })
  profiles.set(locale, profile)
  const page = await (await profile).openTab({ tolerate, close: 'tab' })
  if (known) await page.goto(inLocale(locale, to))
  else await portal.signIn(page, 'malgorzata', { locale, to })
  return page
}

/** A case that waits for its signed document, created directly. */
const waiting = 'U-20846'
const somePdf = filed(Buffer.from('%PDF-1.7\n<< /ByteRange [0 1 2 3] >>'))

const locale = language('pl')
const { button, heading, link, translate } = inLanguage(locale)
const download = translate('Pobierz', 'Download')
const send = translate('Prześlij podpisany plik', 'Upload signed file')
const confirm = translate('Prześlij dokument', 'Upload document')

test('DOC-10 DOC-13 every document has its status and one action; a refused one says why', async () => {
  const page = await openTab(locale)
  await row(page, 'U-20714').waitFor()
  const statuses = {
    'U-20871': translate('Czeka na podpis', 'Awaiting your signature'),
    'O-20868': translate('Przygotowujemy', 'Being prepared'),
    [waiting]: translate('Czeka na podpis', 'Awaiting your signature'),
    'O-20813': translate('W weryfikacji', 'Being checked'),
    'U-20790': translate('Do pobrania', 'Ready to download'),
    'A-20755': translate('Odrzucono', 'Rejected'),
    'U-20714': translate('Zakończono', 'Completed'),
  }
  for (const [number, status] of Object.entries(statuses))
    expect(plain(await row(page, number).innerText())).toContain(status)
  // DOC-10: each document that waits can be signed here, and the first has the page's one filled button.
  const signHere = new RegExp(`^${translate('Przeczytaj i.podpisz', 'Read and sign')}`)
  expect(await page.getByRole('button', { name: signHere }).count()).toBe(2)
  const primary = page.locator('main .btn--primary')
  expect((await primary.allInnerTexts()).map(plain)).toEqual([expect.stringMatching(signHere)])
  expect(plain(await primary.innerText())).toContain('U-20871')
  const refusal = page.getByRole('row').filter({ hasText: translate('Nie przyjęliśmy', 'We didn’t accept') })
  expect(plain(await refusal.innerText())).toMatch(
    translate(
      /unieważniony w dniu podpisania[^]*Zadzwoń po nowy egzemplarz, a potem podpisz go ważnym certyfikatem\.[^]*Zadzwoń: \+/,
      /revoked on the day of signing[^]*Call us for a new copy, then sign it with a valid certificate\.[^]*Call \+/,
    ),
  )
  // The exact reason alone, not the general one before it.
  expect(await refusal.innerText()).not.toMatch(/albo unieważniony|suspended or revoked/)
  // Cards on a phone keep the roles of the table.
  await page.setViewportSize(phone)
  expect(await page.getByRole('rowheader').count()).toBeGreaterThanOrEqual(8)
  await page.getByRole('button', { name: new RegExp(`${download}.*U-20871`) }).waitFor()

  const newcomer = await portal.openPage({ locale })
  await portal.signIn(newcomer, 'nowy', { locale, to: path })
  await newcomer.getByText(translate('Brak danych', 'No data')).waitFor()
})

test('DOC-5 DOC-6 by keyboard a document is downloaded, signed, checked, sent and fetched', async () => {
  const number = `U-3918-${locale}`
  const { case: name } = await backOffice.give(number)
  const page = await openTab(locale, '/home')
  const notice = page.getByRole('main').getByRole('article').first()
  await notice.waitFor()
  expect(plain(await notice.innerText())).toContain(translate('Czeka na podpis', 'Awaiting your signature'))
  await link(notice, 'Przejdź do dokumentów', 'Go to documents').press('Enter')

  await row(page, number)
    .getByRole('button', { name: new RegExp(download) })
    .press('Enter')
  const dialog = page.getByRole('dialog')
  const encrypted = await downloadBy(page, () =>
    button(dialog, 'Pobierz zaszyfrowany PDF', 'Download encrypted PDF').press('Enter'),
  )
  const file = await bytesOf(encrypted)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const code = await backOffice.accessCode(number)
  const signed = await backOffice.sign(file, code)

  const opener = row(page, number).getByRole('button', { name: new RegExp(send) })
  await opener.press('Enter')
  const input = dialog.locator('input[type=file]')
  await input.waitFor()
  expect(await focusIsIn(page, 'input[type=file]')).toBe(true)
  await input.setInputFiles(filed(Buffer.from('PK'), 'umowa.docx'))
  const notPdf = translate('Wybierz plik PDF.', 'Only PDF files are allowed')
  await dialog.getByRole('alert').filter({ hasText: notPdf }).waitFor()
  await input.setInputFiles(filed(signed))
  await dialog.getByText(translate('Zawiera podpis elektroniczny', 'It contains an electronic signature')).waitFor()
  // DOC-8: it was signed encrypted, and its code opens its first page, without a call.
  const changes: string[] = []
  page.on('request', (request) => void (request.method() === 'GET' || changes.push(request.url())))
  await dialog.getByRole('textbox', { name: translate('Kod do dokumentu', 'Document code') }).fill(code)
  await page.keyboard.press('Enter')
  await dialog.getByText(translate('Strona 1 z\u00a0', 'Page 1 of\u00a0')).waitFor()
  expect(changes).toEqual([])
  await button(dialog, 'Sprawdź dokument', 'Check document').press('Enter')
  await heading(dialog, 'Sprawdź i\u00a0potwierdź', 'Check and confirm').waitFor()
  const report = plain(await dialog.innerText())
  for (const part of translate(
    'Podpis jest prawidłowy|To dokument z tej sprawy|Małgorzata Wiśniewska|według zegara podpisującego|Podpis jest nienaruszony|Podpis obejmuje cały dokument|Certyfikat jest zaufany|Przesłania nie można cofnąć.',
    'The signature is valid|This is the document from this case|Małgorzata Wiśniewska|by the signer’s clock|The signature is intact|It covers the whole document|The certificate is trusted|You can’t undo the upload.',
  ).split('|'))
    expect(report).toContain(part)
  // Nothing is submitted yet.
  expect((await backOffice.provider.call(getDocumentCase, { params: { case: name } })).status).toBe(
    'subscriber-downloaded',
  )

  await dialog.getByRole('button', { name: confirm }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(translate('Dokument przesłany', 'Document uploaded'), { exact: true }).waitFor()
  // ERR-6: a translator leaves its number as it is.
  await page.locator('.toast [translate=no]').filter({ hasText: number }).waitFor()
  await expect.poll(() => focusedText(page)).toContain(number)
  expect(sha256(await backOffice.provider.download(downloadUpload, { case: name }))).toBe(sha256(signed))

  // The provider's backOffice verifies, countersigns and finishes by itself.
  await expect
    .poll(async () => (await backOffice.provider.call(getDocumentCase, { params: { case: name } })).status)
    .toBe('finished')
  await page.reload()
  await row(page, number).getByText(translate('Zakończono', 'Completed')).waitFor()
  await row(page, number)
    .getByRole('button', { name: new RegExp(download) })
    .press('Enter')
  const done = dialog.locator('.dialog__foot .btn--primary:not([aria-disabled])')
  const final = await downloadBy(page, () => done.press('Enter'))
  const both = await bytesOf(final)
  expect(both.length).toBeGreaterThan(signed.length)
  expect(Buffer.from(both.subarray(0, signed.length)).equals(Buffer.from(signed))).toBe(true)
})

/** The browser reports the connections that a test cuts. */
const cut = /ERR_FAILED|status of 503/
const checked = { sha256: 'ab'.repeat(32), bytes: 100, version: 2 }

/** The page with the dialog of a chosen file. */
async function openUpload() {
  const page = await openTab('pl', path, cut)
  await row(page, waiting)
    .getByRole('button', { name: /Prześlij podpisany/ })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles(somePdf)
  await dialog.getByText('umowa-podpisana.pdf').waitFor()
  return { page, dialog, check: dialog.getByRole('button', { name: 'Sprawdź dokument' }) }
}

test.runIf(exhaustive)('DOC-5 R52 an upload is stopped; a lost confirmation is sent again with its key', async () => {
  const { page, dialog, check } = await openUpload()
  await stall(stageUpload)({ page })
  await check.click()
  await dialog.getByRole('progressbar').waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Przerwij' }).click()
  await check.waitFor()
  await dialog.getByText('umowa-podpisana.pdf').waitFor()

  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await reply(stageUpload, { ...checked, report: reports.accepted })({ page })
  const keys: (string | undefined)[] = []
  await intercept(confirmUpload, (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    return route.abort()
  })({ page })
  await check.click()
  await dialog.getByRole('button', { name: 'Prześlij dokument' }).click()
  await dialog.getByText('Nie wiemy, czy dokument dotarł').waitFor()
  expect(await dialog.getByText('Podpis jest prawidłowy').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await expect.poll(() => keys.length).toBe(2)
  expect(keys[0]).toMatch(/^[\w-]{16,}$/)
  expect(keys[1]).toBe(keys[0])
})

test.runIf(exhaustive)('DOC-8 each fault of a refused file is followed by its cure', async () => {
  const { page, dialog, check } = await openUpload()
  await reply(stageUpload, { ...checked, report: reports.refused })({ page })
  await check.click()
  await dialog.getByRole('heading', { name: 'Nie możemy przyjąć tego pliku' }).waitFor()
  const cures = await dialog.locator('.report__cures li').allInnerTexts()
  expect(cures.map((text) => plain(text).split(/\n+/))).toEqual([
    ['To nie jest dokument z tej sprawy.', 'Podpisz plik pobrany z tej sprawy.'],
    ['Podpis złożył ktoś inny niż Ty.', 'Podpisz dokument własnym podpisem.'],
    ['Certyfikat podpisu nie pochodzi od zaufanego dostawcy.', 'Użyj podpisu kwalifikowanego z ważnym certyfikatem.'],
    [
      'Dokument zmieniono po podpisaniu.',
      'Pobierz dokument ponownie, podpisz go jeszcze raz i nic więcej w nim nie zmieniaj.',
    ],
  ])
  await dialog.getByRole('button', { name: 'Pobierz dokument ponownie' }).click()
  await dialog.getByRole('button', { name: 'Pobierz zaszyfrowany PDF' }).waitFor()
})

test.runIf(exhaustive)('DOC-7 a document being generated is looked for three times, then by hand', async () => {
  const page = await portal.openPage({ clock: true })
  let looks = 0
  // The poll is automatic, so it does not extend the session (R6).
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname === listDocuments.path && request.headers()['x-background']) looks++
  })
  await portal.signIn(page, 'malgorzata', { to: path })
  const generating = row(page, 'O-20868')
  for (const [look, seconds] of [5, 10, 30].entries()) {
    await page.clock.runFor(seconds * 1000)
    await expect.poll(() => looks).toBe(look + 1)
  }
  await generating.getByText('To trwa dłużej niż zwykle.').waitFor()
  await changeReply(listDocuments, ({ items, next }) => ({
    items: items.map((item) => (item.document === 'O-20868' ? { ...item, content: 'ready' as const } : item)),
    next,
  }))({ page })
  await generating.getByRole('button', { name: /Sprawdź ponownie/ }).click()
  await generating.getByRole('button', { name: /Pobierz/ }).waitFor()
})
