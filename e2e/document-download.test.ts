import { createHash, randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { canonicalPdf, decryptPdf } from '../pki/pdf/pdf-rewrite.ts'
import { fileOf } from '../pki/testing/pades-authorities.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { findIn } from '../server/testing/samples/canaries.ts'
import { bytesOf, openDocumentCases } from './testing/document-cases.ts'
import { hostilePdfs } from './testing/hostile-pdfs.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { downloadBy, plain } from './testing/browser-pages.ts'

const portal = await openPortal()
const { give, accessCode } = await openDocumentCases(portal)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** What the dialog shows: rounded up to one digit, so that the file itself has a little less. */
const megabytes = 1.5

/** Three pages and a large object, in the form that encryption and decryption do not change. */
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

/** How many of the preview's pixels are dark: none if the page stayed empty. */
const darkPixels = (page: Page) =>
  page.locator('dialog canvas').evaluate((canvas: HTMLCanvasElement) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')!
    copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
    return data.filter((value, at) => at % 4 === 0 && value < 128).length
  })

/** Everything that the browser sends to the server. */
function watchRequests(page: Page) {
  const said: string[] = []
  page.on('request', (request) => {
    said.push([request.method(), request.url(), JSON.stringify(request.headers()), request.postData() ?? ''].join('\n'))
  })
  return said
}

const locale = language('en')
const { button, heading, translate } = inLanguage(locale)

async function openDialog(page: Page, document: string) {
  await page.getByRole('button', { name: new RegExp(`${translate('Pobierz', 'Download')}.*${document}`) }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading').first().waitFor()
  return dialog
}

test('DOC-4 DOC-9 the code from the mail decrypts the PDF in the browser, and is sent nowhere', async () => {
  const document = translate('PL-1', 'EN-1')
  const given = agreement(Math.round((megabytes - 0.05) * 2 ** 20))
  await give(document, { pl: 'Umowa o podpis', en: 'Signature agreement' }, { file: given })
  const page = await portal.openPage({ locale, alone: true })
  await portal.signIn(page, 'malgorzata', { locale, to: '/documents' })
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
  await dialog
    .getByText(translate(`z\u00a0${String(megabytes).replace('.', ',')}\u00a0MB`, `of ${megabytes}\u00a0MB`))
    .waitFor()
  await speed(-1)
  const download = await saving
  const locked = await bytesOf(download)
  expect(download.suggestedFilename()).toBe(translate('dokument-PL-1-zaszyfrowany.pdf', 'document-EN-1-encrypted.pdf'))
  expect(Buffer.from(locked.subarray(0, 8)).toString()).toBe('%PDF-2.0')
  expect(Buffer.from(locked).includes('Umowa na 100 zl')).toBe(false)

  const code = await accessCode(document)
  expect(decryptPdf(locked, { password: code })).toEqual(given)
  await dialog
    .getByText(translate('Kod do dokumentu wysłaliśmy e-\u2060mailem', 'We’ve e-\u2060mailed you the document code'))
    .waitFor()
  const resend = button(dialog, 'Wyślij ponownie za', 'Resend in')
  await expect.poll(() => resend.getAttribute('aria-disabled')).toBe('true')

  // From here on only the page's own background requests reach the server.
  const said = watchRequests(page)
  const field = dialog.getByLabel(translate('Kod do dokumentu', 'Document code'))
  const submit = button(dialog, 'Otwórz tutaj', 'Open here')
  await submit.click()
  await dialog.getByText(translate('Pole musi być wypełnione', 'The field must be completed')).waitFor()
  await field.fill('1234')
  await submit.click()
  await dialog.getByText(translate('16 znaków w\u00a0czterech grupach', '16 characters in four groups')).waitFor()
  const wrongCode = [...code].toReversed().join('')
  await field.fill(wrongCode === code ? code.replace(/^./, (first) => (first === '7' ? '8' : '7')) : wrongCode)
  await field.press('Enter')
  await dialog.getByText(translate('Kod się nie zgadza', 'The code is incorrect')).waitFor()
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
  const saved = await bytesOf(await savingPlain)
  expect(sha256(saved)).toBe(sha256(given))
  await dialog.getByText(translate('Zapisany na Twoim urządzeniu', 'Saved on your device')).waitFor()

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
  const page = await portal.openPage({ tolerate: /Content Security Policy|CSP/ })
  await portal.signIn(page, 'malgorzata', { to: '/documents' })
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
