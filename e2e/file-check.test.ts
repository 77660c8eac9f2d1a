import { createHash } from 'node:crypto'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readSession } from '../contract/account.ts'
import { listTrustedAuthorities, readRevocationData } from '../contract/file-check.ts'
import { limits } from '../contract/limits.ts'
import { readCertificate } from '../pki/asn1/certificate.ts'
import { embedSignature } from '../pki/pades/pades-sign.ts'
import { openAnyPdf } from '../pki/pdf/pdf-encryption.ts'
import { encryptPdf } from '../pki/pdf/pdf-rewrite.ts'
import { holder, issuing, personRights, signatureOver, signPdf } from '../pki/testing/pades-authorities.ts'
import { coverableContract, preparedOverThePrice } from '../pki/testing/visible-signature.ts'
import { sealLongTerm } from '../provider/authority/electronic-seal.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { findIn } from '../server/testing/samples/canaries.ts'
import { desktop, phone, untilFocused, downloadBy, readFocusedText, plain } from './testing/browser-pages.ts'
import { readDownload, uploadFile, openSigner } from './testing/document-cases.ts'
import { intercept, refuse, stall } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { runsIn, sendFromWorker, watchSaid } from './testing/said-by-page.ts'
import { agreement } from './testing/samples/documents.ts'

const portal = await openPortal()
const { authority, sign } = await openSigner(portal)

/** Files of the demonstration: signed by a customer; then also sealed by the provider; encrypted and then signed. */
const plainFile = await agreement()
const signed = sign(openAnyPdf(plainFile))
const sealed = await sealLongTerm(signed, authority, { reason: 'Umowa', at: new Date() })
const password = 'Zolta lodka 77'
const locked = sign(openAnyPdf(encryptPdf(plainFile, { password, owner: 'provider' }), password))
const company = holder(
  {
    name: [
      { name: 'organizationIdentifier', value: 'VATPL-1234563218' },
      { name: 'CN', value: 'Źródło S.A.' },
    ],
    extensions: personRights().slice(0, 1),
  },
  issuing,
)
/** Part of the comment in the second line, which is no content, but is signed. */
const changed = signed.map((byte, at) => (at === 11 ? byte ^ 1 : byte))
const fileName = 'umowa-poufna-Kowalska.pdf'

const field = (page: Page) => page.locator('.check-screen input[type=file]')
const choose = async (page: Page, file: Uint8Array) => {
  await page.locator('.check-screen input[type=file]:enabled').waitFor({ state: 'attached' })
  await field(page).setInputFiles(uploadFile(file, fileName))
}
const report = async (page: Page) => {
  await page.locator('.file-report').waitFor()
  return plain(await page.locator('.file-report').innerText())
}

/** Drops files where one is chosen. */
const drop = (page: Page, files: readonly Uint8Array[]) =>
  page.evaluate(
    (contents) => {
      const dataTransfer = new DataTransfer()
      for (const content of contents) {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
        dataTransfer.items.add(new File([bytes], 'umowa.pdf', { type: 'application/pdf' }))
      }
      const target = document.querySelector('.drop')!
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    },
    files.map((file) => Buffer.from(file).toString('base64')),
  )

const digestsOf = (file: Uint8Array) =>
  ['md5', 'sha1', 'sha256', 'sha384', 'sha512'].flatMap((name) => {
    const digest = createHash(name).update(file).digest()
    return [digest.toString('hex'), digest.toString('base64').replace(/=+$/, ''), digest.toString('base64url')]
  })

const locale = language('pl')
const { at, button, translate, waitForText } = inLanguage(locale)
const path = at('/check')
const open = async (options: Parameters<typeof portal.openPage>[0] = {}) => {
  const page = await portal.openPage({ locale, ...options })
  await page.goto(path)
  return page
}
const byFile = translate(
  'według certyfikatu w pliku, niepotwierdzone',
  'According to the certificate in the file, not verified',
)
const same = translate('Treść się nie zmieniła', 'The content hasn’t changed')
const verdict = {
  valid: translate('Podpis jest prawidłowy', 'The signature is valid'),
  partly: translate(
    'Wszystko jest prawidłowe, ale nie wszystko jest kwalifikowane',
    'Everything is valid, but not everything is qualified',
  ),
  invalid: translate('Podpis jest nieprawidłowy', 'The signature isn’t valid'),
  unsure: translate('Nie wszystko udało się potwierdzić', 'We couldn’t confirm everything'),
}

test('CHK-4 NAV-2 a visitor learns who signed a file; the report stays when the menu appears', async () => {
  const page = await portal.openPage({ locale })
  await page.goto(at('/terms'))
  const link = page
    .locator('footer')
    .getByRole('link', { name: translate('Sprawdź podpisany plik', 'Check a signed file') })
  await link.click()
  await choose(page, signed)
  // It would lead to its own page.
  expect(await link.isVisible()).toBe(false)
  const text = await report(page)
  for (const part of [
    verdict.valid,
    'Małgorzata Wiśniewska',
    translate('Kwalifikowany podpis elektroniczny', 'Qualified electronic signature'),
    translate('według zegara podpisującego', 'by the signer’s clock'),
    translate('Dokument nie zmienił się od podpisania', 'The document hasn’t changed since it was signed'),
    translate('Certyfikat jest zaufany i był wtedy ważny', 'The certificate is trusted and was valid at the time'),
    translate('Certyfikat nie był unieważniony', 'The certificate wasn’t revoked'),
  ])
    expect(text).toContain(part)
  expect(text).not.toContain(byFile)
  expect(await page.locator('.file-report .notice--ok').count()).toBe(1)
  // The focus is where the report begins.
  await expect.poll(() => readFocusedText(page)).toBe(verdict.valid)

  // The session of a customer is known late.
  const customer = await portal.openAs('oliver', { locale })
  const held = Promise.withResolvers<void>()
  await intercept(readSession, (route) => held.promise.then(() => route.continue()))({ page: customer })
  await customer.goto(path)
  await choose(customer, signed)
  await customer.locator('.none-layout .file-report').waitFor()
  const before = await report(customer)
  held.resolve()
  await customer.locator('.app .file-report').waitFor()
  expect(await report(customer)).toBe(before)
  const timeless = (said: string) => said.replace(/(?:sprawdzono|checked on) .*/, '')
  expect(timeless(before)).toBe(timeless(text))
})

test.each([
  {
    what: 'changed',
    file: changed,
    says: [
      verdict.invalid,
      translate('Dokument zmieniono po podpisaniu.', 'The document was changed after it was signed.'),
      translate('Poproś nadawcę', 'Ask the sender'),
      'Małgorzata Wiśniewska',
      byFile,
    ],
    not: translate('Dokument nie zmienił się', 'The document hasn’t changed'),
    // The reason is given once.
    marks: { '.notice': 1, '.badge--error-strong': 1, '.notice--ok': 0 },
    indication: 'TOTAL-FAILED / HASH_FAILURE',
  },
  {
    what: 'signed by an authority that the portal does not trust',
    file: signPdf(plainFile),
    says: [
      verdict.unsure,
      'Anna Nowak',
      byFile,
      translate('niepotwierdzony jako kwalifikowany', 'not confirmed as qualified'),
      translate('Nie możemy potwierdzić wystawcy certyfikatu', 'We can’t confirm the certificate’s issuer'),
      translate('Dokument nie zmienił się od podpisania', 'The document hasn’t changed since it was signed'),
    ],
    not: verdict.valid,
    marks: { '.notice--ok': 0 },
    indication: 'INDETERMINATE / NO_CERTIFICATE_CHAIN_FOUND',
  },
])('CHK-4 the report on a file that is $what', async ({ file, says, not, marks, indication }) => {
  const page = await open()
  await choose(page, file)
  const text = await report(page)
  for (const part of says) expect(text).toContain(part)
  expect(text).not.toContain(not)
  for (const [mark, count] of Object.entries(marks))
    expect([mark, await page.locator(`.file-report ${mark}`).count()]).toEqual([mark, count])
  await page.locator('.file-report summary').click()
  expect(await report(page)).toContain(indication)
})

test('CHK-4 CHK-9 of a later signature over the content the name is given, and not that nothing has changed', async () => {
  const signedOnce = signPdf(coverableContract())
  const prepared = preparedOverThePrice(signedOnce, 'Podpis 2')
  const page = await open()
  await choose(page, embedSignature(prepared, signatureOver(prepared, { by: company })))
  const first = page.locator('.file-report__signature').first()
  const added = translate(
    'Później dodano: pieczęć Źródło S.A. (niepotwierdzona).',
    'Added later: a seal of Źródło S.A. (not confirmed).',
  )
  await expect.poll(async () => plain(await first.innerText())).toContain(added)
  expect(await report(page)).not.toContain(same)
  await button(first, 'Porównaj wersje', 'Compare versions').click()
  const dialog = page.locator('dialog')
  await expect.poll(async () => plain(await dialog.innerText())).toContain(added)
  expect(plain(await dialog.innerText())).not.toContain(same)
  await page.keyboard.press('Escape')
  await first.locator('summary').click()
  const said = plain(await first.innerText())
  expect(said).toContain(translate('podpis lub pole podpisu', 'signature or signature field'))
  expect(said).not.toMatch(/validation-data|metadata/)
})

test.runIf(exhaustive)('CHK-7 CHK-9 a file with a later seal is compared with its first version, printed', async () => {
  const page = await open({ viewport: phone, alone: true })
  await choose(page, sealed)
  const text = await report(page)
  expect(text).toContain(verdict.partly)
  const provider = authority.seal.name
  expect(text).toContain(translate(`Później dodano: pieczęć ${provider}`, `Added later: a seal of ${provider}`))
  const first = page.locator('.file-report__signature').first()
  const save = button(first, 'Pobierz tę wersję', 'Download this version')
  const download = await downloadBy(page, () => save.click())
  expect(Buffer.compare(await readDownload(download), signed)).toBe(0)
  expect(download.suggestedFilename()).toBe(`umowa-poufna-Kowalska-${translate('podpis', 'signature')}-1.pdf`)
  await button(first, 'Porównaj wersje', 'Compare versions').click()
  const revisions = page.locator('.revisions__one')
  await revisions.first().locator('canvas[role=img]').waitFor()
  // One at a time on a phone, both at the same size.
  await button(page.locator('.revisions__one:visible'), 'Powiększ', 'Zoom in').click()
  await page.getByRole('button', { name: translate('Teraz', 'Now'), exact: true }).click()
  await revisions.last().locator('canvas[role=img]').waitFor()
  expect(await revisions.first().isVisible()).toBe(false)
  await revisions.last().getByText('125%').waitFor()
  await page.keyboard.press('Escape')
  await revisions.first().waitFor({ state: 'detached' })
  const xml = button(page, 'Raport ETSI (XML)', 'ETSI report (XML)')
  const saved = await downloadBy(page, () => xml.click())
  expect(new TextDecoder().decode(await readDownload(saved)).match(/mainindication:total-passed/g)).toHaveLength(2)
  // A printed report has the details for experts, and neither the frame of the page nor buttons.
  const isShown = (selector: string) => page.locator(selector).first().isVisible()
  await page.setViewportSize(desktop)
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  const shown = await Promise.all(
    ['.file-report__path', '.none-layout__bar', '.foot', '.check-screen .button'].map(isShown),
  )
  expect(shown).toEqual([true, false, false, false])
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: 'screen' })
  expect(await isShown('.file-report__path')).toBe(false)
})

test('CHK-2 R181 nothing of an encrypted file or its password is in a request, cookie or storage', async () => {
  const page = await open({ alone: true })
  const heard = watchSaid(page)
  await choose(page, locked)
  const secret = page.locator('input[type=password]')
  await secret.fill('wrong-password')
  await secret.press('Enter')
  await waitForText(page, 'Hasło się nie zgadza', 'Wrong password')
  await secret.fill(password)
  await secret.press('Enter')
  expect(await report(page)).toContain(verdict.valid)

  const said = await heard.said()
  expect(runsIn(said, locked)).toEqual([])
  for (const each of [locked, plainFile].flatMap(digestsOf)) expect(said).not.toContain(each)
  for (const text of [fileName, 'Kowalska', password, 'wrong-password']) expect(findIn(said, text)).toEqual([])
  // The search finds what a body would have.
  expect(runsIn(Buffer.from(locked.subarray(900, 1000)).toString('latin1'), locked)).not.toEqual([])

  // Whatever is sent is known: certificates, each with its time.
  const bodies = heard.requests.filter((request) => request.method() !== 'GET')
  expect(new Set(bodies.map((request) => new URL(request.url()).pathname))).toEqual(new Set([readRevocationData.path]))
  for (const request of bodies) {
    const { chains } = readRevocationData.body.parse(request.postDataJSON())
    for (const certificate of chains.flatMap(({ path: each }) => each))
      expect(readCertificate(new Uint8Array(Buffer.from(certificate, 'base64'))).serialNumber).toBeTruthy()
  }
  const called = heard.requests
    .map((request) => request.url())
    .filter((url) => !url.startsWith(`${portal.origin}/assets/`))
  expect(new Set(called)).toEqual(
    new Set([listTrustedAuthorities, readRevocationData].map(({ path: each }) => portal.origin + each)),
  )
})

test('R181 the script that reads files can send nothing', async () => {
  const page = await open({ tolerate: /connect-src|Content Security Policy|CSP/ })
  const loaded = page.waitForRequest(/\/assets\/file-check-worker-/)
  await choose(page, signed)
  const address = (await loaded).url()
  await report(page)
  expect(
    await sendFromWorker(page, address, [`${portal.origin}${readRevocationData.path}`, 'https://elsewhere.example/']),
  ).toEqual(['blocked', 'blocked'])
})

test('CHK-3 CHK-9 the field says why a file is refused; one is dropped, and one is read by page', async () => {
  const page = await open()
  const refused = async (expected: string) => {
    await expect.poll(async () => plain(await page.locator('.drop__error').innerText())).toContain(expected)
    expect(await field(page).getAttribute('aria-invalid')).toBe('true')
  }
  await field(page).setInputFiles(uploadFile(Buffer.from('PK'), 'umowa.docx'))
  await refused(translate('To nie jest plik PDF: umowa.docx', 'This isn’t a PDF file: umowa.docx'))
  // A file on disk, which need not be sent to the browser.
  const tooLarge = join(portal.directory, 'too-large.pdf')
  writeFileSync(tooLarge, '')
  truncateSync(tooLarge, limits.fileCheck.bytes + 1)
  await field(page).setInputFiles(tooLarge)
  await refused(translate('Wybierz plik do 50 MB', 'Maximum size is 50MB'))
  await drop(page, [signed, signed])
  await refused(translate('Wybierz jeden plik.', 'Choose one file.'))

  // A file without a signature is a result.
  await drop(page, [plainFile])
  const title = translate('Ten plik nie ma podpisów', 'This file has no signatures')
  const text = await report(page)
  for (const part of [title, translate('Poproś nadawcę o podpisany plik', 'Ask the sender for the signed file')])
    expect(text).toContain(part)
  await expect.poll(() => readFocusedText(page)).toBe(title)

  // Another one is chosen by keyboard alone.
  const again = translate('Wybierz inny plik', 'Choose another file')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: again }).press('Enter')
  await untilFocused(field(page))
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(uploadFile(locked))
  await page.locator('input[name=filePassword]').fill(password)
  await page.keyboard.press('Enter')
  await button(page, 'Otwórz dokument', 'Open the document').click()
  await page.locator('dialog .reader canvas[role=img]').waitFor()
})

test('CHK-6 a check can be cancelled, and where the authorities do not answer, repeated', async () => {
  const page = await open({ tolerate: /429/ })
  await stall(readRevocationData)({ page })
  await choose(page, signed)
  await waitForText(page, 'Pytamy wystawców', 'Asking the issuers')
  await button(page, 'Przerwij', 'Cancel').press('Enter')
  await page.locator('.drop').waitFor()
  await expect.poll(() => page.workers().length).toBe(0)
  expect(await page.locator('.file-report').count()).toBe(0)

  await refuse(readRevocationData, 'too-many-attempts', { retryAfter: 120 })({ page })
  await choose(page, signed)
  const text = await report(page)
  expect(text).toContain(verdict.unsure)
  expect(text).toContain(translate('Nie udało się zapytać wystawców', 'We couldn’t ask the issuers'))
  // Once they answer, the same file needs not be chosen again.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await button(page, 'Sprawdź ponownie', 'Check again').click()
  await page.getByRole('heading', { name: verdict.valid }).waitFor()
  await expect.poll(() => readFocusedText(page)).toBe(verdict.valid)
})

test('CHK-6 a worker gets the authorities and their answers, which the page does not read', async () => {
  const page = await open()
  await page.evaluate(() => {
    const seen = Object.assign(window, { read: [] as string[], sent: [] as Record<string, string>[] })
    const json = Response.prototype.json
    Response.prototype.json = function noting(this: Response) {
      seen.read.push(this.url)
      return json.call(this) as Promise<unknown>
    }
    for (const name of ['arrayBuffer', 'text', 'stream', 'bytes'] as const) {
      const read = Blob.prototype[name] as () => never
      Blob.prototype[name] = function noting(this: Blob) {
        seen.read.push(name)
        return read.call(this)
      }
    }
    const post = Worker.prototype.postMessage
    Worker.prototype.postMessage = function noting(this: Worker, message: object) {
      const kinds = Object.entries(message).map(([name, value]: [string, object]) => [name, value.constructor.name])
      seen.sent.push(Object.fromEntries(kinds) as Record<string, string>)
      post.call(this, message)
    }
  })
  await choose(page, signed)
  expect(await report(page)).toContain(verdict.valid)
  const { read, sent } = await page.evaluate(() => {
    const seen = window as { read?: string[]; sent?: Record<string, string>[] }
    return { read: seen.read!, sent: seen.sent! }
  })
  expect(read.filter((each) => !each.startsWith('http') || /trusted-authorities|revocation-data/.test(each))).toEqual(
    [],
  )
  const [first, ...more] = sent
  expect(first).toEqual({ file: 'File', password: 'String', authorities: 'Blob', at: 'Date' })
  expect(more.length).toBeGreaterThan(0)
  for (const each of more) expect(each).toEqual({ revocations: 'Blob' })
})
