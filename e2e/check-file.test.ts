import { createHash } from 'node:crypto'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { readSession } from '../contract/account.ts'
import { listTrustedAuthorities, readRevocationData } from '../contract/file-check.ts'
import { limits } from '../contract/limits.ts'
import { inLocale } from '../contract/pages.ts'
import { readCertificate } from '../pki/asn1/certificate.ts'
import { base64Of } from '../pki/bytes.ts'
import { embedSignature } from '../pki/pades/pades-sign.ts'
import { appendValidationData } from '../pki/pades/pades-validation-data.ts'
import { openAnyPdf } from '../pki/pdf/open-any-pdf.ts'
import { encryptPdf } from '../pki/pdf/pdf-rewrite.ts'
import {
  anna,
  ocspAnswer,
  revocationList,
  root,
  seal,
  signPdf,
  signatureOver,
  signedAt,
  stamper,
} from '../pki/testing/pades-authorities.ts'
import { coverableContract, preparedOverThePrice } from '../pki/testing/covering-signature.ts'
import { sealLongTerm } from '../provider/authority/electronic-seal.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { findIn } from '../server/testing/samples/canaries.ts'
import { findings } from './testing/axe-findings.ts'
import { phone } from './testing/browser-pages.ts'
import { bytesOf, filed, openSigner } from './testing/document-cases.ts'
import { intercept, refuse, reply, stall } from './testing/fake-replies.ts'
import { openPortal, say } from './testing/open-portal.ts'
import { runsIn, textOf } from './testing/said-by-page.ts'
import { agreement } from './testing/samples/agreement.ts'

const portal = await openPortal()
const { authority, sign } = await openSigner(portal)

/** Files of the demonstration: signed by a customer; then also sealed by the provider; encrypted and then signed. */
const plainFile = await agreement()
const signed = sign(openAnyPdf(plainFile))
const sealed = await sealLongTerm(signed, authority, { reason: 'Umowa', at: new Date() })
const password = 'Zolta lodka 77'
const locked = sign(openAnyPdf(encryptPdf(plainFile, { password, owner: 'provider' }), password))
/** Part of the comment in the second line, which is no content, but is signed. */
const changed = signed.map((byte, at) => (at === 11 ? byte ^ 1 : byte))
const fileName = 'umowa-poufna-Kowalska.pdf'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const field = (page: Page) => page.locator('.judge input[type=file]')
const choose = async (page: Page, file: Uint8Array, name = fileName) => {
  await page.locator('.judge input[type=file]:enabled').waitFor({ state: 'attached' })
  await field(page).setInputFiles(filed(file, name))
}
const report = async (page: Page) => {
  await page.locator('.judged').waitFor()
  return plain(await page.locator('.judged').innerText())
}

/** A file on disk, which need not be sent to the browser. */
function emptyFile(name: string, bytes: number) {
  const file = join(portal.directory, name)
  writeFileSync(file, '')
  truncateSync(file, bytes)
  return file
}

const digestsOf = (file: Uint8Array) =>
  ['md5', 'sha1', 'sha256', 'sha384', 'sha512'].flatMap((name) => {
    const digest = createHash(name).update(file).digest()
    return [digest.toString('hex'), digest.toString('base64').replace(/=+$/, ''), digest.toString('base64url')]
  })

describe.each(languages('pl'))('%s', (locale) => {
  const path = inLocale(locale, '/check')
  const translate = (pl: string, en: string) => say(locale, { pl, en })
  const open = async (options: Parameters<typeof portal.openPage>[0] = {}) => {
    const page = await portal.openPage({ locale, ...options })
    await page.goto(path)
    return page
  }
  const verdict = {
    valid: translate('Podpis jest prawidłowy', 'The signature is valid'),
    partly: translate(
      'Wszystko jest prawidłowe, ale nie wszystko jest kwalifikowane',
      'Everything is valid, but not everything is qualified',
    ),
    invalid: translate('Podpis jest nieprawidłowy', 'The signature isn’t valid'),
    unsure: translate('Nie wszystko udało się potwierdzić', 'We couldn’t confirm everything'),
  }

  test('CHK-2 CHK-4 a visitor, and a customer in the menu, learn who signed a file of the demonstration, and that it is unchanged', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(inLocale(locale, '/terms'))
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
    expect(await page.locator('.judged .note--ok').count()).toBe(1)
    // The focus is where the report begins.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(verdict.valid)
    expect(await findings(page)).toEqual([])

    const customer = await portal.openPage({ locale })
    await portal.signIn(customer, 'oliver', { locale })
    await customer.goto(path)
    await customer.locator('.app .judge').waitFor()
    await choose(customer, signed)
    const timeless = (said: string) => said.replace(/(?:sprawdzono|checked on) .*/, '')
    expect(timeless(await report(customer))).toBe(timeless(text))
    expect(await findings(customer)).toEqual([])
  })

  test('NAV-2 a result stays when the session is known late and the menu appears around the page', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'oliver', { locale })
    const held = Promise.withResolvers<void>()
    await intercept(readSession, (route) => held.promise.then(() => route.continue()))({ page })
    await page.goto(path)
    await choose(page, signed)
    await page.locator('.plain .judged').waitFor()
    const text = await report(page)
    held.resolve()
    await page.locator('.app .judged').waitFor()
    expect(await report(page)).toBe(text)
  })

  test('CHK-4 a manipulated file is not valid, and the reason is a sentence', async () => {
    const page = await open()
    await choose(page, changed)
    const text = await report(page)
    expect(text).toContain(verdict.invalid)
    expect(text).toContain(
      translate('Dokument zmieniono po podpisaniu.', 'The document was changed after it was signed.'),
    )
    expect(text).not.toContain(translate('Dokument nie zmienił się', 'The document hasn’t changed'))
    expect(text).toContain(translate('Poproś nadawcę', 'Ask the sender'))
    // The reason is given once.
    expect(await page.locator('.judged .note').count()).toBe(1)
    expect(await page.locator('.judged .badge--err-strong').count()).toBe(1)
    await page.locator('.judged summary').click()
    expect(await report(page)).toContain('TOTAL-FAILED / HASH_FAILURE')
    expect(await findings(page)).toEqual([])
  })

  test.runIf(exhaustive)(
    'CHK-4 R99 a later signature over the page is named, and the file is not called unchanged',
    async () => {
      const trusted = [{ certificate: base64Of(root.certificate), purposes: null, from: null, to: null }]
      const page = await portal.openPage({ locale })
      const later = new Date(signedAt.getTime() + 60_000)
      await reply(listTrustedAuthorities, { authorities: trusted, intermediates: [] }, later)({ page })
      await reply(readRevocationData, {
        ocsps: [anna, seal].map((about) => base64Of(ocspAnswer(about))),
        crls: [base64Of(revocationList())],
      })({ page })
      await page.goto(path)
      const prepared = preparedOverThePrice(signPdf(coverableContract()), 'Podpis 2')
      await choose(page, embedSignature(prepared, signatureOver(prepared, { by: seal })))
      const text = await report(page)
      expect(text).toContain(
        translate(
          'Późniejszy podpis zasłania część strony. Otwórz wersję',
          'A later signature covers part of a page. Open',
        ),
      )
      expect(text.match(/Dokument nie zmienił się|The document hasn’t changed/g)).toHaveLength(1)
      expect(text).not.toMatch(/Treść się nie zmieniła|The content hasn’t changed/)
      expect(await page.locator('.judged .note--ok, .judged .note--info').count()).toBe(0)
      expect(await findings(page)).toEqual([])
    },
  )

  test('CHK-9 a signed file is read page by page, an encrypted one with the password that opened it', async () => {
    const page = await open()
    await choose(page, locked)
    await page.locator('input[name=filePassword]').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: translate('Otwórz dokument', 'Open the document') }).click()
    await page.locator('dialog .reader canvas[role=img]').waitFor()
    expect(await findings(page)).toEqual([])
  })

  test.runIf(exhaustive)(
    'CHK-4 CHK-7 with a later seal both signatures are valid, and the file as it was first signed can be saved',
    async () => {
      const page = await open({ viewport: phone })
      await choose(page, sealed)
      const text = await report(page)
      expect(text).toContain(verdict.partly)
      expect(text).toMatch(say(locale, { pl: /Później dodano: podpis/, en: /Added later: a signature/ }))
      const cards = page.locator('.judged__sig')
      expect(await cards.count()).toBe(2)
      expect(plain(await cards.nth(1).innerText())).toContain(
        translate('potwierdza to znacznik czasu', 'confirmed by a timestamp'),
      )
      const save = cards.nth(0).getByRole('button', { name: translate('Pobierz tę wersję', 'Download this version') })
      const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
      expect(Buffer.compare(await bytesOf(download), signed)).toBe(0)
      expect(download.suggestedFilename()).toBe(`umowa-poufna-Kowalska-${translate('podpis', 'signature')}-1.pdf`)
      const compare = translate('Porównaj wersje', 'Compare versions')
      await cards.nth(0).getByRole('button', { name: compare }).click()
      const revisions = page.locator('.revisions__one')
      await revisions.first().locator('canvas[role=img]').waitFor()
      // One at a time on a phone, both at the same size.
      await page
        .locator('.revisions__one:visible')
        .getByRole('button', { name: translate('Powiększ', 'Zoom in') })
        .click()
      await page.getByRole('button', { name: translate('Teraz', 'Now'), exact: true }).click()
      await revisions.last().locator('canvas[role=img]').waitFor()
      expect(await revisions.first().isVisible()).toBe(false)
      await revisions.last().getByText('125%').waitFor()
      await page.keyboard.press('Escape')
      await revisions.first().waitFor({ state: 'detached' })
      const xml = page.getByRole('button', { name: translate('Raport ETSI (XML)', 'ETSI report (XML)') })
      const [saved] = await Promise.all([page.waitForEvent('download'), xml.click()])
      expect(saved.suggestedFilename()).toBe('umowa-poufna-Kowalska-ts-119-102-2.xml')
      const indications = new TextDecoder().decode(await bytesOf(saved)).matchAll(/mainindication:([a-z-]+)/g)
      expect(Array.from(indications, ([, indication]) => indication)).toEqual(['total-passed', 'total-passed'])
      for (const summary of await page.locator('.judged summary').all()) await summary.click()
      const details = await report(page)
      expect(details).toContain('PAdES B-LT')
      expect(details.match(/TOTAL-PASSED/g)).toHaveLength(2)
      expect(details).toMatch(/CRL|OCSP/)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
      expect(await findings(page)).toEqual([])
    },
  )

  test('CHK-2 CHK-3 R181 nothing of an encrypted file, its name or its password is in any request, cookie or storage', async () => {
    const page = await open({ alone: true })
    await page.locator('.judge input[type=file]:enabled').waitFor({ state: 'attached' })
    const requests: Request[] = []
    page.context().on('request', (request) => requests.push(request))
    await choose(page, locked)
    const secret = page.locator('input[type=password]')
    await secret.fill('wrong-password')
    await secret.press('Enter')
    await page.getByText(translate('Hasło się nie zgadza', 'Wrong password')).waitFor()
    expect(await findings(page)).toEqual([])
    await secret.fill(password)
    await secret.press('Enter')
    expect(await report(page)).toContain(verdict.valid)

    const texts = await Promise.all(requests.map(textOf))
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
    )
    const said = [...texts, stored, JSON.stringify(await page.context().cookies())].join('\n')
    expect(runsIn(said, locked)).toEqual([])
    for (const each of [locked, plainFile].flatMap(digestsOf)) expect(said).not.toContain(each)
    for (const text of [fileName, 'Kowalska', password, 'wrong-password']) expect(findIn(said, text)).toEqual([])
    // The search finds what a body would have.
    expect(runsIn(Buffer.from(locked.subarray(900, 1000)).toString('latin1'), locked)).not.toEqual([])

    // Whatever is sent is known: certificates, each with its time.
    const bodies = requests.filter((request) => request.method() !== 'GET')
    expect(new Set(bodies.map((request) => new URL(request.url()).pathname))).toEqual(
      new Set([readRevocationData.path]),
    )
    for (const request of bodies) {
      const { chains } = readRevocationData.body.parse(request.postDataJSON())
      for (const certificate of chains.flatMap(({ path: each }) => each))
        expect(readCertificate(new Uint8Array(Buffer.from(certificate, 'base64'))).serialNumber).toBeTruthy()
    }
    const read = requests
      .map((request) => new URL(request.url()))
      .filter(({ pathname }) => !pathname.startsWith('/assets/'))
    expect(
      new Set(read.map(({ origin, pathname, search }) => [origin === portal.origin, pathname, search].join())),
    ).toEqual(new Set([['true', listTrustedAuthorities.path, ''].join(), ['true', readRevocationData.path, ''].join()]))
  })

  test('R181 the script that reads files can send nothing', async () => {
    const page = await open({ tolerate: /connect-src|Content Security Policy|CSP/ })
    const loaded = page.waitForRequest(/\/assets\/file-check-worker-/)
    await choose(page, signed)
    const address = (await loaded).url()
    await report(page)
    const [worker] = await Promise.all([
      page.waitForEvent('worker'),
      page.evaluate((url) => void Object.assign(window, { again: new Worker(url, { type: 'module' }) }), address),
    ])
    const send = (to: string) =>
      fetch(to, { method: 'POST', body: 'x' }).then(
        () => 'sent',
        () => 'blocked',
      )
    for (const to of [`${portal.origin}${readRevocationData.path}`, 'https://elsewhere.example/'])
      expect(await worker.evaluate(send, to)).toBe('blocked')
    await page.evaluate(() => (window as unknown as { again: Worker }).again.terminate())
  })

  test.runIf(exhaustive)(
    'CHK-4 the verdict says where nobody knows whether the authority of a timestamp was revoked',
    async () => {
      const page = await open()
      const trusted = [{ certificate: base64Of(root.certificate), purposes: null, from: null, to: null }]
      await reply(listTrustedAuthorities, { authorities: trusted, intermediates: [] })({ page })
      const known = (about: readonly (typeof anna)[]) =>
        reply(readRevocationData, {
          ocsps: about.map((holder) => base64Of(ocspAnswer(holder))),
          crls: [base64Of(revocationList())],
        })({ page })
      const said = page.getByText(translate('Nie wiadomo tylko', 'What isn’t known'))
      const pdf = signPdf(plainFile, { timestamp: true })
      await known([anna])
      await choose(page, pdf)
      await said.waitFor()
      await known([anna, stamper])
      await page.getByRole('button', { name: translate('Sprawdź ponownie', 'Check again') }).click()
      // The former report is gone, and the new one does not say it.
      await said.waitFor({ state: 'detached' })
      await report(page)
      expect(await said.count()).toBe(0)
    },
  )

  test('CHK-4 the verdict on a valid signature that is not qualified is no green one', async () => {
    const page = await open()
    const trusted = [{ certificate: base64Of(root.certificate), purposes: null, from: null, to: null }]
    await reply(listTrustedAuthorities, { authorities: trusted, intermediates: [] })({ page })
    const data = { certificates: [], ocsps: [ocspAnswer(seal), ocspAnswer(stamper)], crls: [revocationList()] }
    await choose(page, appendValidationData(signPdf(plainFile, { by: seal, timestamp: true }), data))
    const text = await report(page)
    expect(text).toContain(
      translate('Podpis jest prawidłowy, ale nie jest kwalifikowany', 'The signature is valid, but not qualified'),
    )
    expect(await page.locator('.judged .note--info').count()).toBe(1)
    expect(await page.locator('.judged .note--ok').count()).toBe(0)
  })

  test.runIf(exhaustive)(
    'CHK-13 R256 evidence in the file from before the signature has its date, until the authority says something newer',
    async () => {
      const page = await open()
      const trusted = [{ certificate: base64Of(root.certificate), purposes: null, from: null, to: null }]
      await reply(listTrustedAuthorities, { authorities: trusted, intermediates: [] })({ page })
      const earlier = ocspAnswer(anna, { at: new Date(signedAt.getTime() - 1_800_000) })
      const data = { certificates: [], ocsps: [earlier, ocspAnswer(stamper)], crls: [revocationList()] }
      const pdf = appendValidationData(signPdf(plainFile, { timestamp: true }), data)
      await reply(readRevocationData, { ocsps: [], crls: [] })({ page })
      await choose(page, pdf)
      const text = await report(page)
      expect(text).toContain(verdict.valid)
      expect(text).toContain(translate('nowszych danych nie mamy', 'we have no newer data'))
      expect(await findings(page)).toEqual([])
      const stopped = ocspAnswer(anna, { status: { revokedAt: new Date(signedAt.getTime() - 60_000) } })
      await reply(readRevocationData, { ocsps: [base64Of(stopped)], crls: [] })({ page })
      await page.getByRole('button', { name: translate('Sprawdź inny plik', 'Check another file') }).click()
      await choose(page, pdf)
      expect(await report(page)).toContain(verdict.invalid)
    },
  )

  test.runIf(exhaustive)(
    'CHK-3 next to the field is why a file cannot be judged, and the next one can be chosen',
    async () => {
      const page = await open()
      const problem = page.locator('.drop__error')
      const unknownLock = Buffer.from(
        Buffer.from(encryptPdf(plainFile, { password, owner: 'provider' }))
          .toString('latin1')
          .replace('/R 6', '/R 4'),
        'latin1',
      )
      for (const [file, expected] of [
        [
          filed(Buffer.from('PK\u0003\u0004'), 'umowa.docx'),
          translate('To nie jest plik PDF: umowa.docx', 'This isn’t a PDF file: umowa.docx'),
        ],
        [filed(Buffer.from('%PDF-1.7\nnothing'), 'a.pdf'), translate('jest uszkodzony', 'is damaged')],
        [filed(unknownLock), translate('metodą, której nie obsługujemy', 'a way we don’t support')],
        [
          emptyFile('too-large.pdf', limits.fileCheck.bytes + 1),
          translate('Wybierz plik do 50 MB', 'Maximum size is 50MB'),
        ],
      ] as const) {
        await page.locator('.judge input[type=file]:enabled').waitFor({ state: 'attached' })
        await field(page).setInputFiles(file)
        await expect.poll(async () => plain(await problem.innerText().catch(() => ''))).toMatch(RegExp(expected))
        expect(await field(page).getAttribute('aria-invalid')).toBe('true')
      }
      expect(await findings(page)).toEqual([])
      await choose(page, signed)
      expect(await report(page)).toContain(verdict.valid)
    },
  )

  test('CHK-3 a file without a signature is a result, and another can be chosen', async () => {
    const page = await open()
    await choose(page, plainFile)
    const title = translate('Ten plik nie ma podpisów', 'This file has no signatures')
    const text = await report(page)
    for (const part of [
      title,
      fileName,
      translate('Poproś nadawcę o podpisany plik', 'Ask the sender for the signed file'),
    ])
      expect(text).toContain(part)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(title)
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: translate('Wybierz inny plik', 'Choose another file') }).press('Enter')
    await expect.poll(() => field(page).evaluate((input) => input === document.activeElement)).toBe(true)
  })

  test.runIf(exhaustive)('CHK-3 a file is chosen by keyboard, or dropped; several are refused', async () => {
    const page = await open()
    await page.locator('.judge input[type=file]:enabled').waitFor({ state: 'attached' })
    // Listened for before the focus is set: a press that follows at once would open the browser’s own dialog.
    const chooser = page.waitForEvent('filechooser')
    await field(page).focus()
    await page.keyboard.press('Enter')
    await (await chooser).setFiles(filed(signed))
    await report(page)
    const again = page.getByRole('button', { name: translate('Sprawdź inny plik', 'Check another file') })
    await again.press('Enter')
    await expect.poll(() => field(page).evaluate((input) => input === document.activeElement)).toBe(true)

    const drop = (files: string[]) =>
      page.evaluate((contents) => {
        const dataTransfer = new DataTransfer()
        for (const content of contents) {
          const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
          dataTransfer.items.add(new File([bytes], 'umowa.pdf', { type: 'application/pdf' }))
        }
        document
          .querySelector('.drop')!
          .dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      }, files)
    const content = Buffer.from(signed).toString('base64')
    await drop([content, content])
    await page.getByText(translate('Wybierz jeden plik.', 'Choose one file.')).waitFor()
    await drop([content])
    expect(await report(page)).toContain(verdict.valid)
  })

  test('CHK-6 a check can be cancelled, its worker ends, and a late answer changes nothing', async () => {
    const page = await open()
    await stall(readRevocationData)({ page })
    await choose(page, signed)
    await page.getByText(translate('Pytamy wystawców', 'Asking the issuers')).waitFor()
    await page.getByRole('button', { name: translate('Przerwij', 'Cancel') }).press('Enter')
    await page.locator('.drop').waitFor()
    await expect.poll(() => page.workers().length).toBe(0)
    expect(await page.locator('.judged').count()).toBe(0)
  })

  test('CHK-6 the page reads no long answer: a worker gets the trusted authorities once, and each answer of theirs, unread', async () => {
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

  test.runIf(exhaustive)(
    'CHK-4 where the authorities could not be asked, the report says so and is not sure',
    async () => {
      const page = await open({ tolerate: /429/ })
      await refuse(readRevocationData, 'too-many-attempts', { retryAfter: 120 })({ page })
      await choose(page, signed)
      const text = await report(page)
      expect(text).toContain(verdict.unsure)
      expect(text).toContain(translate('Nie udało się zapytać wystawców', 'We couldn’t ask the issuers'))
      expect(text).toContain(
        translate('Nie wiadomo, czy certyfikat był unieważniony', 'We don’t know whether the certificate was revoked'),
      )
      // Once they answer, the same file needs not be chosen again.
      await page.unrouteAll()
      await page.getByRole('button', { name: translate('Sprawdź ponownie', 'Check again') }).click()
      await page.getByRole('heading', { name: verdict.valid }).waitFor()
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(verdict.valid)
    },
  )

  test('CHK-4 a signature by an authority that the portal does not trust is intact, but the signer is not certain', async () => {
    const page = await open()
    await choose(page, signPdf(plainFile))
    const text = await report(page)
    expect(text).toContain(verdict.unsure)
    expect(text).toContain('Anna Nowak')
    expect(text).toContain(translate('niepotwierdzony jako kwalifikowany', 'not confirmed as qualified'))
    expect(text).toContain(
      translate('Nie możemy potwierdzić wystawcy certyfikatu', 'We can’t confirm the certificate’s issuer'),
    )
    expect(text).toContain(
      translate('Dokument nie zmienił się od podpisania', 'The document hasn’t changed since it was signed'),
    )
    await page.locator('.judged summary').click()
    expect(await report(page)).toContain('INDETERMINATE / NO_CERTIFICATE_CHAIN_FOUND')
  })

  test.runIf(exhaustive)(
    'CHK-7 a printed report has the details for experts, and neither the frame of the page nor buttons',
    async () => {
      const page = await open({ alone: true })
      await choose(page, signed)
      await report(page)
      const isShown = (selector: string) => page.locator(selector).first().isVisible()
      await page.emulateMedia({ media: 'print' })
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
      expect(await isShown('.judged__path')).toBe(true)
      for (const gone of ['.plain__bar', '.foot', '.judge .btn'])
        expect([gone, await isShown(gone)]).toEqual([gone, false])
      await page.evaluate(() => dispatchEvent(new Event('afterprint')))
      await page.emulateMedia({ media: 'screen' })
      expect(await isShown('.judged__path')).toBe(false)
    },
  )

  test.runIf(exhaustive)(
    'CHK-5 the authorities are sent once, and each check is at the time of the portal',
    async () => {
      const page = await open({ alone: true })
      await page.evaluate(() => {
        const times: number[] = []
        Object.assign(window, { times })
        const post = Worker.prototype.postMessage
        Worker.prototype.postMessage = function noting(this: Worker, message: { at?: Date }) {
          if (message.at) times.push(message.at.getTime())
          post.call(this, message)
        }
      })
      const check = async () => {
        const read = page.waitForResponse((answer) => new URL(answer.url()).pathname === listTrustedAuthorities.path)
        await choose(page, signed)
        expect(await report(page)).toContain(verdict.valid)
        const { responseBodySize } = await (await read).request().sizes()
        return responseBodySize
      }
      const first = await check()
      await portal.clock.advance(60)
      await page.getByRole('button', { name: translate('Sprawdź inny plik', 'Check another file') }).click()
      const second = await check()
      expect([first > 1000, second]).toEqual([true, 0])
      const [earlier, later] = await page.evaluate(() => (window as { times?: number[] }).times!)
      expect(later! - earlier!).toBeGreaterThanOrEqual(60_000)
    },
  )
})
