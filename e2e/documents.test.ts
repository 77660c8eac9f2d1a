import { hash, randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { confirmUpload, listDocuments, stageUpload } from '../contract/documents.ts'
import { downloadUpload, getDocumentCase } from '../contract/provider/provider-documents.ts'
import { canonicalPdf, decryptPdf } from '../pki/pdf/pdf-rewrite.ts'
import { fileOf } from '../pki/testing/pades-authorities.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { findIn } from '../server/testing/samples/canaries.ts'
import { phone, downloadBy, readFocusedText, plain } from './testing/browser-pages.ts'
import { readDownload, uploadFile, openDocumentCases } from './testing/document-cases.ts'
import { changeReply, intercept, reply, stall } from './testing/fake-replies.ts'
import { hostilePdfs } from './testing/hostile-pdfs.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { reports } from './testing/samples/documents.ts'

const portal = await openPortal()
const locale = language('pl')
const { button, heading, link, translate, waitForText } = inLanguage(locale)
const backOffice = await openDocumentCases(portal)
const path = '/documents'
const row = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number })
const focusIsIn = (page: Page, selector: string) =>
  page.evaluate((wanted) => !!document.activeElement?.closest(wanted), selector)

/** A case that waits for its signed document, created directly. */
const waiting = 'U-20846'
const somePdf = uploadFile(Buffer.from('%PDF-1.7\n<< /ByteRange [0 1 2 3] >>'))

const toDownload = new RegExp(translate('Pobierz', 'Download'))
const send = translate('Prześlij podpisany plik', 'Upload signed file')
const confirm = translate('Prześlij dokument', 'Upload document')

test('DOC-10 DOC-13 every document has its status and one action; a refused one says why', async () => {
  const page = await portal.openAs('malgorzata', { locale, to: path })
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
  const primary = page.locator('main .button--primary')
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
  await page.getByRole('button', { name: new RegExp(`${toDownload.source}.*U-20871`) }).waitFor()

  const newcomer = await portal.openAs('nowy', { locale, to: path })
  await waitForText(newcomer, 'Brak danych', 'No data')
})

test('DOC-5 DOC-6 by keyboard a document is downloaded, signed, checked, sent and fetched', async () => {
  const number = `U-3918-${locale}`
  const { case: name } = await backOffice.give(number)
  const page = await portal.openAs('malgorzata', { locale })
  const notice = page.getByRole('main').getByRole('article').first()
  await notice.waitFor()
  expect(plain(await notice.innerText())).toContain(translate('Czeka na podpis', 'Awaiting your signature'))
  await link(notice, 'Przejdź do dokumentów', 'Go to documents').press('Enter')

  await row(page, number).getByRole('button', { name: toDownload }).press('Enter')
  const dialog = page.getByRole('dialog')
  const encrypted = await downloadBy(page, () =>
    button(dialog, 'Pobierz zaszyfrowany PDF', 'Download encrypted PDF').press('Enter'),
  )
  const file = await readDownload(encrypted)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const code = await backOffice.accessCode(number)
  const signed = await backOffice.sign(file, code)

  const opener = row(page, number).getByRole('button', { name: new RegExp(send) })
  await opener.press('Enter')
  const input = dialog.locator('input[type=file]')
  await input.waitFor()
  expect(await focusIsIn(page, 'input[type=file]')).toBe(true)
  await input.setInputFiles(uploadFile(Buffer.from('PK'), 'umowa.docx'))
  const notPdf = translate('Wybierz plik PDF.', 'Only PDF files are allowed')
  await dialog.getByRole('alert').filter({ hasText: notPdf }).waitFor()
  await input.setInputFiles(uploadFile(signed))
  await waitForText(dialog, 'Zawiera podpis elektroniczny', 'It contains an electronic signature')
  // DOC-8: it was signed encrypted, and its code opens its first page, without a call.
  const changes: string[] = []
  page.on('request', (request) => void (request.method() === 'GET' || changes.push(request.url())))
  await dialog.getByRole('textbox', { name: translate('Kod do dokumentu', 'Document code') }).fill(code)
  await page.keyboard.press('Enter')
  await waitForText(dialog, 'Strona 1 z\u00a0', 'Page 1 of\u00a0')
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
  await expect.poll(() => readFocusedText(page)).toContain(number)
  expect(hash('sha256', await backOffice.provider.download(downloadUpload, { case: name }))).toBe(
    hash('sha256', signed),
  )

  // The provider's backOffice verifies, countersigns and finishes by itself.
  await expect
    .poll(async () => (await backOffice.provider.call(getDocumentCase, { params: { case: name } })).status)
    .toBe('finished')
  await page.reload()
  await waitForText(row(page, number), 'Zakończono', 'Completed')
  await row(page, number).getByRole('button', { name: toDownload }).press('Enter')
  const done = dialog.locator('.dialog__foot .button--primary:not([aria-disabled])')
  const final = await downloadBy(page, () => done.press('Enter'))
  const both = await readDownload(final)
  expect(both.length).toBeGreaterThan(signed.length)
  expect(Buffer.from(both.subarray(0, signed.length)).equals(Buffer.from(signed))).toBe(true)
})

/** The browser reports the connections that a test cuts. */
const cut = /ERR_FAILED|status of 503/
const checked = { sha256: 'ab'.repeat(32), bytes: 100, version: 2 }

async function openUpload() {
  const page = await portal.openAs('malgorzata', { tolerate: cut, to: path })
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

/** Size that the dialog shows: rounded up to one digit, so that the file itself has a little less. */
const megabytes = 1.5

/** Returns a PDF of three pages and a large object, in the form that encryption and decryption do not change. */
function agreement(bytes: number) {
  const text = 'BT /F1 24 Tf 72 720 Td (Umowa na 100 zl) Tj 0 -40 Td (Strony podpisza ja elektronicznie) Tj ET'
  const page = '<</Type/Page/Parent 2 0 R/Contents 6 0 R/Resources<</Font<</F1 7 0 R>>>>>>'
  const weight = randomBytes(bytes).toString('latin1')
  return canonicalPdf(
    fileOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]/MediaBox[0 0 595 842]>>',
      page,
      page,
      page,
      [`<</Length ${text.length}>>`, text],
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      [`<</Length ${weight.length}>>`, weight],
    ]),
  )
}

/** Counts the dark pixels of the preview: none if the page stayed empty. */
const darkPixels = (page: Page) =>
  page.locator('dialog canvas').evaluate((canvas: HTMLCanvasElement) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')!
    copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
    return data.filter((value, at) => at % 4 === 0 && value < 128).length
  })

function watchRequests(page: Page) {
  const said: string[] = []
  page.on('request', (request) => {
    said.push([request.method(), request.url(), JSON.stringify(request.headers()), request.postData() ?? ''].join('\n'))
  })
  return said
}

async function openDialog(page: Page, document: string) {
  await page.getByRole('button', { name: new RegExp(`${toDownload.source}.*${document}`) }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading').first().waitFor()
  return dialog
}

test('DOC-4 DOC-9 the code from the mail decrypts the PDF in the browser, and is sent nowhere', async () => {
  const document = translate('PL-1', 'EN-1')
  const given = agreement(Math.round((megabytes - 0.05) * 2 ** 20))
  await backOffice.give(document, { pl: 'Umowa o podpis', en: 'Signature agreement' }, { file: given })
  const page = await portal.openAs('malgorzata', { locale, alone: true, to: '/documents' })
  const dialog = await openDialog(page, document)

  // A slow connection, so that the progress is visible.
  const line = await page.context().newCDPSession(page)
  const speed = (downloadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput,
      uploadThroughput: -1,
    })
  await speed(megabytes * 5e4)
  const saving = downloadBy(page, () => button(dialog, 'Pobierz zaszyfrowany PDF', 'Download encrypted PDF').click())
  await dialog.getByRole('progressbar').waitFor()
  await waitForText(dialog, `z\u00a0${String(megabytes).replace('.', ',')}\u00a0MB`, `of ${megabytes}\u00a0MB`)
  await speed(-1)
  const download = await saving
  const locked = await readDownload(download)
  expect(download.suggestedFilename()).toBe(translate('dokument-PL-1-zaszyfrowany.pdf', 'document-EN-1-encrypted.pdf'))
  expect(Buffer.from(locked.subarray(0, 8)).toString()).toBe('%PDF-2.0')
  expect(Buffer.from(locked).includes('Umowa na 100 zl')).toBe(false)

  const code = await backOffice.accessCode(document)
  expect(decryptPdf(locked, { password: code })).toEqual(given)
  await waitForText(dialog, 'Kod do dokumentu wysłaliśmy e-\u2060mailem', 'We’ve e-\u2060mailed you the document code')
  const resend = button(dialog, 'Wyślij ponownie za', 'Resend in')
  await expect.poll(() => resend.getAttribute('aria-disabled')).toBe('true')

  // From here on only the page's own background requests reach the server.
  const said = watchRequests(page)
  const field = dialog.getByLabel(translate('Kod do dokumentu', 'Document code'))
  const submit = button(dialog, 'Otwórz tutaj', 'Open here')
  await submit.click()
  await waitForText(dialog, 'Pole musi być wypełnione', 'The field must be completed')
  await field.fill('1234')
  await submit.click()
  await waitForText(dialog, '16 znaków w\u00a0czterech grupach', '16 characters in four groups')
  const wrongCode = [...code].toReversed().join('')
  await field.fill(wrongCode === code ? code.replace(/^./, (first) => (first === '7' ? '8' : '7')) : wrongCode)
  await field.press('Enter')
  await waitForText(dialog, 'Kod się nie zgadza', 'The code is incorrect')
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')

  // As people type it: lower case, no dashes, letters instead of similar digits.
  await field.fill(code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l'))
  await field.press('Enter')
  await heading(dialog, 'Przeczytaj dokument', 'Read the document').waitFor()
  await dialog
    .getByRole('img', { name: translate('Strona 1: Umowa o podpis', 'Page 1: Signature agreement') })
    .waitFor()
  // DOC-12: its other pages are read here as well.
  await button(dialog, 'Następna strona', 'Next page').click()
  await dialog
    .getByRole('img', { name: translate('Strona 2: Umowa o podpis', 'Page 2: Signature agreement') })
    .waitFor()
  expect(plain(await dialog.locator('.reader__at').innerText())).toBe(translate('Strona 2 z 3', 'Page 2 of 3'))
  await dialog.locator('.reader__place:not([aria-busy])').waitFor()
  expect(await darkPixels(page)).toBeGreaterThan(500)

  const savingPlain = downloadBy(page, () =>
    button(dialog, 'Pobierz odszyfrowany PDF', 'Download decrypted PDF').click(),
  )
  const saved = await readDownload(await savingPlain)
  expect(hash('sha256', saved)).toBe(hash('sha256', given))
  await waitForText(dialog, 'Zapisany na Twoim urządzeniu', 'Saved on your device')

  const kept = await page.evaluate(async () =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, await indexedDB.databases()]),
  )
  for (const secret of [code, code.replaceAll('-', '')])
    expect(findIn([...said, kept, portal.output()].join('\n'), secret)).toEqual([])
  for (const request of said) expect(request).toMatch(/^GET\n\S+\/(?:assets|api)\/[^?]*\n/)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.locator('body').innerHTML()).not.toContain(code)
})

test.runIf(exhaustive)('R50 a hostile PDF (CVE-2024-4367 among them), once shown, runs and sends nothing', async () => {
  const page = await portal.openPage()
  const opened: string[] = []
  page.on('dialog', (dialog) => {
    opened.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('popup', (popup) => opened.push(popup.url()))
  await portal.signIn(page, 'malgorzata', { to: '/documents' })
  const download = page.getByRole('button', { name: /Pobierz.*U-20790/ })
  await download.waitFor()
  const title = await page.title()
  let body: Uint8Array
  await page.route('**/api/documents/*/signed', (route) =>
    route.fulfill({ contentType: 'application/pdf', body: Buffer.from(body) }),
  )
  for (const { what, pdf, isShown } of hostilePdfs) {
    body = pdf
    await download.click()
    const caption = page.getByRole('dialog').locator('figcaption, .reader__at')
    await caption.filter({ hasText: /Strona 1 z|Nie możemy pokazać podglądu/ }).waitFor()
    expect([what, (await caption.innerText()).startsWith('Strona')]).toEqual([what, isShown])
    expect([what, await page.getByRole('dialog').getByRole('img').count()]).toEqual([what, isShown ? 1 : 0])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  expect([opened, await page.title()]).toEqual([[], title])
})

test.skipIf(exhaustive)('R50 DOC-9 workers that read PDFs and know the code have no network, run no text', async () => {
  const page = await portal.openAs('malgorzata', { tolerate: /Content Security Policy|CSP/, to: '/documents' })
  const preview = page.waitForEvent('worker')
  await page.getByRole('button', { name: /Pobierz.*U-20790/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pokaż podgląd' }).waitFor()
  const script = (await preview).url()
  expect(script).toContain('/assets/page-worker-')
  const decryption = await page.evaluate(async () => {
    const found = performance.getEntriesByType('resource').map(({ name }) => name)
    const scripts = await Promise.all(
      found.filter((name) => name.endsWith('.js')).map(async (name) => (await fetch(name)).text()),
    )
    return /document-decryption-worker-[\w-]+\.js/.exec(scripts.join(''))![0]
  })
  for (const address of [script, new URL(decryption, script).href]) {
    const started = page.waitForEvent('worker')
    await page.evaluate((url) => void Object.assign(window, { kept: new Worker(url, { type: 'module' }) }), address)
    const tried = await (
      await started
    ).evaluate(async (origin) => {
      const outcome = async (attempt: () => unknown) => {
        try {
          await attempt()
          return 'done'
        } catch {
          return 'refused'
        }
      }
      return {
        fetch: await outcome(() => fetch(`${origin}/api/session`)),
        elsewhere: await outcome(() => fetch('https://evil.example/', { mode: 'no-cors' })),
        script: await outcome(() => import(`${origin}/assets/nothing.js`)),
        program: await outcome(async () => {
          // Not within the debugger's call, which is exempt from the policy.
          await new Promise((resolve) => setTimeout(resolve, 1))
          // eslint-disable-next-line typescript/no-implied-eval -- whether it can is the question
          return new Function('return 1')()
        }),
        digest: await outcome(() => crypto.subtle.digest('SHA-256', new Uint8Array(1))),
      }
    }, portal.origin)
    expect(tried).toEqual({
      fetch: 'refused',
      elsewhere: 'refused',
      script: 'refused',
      program: 'refused',
      digest: 'done',
    })
  }
})
