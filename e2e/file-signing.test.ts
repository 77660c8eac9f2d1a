import { unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Body } from '../contract/endpoint.ts'
import { listTrustedAuthorities, readRevocationData } from '../contract/file-check.ts'
import {
  confirmFileSigning,
  listFileSigners,
  readFileSigning,
  resendFileSigningCode,
  signFiles,
  startFileSigning,
} from '../contract/file-signing.ts'
import { limits } from '../contract/limits.ts'
import { readPathCertificate } from '../pki/asn1/path-certificate.ts'
import { writeOcspRequest } from '../pki/asn1/revocation-status.ts'
import { base64Of, fromBase64 } from '../pki/bytes.ts'
import { validatePdf } from '../pki/pades/pades-validate.ts'
import { encryptPdf } from '../pki/pdf/pdf-rewrite.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { findIn } from '../server/testing/samples/canaries.ts'
import { desktop, enterWrongCode, phone, untilFocused, downloadBy, pressSignOut } from './testing/browser-pages.ts'
import { customerOf, signInHere } from './testing/demonstration-run.ts'
import { readDownload, uploadFile, openSigner } from './testing/document-cases.ts'
import { changeReply, intercept, refuseCall } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { runsIn, sendFromWorker, watchSaid } from './testing/said-by-page.ts'
import { agreement } from './testing/samples/documents.ts'

const portal = await openPortal()
const { authority } = await openSigner(portal)
const person = customerOf('malgorzata')
const plainFile = await agreement()
const password = 'Zolta lodka 77'
const locked = encryptPdf(plainFile, { password, owner: 'provider' })
const fileName = 'umowa-poufna-Kowalska.pdf'

const field = (page: Page) => page.locator('.drop input[type=file]')

/** Says what the signed files lack. */
const lacking = (page: Page) => page.locator('main .notice--warning').filter({ hasText: /certyfikat|certificate/ })

/**
 * Answers a call for revocation data as the authority would. No authority listens at the port that the certificates of a copied
 * demonstration name, and the portal's own copy of the list is renewed only each hour, so it does not count for later signatures.
 */
async function evidenceFor(route: Route) {
  const { chains } = route.request().postDataJSON() as Body<typeof readRevocationData>
  const issuer = readPathCertificate(authority.certificates.issuing)
  const ocsps = chains.map(({ path }) =>
    base64Of(authority.answerOcsp(writeOcspRequest(readPathCertificate(fromBase64(path[0]!)!), issuer))),
  )
  await route.fulfill({ json: { ocsps, crls: [base64Of(await authority.readRevocationList('root'))] } })
}

/** Validates a file and returns the reports on its signatures; all evidence has to be in the file. */
async function validateSignatures(file: Uint8Array, secret = '') {
  const { certificates } = authority
  const { signatures } = await validatePdf(file, {
    anchors: [{ certificate: certificates.root }],
    intermediates: [certificates.issuing],
    receivedAt: new Date(),
    revocation: 'required',
    signingCertificate: 'v2',
    qualified: false,
    password: secret,
  })
  return signatures
}

const locale = language('pl')
const { button, heading, translate, waitForText } = inLanguage(locale)
const labels = {
  send: translate('Wyślij kod SMS', 'Send code'),
  sign: translate('Podpisz pliki', 'Sign files'),
  signed: translate('Pliki są podpisane', 'Your files are signed'),
  saveAll: translate('Zapisz wszystkie (ZIP)', 'Save all (ZIP)'),
}

async function open(options: Parameters<typeof portal.openPage>[0] = {}) {
  const page = await portal.openAs(person.login, { locale, ...options, to: '/sign' })
  return page
}

/** Reaches the page by links, so that the page before is a place to go back to. */
async function comeFromSoftware(page: Page) {
  const menu = page.locator('.nav')
  await menu.getByRole('link', { name: translate('Oprogramowanie', 'Software') }).click()
  await page.waitForURL(/\/software$/)
  // Until the page is shown, the router takes a link to the page before for one to the current page, and adds no entry to the history.
  await page.getByRole('heading', { level: 1, name: translate('Oprogramowanie', 'Software') }).waitFor()
  await menu.getByRole('link', { name: translate('Podpisz pliki', 'Sign files') }).click()
}

async function signByCode(page: Page) {
  await page.getByRole('button', { name: labels.send }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.locator('input[name=code]').fill(await portal.smsCode(person.phone))
  await dialog.getByRole('button', { name: labels.sign }).click()
}

/** Chooses files, and waits until they can be signed. */
async function choose(page: Page, ...names: string[]) {
  await field(page).setInputFiles(names.map((name) => uploadFile(plainFile, name)))
  const many = translate(`Podpiszesz ${names.length} plik`, `You’re signing ${names.length} file`)
  await page.getByText(many).waitFor()
}
const isSigned = (page: Page) => heading(page, 'Plik jest podpisany', 'Your file is signed').waitFor()
const save = (page: Page, name = fileName) =>
  page
    .getByRole('button', {
      name: `${translate('Zapisz', 'Save')} ${name.replace('.pdf', translate('-podpisany.pdf', '-signed.pdf'))}`,
    })
    .click()
async function saved(page: Page, name?: string) {
  const download = await downloadBy(page, () => save(page, name))
  return validateSignatures(await readDownload(download))
}
const completing = translate(/^(Dokończ pliki|Uzupełnij dane)$/, /^(Complete the files|Add the missing data)$/)
const tryAgain = (page: Page) => page.getByRole('button', { name: completing }).click()

test('SGN-26 R200 two files, one encrypted, are signed, and nothing of them is sent or stored', async () => {
  const page = await open({ alone: true })
  const heard = watchSaid(page)
  await field(page).setInputFiles([
    uploadFile(Buffer.from('PK'), 'umowa.docx'),
    uploadFile(plainFile, fileName),
    uploadFile(locked, 'zaszyfrowana-Kowalska.pdf'),
  ])
  await waitForText(page, 'To nie jest plik PDF.', 'This isn’t a PDF file.')
  // It takes the focus when it appears, and would get the key.
  const secret = page.locator('input[type=password]')
  await secret.waitFor()
  await page.getByRole('button', { name: `${translate('Usuń', 'Remove')}: umowa.docx` }).press('Enter')
  await page.getByText('umowa.docx').waitFor({ state: 'detached' })
  await secret.fill(password)
  await secret.press('Enter')
  await waitForText(page, 'Podpiszesz 2 pliki', 'You’re signing 2 files')
  await page.locator('label:has(input[value=visible])').click()
  await page.locator('input[name=reason]').fill('Zgadzam się')
  // A wrong code is a message at its field, and going back to the files keeps the right one.
  const send = page.getByRole('button', { name: labels.send })
  await send.click()
  const entry = page.getByRole('dialog').locator('input[name=code]')
  await untilFocused(entry)
  const code = await portal.smsCode(person.phone)
  await enterWrongCode(page, code)
  await page.getByRole('dialog').locator('.error').waitFor()
  await button(page, 'Wróć do plików', 'Back to files').click()
  await send.click()
  await entry.fill(code)
  await page.getByRole('button', { name: labels.sign }).click()
  await page.getByRole('heading', { name: labels.signed }).waitFor()
  expect(await lacking(page).count()).toBe(0)

  const saves = page.getByRole('button', { name: new RegExp(`^${translate('Zapisz', 'Save')} `) })
  for (const [index, [original, secretOf]] of [[plainFile, ''] as const, [locked, password] as const].entries()) {
    const download = await downloadBy(page, () => saves.nth(index).click())
    const file = new Uint8Array(await readDownload(download))
    expect(Buffer.from(file.subarray(0, original.length)).equals(Buffer.from(original))).toBe(true)
    expect(await validateSignatures(file, secretOf)).toMatchObject([
      { intact: true, trusted: true, level: 'B-LT', problems: [] },
    ])
    if (!index)
      expect(download.suggestedFilename()).toBe(`umowa-poufna-Kowalska-${translate('podpisany', 'signed')}.pdf`)
  }
  const archive = await downloadBy(page, () => page.getByRole('button', { name: labels.saveAll }).click())
  const packed = Buffer.from(await readDownload(archive))
  expect(packed.toString('latin1', 0, 2)).toBe('PK')
  expect(packed.length).toBeGreaterThan(plainFile.length + locked.length)

  const said = await heard.said()
  // The file was made in this minute, which heard.requests name too.
  const isTime = (run: string) => /^[\dT:-]+$/.test(run)
  for (const file of [plainFile, locked]) expect(runsIn(said, file).filter((run) => !isTime(run))).toEqual([])
  for (const text of ['Kowalska', password]) expect(findIn(said, text)).toEqual([])
  // The search finds what a body would have.
  expect(runsIn(Buffer.from(plainFile.subarray(900, 1000)).toString('latin1'), plainFile)).not.toEqual([])
  const paths = heard.requests
    .map((request) => new URL(request.url()))
    .filter(({ pathname }) => /file-sign|revocation|trusted/.test(pathname) && !pathname.startsWith('/assets/'))
  const known = [
    startFileSigning,
    confirmFileSigning,
    readFileSigning,
    signFiles,
    listTrustedAuthorities,
    readRevocationData,
  ]
  const patterns = [...known, listFileSigners, resendFileSigningCode].map(
    ({ path }) => new RegExp(`^${path.replace(':id', '[0-9a-f-]{36}')}$`),
  )
  for (const { origin, pathname, search } of paths)
    expect([origin, search, patterns.some((pattern) => pattern.test(pathname))]).toEqual([portal.origin, '', true])
})

test('R200 the script that signs files can send nothing', async () => {
  const page = await open({ tolerate: /connect-src|Content Security Policy|CSP/ })
  const loaded = page.waitForRequest(/\/assets\/file-signing-worker-/)
  await field(page).setInputFiles(uploadFile(plainFile, fileName))
  const address = (await loaded).url()
  // The worker that reads the file ends with it.
  await waitForText(page, 'Podpiszesz 1 plik', 'You’re signing 1 file')
  expect(
    await sendFromWorker(page, address, [`${portal.origin}${startFileSigning.path}`, 'https://elsewhere.example/']),
  ).toEqual(['blocked', 'blocked'])
})

test.runIf(exhaustive)('SGN-26 SGN-27 another attempt adds missing evidence, and the file is saved again', async () => {
  const page = await open({ tolerate: /429/ })
  let isBusy = true
  await intercept(readRevocationData, (route) =>
    isBusy ? refuseCall(route, 'too-many-attempts', { retryAfter: 120 }) : evidenceFor(route),
  )({ page })
  await choose(page, fileName)
  await signByCode(page)
  await isSigned(page)
  await lacking(page).waitFor()
  expect(await saved(page)).toMatchObject([{ intact: true, level: 'B-T' }])
  const isSaved = page.getByText(translate('Zapisany', 'Saved'), { exact: true })
  const lasting = page.getByText(
    translate(
      'da się go sprawdzić także po wygaśnięciu certyfikatu',
      'can be checked even after the certificate has expired',
    ),
  )
  expect(await lasting.count()).toBe(0)
  await tryAgain(page)
  await waitForText(page, 'Nadal się nie udało', 'It still didn’t work')
  await isSaved.waitFor()
  isBusy = false
  await tryAgain(page)
  await lacking(page).waitFor({ state: 'detached' })
  await lasting.waitFor()
  expect(await isSaved.count()).toBe(0)
  expect(await saved(page)).toMatchObject([{ intact: true, level: 'B-LT', problems: [] }])
})

test.runIf(exhaustive)('SGN-21 R201 a signature of none of the files keeps no other file back', async () => {
  const page = await open()
  await intercept(readRevocationData, evidenceFor)({ page })
  await changeReply(signFiles, ({ signatures, ...signing }) => ({
    ...signing,
    signatures: [{ ...signatures![0]!, signature: signatures![1]!.signature }, signatures![1]!],
  }))({ page })
  const longer = Buffer.concat([Buffer.from(plainFile), Buffer.from('\n')])
  await field(page).setInputFiles([uploadFile(longer, 'a.pdf'), uploadFile(plainFile, 'b.pdf')])
  await waitForText(page, 'Podpiszesz 2 pliki', 'You’re signing 2 files')
  await signByCode(page)
  await heading(page, 'Podpisano 1 z\u00a02 plików', '1 of 2 files signed').waitFor()
  await waitForText(
    page.locator('.file-row', { hasText: 'a.pdf' }),
    'Otrzymany podpis nie pasuje',
    'The signature we received doesn’t belong',
  )
  expect(await saved(page, 'b.pdf')).toMatchObject([{ level: 'B-LT', problems: [] }])
  // The portal has the right one.
  await tryAgain(page)
  await page.getByRole('heading', { name: labels.signed }).waitFor()
  expect(await saved(page, 'a.pdf')).toMatchObject([{ level: 'B-LT', problems: [] }])
})

test.runIf(exhaustive)('SGN-15 SGN-21 a lost answer is read again; after a failure no new code is needed', async () => {
  const page = await open({ tolerate: /503|ERR_FAILED/ })
  let starts = 0
  page.on('request', (request) => void (new URL(request.url()).pathname === startFileSigning.path && starts++))
  let tries = 0
  await intercept(signFiles, async (route) => {
    tries += 1
    // The first one does not reach the portal, and the answer to the second one does not reach the page.
    if (tries > 1) await route.fetch()
    return route.abort()
  })({ page })
  await choose(page, fileName)
  await signByCode(page)
  const dialog = page.locator('dialog[open]')
  await heading(dialog, 'Nie udało się podpisać', 'We couldn’t sign').waitFor()
  await dialog.getByRole('button', { name: translate('Anuluj', 'Cancel'), exact: true }).click()
  const accepted = page.getByText(translate('Kod SMS jest już przyjęty', 'message code has been accepted'))
  await accepted.waitFor()
  // Anything else needs another code, which the button says.
  const noLonger = async () => {
    await page.getByRole('button', { name: labels.send }).waitFor()
    await waitForText(page, 'Kod wyślemy na numer', 'We’ll send the code to')
    expect(await accepted.count()).toBe(0)
  }
  const reason = page.locator('input[name=reason]')
  await reason.fill('Zgadzam się')
  await noLonger()
  await reason.fill('')
  await accepted.waitFor()
  await page.locator('label:has(input[value=visible])').click()
  await noLonger()
  await page.getByText(translate('Niewidoczny', 'Invisible'), { exact: true }).click()
  await accepted.waitFor()
  await field(page).setInputFiles(uploadFile(plainFile, 'inny.pdf'))
  await noLonger()
  await page.getByRole('button', { name: `${translate('Usuń', 'Remove')}: inny.pdf` }).click()
  await accepted.waitFor()
  await page.getByRole('button', { name: translate('Dalej', 'Continue'), exact: true }).click()
  await isSigned(page)
  expect([starts, tries]).toEqual([1, 2])
})

test.runIf(exhaustive)('SGN-21 a code that expires in its dialog is replaced, and its time is signed', async () => {
  const page = await open({ clock: true })
  const digests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === startFileSigning.path) digests.push((request.postDataJSON() as { digests: string[] }).digests[0]!)
  })
  await choose(page, fileName)
  await page.getByRole('button', { name: labels.send }).click()
  const dialog = page.locator('dialog[open]')
  const entry = dialog.locator('input[name=code]')
  await entry.waitFor()
  const expired = await portal.smsCode(person.phone)
  await portal.letPass(limits.code.life + 5, page)
  const began = await page.evaluate(() => Date.now())
  await waitForText(dialog, 'Ten kod wygasł. Wyślij nowy kod.', 'This code has expired.')
  await button(dialog, 'Wyślij nowy kod', 'Send a new code').click()
  await waitForText(dialog, 'Nowy kod wysłany', 'New code sent')
  const code = await portal.smsCode(person.phone)
  expect(code).not.toBe(expired)
  await entry.fill(code)
  await dialog.getByRole('button', { name: labels.sign }).click()
  await isSigned(page)
  expect([digests.length, new Set(digests).size]).toEqual([2, 2])
  const [signature] = await saved(page)
  expect(signature).toMatchObject({ intact: true })
  expect(signature!.claimedAt!.getTime()).toBeGreaterThanOrEqual(began - 1000)
})

test.runIf(exhaustive)('SGN-27 a link, going back, signing out and more files ask before files are lost', async () => {
  const page = await open()
  await comeFromSoftware(page)
  await choose(page, fileName)
  const dialog = page.getByRole('alertdialog')
  const stay = async (name: string = translate('Zostań', 'Stay')) => {
    await dialog.getByRole('button', { name }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const link = page.locator('.nav').getByRole('link', { name: translate('Oprogramowanie', 'Software') })
  await link.click()
  await stay()
  await signByCode(page)
  await isSigned(page)
  await page.evaluate(() => history.back())
  await stay()
  await page.waitForURL(/\/sign$/)
  await isSigned(page)
  await pressSignOut(page)
  await stay()
  await button(page, 'Podpisz następne pliki', 'Sign more files').click()
  await stay(translate('Wróć do zapisywania', 'Back to saving'))
  await page.evaluate(() => history.back())
  await button(dialog, 'Wyjdź', 'Leave').click()
  await page.waitForURL(/\/software$/)
  // They are gone, as the customer agreed, and nothing is asked where nothing is lost.
  await page.evaluate(() => history.forward())
  await page.locator('.drop').waitFor()
  await link.click()
  await page.waitForURL(/\/software$/)
})

test.runIf(exhaustive)('SGN-27 AUT-5 after the session, signed files return for their customer alone', async () => {
  const { idle, warning } = limits.session
  const page = await open({ clock: true })
  await choose(page, fileName)
  await signByCode(page)
  await isSigned(page)
  const outliveSession = async () => {
    await portal.letPass(idle - warning + 5, page)
    await page.getByRole('alertdialog').waitFor()
    await portal.letPass(warning, page)
    await page.waitForURL(/reason=session-/)
  }
  const named = page.getByText(fileName.replace('.pdf', ''))
  await outliveSession()
  expect(await named.count()).toBe(0)
  await signInHere(page, portal, person.login)
  await isSigned(page)
  expect(await saved(page)).toMatchObject([{ intact: true }])
  await outliveSession()
  await signInHere(page, portal, 'oliver')
  await page.locator('.drop').waitFor()
  expect(await named.count()).toBe(0)
})

test.runIf(exhaustive)('SGN-20 SGN-27 a file that changes on the disk before or after signing is named', async () => {
  const page = await open()
  const name = `umowa-${locale}.pdf`
  const path = join(portal.directory, name)
  writeFileSync(path, plainFile)
  const choosePath = async () => {
    await field(page).setInputFiles(path)
    await waitForText(page, 'Podpiszesz 1 plik', 'You’re signing 1 file')
  }
  await choosePath()
  const sent: string[] = []
  page.on('request', (request) => sent.push(new URL(request.url()).pathname))
  // The preparation, which does not end, is cancelled.
  const worker = /\/assets\/file-signing-worker-/
  await page.route(worker, () => {})
  await page.getByRole('button', { name: labels.send }).click()
  const dialog = page.locator('dialog[open]')
  await waitForText(dialog, 'Plik 1 z\u00a01', 'File 1 of 1')
  await dialog.getByRole('button', { name: translate('Anuluj', 'Cancel'), exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.unroute(worker)

  writeFileSync(path, Buffer.concat([Buffer.from(plainFile), Buffer.from('\n')]))
  await page.getByRole('button', { name: labels.send }).click()
  const row = page.locator('.file-row', { hasText: name })
  await waitForText(row, 'Ten plik zmienił się albo zniknął', 'This file has changed, or is gone')
  expect(sent).not.toContain(startFileSigning.path)
  await page.getByRole('button', { name: `${translate('Usuń', 'Remove')}: ${name}` }).press('Enter')
  await untilFocused(field(page))
  await choosePath()
  await signByCode(page)
  await isSigned(page)
  unlinkSync(path)
  await save(page, name)
  await waitForText(page, 'Oryginał tego pliku zmienił się', 'The original of this file has changed')
})

test.runIf(exhaustive)('SGN-22 SGN-24 next to the form files are read, and a signature put on a page', async () => {
  const page = await open()
  const pagesOf = (name: string) =>
    page.getByRole('region', { name: `${translate('Strony dokumentu', 'Pages of the document')}: ${name}` })
  await choose(page, 'a.pdf', 'b.pdf')
  await pagesOf('a.pdf').locator('canvas:not([hidden])').waitFor()
  await page.getByRole('button', { name: `${translate('Czytaj', 'Read')} b.pdf` }).click()
  await pagesOf('b.pdf').locator('canvas:not([hidden])').waitFor()
  expect(await pagesOf('a.pdf').count()).toBe(0)
  await waitForText(page, 'Przewiń, aby czytać dalej', 'Scroll to read on')
  // SGN-25: the form stays in view.
  const order = page.getByRole('button', { name: labels.send })
  const { y, height } = (await order.boundingBox())!
  expect([y >= 0, y + height <= desktop.height]).toEqual([true, true])

  await page.setViewportSize({ width: 1440, height: 1800 })
  await button(page, 'Czytaj stronę 2 z\u00a03', 'Read page 2 of 3').waitFor()
  await page.locator('label:has(input[value=visible])').click()
  // The last page, where a signature usually is.
  const places = page.getByRole('radiogroup', {
    name: translate('Miejsce podpisu na stronie', 'Position of the signature on the page'),
  })
  const place = (pl: string, en: string) => places.getByRole('radio', { name: translate(pl, en), exact: true })
  // The page says so too, in its own text.
  await page.locator('.reader__at', { hasText: translate('Strona 3 z\u00a03', 'Page 3 of 3') }).waitFor()
  // Until it is drawn, the places are those of the page before.
  await place('U\u00a0dołu po prawej', 'Bottom right').and(page.locator(':checked')).waitFor({ state: 'attached' })
  const isAt = async (pl: string, en: string) => {
    await expect.poll(() => page.locator('.sign-form [data-name=place]').textContent()).toBe(translate(pl, en))
  }
  await place('U\u00a0dołu po prawej', 'Bottom right').press('ArrowUp')
  await isAt('Po prawej', 'Right')
  await untilFocused(place('Po prawej', 'Right'))
  // A press that began elsewhere moves nothing, and what was dragged is moved on by the keyboard.
  const drag = async (from: string, to: string) => {
    await page.locator(from).hover()
    await page.mouse.down()
    await page.locator(to).hover()
    await page.mouse.up()
  }
  await drag('.sign-form .hint', '[data-place=middle]')
  await isAt('Po prawej', 'Right')
  await drag('[data-place=right]', '[data-place=middle]')
  await isAt('Na środku', 'Middle')
  await page.keyboard.press('ArrowUp')
  await isAt('U\u00a0góry na środku', 'Top centre')
  // Another page is chosen on that page.
  const back = button(page, 'Poprzednia strona', 'Previous page')
  await back.click()
  await places.waitFor({ state: 'detached' })
  await back.click()
  await places.locator('[data-place=top-left]').click()
  await isAt('U\u00a0góry po lewej', 'Top left')
  const chosenPage = page.locator('.sign-form [data-name=page]')
  await expect.poll(() => chosenPage.textContent()).toBe(translate('Pierwsza', 'First'))

  // On a phone the pages are in a dialog.
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: `${translate('Czytaj', 'Read')} a.pdf` }).click()
  await page.getByRole('dialog').locator('[data-place=top]').click()
  await page.keyboard.press('Escape')
  await isAt('U\u00a0góry na środku', 'Top centre')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
})
