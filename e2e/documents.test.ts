import { createHash } from 'node:crypto'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { listDocuments } from '../contract/documents.ts'
import { limits } from '../contract/limits.ts'
import type { Locale } from '../contract/enums.ts'
import { inLocale } from '../contract/pages.ts'
import { cancelDocumentCase, downloadUpload, getDocumentCase } from '../contract/provider/provider-documents.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { accessCode, asSigned, lockedAgreement } from './testing/samples/agreement.ts'
import { reports } from './testing/samples/reports.ts'
import { bytesOf, filed, openDocumentCases } from './testing/document-cases.ts'
import { chooseByTyping, phone, untilFocused } from './testing/browser-pages.ts'
import { changeReply, intercept, refuseCall } from './testing/fake-replies.ts'
import { openPortal, say } from './testing/open-portal.ts'

const portal = await openPortal()
const backOffice = await openDocumentCases(portal)
const path = '/documents'
const plain = (text: string) => text.replaceAll('\u00a0', ' ')
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

/** A file on disk, which need not be sent to the browser. */
function emptyFile(name: string, bytes: number) {
  const file = join(portal.directory, name)
  writeFileSync(file, '')
  truncateSync(file, bytes)
  return file
}

/** A case that waits for its signed document, created directly. */
const waiting = 'U-20846'
const somePdf = filed(Buffer.from('%PDF-1.7\n<< /ByteRange [0 1 2 3] >>'))

describe.each(languages('pl'))('%s', (locale) => {
  const translate = (pl: string, en: string) => say(locale, { pl, en })
  const download = translate('Pobierz', 'Download')
  const send = translate('Prześlij podpisany plik', 'Upload signed file')
  const check = translate('Sprawdź dokument', 'Check document')
  const confirm = translate('Prześlij dokument', 'Upload document')

  test('DOC-1 DOC-2 DOC-6 DOC-7 DOC-10 DOC-13 every case has its number, dates, status and one action; a refused one says why and what to do', async () => {
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
      say(locale, {
        pl: /unieważniony w dniu podpisania[^]*Zadzwoń po nowy egzemplarz, a potem podpisz go ważnym certyfikatem\.[^]*Zadzwoń: \+/,
        en: /revoked on the day of signing[^]*Call us for a new copy, then sign it with a valid certificate\.[^]*Call \+/,
      }),
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

  test('DOC-3 DOC-5 DOC-6 DOC-8 HOM-3 by keyboard only a document is downloaded, signed, checked, submitted, verified, countersigned and fetched', async () => {
    const number = `U-3918-${locale}`
    const { case: name } = await backOffice.give(number)
    const page = await openTab(locale, '/home')
    const notice = page.getByRole('main').getByRole('article').first()
    await notice.waitFor()
    expect(plain(await notice.innerText())).toContain(translate('Czeka na podpis', 'Awaiting your signature'))
    await notice.getByRole('link', { name: translate('Przejdź do dokumentów', 'Go to documents') }).press('Enter')

    await row(page, number)
      .getByRole('button', { name: new RegExp(download) })
      .press('Enter')
    const dialog = page.getByRole('dialog')
    const [encrypted] = await Promise.all([
      page.waitForEvent('download'),
      dialog
        .getByRole('button', { name: translate('Pobierz zaszyfrowany PDF', 'Download encrypted PDF') })
        .press('Enter'),
    ])
    const file = await bytesOf(encrypted)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const signed = await backOffice.sign(file, await backOffice.accessCode(number))

    const opener = row(page, number).getByRole('button', { name: new RegExp(send) })
    await opener.press('Enter')
    const input = dialog.locator('input[type=file]')
    await input.waitFor()
    expect(await focusIsIn(page, 'input[type=file]')).toBe(true)
    await input.setInputFiles(filed(signed))
    await dialog.getByText(translate('Zawiera podpis elektroniczny', 'It contains an electronic signature')).waitFor()
    await dialog.getByRole('button', { name: check }).press('Enter')
    await dialog.getByRole('heading', { name: translate('Sprawdź i\u00a0potwierdź', 'Check and confirm') }).waitFor()
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
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toContain(number)
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
    const [final] = await Promise.all([
      page.waitForEvent('download'),
      dialog.locator('.dialog__foot .btn--primary:not([aria-disabled])').press('Enter'),
    ])
    const both = await bytesOf(final)
    expect(both.length).toBeGreaterThan(signed.length)
    expect(Buffer.from(both.subarray(0, signed.length)).equals(Buffer.from(signed))).toBe(true)
  })

  test.runIf(exhaustive)(
    'DOC-5 DOC-7 unsuitable files are refused before they are sent, in the specified words, and the file chosen before stays',
    async () => {
      const page = await openTab(locale)
      const asked: string[] = []
      page.on('request', (request) => void (request.url().endsWith('/uploads') && asked.push(request.url())))
      await row(page, waiting)
        .getByRole('button', { name: new RegExp(send) })
        .click()
      const dialog = page.getByRole('dialog')
      const input = dialog.locator('input[type=file]')
      const notPdf = translate('Wybierz plik PDF.', 'Only PDF files are allowed')
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
          translate(
            'Plik ma 13,6\u00a0MB. Wybierz plik do\u00a010\u00a0MB.',
            'The file is too large. Maximum size is 10MB',
          ),
        )
        .waitFor()
      await dialog.getByText('umowa-podpisana.pdf').waitFor()
      expect(asked).toEqual([])
      // A file without a signature gets a warning, and can be sent.
      await input.setInputFiles(filed(Buffer.from('%PDF-1.7\n'), 'pusta.pdf'))
      await dialog.getByText(translate('Nie ma w\u00a0nim podpisu', 'There’s no signature in it')).waitFor()
      const other = dialog.locator('.dialog__foot .btn--primary')
      expect(await other.innerText()).toContain(translate('Wybierz inny plik', 'Choose another file'))
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), other.click()])
      expect(chooser.isMultiple()).toBe(false)
      await dialog.getByRole('button', { name: check }).click()
      const unchecked = dialog
        .getByRole('alert')
        .filter({ hasText: translate('Nie udało się sprawdzić pliku', 'We couldn’t check the file') })
      await unchecked.waitFor()
      await dialog.getByText('pusta.pdf').waitFor()
      // The same file would be refused again, and nothing suggests that it is right.
      await untilFocused(unchecked)
      expect(await dialog.getByRole('button', { name: translate('Spróbuj ponownie', 'Try again') }).count()).toBe(0)
      expect(await other.innerText()).toContain(translate('Wybierz inny plik', 'Choose another file'))
      expect(await dialog.locator('.checks').count()).toBe(0)
      // One reason at a time, that of the last attempt.
      await input.setInputFiles(filed(Buffer.from('PK\u0003\u0004'), 'umowa.docx'))
      await dialog.getByRole('alert').filter({ hasText: notPdf }).waitFor()
      await unchecked.waitFor({ state: 'detached' })
      await dialog.getByRole('button', { name: check }).click()
      await unchecked.waitFor()
      expect(await dialog.getByText(notPdf).count()).toBe(0)
      await dialog.getByText('pusta.pdf').waitFor()
    },
  )
})

/** The browser reports the connections that a test cuts. */
const cut = /ERR_FAILED|status of 503/
const uploads = /\/api\/documents\/[\w-]+\/uploads$/
const confirmation = /\/api\/documents\/[\w-]+\/confirmation$/
const checked = { sha256: 'ab'.repeat(32), bytes: 100, version: 2, report: reports.accepted }

/** An hour passes in the browser only, and must not end the session there. */
const keepSession = (page: Page) =>
  page.route('**/documents', async (route) => {
    const answer = await route.fetch()
    const endsAt = new Date(Date.now() + 7_200_000).toISOString()
    await route.fulfill({ response: answer, body: (await answer.text()).replace(/(?<="endsAt":")[^"]+/, endsAt) })
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

test.runIf(exhaustive)(
  'DOC-8 of a file that was signed encrypted, the first page is shown after its code is entered, which stays in the browser',
  async () => {
    const page = await openTab('pl')
    const { dialog } = await openUpload(page)
    await dialog.locator('input[type=file]').setInputFiles(filed(asSigned(await lockedAgreement())))
    const field = dialog.getByRole('textbox', { name: 'Kod do dokumentu' })
    await field.waitFor()
    expect(await dialog.getByText('zaszyfrowany').count()).toBe(1)
    await field.fill('0000-0000-0000-0000')
    let asked = 0
    page.on('request', (request) => void (request.method() === 'GET' || asked++))
    await page.keyboard.press('Enter')
    await dialog.getByText('Kod się nie zgadza.').waitFor()
    await field.fill(accessCode.toLowerCase())
    await page.keyboard.press('Enter')
    await dialog.getByText('Strona 1 z\u00a0').waitFor()
    expect([await field.count(), asked]).toEqual([0, 0])
  },
)

test.runIf(exhaustive)(
  'DOC-5 DOC-7 during an upload the dialog stays, no new version is offered, the upload can be stopped, and a failure keeps the file',
  async () => {
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
    await dialog.getByText('Podpis jest prawidłowy').waitFor()
  },
)

test.runIf(exhaustive).each(['pending', 'different'] as const)(
  'DOC-8 a report with one doubt (%s) has one warning, which also says that the upload is final',
  async (name) => {
    const page = await openTab('pl')
    const { dialog, check } = await openUpload(page)
    await page.route(uploads, (route) => route.fulfill({ json: { ...checked, report: reports[name] } }))
    await check.click()
    await dialog.getByText('Przesłania nie można cofnąć.').waitFor()
    expect(await dialog.locator('.note--warn').count()).toBe(1)
    expect(await dialog.locator('.is-unknown, .is-wrong').count()).toBe(0)
  },
)

test.runIf(exhaustive)(
  'DOC-8 of a refused file, each fault is followed by its cure, and the document to be signed can be downloaded again',
  async () => {
    const page = await openTab('pl')
    const { dialog, check } = await openUpload(page)
    await page.route(uploads, (route) => route.fulfill({ json: { ...checked, report: reports.refused } }))
    await check.click()
    await dialog.getByRole('heading', { name: 'Nie możemy przyjąć tego pliku' }).waitFor()
    const cures = dialog.locator('.report__cures li')
    expect((await cures.allInnerTexts()).map((text) => plain(text).split(/\n+/))).toEqual([
      ['To nie jest dokument z tej sprawy.', 'Podpisz plik pobrany z tej sprawy.'],
      ['Podpis złożył ktoś inny niż Ty.', 'Podpisz dokument własnym podpisem.'],
      ['Certyfikat podpisu nie pochodzi od zaufanego dostawcy.', 'Użyj podpisu kwalifikowanego z ważnym certyfikatem.'],
      [
        'Dokument zmieniono po podpisaniu.',
        'Pobierz dokument ponownie, podpisz go jeszcze raz i nic więcej w nim nie zmieniaj.',
      ],
    ])
    // What is wrong is said once.
    expect(await dialog.locator('.report__sig').innerText()).toContain('Tomasz Czekaj')
    expect(await dialog.locator('.is-wrong').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Pobierz dokument ponownie' }).click()
    await dialog.getByRole('heading', { name: 'Pobierz lub otwórz dokument' }).waitFor()
    await dialog.getByRole('button', { name: 'Pobierz zaszyfrowany PDF' }).waitFor()
  },
)

test.runIf(exhaustive)(
  'DOC-5 R52 a confirmation whose response was lost is retried with the same idempotency key, and says so',
  async () => {
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
    expect(await dialog.getByText('Podpis jest prawidłowy').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Spróbuj ponownie' }).click()
    await expect.poll(() => keys.length).toBe(2)
    expect(keys[0]).toMatch(/^[\w-]{16,}$/)
    expect(keys[1]).toBe(keys[0])
  },
)

test.runIf(exhaustive)(
  'DOC-2 DOC-5 R51 a submission from another window is shown with the current status of the case, and is not repeated',
  async () => {
    const number = 'U-5172'
    await backOffice.give(number)
    const open = async () => {
      const page = await openTab('pl')
      return { page, dialog: page.getByRole('dialog') }
    }
    const firstTab = await open()
    await row(firstTab.page, number)
      .getByRole('button', { name: /Pobierz/ })
      .click()
    const [encrypted] = await Promise.all([
      firstTab.page.waitForEvent('download'),
      firstTab.dialog.getByRole('button', { name: 'Pobierz zaszyfrowany PDF' }).click(),
    ])
    await firstTab.page.keyboard.press('Escape')
    const code = await backOffice.accessCode(number)
    const signed = await backOffice.sign(await bytesOf(encrypted), code)
    const secondTab = await open()
    for (const { page, dialog } of [firstTab, secondTab]) {
      await row(page, number)
        .getByRole('button', { name: /Prześlij podpisany/ })
        .click()
      // Two files of one case: the same document, signed twice.
      const file = page === firstTab.page ? signed : await backOffice.sign(await bytesOf(encrypted), code)
      await dialog.locator('input[type=file]').setInputFiles(filed(file))
      await dialog.getByText('Zawiera podpis elektroniczny').waitFor()
      await dialog.getByRole('button', { name: 'Sprawdź dokument' }).click()
      await dialog.getByText('Przesłania nie można cofnąć.').waitFor()
    }
    const confirmIn = ({ dialog }: typeof firstTab) => dialog.getByRole('button', { name: 'Prześlij dokument' }).click()
    await confirmIn(firstTab)
    await firstTab.dialog.waitFor({ state: 'detached' })
    await confirmIn(secondTab)
    await secondTab.dialog.getByRole('heading', { name: 'Sprawa zmieniła się w\u00a0międzyczasie' }).waitFor()
    await secondTab.dialog.getByText('Ten plik nie został przesłany.').waitFor()
    await secondTab.dialog.getByText('Obecny status sprawy').waitFor()
    expect(sha256(await backOffice.provider.download(downloadUpload, { case: `e2e-${number}` }))).toBe(sha256(signed))
  },
)

test.runIf(exhaustive)(
  'DOC-7 a document that is being generated is polled after 5, 15 and 45 seconds, then by hand, and nothing in the list moves',
  async () => {
    const page = await portal.openPage({ clock: true })
    let looks = 0
    let answered = 0
    // The poll is automatic, so it does not extend the session (R6).
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
    // The browser's own clock runs as well.
    expect(seconds).toBeLessThanOrEqual(46)
    await expect.poll(() => looks).toBe(3)
    const before = await page.getByRole('row').allInnerTexts()
    await page.route('**/api/documents', async (route) => {
      const response = await route.fetch()
      const list = (await response.json()) as { items: { document: string; content: string }[] }
      const items = list.items.map((firstTab) =>
        firstTab.document === 'O-20868' ? { ...firstTab, content: 'ready' } : firstTab,
      )
      await route.fulfill({ response, json: { ...list, items } })
    })
    await generating.getByRole('button', { name: /Sprawdź ponownie/ }).click()
    await generating.getByRole('button', { name: /Pobierz/ }).waitFor()
    const after = await page.getByRole('row').allInnerTexts()
    expect(after.map((text) => text.split('\n')[0])).toEqual(before.map((text) => text.split('\n')[0]))
  },
)

test.runIf(exhaustive)(
  'DOC-10 without a cloud signature a document is downloaded first, and the page says why and how it is signed',
  async () => {
    const page = await openTab('pl', '/home')
    await changeReply(listDocuments, ({ items, next }) => ({
      items: items.map((item) => ({ ...item, signHere: false })),
      next,
    }))({ page })
    await page.goto(path)
    await page.getByText('bo nie masz ważnego podpisu w\u00a0aplikacji mobilnej').waitFor()
    expect(await page.getByRole('button', { name: /^Przeczytaj i.podpisz/ }).count()).toBe(0)
    // The text above the list may come before the list itself.
    await expect
      .poll(() => page.locator('main .btn--primary').allInnerTexts())
      .toEqual([expect.stringMatching(/^Pobierz/)])
    const steps = page.locator('.how')
    await steps.getByText('Jak podpisać dokument').click()
    const whatToDo = await steps.locator('b').allInnerTexts()
    expect(whatToDo.map(plain)).toEqual([
      'Pobierz dokument',
      'Podpisz w swoim programie',
      'Prześlij podpisany plik',
      'Poczekaj na e-\u2060mail',
    ])
    expect(await steps.innerText()).not.toMatch(/Przeczytaj i.podpisz|SMS/)

    await page.goto(`${path}?status=finished`)
    await row(page, 'U-20714').waitFor()
    expect(await steps.count()).toBe(0)
  },
)

test.runIf(exhaustive)('DOC-1 names and numbers of any length fit on their card and in their dialog', async () => {
  const number = 'D'.repeat(60)
  const name = 'Umowa'.repeat(40)
  await backOffice.give(number, { pl: name, en: name })
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
  await backOffice.provider.call(cancelDocumentCase, { params: { case: `e2e-${number}` } })
})

test.runIf(exhaustive)(
  'DOC-1 a list that cannot be loaded says so and can be retried; from eight cases on it can be filtered by status',
  async () => {
    await backOffice.give('U-8800')
    const page = await openTab('pl', '/home', cut)
    let fails = true
    await intercept(listDocuments, (route) => (fails ? refuseCall(route, 'unavailable') : route.continue()))({ page })
    await page.goto(path)
    await page.getByText('Funkcjonalność jest obecnie niedostępna').waitFor()
    expect(await page.getByText('Brak danych').count()).toBe(0)
    fails = false
    await page.getByRole('button', { name: 'Spróbuj ponownie' }).click()
    const filter = page.getByRole('combobox', { name: 'Status' })
    await filter.click()
    await page.getByRole('option', { name: 'Zakończono' }).click()
    await row(page, 'U-20714').waitFor()
    await row(page, waiting).waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('status')).toBe('finished')
    await filter.click()
    await page.getByRole('option', { name: 'Wszystkie' }).click()
    await row(page, waiting).waitFor()
  },
)

test.runIf(exhaustive)(
  'DOC-14 UIX-11 what waits comes first; on a phone the search finds a document by number or name, the filter is behind a button, and a reload keeps both',
  async () => {
    await backOffice.give('U-8801')
    const page = await openTab('pl')
    await page.setViewportSize(phone)
    const numbers = async () => (await page.locator('[id^="document-"] .t-main').allInnerTexts()).map(plain)
    await row(page, 'U-8801').waitFor()
    const listed = await numbers()
    const at = (number: string) => listed.findIndex((text) => text.includes(number))
    // What is still being prepared is below what can be signed now, although it is newer.
    expect(at(waiting)).toBeLessThan(at('O-20868'))
    expect(at('O-20868')).toBeLessThan(at('U-20790'))
    expect(at('U-20790')).toBeLessThan(at('U-20714'))
    // A row of a long list is compact: its lesser action is on the line of its status.
    const ready = row(page, 'U-20790')
    const middleOf = async (part: Locator) => {
      const { y, height } = (await part.boundingBox())!
      return Math.round((y + height / 2) / 4)
    }
    expect(await middleOf(ready.getByRole('button', { name: /^Pobierz/ }))).toBe(
      await middleOf(ready.locator('.badge')),
    )
    const search = page.getByRole('searchbox', { name: 'Szukaj po nazwie lub numerze' })
    const filters = page.getByRole('button', { name: /^Filtry/ })
    const status = page.getByRole('combobox', { name: 'Status' })
    const [field, button] = [(await search.boundingBox())!, (await filters.boundingBox())!]
    expect(Math.round(field.y)).toBe(Math.round(button.y))
    expect(await status.isVisible()).toBe(false)
    await search.fill('w/2026/0902')
    await search.press('Enter')
    await page.getByText('Znaleziono: 1', { exact: true }).waitFor()
    expect(await numbers()).toEqual([expect.stringContaining('A-20731')])
    await filters.press('Enter')
    await chooseByTyping(status, 'zak')
    await page.getByText('Nie znaleziono takiego dokumentu.').waitFor()
    await expect.poll(() => filters.innerText()).toMatch(/\(1\)$/)
    await page.reload()
    await page.getByText('Nie znaleziono takiego dokumentu.').waitFor()
    await expect.poll(() => search.inputValue()).toBe('w/2026/0902')
    await page.getByRole('button', { name: 'Wyczyść filtry' }).click()
    await row(page, 'U-8801').waitFor()
    expect(new URL(page.url()).search).toBe('')
  },
)
