import { execFileSync } from 'node:child_process'
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Reply } from '../contract/endpoint.ts'
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
import { derToPem } from '../pki/asn1/certificate.ts'
import { writeOcspRequest } from '../pki/asn1/ocsp-request.ts'
import { readPathCertificate, type PathCertificate } from '../pki/asn1/path-certificate.ts'
import { base64Of, fromBase64, sameBytes } from '../pki/bytes.ts'
import { validatePdf } from '../pki/pades/pades-validate.ts'
import { encryptPdf } from '../pki/pdf/pdf-rewrite.ts'
import { has } from '../pki/testing/peer-programs.ts'
import { StoredKeys } from '../provider/authority/authority-keys.ts'
import { openAuthority } from '../provider/authority/authority.ts'
import { restoreHolder } from '../provider/authority/certificate-holder.ts'
import { writeRevocationList } from '../provider/authority/revocation-list.ts'
import { portalTimestamps } from '../provider/demonstration/demonstration-timestamps.ts'
import { TimestampStore } from '../provider/timestamp-service/timestamp-store.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { findIn } from '../server/testing/samples/canaries.ts'
import { mostEvidenceBytes } from '../web/file-signing/evidence-limit.ts'
import { findings } from './testing/axe-findings.ts'
import { phone } from './testing/browser-pages.ts'
import { customerOf, signInHere } from './testing/demonstration-run.ts'
import { bytesOf, filed } from './testing/document-cases.ts'
import { changeReply, intercept, refuse, refuseCall } from './testing/fake-replies.ts'
import { openPortal, say } from './testing/open-portal.ts'
import { opensslVerdict } from './testing/openssl-verdict.ts'
import { runsIn, textOf } from './testing/said-by-page.ts'
import { agreement } from './testing/samples/agreement.ts'

const portal = await openPortal()
const now = () => new Date()
const authority = await openAuthority({
  directory: join(portal.directory, 'provider'),
  baseUrl: `${portal.origin}/pki`,
  now,
})
const person = customerOf('malgorzata')
const plainFile = await agreement()
const password = 'Zolta lodka 77'
const locked = encryptPdf(plainFile, { password, owner: 'provider' })
const fileName = 'umowa-poufna-Kowalska.pdf'

const issuing = readPathCertificate(authority.certificates.issuing)
/** Whether a revocation list is of the issuer of persons and timestamps. */
const isOfIssuing = (list: string) => Buffer.from(list, 'base64').includes(issuing.subject)

const field = (page: Page) => page.locator('.drop input[type=file]')

/** Says what the signed files lack. */
const lacking = (page: Page) => page.locator('main .note--warn').filter({ hasText: /certyfikat|certificate/ })

/** What the validator says of the signatures of a file; everything has to be in the file. */
async function judged(file: Uint8Array, secret = '') {
  const { certificates } = authority
  const { signatures } = await validatePdf(file, {
    anchors: [{ certificate: certificates.root }],
    intermediates: [certificates.issuing],
    receivedAt: now(),
    revocation: 'required',
    signingCertificate: 'v2',
    qualified: false,
    password: secret,
  })
  return signatures
}

describe.each(languages('pl'))('%s', (locale) => {
  const translate = (pl: string, en: string) => say(locale, { pl, en })
  const labels = {
    send: translate('Wyślij kod SMS', 'Send code'),
    sign: translate('Podpisz pliki', 'Sign files'),
    signed: translate('Pliki są podpisane', 'Your files are signed'),
    saveAll: translate('Zapisz wszystkie (ZIP)', 'Save all (ZIP)'),
  }

  async function open(options: Parameters<typeof portal.openPage>[0] = {}) {
    const page = await portal.openPage({ locale, ...options })
    await portal.signIn(page, person.login, { locale, to: '/sign' })
    await page.locator('.drop input[type=file]:enabled').waitFor({ state: 'attached' })
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

  /** Sends the code, and enters it. */
  async function signByCode(page: Page) {
    await page.getByRole('button', { name: labels.send }).click()
    const dialog = page.locator('dialog[open]')
    await dialog.locator('input[name=code]').fill(await portal.smsCode(person.phone))
    await dialog.getByRole('button', { name: labels.sign }).click()
  }

  test('SGN-20 SGN-21 SGN-24 SGN-26 SGN-27 R200 two files, one encrypted, are signed visibly by one code, and nothing of them is in any request, cookie or storage', async () => {
    const page = await open({ alone: true })
    const requests: Request[] = []
    page.context().on('request', (request) => requests.push(request))
    await field(page).setInputFiles([filed(plainFile, fileName), filed(locked, 'zaszyfrowana-Kowalska.pdf')])
    const secret = page.locator('input[type=password]')
    await secret.fill(password)
    await secret.press('Enter')
    await page.getByText(translate('Podpiszesz 2 pliki', 'You’re signing 2 files')).waitFor()
    await page.locator('label:has(input[value=visible])').click()
    await page.locator('input[name=reason]').fill('Zgadzam się')
    expect(await findings(page)).toEqual([])
    await signByCode(page)
    await page.getByRole('heading', { name: labels.signed }).waitFor()
    expect(await lacking(page).count()).toBe(0)
    expect(await findings(page)).toEqual([])

    const saves = page.getByRole('button', { name: new RegExp(`^${translate('Zapisz', 'Save')} `) })
    for (const [index, [original, secretOf]] of [[plainFile, ''] as const, [locked, password] as const].entries()) {
      const [download] = await Promise.all([page.waitForEvent('download'), saves.nth(index).click()])
      const file = new Uint8Array(await bytesOf(download))
      expect(Buffer.from(file.subarray(0, original.length)).equals(Buffer.from(original))).toBe(true)
      expect(await judged(file, secretOf)).toMatchObject([{ intact: true, trusted: true, level: 'B-LT', problems: [] }])
      if (index) continue
      expect(download.suggestedFilename()).toBe(`umowa-poufna-Kowalska-${translate('podpisany', 'signed')}.pdf`)
      if (has('pdfsig')) {
        const path = join(portal.directory, `signed-${locale}.pdf`)
        writeFileSync(path, file)
        expect(execFileSync('pdfsig', ['-nocert', path], { encoding: 'utf8' })).toContain('Signature is Valid')
      }
    }

    const texts = await Promise.all(requests.map(textOf))
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
    )
    const said = [...texts, stored, JSON.stringify(await page.context().cookies())].join('\n')
    // The file was made in this minute, which requests name too.
    const isTime = (run: string) => /^[\dT:-]+$/.test(run)
    for (const file of [plainFile, locked]) expect(runsIn(said, file).filter((run) => !isTime(run))).toEqual([])
    for (const text of ['Kowalska', password]) expect(findIn(said, text)).toEqual([])
    // The search finds what a body would have.
    expect(runsIn(Buffer.from(plainFile.subarray(900, 1000)).toString('latin1'), plainFile)).not.toEqual([])
    const paths = requests
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
    await field(page).setInputFiles(filed(plainFile, fileName))
    const address = (await loaded).url()
    // The worker that reads the file ends with it.
    await page.getByText(translate('Podpiszesz 1 plik', 'You’re signing 1 file')).waitFor()
    const [worker] = await Promise.all([
      // The pages of the file are drawn by another one.
      page.waitForEvent('worker', (each) => each.url() === address),
      page.evaluate((url) => void Object.assign(window, { again: new Worker(url, { type: 'module' }) }), address),
    ])
    const send = (to: string) =>
      fetch(to, { method: 'POST', body: 'x' }).then(
        () => 'sent',
        () => 'blocked',
      )
    for (const to of [`${portal.origin}${startFileSigning.path}`, 'https://elsewhere.example/'])
      expect(await worker.evaluate(send, to)).toBe('blocked')
  })

  test.runIf(exhaustive)(
    'SGN-20 SGN-22 a file that cannot be signed says why, others stay, and each can be read and removed, also by keyboard on a phone',
    async () => {
      const page = await open({ viewport: phone })
      await field(page).setInputFiles([
        filed(Buffer.from('PK\u0003\u0004'), 'umowa.docx'),
        filed(plainFile, fileName),
        filed(Buffer.from('%PDF-1.7\nnothing'), 'pusta.pdf'),
      ])
      await page.getByText(translate('To nie jest plik PDF.', 'This isn’t a PDF file.')).waitFor()
      await page.getByText(translate('Ten plik jest uszkodzony', 'This file is damaged')).waitFor()
      await page.getByText(translate('Podpiszesz 1 plik', 'You’re signing 1 file')).waitFor()
      await page.getByRole('button', { name: `${translate('Czytaj', 'Read')} ${fileName}` }).press('Enter')
      await page.locator('dialog[open] canvas:not([hidden])').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: `${translate('Usuń', 'Remove')}: umowa.docx` }).press('Enter')
      await page.getByText('umowa.docx').waitFor({ state: 'detached' })
      expect(await field(page).evaluate((input) => input === document.activeElement)).toBe(true)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
      expect(await findings(page)).toEqual([])
    },
  )

  test.runIf(exhaustive)(
    'SGN-27 a link asks before the files are lost, and leads on once the customer agrees',
    async () => {
      const page = await open()
      await field(page).setInputFiles(filed(plainFile, fileName))
      await page.getByText(translate('Podpiszesz 1 plik', 'You’re signing 1 file')).waitFor()
      const link = page.locator('.nav').getByRole('link', { name: translate('Oprogramowanie', 'Software') })
      await link.click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByRole('button', { name: translate('Zostań', 'Stay') }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText(fileName).first().waitFor()
      await link.click()
      await dialog.getByRole('button', { name: translate('Wyjdź', 'Leave') }).click()
      await page.waitForURL(/\/software$/)
      // Nothing is asked where nothing is lost.
      await page
        .locator('.nav')
        .getByRole('link', { name: translate('Podpisz pliki', 'Sign files') })
        .click()
      await link.click()
      await page.waitForURL(/\/software$/)
    },
  )

  test.runIf(exhaustive && has('python3'))(
    'SGN-26 SGN-27 without the evidence the page says so, and the archive has every file (skipped without python3)',
    async () => {
      const page = await open({ tolerate: /429/ })
      await refuse(readRevocationData, 'too-many-attempts', { retryAfter: 120 })({ page })
      await page.evaluate(() => {
        const counted = Object.assign(window, { reads: 0 })
        for (const name of ['arrayBuffer', 'text', 'stream', 'bytes'] as const) {
          const read = Blob.prototype[name] as () => never
          Blob.prototype[name] = function counting(this: Blob) {
            counted.reads++
            return read.call(this)
          }
        }
      })
      await field(page).setInputFiles([filed(plainFile, 'a.pdf'), filed(plainFile, 'a.pdf')])
      await page.getByText(translate('Podpiszesz 2 pliki', 'You’re signing 2 files')).waitFor()
      await signByCode(page)
      await page.getByRole('heading', { name: labels.signed }).waitFor()
      await lacking(page).waitFor()
      // Only workers read files, so that large ones do not block the page.
      expect(await page.evaluate(() => (window as { reads?: number }).reads)).toBe(0)
      const save = page.getByRole('button', { name: labels.saveAll })
      const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
      expect(await page.evaluate(() => (window as { reads?: number }).reads)).toBe(0)
      const archive = join(portal.directory, `archive-${locale}.zip`)
      await download.saveAs(archive)
      const suffix = translate('podpisany', 'signed')
      expect(execFileSync('python3', ['-m', 'zipfile', '-t', archive], { encoding: 'utf8' })).toContain('Done testing')
      const listed = execFileSync('python3', ['-m', 'zipfile', '-l', archive], { encoding: 'utf8' })
      for (const name of [`a-${suffix}.pdf`, `a-${suffix}-2.pdf`]) expect(listed).toContain(name)
      expect(readFileSync(archive).length).toBeGreaterThan(2 * plainFile.length)
    },
  )

  test.runIf(exhaustive)(
    'SGN-26 SGN-27 another attempt adds the evidence that could not be found, and the file has to be saved again',
    async () => {
      const page = await open({ tolerate: /429/ })
      let isBusy = true
      await intercept(readRevocationData, (route) =>
        isBusy ? refuseCall(route, 'too-many-attempts', { retryAfter: 120 }) : route.continue(),
      )({ page })
      await choose(page, fileName)
      await signByCode(page)
      await isSigned(page)
      const warning = lacking(page)
      await warning.waitFor()
      const save = saveOf(page, fileName.replace('.pdf', `-${suffix}.pdf`))
      const saved = async () => {
        const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
        await page.getByText(translate('Zapisany', 'Saved'), { exact: true }).waitFor()
        return judged(new Uint8Array(await bytesOf(download)))
      }
      expect(await saved()).toMatchObject([{ intact: true, level: 'B-T' }])
      const lasting = page.getByText(
        translate(
          'da się go sprawdzić także po wygaśnięciu certyfikatu',
          'can be checked even after the certificate has expired',
        ),
      )
      expect(await lasting.count()).toBe(0)
      await tryAgain(page)
      await page.getByText(translate('Nadal się nie udało', 'It still didn’t work')).waitFor()
      await page.getByText(translate('Zapisany', 'Saved'), { exact: true }).waitFor()
      isBusy = false
      await tryAgain(page)
      await warning.waitFor({ state: 'detached' })
      await lasting.waitFor()
      expect(await page.getByText(translate('Zapisany', 'Saved'), { exact: true }).count()).toBe(0)
      expect(await saved()).toMatchObject([{ intact: true, level: 'B-LT', problems: [] }])
    },
  )

  test.runIf(exhaustive)(
    'SGN-26 where the evidence is too large for a file, the page says so, until the authority gives a shorter answer',
    async () => {
      const page = await open()
      const stored = JSON.parse(readFileSync(join(portal.directory, 'provider', 'authority.json'), 'utf8'))
      const list = writeRevocationList({
        issuer: restoreHolder(StoredKeys.parse(stored).issuing),
        number: 1,
        contains: 'subscribers',
        thisUpdate: now(),
        nextUpdate: new Date(Date.now() + 86_400_000),
        since: now(),
        revocations: Array.from({ length: 20_000 }, (_, serial) => [
          (0x40000000 + serial).toString(16).toUpperCase(),
          { at: now(), reason: 'superseded' },
        ]),
      })
      expect(list.length).toBeGreaterThan(mostEvidenceBytes)
      let isAnswered = false
      await changeReply(readRevocationData, ({ ocsps, crls }) =>
        isAnswered
          ? { ocsps, crls }
          : { ocsps: [], crls: [...crls.filter((short) => !isOfIssuing(short)), base64Of(list)] },
      )({ page })
      await choose(page, fileName)
      await signByCode(page)
      await isSigned(page)
      await lacking(page).getByText(translate('ma ponad 512\u00a0KB', 'is larger than 512\u00a0KB')).waitFor()
      expect(await lacking(page).count()).toBe(1)
      expect(await findings(page)).toEqual([])
      const save = saveOf(page, fileName.replace('.pdf', `-${suffix}.pdf`))
      const saved = async () => {
        const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
        return judged(new Uint8Array(await bytesOf(download)))
      }
      expect(await saved()).toMatchObject([{ intact: true, level: 'B-T' }])
      isAnswered = true
      await tryAgain(page)
      await lacking(page).waitFor({ state: 'detached' })
      expect(await saved()).toMatchObject([{ intact: true, level: 'B-LT' }])
    },
  )

  test.runIf(exhaustive)(
    'SGN-20 SGN-21 the preparation can be cancelled, which sends nothing, and started again',
    async () => {
      const page = await open()
      await field(page).setInputFiles(filed(plainFile, fileName))
      await page.getByText(translate('Podpiszesz 1 plik', 'You’re signing 1 file')).waitFor()
      const sent: string[] = []
      page.on('request', (request) => sent.push(new URL(request.url()).pathname))
      // A worker that does not end.
      const worker = /\/assets\/file-signing-worker-/
      await page.route(worker, () => {})
      await page.getByRole('button', { name: labels.send }).click()
      const dialog = page.locator('dialog[open]')
      await dialog.getByText(translate('Plik 1 z\u00a01', 'File 1 of 1')).waitFor()
      await dialog.getByRole('button', { name: translate('Anuluj', 'Cancel'), exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(sent).not.toContain(startFileSigning.path)
      await page.unroute(worker)
      await signByCode(page)
      await page.getByRole('heading', { name: translate('Plik jest podpisany', 'Your file is signed') }).waitFor()
    },
  )

  test.runIf(exhaustive)(
    'SGN-21 R202 a wrong code is a message at its field, and going back to the files keeps the code',
    async () => {
      const page = await open()
      await field(page).setInputFiles(filed(plainFile, fileName))
      await page.getByText(translate('Podpiszesz 1 plik', 'You’re signing 1 file')).waitFor()
      await page.getByRole('button', { name: labels.send }).click()
      const dialog = page.locator('dialog[open]')
      const code = await portal.smsCode(person.phone)
      await dialog.locator('input[name=code]').fill(code === '000000' ? '000001' : '000000')
      await dialog.getByRole('button', { name: labels.sign }).click()
      await dialog.locator('.error > .ico').waitFor()
      await dialog.getByRole('button', { name: translate('Wróć do plików', 'Back to files') }).click()
      await page.getByRole('button', { name: labels.send }).click()
      await dialog.locator('input[name=code]').fill(code)
      await dialog.getByRole('button', { name: labels.sign }).click()
      await page.getByRole('heading', { name: translate('Plik jest podpisany', 'Your file is signed') }).waitFor()
    },
  )

  /** Chooses the file, and waits until it can be signed. */
  async function choose(page: Page, ...names: string[]) {
    await field(page).setInputFiles(names.map((name) => filed(plainFile, name)))
    const many = translate(`Podpiszesz ${names.length} plik`, `You’re signing ${names.length} file`)
    await page.getByText(many).waitFor()
  }
  const isSigned = (page: Page) =>
    page.getByRole('heading', { name: translate('Plik jest podpisany', 'Your file is signed') }).waitFor()
  const completing = say(locale, {
    pl: /^(Dokończ pliki|Uzupełnij dane)$/,
    en: /^(Complete the files|Add the missing data)$/,
  })
  const tryAgain = (page: Page) => page.getByRole('button', { name: completing }).click()
  const saveOf = (page: Page, name: string) =>
    page.getByRole('button', { name: `${translate('Zapisz', 'Save')} ${name}` })
  const suffix = translate('podpisany', 'signed')

  test.runIf(exhaustive && !(!has('qpdf') || !has('openssl')))(
    'SGN-26 openssl finds a file that qpdf takes apart (skipped without them) complete to B-LT by what is in it, and not without its OCSP responses or revocation lists',
    async () => {
      const page = await open()
      // The portal has the short list of this issuer at hand, which others would not be asked for: its responder answers in place of it.
      const answerAbout = async (certificate: PathCertificate) => {
        const headers = { 'content-type': 'application/ocsp-request' }
        const body = new Uint8Array(writeOcspRequest(certificate, issuing))
        const answer = await fetch(`${portal.origin}/pki/ocsp`, { method: 'POST', headers, body })
        return base64Of(new Uint8Array(await answer.arrayBuffer()))
      }
      await intercept(readRevocationData, async (route) => {
        const { chains } = readRevocationData.body.parse(route.request().postDataJSON())
        const asked = chains.map(({ path }) => readPathCertificate(fromBase64(path[0]!)!))
        const answers = asked.filter(({ issuer }) => sameBytes(issuer, issuing.subject)).map(answerAbout)
        const response = await route.fetch()
        const { crls } = (await response.json()) as Reply<typeof readRevocationData>
        const lists = crls.filter((list) => !isOfIssuing(list))
        await route.fulfill({ response, json: { ocsps: await Promise.all(answers), crls: lists } })
      })({ page })
      await choose(page, fileName)
      await signByCode(page)
      await isSigned(page)
      const save = saveOf(page, fileName.replace('.pdf', `-${suffix}.pdf`))
      const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
      const file = new Uint8Array(await bytesOf(download))
      const by = (bytes: Uint8Array) => opensslVerdict(bytes, derToPem(authority.certificates.root))
      const sound = {
        signature: expect.stringContaining('CAdES Verification successful'),
        timestamp: expect.stringContaining('Verification: OK'),
        // Of the signer, the timestamp authority and their issuer.
        certificates: 3,
      }
      expect(await by(file)).toEqual({ ...sound, unproven: [] })
      for (const key of ['/OCSPs', '/CRLs']) {
        const at = Buffer.from(file).lastIndexOf(key)
        expect(at).toBeGreaterThan(0)
        // Behind what the signature covers.
        const { unproven, ...rest } = await by(file.with(at + 1, 'X'.charCodeAt(0)))
        expect(rest).toEqual(sound)
        expect({ key, isComplete: unproven.length === 0 }).toEqual({ key, isComplete: false })
      }
    },
  )

  test.runIf(exhaustive)(
    'SGN-21 R201 a signature that is of no file of these keeps no other file back, and the page reads no long answer',
    async () => {
      const page = await open()
      await changeReply(signFiles, ({ signatures, ...signing }) => ({
        ...signing,
        signatures: [{ ...signatures![0]!, signature: signatures![1]!.signature }, signatures![1]!],
      }))({ page })
      await page.evaluate(() => {
        const read: string[] = []
        Object.assign(window, { read })
        const json = Response.prototype.json
        Response.prototype.json = function noting(this: Response) {
          read.push(this.url)
          return json.call(this) as Promise<unknown>
        }
      })
      const longer = Buffer.concat([Buffer.from(plainFile), Buffer.from('\n')])
      await field(page).setInputFiles([filed(longer, 'a.pdf'), filed(plainFile, 'b.pdf')])
      await page.getByText(translate('Podpiszesz 2 pliki', 'You’re signing 2 files')).waitFor()
      await signByCode(page)
      await page
        .getByRole('heading', { name: translate('Podpisano 1 z\u00a02 plików', '1 of 2 files signed') })
        .waitFor()
      await page
        .locator('.file', { hasText: 'a.pdf' })
        .getByText(translate('Otrzymany podpis nie pasuje', 'The signature we received doesn’t belong'))
        .waitFor()
      const [download] = await Promise.all([page.waitForEvent('download'), saveOf(page, `b-${suffix}.pdf`).click()])
      expect(await judged(new Uint8Array(await bytesOf(download)))).toMatchObject([{ level: 'B-LT', problems: [] }])
      const read = await page.evaluate(() => (window as { read?: string[] }).read!)
      expect(read.join()).toContain(startFileSigning.path)
      expect(read.join()).not.toMatch(/revocation-data|trusted-authorities/)
      expect(await findings(page)).toEqual([])
      // The portal has the right one.
      await tryAgain(page)
      await page.getByRole('heading', { name: labels.signed }).waitFor()
      const [late] = await Promise.all([page.waitForEvent('download'), saveOf(page, `a-${suffix}.pdf`).click()])
      expect(await judged(new Uint8Array(await bytesOf(late)))).toMatchObject([{ level: 'B-LT', problems: [] }])
    },
  )

  test.runIf(exhaustive)(
    'SGN-15 SGN-21 a signature that the browser fails to put into its file is put there by another attempt, without another code',
    async () => {
      const page = await open({ tolerate: /ERR_FAILED/ })
      const sent: string[] = []
      page.on('request', (request) => sent.push(new URL(request.url()).pathname))
      let isBroken = false
      await page.route(/\/assets\/file-signing-worker-/, (route) => (isBroken ? route.abort() : route.continue()))
      await intercept(signFiles, async (route) => {
        const response = await route.fetch()
        isBroken = true
        return route.fulfill({ response })
      })({ page })
      await choose(page, fileName)
      await signByCode(page)
      const heading = translate('Nie udało się dodać podpisów do plików', 'We couldn’t add the signatures to the files')
      await page.getByRole('heading', { name: heading }).waitFor()
      await page.getByText(translate('nie zdołała dodać podpisu', 'The browser couldn’t add the signature')).waitFor()
      await tryAgain(page)
      await page.getByText(translate('Nadal się nie udało', 'It still didn’t work')).waitFor()
      expect(await findings(page)).toEqual([])
      isBroken = false
      await tryAgain(page)
      await isSigned(page)
      expect(await page.locator('main .note--err').count()).toBe(0)
      const save = saveOf(page, fileName.replace('.pdf', `-${suffix}.pdf`))
      const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
      expect(await judged(new Uint8Array(await bytesOf(download)))).toMatchObject([{ level: 'B-LT', problems: [] }])
      expect(sent.filter((path) => path === startFileSigning.path)).toHaveLength(1)
      expect(sent.filter((path) => path.endsWith('/signatures'))).toHaveLength(1)
    },
  )

  test.runIf(exhaustive)(
    'SGN-15 SGN-21 an answer that was lost is read again, and after a failure no other code is needed',
    async () => {
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
      await dialog.getByRole('heading', { name: translate('Nie udało się podpisać', 'We couldn’t sign') }).waitFor()
      await dialog.getByRole('button', { name: translate('Anuluj', 'Cancel'), exact: true }).click()
      const accepted = page.getByText(translate('Kod SMS jest już przyjęty', 'message code has been accepted'))
      await accepted.waitFor()
      // Anything else needs another code, which the button says.
      const noLonger = async () => {
        await page.getByRole('button', { name: labels.send }).waitFor()
        await page.getByText(translate('Kod wyślemy na numer', 'We’ll send the code to')).waitFor()
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
      await field(page).setInputFiles(filed(plainFile, 'inny.pdf'))
      await noLonger()
      await page.getByRole('button', { name: `${translate('Usuń', 'Remove')}: inny.pdf` }).click()
      await accepted.waitFor()
      await page.getByRole('button', { name: translate('Dalej', 'Continue'), exact: true }).click()
      await isSigned(page)
      expect([starts, tries]).toEqual([1, 2])
    },
  )

  test.runIf(exhaustive)(
    'SGN-29 after the timestamp authority has failed, the customer presses again, and what the service has signed by its codes is completed',
    async () => {
      const { login, phone: number } = customerOf('tomasz')
      const page = await portal.openPage({ locale, tolerate: /503/ })
      await portal.signIn(page, login, { locale, to: '/sign' })
      await page.locator('.drop input[type=file]:enabled').waitFor({ state: 'attached' })
      const sent: string[] = []
      page.on('request', (request) => sent.push(new URL(request.url()).pathname))
      await choose(page, fileName)
      await page.locator('.rcard', { hasText: 'PIN' }).locator('input').check()
      await page.getByRole('button', { name: labels.send }).click()
      const dialog = page.locator('dialog[open]')
      await dialog.locator('input[name=code]').fill(await portal.smsCode(number))
      await dialog.getByRole('button', { name: labels.sign }).click()
      await dialog.locator('input[name=otp]').fill(await portal.serviceCode(number))
      await dialog.locator('input[name=pin]').fill('246810')
      const timestamps = new TimestampStore(join(portal.directory, 'provider', 'timestamps.sqlite'), now)
      const account = timestamps.accountByLogin(portalTimestamps)!
      try {
        // The authority refuses the portal.
        timestamps.putAccount({ ...account, active: false })
        await dialog.getByRole('button', { name: labels.sign }).click()
        await dialog.locator('.note--err').waitFor()
      } finally {
        timestamps.putAccount(account)
        timestamps.close()
      }
      await dialog.getByRole('button', { name: labels.sign }).click()
      await isSigned(page)
      const save = saveOf(page, fileName.replace('.pdf', `-${suffix}.pdf`))
      const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
      expect(await judged(new Uint8Array(await bytesOf(download)))).toMatchObject([{ intact: true, level: 'B-LT' }])
      // Neither code was requested or entered again, and the service signed once.
      expect(sent.filter((path) => path === startFileSigning.path)).toHaveLength(1)
      const id = sent
        .find((path) => path.startsWith(`${startFileSigning.path}/`))!
        .split('/')
        .at(-2)
      const { rows } = await portal.owner.query(`select from audit where act = 'files-signed' and details @> $1`, [
        { fileSigning: id },
      ])
      expect(rows).toHaveLength(1)
    },
  )

  test.runIf(exhaustive)(
    'SGN-21 a code that has expired is replaced by one for signatures that state the time of now',
    async () => {
      const page = await open({ clock: true })
      const digests: string[] = []
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname === startFileSigning.path)
          digests.push((request.postDataJSON() as { digests: string[] }).digests[0]!)
      })
      await choose(page, fileName)
      await page.getByRole('button', { name: labels.send }).click()
      const dialog = page.locator('dialog[open]')
      await dialog.locator('input[name=code]').waitFor()
      await portal.smsCode(person.phone)
      await dialog.getByRole('button', { name: translate('Wróć do plików', 'Back to files') }).click()
      await portal.letPass(limits.code.life + 5, page)
      await signByCode(page)
      await isSigned(page)
      expect([digests.length, new Set(digests).size]).toEqual([2, 2])
    },
  )

  test.runIf(exhaustive)(
    'SGN-21 a code that expires in its open dialog is replaced there, for signatures that state the time of now',
    async () => {
      const page = await open({ clock: true })
      const digests: string[] = []
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname === startFileSigning.path)
          digests.push((request.postDataJSON() as { digests: string[] }).digests[0]!)
      })
      await choose(page, fileName)
      await page.getByRole('button', { name: labels.send }).click()
      const dialog = page.locator('dialog[open]')
      const entry = dialog.locator('input[name=code]')
      await entry.waitFor()
      const expired = await portal.smsCode(person.phone)
      await portal.letPass(limits.code.life + 5, page)
      const began = await page.evaluate(() => Date.now())
      await dialog.getByText(translate('Ten kod wygasł. Wyślij nowy kod.', 'This code has expired.')).waitFor()
      await dialog.getByRole('button', { name: translate('Wyślij nowy kod', 'Send a new code') }).click()
      await dialog.getByText(translate('Nowy kod wysłany', 'New code sent')).waitFor()
      expect(await findings(page)).toEqual([])
      const code = await portal.smsCode(person.phone)
      expect(code).not.toBe(expired)
      await entry.fill(code)
      await dialog.getByRole('button', { name: labels.sign }).click()
      await isSigned(page)
      expect([digests.length, new Set(digests).size]).toEqual([2, 2])
      const save = saveOf(page, fileName.replace('.pdf', `-${suffix}.pdf`))
      const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
      const [signature] = await judged(new Uint8Array(await bytesOf(download)))
      expect(signature).toMatchObject({ intact: true })
      expect(signature!.claimedAt!.getTime()).toBeGreaterThanOrEqual(began - 1000)
    },
  )

  test.runIf(exhaustive)(
    'SGN-27 going back, signing out and signing more files ask before signed files are lost',
    async () => {
      const page = await open()
      await comeFromSoftware(page)
      await choose(page, fileName)
      await signByCode(page)
      await isSigned(page)
      const dialog = page.getByRole('alertdialog')
      const stay = async (name = translate('Zostań', 'Stay')) => {
        await dialog.getByRole('button', { name }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      await page.evaluate(() => history.back())
      await stay()
      await page.waitForURL(/\/sign$/)
      await isSigned(page)
      await page.locator('.who').click()
      await page.getByRole('menuitem', { name: translate('Wyloguj się', 'Sign out') }).click()
      await stay()
      await page.getByRole('button', { name: translate('Podpisz następne pliki', 'Sign more files') }).click()
      await stay(translate('Wróć do zapisywania', 'Back to saving'))
      await page.evaluate(() => history.back())
      await dialog.getByRole('button', { name: translate('Wyjdź', 'Leave') }).click()
      await page.waitForURL(/\/software$/)
      await page.evaluate(() => history.forward())
      // They are gone, as the customer agreed.
      await page.locator('.drop').waitFor()
      await page.locator('.who').click()
      await page.getByRole('menuitem', { name: translate('Wyloguj się', 'Sign out') }).click()
      await page.waitForURL(/reason=signed-out$/)
    },
  )

  test.runIf(exhaustive)(
    'SGN-27 who leaves while the service signs finds no signed files later, as agreed',
    async () => {
      const page = await open()
      const held = Promise.withResolvers<void>()
      await intercept(signFiles, (route) => held.promise.then(() => route.continue()))({ page })
      await comeFromSoftware(page)
      await choose(page, fileName)
      await signByCode(page)
      await page.getByText(translate('Nie zamykaj tej strony', 'Don’t close this page')).waitFor()
      await page.evaluate(() => history.back())
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: translate('Wyjdź', 'Leave') })
        .click()
      await page.waitForURL(/\/software$/)
      const sent: string[] = []
      page.on('request', (request) => sent.push(new URL(request.url()).pathname))
      const answered = page.waitForResponse((response) => response.url().endsWith('/signatures'))
      held.resolve()
      await (await answered).finished()
      await page.evaluate(() => history.forward())
      await choose(page, 'inny.pdf')
      expect(sent).not.toContain(listTrustedAuthorities.path)
      expect(await page.getByText(fileName.replace('.pdf', '')).count()).toBe(0)
    },
  )

  test.runIf(exhaustive)(
    'SGN-27 AUT-5 signed files are there again for the customer who signs in after the end of the session, and for nobody else',
    async () => {
      const { idle, warning } = limits.session
      const page = await open({ clock: true })
      await choose(page, fileName)
      await signByCode(page)
      await isSigned(page)
      await portal.letPass(idle - warning + 5, page)
      await page.getByRole('alertdialog').waitFor()
      await portal.letPass(warning, page)
      await page.waitForURL(/reason=session-/)
      expect(await page.getByText(fileName.replace('.pdf', '')).count()).toBe(0)
      await signInHere(page, portal, person.login)
      await isSigned(page)
      const save = saveOf(page, fileName.replace('.pdf', `-${suffix}.pdf`))
      const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
      expect(await judged(new Uint8Array(await bytesOf(download)))).toMatchObject([{ intact: true }])
      await portal.letPass(idle - warning + 5, page)
      await page.getByRole('alertdialog').waitFor()
      await portal.letPass(warning, page)
      await page.waitForURL(/reason=session-/)
      await signInHere(page, portal, 'oliver')
      await page.locator('h1').first().waitFor()
      await page.locator('.drop').waitFor()
      expect(await page.getByText(fileName.replace('.pdf', '')).count()).toBe(0)
    },
  )

  test.runIf(exhaustive)(
    'SGN-27 a file that changes on the disk before or after it is signed is named, and nothing else is given out for it',
    async () => {
      const page = await open()
      const path = join(portal.directory, `umowa-${locale}.pdf`)
      writeFileSync(path, plainFile)
      const choosePath = async () => {
        await field(page).setInputFiles(path)
        await page.getByText(translate('Podpiszesz 1 plik', 'You’re signing 1 file')).waitFor()
      }
      await choosePath()
      writeFileSync(path, Buffer.concat([Buffer.from(plainFile), Buffer.from('\n')]))
      const sent: string[] = []
      page.on('request', (request) => sent.push(new URL(request.url()).pathname))
      await page.getByRole('button', { name: labels.send }).click()
      const row = page.locator('.file', { hasText: `umowa-${locale}.pdf` })
      await row.getByText(translate('Ten plik zmienił się albo zniknął', 'This file has changed, or is gone')).waitFor()
      expect(sent).not.toContain(startFileSigning.path)
      await page.getByRole('button', { name: `${translate('Usuń', 'Remove')}: umowa-${locale}.pdf` }).click()
      await choosePath()
      await signByCode(page)
      await isSigned(page)
      unlinkSync(path)
      await saveOf(page, `umowa-${locale}-${suffix}.pdf`).click()
      await page
        .getByText(translate('Oryginał tego pliku zmienił się', 'The original of this file has changed'))
        .waitFor()
      expect(await findings(page)).toEqual([])
    },
  )
})
