import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Identification } from '../../contract/identification.ts'
import { putCustomer, type ProviderCustomer } from '../../contract/provider/provider-customers.ts'
import { getDocumentCase, putCaseDocument, putDocumentCase } from '../../contract/provider/provider-documents.ts'
import { putSeal, putSealUser } from '../../contract/provider/provider-seals.ts'
import { putAgreement, putSignature } from '../../contract/provider/provider-signatures.ts'
import { putTimestampAccount } from '../../contract/provider/provider-timestamps.ts'
import { getVoucherCode, putCaseStatus, putVoucherCodes } from '../../contract/provider/provider-vouchers.ts'
import { putWebhook } from '../../contract/provider/webhooks.ts'
import { decryptPdf } from '../../pki/pdf/pdf-rewrite.ts'
import { contract, fileOf, signPdf } from '../../pki/testing/pades-authorities.ts'
import { fromBase32, hotp, totpStep } from '../../pki/totp.ts'
import type { Authority } from '../../provider/authority/authority.ts'
import { portalClient } from '../../provider/portal-client.ts'
import { pdfWith } from '../../server/testing/provider.ts'
import { sampleTimestampAccount } from '../../server/testing/samples/sample-timestamps.ts'
import { addAuthenticator, downloadBy, pressSignOut } from './browser-pages.ts'
import { customerOf, type DemonstrationRun } from './demonstration-run.ts'
import { enterAccessCode } from './document-cases.ts'
import type { openPortal } from './open-portal.ts'

/** A person whose every particular is like no other text, so that it is found wherever it should not be. */
export const person = {
  login: 'kanarek-3918',
  email: 'adres.kanarka-3918@poczta.example',
  phone: '+48739164285',
  firstName: 'Kanarelda',
  secondName: null,
  surname: 'Żółtopiórska',
  locale: 'pl',
} satisfies ProviderCustomer

const acceptance = { version: '2025-10-01', at: '2025-10-14T08:30:00.000Z' }
const acceptances = { terms: acceptance, privacy: acceptance }

export const numbers = {
  pesel: '72103187654',
  organisation: 'VATPL-7391642850',
  'identity document': 'ZZC539164',
  'birth date': '1972-10-31',
  'birth place': 'Kanarkowo Dolne',
  issuer: 'Wójt Gminy Kanarkowo',
}

/** Whom the customer invites to a seal. */
export const guest = {
  email: 'gosc.kanarka-5172@poczta.example',
  phone: '+48795318426',
  firstName: 'Gościmira',
  surname: 'Kanarkowska',
}

export const newPhone = '+48795318427'

/** Person who registers, first with a mistyped phone number, which is then corrected. */
export const visitor = {
  email: 'przechodzien.kanarek-6283@poczta.example',
  phone: '+48795318429',
  mistyped: '+48795318428',
  firstName: 'Przechodzisława',
  surname: 'Kanarkiewicz',
}

const identification: Identification = {
  nationality: 'PL',
  identifierType: 'PNO',
  issuingCountry: 'PL',
  identificationNumber: numbers.pesel,
  birthDate: numbers['birth date'],
  birthPlace: numbers['birth place'],
  document: { type: 'DO', number: numbers['identity document'], validTo: null, issuedBy: numbers.issuer },
}

/**
 * Secrets that only their owner may have. A journey keeps here all codes, passwords and keys that it uses.
 * `link` tokens occur once in an address, when the mail's link is opened (R10).
 */
export type Secrets = Map<string, string>

export type Scene = {
  page: Page
  run: Pick<Awaited<ReturnType<typeof openPortal>>, keyof DemonstrationRun | 'clock'>
  provider: ReturnType<typeof portalClient>
  authority: Authority
  keep: (what: string, secret: string) => string
}

/** An address where nothing listens, so that every event of the run waits in the outbox. */
export const unreachableHost = '127.0.0.1:1'

const [first, second, third] = ['Kanarek-Pierwszy-391!', 'Kanarek-Drugi-3918?', 'Kanarek-Trzeci-39182%'] as const
const wrong = 'Kanarek-Pomylony-4!'

const contentOf = (text: string) => `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`

const fill = (page: Page, name: string, text: string) => page.locator(`input[name=${name}]`).fill(text)
const submit = (page: Page) => page.locator('form button[type=submit]:enabled').click()

async function followLink({ page, run, keep }: Scene, email: string, password: string) {
  const link = await run.mailedLink(email)
  keep('link', link.split('/').at(-1)!)
  await page.goto(link)
  await fill(page, 'newPassword', keep('password', password))
  await fill(page, 'repeatPassword', password)
  await submit(page)
}

async function setPassword(scene: Scene, password: string) {
  const { page } = scene
  await followLink(scene, person.email, password)
  await page.getByText('Hasło ustawione', { exact: true }).waitFor()
}

/** Enters the code of the next SMS to `phone`, by default the customer's new number. */
async function enterCode({ page, run, keep }: Scene, phone = newPhone) {
  const code = page.locator('dialog input[name=code]')
  await code.waitFor()
  await code.fill(keep('code', await run.smsCode(phone)))
}

async function signOut(page: Page) {
  await pressSignOut(page)
  await page.waitForURL(/reason=signed-out/)
}

async function signIn(scene: Scene, login: string, password: string, phone?: string) {
  const { page } = scene
  await fill(page, 'login', login)
  await fill(page, 'password', password)
  await submit(page)
  await enterCode(scene, phone)
  await page.locator('.account-button__name').waitFor({ state: 'attached' })
}

/** Issues a certificate and returns it with its chain in the form that the provider API takes. */
async function issueCertificate(authority: Authority, subject: Parameters<Authority['issue']>[0]['subject']) {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { certificate } = await authority.issue({
    subject,
    publicKey,
    device: true,
    notBefore: new Date(Date.now() - 1e9),
    // Soon enough for a renewal.
    notAfter: new Date(Date.now() + 7e9),
  })
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  return { certificate: base64(certificate), chain: authority.chain.map(base64) }
}

/** Done one after another in one browser. A new feature adds its own, before the sign-out. */
export const journeys: ((scene: Scene) => Promise<void>)[] = [
  // The provider subscribes to events.
  async ({ provider, keep }) => {
    const { secret } = await provider.call(putWebhook, {
      params: { webhook: 'canary' },
      body: { url: `http://${unreachableHost}/`, types: null },
    })
    keep('webhook secret', secret!.slice('whsec_'.length))
  },
  // The provider puts a customer with a signature and an agreement.
  async ({ provider, authority }) => {
    const { firstName: givenName, surname } = person
    const issued = await issueCertificate(authority, {
      kind: 'person',
      givenName,
      surname,
      serialNumber: `PNOPL-${numbers.pesel}`,
      country: 'PL',
    })
    await provider.call(putCustomer, {
      params: { customer: 'canary' },
      body: { ...person, identification, acceptances },
    })
    await provider.call(putSignature, {
      params: { signature: 'canary' },
      body: {
        customer: 'canary',
        product: 'app',
        identifierType: 'PNO',
        period: '1_year',
        ...issued,
        status: 'good',
        agreementLanguage: 'pl',
      },
    })
    const agreement = pdfWith(Object.values({ ...person, ...numbers }).join(' '))
    await provider.upload(putAgreement, { signature: 'canary' }, new Uint8Array(agreement))
  },
  // An invitation is accepted.
  (scene) => setPassword(scene, first),
  // A customer signs in, after mistakes.
  async (scene) => {
    const { page, keep } = scene
    await fill(page, 'login', person.email)
    await fill(page, 'password', keep('password', wrong))
    await submit(page)
    await page.locator('.error-summary').waitFor()
    await signIn(scene, person.login, first, person.phone)
  },
  // Signatures, certificate and agreement are looked at and downloaded.
  async ({ page }) => {
    await page.goto('/certificates/signatures')
    const card = page.getByRole('article').first()
    await card.getByRole('button', { name: 'Szczegóły certyfikatu' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Pokaż cały numer: identyfikator' }).first().click()
    await dialog.getByText(`PNOPL-${numbers.pesel}`).waitFor()
    await downloadBy(page, () => dialog.getByRole('button', { name: /PEM/ }).click())
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await downloadBy(page, () => card.getByRole('button', { name: 'Pobierz umowę' }).click())
  },
  // An app is paired.
  async (scene) => {
    const { page, keep } = scene
    await page.getByRole('button', { name: 'Połącz z aplikacją' }).click()
    await enterCode(scene, person.phone)
    const key = (await page.locator('.qr__key').textContent())!.replaceAll(' ', '')
    await page.getByRole('button', { name: 'Mam kod z\u00a0aplikacji' }).click()
    const code = hotp(fromBase32(keep('key of the app', key))!, totpStep(new Date()))
    await page.locator('dialog input[name=code]').fill(code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Aplikacja jest połączona' }).waitFor()
    await page.locator('.dialog__foot').getByRole('button').click()
  },
  // Somebody is invited to a seal.
  async (scene) => {
    const { page, provider, authority } = scene
    const issued = await issueCertificate(authority, {
      kind: 'organisation',
      name: 'Kanarki',
      commonName: 'Kanarki – pieczęć',
      identifier: 'VATPL-5250001090',
      country: 'PL',
    })
    await provider.call(putSeal, {
      params: { seal: 'canary' },
      body: { product: 'app', period: '1_year', ...issued, status: 'good', agreementLanguage: 'pl' },
    })
    const { email, phone, firstName, surname, locale } = person
    await provider.call(putSealUser, {
      params: { seal: 'canary', user: 'canary' },
      body: { email, phone, firstName, surname, locale, role: 'admin', status: 'active' },
    })
    await page.goto('/certificates/seals')
    await page.getByRole('button', { name: 'Dodaj użytkownika' }).click()
    const dialog = page.getByRole('dialog', { name: 'Dodaj użytkownika pieczęci' })
    for (const name of ['firstName', 'surname', 'email'] as const)
      await dialog.locator(`input[name=${name}]`).fill(guest[name])
    await dialog.locator('input[type=tel]').fill(guest.phone.slice(3))
    await dialog.locator('button[type=submit]:enabled').click()
    await enterCode(scene, person.phone)
    await page.getByRole('row', { name: /Gościmira Kanarkowska/ }).waitFor()
  },
  // Numbers are shown, and the phone number is changed.
  async (scene) => {
    const { page, run, keep } = scene
    await page.goto('/my-data')
    await page.getByRole('button', { name: 'Pokaż cały numer: dowód osobisty' }).click()
    await page.getByText(numbers['identity document'], { exact: true }).waitFor()
    const code = page.locator('.task input[name=code]')
    const next = page.locator('.task form button[type=submit]:enabled')
    await page.getByRole('button', { name: 'Zmień numer telefonu' }).click()
    const confirm = page.locator('dialog input[name=code]')
    await confirm.waitFor()
    await confirm.fill(keep('code', await run.smsCode(person.phone)))
    await fill(page, 'documentNumber', keep('wrong document number', 'ZZC539165'))
    await next.click()
    await page.locator('.task .error > .icon').waitFor()
    await fill(page, 'documentNumber', numbers['identity document'])
    await next.click()
    await code.fill(keep('code', await run.mailedCode(person.email)))
    await next.click()
    await page.locator('.task input[type=tel]').fill(newPhone.slice(3))
    await next.click()
    await code.fill(keep('code', await run.smsCode(newPhone)))
    await next.click()
    await page.getByRole('heading', { name: 'Numer telefonu zmieniony' }).waitFor()
  },
  // The password of a timestamp account is changed.
  async (scene) => {
    const { page, provider, keep } = scene
    await provider.call(putTimestampAccount, {
      params: { account: 'canary' },
      body: sampleTimestampAccount('canary', { login: 'tsa-kanarek' }),
    })
    await page.goto('/certificates/timestamps')
    await page.getByRole('button', { name: 'Zmień hasło' }).click()
    for (const name of ['newPassword', 'repeatPassword'])
      await fill(page, name, keep('timestamp password', 'KanarekCzasu3918'))
    await page.locator('dialog button[type=submit]:enabled').click()
    await enterCode(scene)
    // The authority of this run does not know the account, so the password goes no further.
    await page.getByText('Hasła tego konta nie można tutaj zmienić').waitFor()
    await page.keyboard.press('Escape')
  },
  // A copy of all data is made, announced by mail and downloaded.
  async (scene) => {
    const { page } = scene
    await page.goto('/security')
    const card = page.locator('section[aria-labelledby=data-export-title]')
    await card.getByRole('button', { name: 'Przygotuj kopię danych' }).click()
    await enterCode(scene)
    await card.getByRole('button', { name: /^Pobierz JSON/ }).waitFor()
    for (const format of ['JSON', 'PDF']) {
      const download = await downloadBy(page, () =>
        card.getByRole('button', { name: new RegExp(`^Pobierz ${format}`) }).click(),
      )
      await download.path()
    }
  },
  // A passkey is added, used for a step-up, renamed and removed.
  async (scene) => {
    const { page, run, keep } = scene
    // Passkeys belong to names, and the run is at an address; each has its own cookies.
    const origin = run.origin.replace('127.0.0.1', 'localhost')
    const authenticator = await addAuthenticator(page)
    await page.goto(`${origin}/security`)
    await signIn(scene, person.login, first)
    const card = page.locator('section[aria-labelledby=passkeys-title]')
    await card.getByRole('button', { name: 'Dodaj klucz dostępu' }).click()
    await fill(page, 'name', keep('name of a passkey', 'Klucz Kanareldy Żółtopiórskiej'))
    await page.locator('dialog button[type=submit]:enabled').click()
    await enterCode(scene)
    await page.locator('dialog').getByRole('button', { name: 'Gotowe' }).click()
    await card.getByRole('button', { name: /^Zmień nazwę/ }).click()
    await fill(page, 'name', keep('name of a passkey', 'Drugi klucz Kanareldy'))
    await page.locator('dialog button[type=submit]:enabled').click()
    await card.getByRole('heading', { name: 'Drugi klucz Kanareldy' }).waitFor()
    await card.getByRole('button', { name: /^Usuń/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Usuń klucz' }).click()
    await page.getByRole('button', { name: 'Użyj klucza dostępu' }).click()
    await card.getByText('Nie masz jeszcze kluczy dostępu').waitFor()
    await authenticator.remove()
    await page.goto(`${run.origin}/home`)
  },
  // A voucher is redeemed, after a code of somebody else, and its case ends.
  async ({ page, provider, keep }) => {
    const expiresAt = new Date(Date.now() + 1e9).toISOString()
    const voucher = { kind: 'voucher', process: 'cloud-certificate', expiresAt } as const
    const { codes } = await provider.call(putVoucherCodes, {
      body: {
        codes: [
          { ...voucher, id: 'canary', customer: null },
          { ...voucher, id: 'canary-of-another', customer: 'demo-malgorzata' },
          { id: 'canary-renewal', kind: 'renewal', signature: 'canary', expiresAt },
        ],
      },
    })
    const [own, foreign, renewal] = codes.map(({ code }) => keep('voucher code', code))
    const enter = async (code: string) => {
      await page.locator('.voucher button[type=submit]:enabled').waitFor()
      await fill(page, 'code', code)
      await page.keyboard.press('Enter')
    }
    await page.goto('/home')
    await enter(foreign!)
    await page.getByText('Nieprawidłowy kod dostępu').waitFor()
    await enter(renewal!)
    await page.getByRole('button', { name: 'Wpisz inny kod' }).click()
    await enter(own!)
    await page.getByRole('link', { name: 'Zobacz sprawę' }).click()
    await page.getByRole('cell', { name: own! }).waitFor()
    const { case: number } = await provider.call(getVoucherCode, { params: { code: 'canary' } })
    const report = { status: 'Zakończona', at: new Date().toISOString(), note: null }
    await provider.call(putCaseStatus, { params: { case: number! }, body: report })
  },
  // A renewal is begun with its code, and its first step cannot be left, because the signing service has no key of this customer.
  async ({ page, provider, keep }) => {
    const expiresAt = new Date(Date.now() + 1e9).toISOString()
    const { codes } = await provider.call(putVoucherCodes, {
      body: { codes: [{ id: 'canary-renewal', kind: 'renewal', signature: 'canary', expiresAt }] },
    })
    await page.goto('/certificates/signatures')
    await page.getByRole('button', { name: 'Użyj kodu odnowienia' }).click()
    await page.getByRole('dialog').locator('button[type=submit]:enabled').waitFor()
    await fill(page, 'code', keep('voucher code', codes[0]!.code))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /Wybierz ustawienia certyfikatu/ }).waitFor()
    await page.getByText('Tym podpisem nie podpiszesz teraz umowy').first().waitFor()
    // The way on would be refused, so there is no button for it.
    expect(await page.locator('.wizard__act button[type=submit]').count()).toBe(0)
  },
  // A document is downloaded, opened by its code, signed, and its check is seen.
  async (scene) => {
    const { page, run, provider, keep } = scene
    const params = { case: 'canary' }
    const process = { pl: 'Umowa', en: 'Agreement' }
    const signer = `PNOPL-${numbers.pesel}`
    await provider.call(putDocumentCase, {
      params,
      body: { customer: 'canary', application: 'W/1', document: 'U-7391', process, signer },
    })
    const clause = keep('content of a document', 'Kanarkowa tajna klauzula 39182')
    const pdf = fileOf(
      contract.map((object) =>
        typeof object === 'string' ? object : [`<</Length ${contentOf(clause).length}>>`, contentOf(clause)],
      ),
    )
    await provider.upload(putCaseDocument, params, pdf)
    await page.goto('/documents')
    const row = page.getByRole('row').filter({ hasText: 'U-7391' })
    await row.getByRole('button', { name: /Pobierz/ }).click()
    const dialog = page.getByRole('dialog')
    const download = await downloadBy(page, () =>
      dialog.getByRole('button', { name: 'Pobierz zaszyfrowany PDF' }).click(),
    )
    const code = keep('access code', await run.accessCode(person.email, 'U-7391'))
    keep('access code', code.replaceAll('-', ''))
    await dialog.locator('input[name=code]').fill(code.toLowerCase())
    await page.keyboard.press('Enter')
    await dialog.getByRole('img', { name: 'Strona 1: Umowa' }).waitFor()
    await downloadBy(page, () => dialog.getByRole('button', { name: 'Pobierz odszyfrowany PDF' }).click())
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const file = await readFile(await download.path())
    const signed = signPdf(decryptPdf(file, { password: code }))
    await row.getByRole('button', { name: /Prześlij podpisany/ }).click()
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'umowa.pdf', mimeType: 'application/pdf', buffer: Buffer.from(signed) })
    await dialog.getByRole('button', { name: 'Sprawdź dokument' }).click()
    // No authority that the portal trusts has certified this key.
    await dialog.getByText('Certyfikat podpisu nie pochodzi od zaufanego dostawcy.').waitFor()
    await page.keyboard.press('Escape')
  },
  // The password is changed, and every page is seen once in the other language.
  async (scene) => {
    const { page, keep } = scene
    for (const path of [
      '/en/home',
      '/en/my-data',
      '/en/security',
      '/en/documents',
      '/en/my-cases',
      '/en/software',
      '/en/no-such-page',
    ])
      await page.goto(path)
    await page.goto('/change-password')
    await fill(page, 'currentPassword', first)
    await fill(page, 'newPassword', keep('password', second))
    await fill(page, 'repeatPassword', second)
    await submit(page)
    await page.waitForURL(/reason=password-changed/)
    await signIn(scene, person.email, second)
  },
  // A customer signs out, resets a forgotten password and signs in again.
  async (scene) => {
    const { page } = scene
    await signOut(page)
    await page.getByRole('link', { name: 'Nie pamiętasz hasła?' }).click()
    await fill(page, 'email', person.email)
    await submit(page)
    await page.getByText('Jeśli konto istnieje').waitFor()
    await setPassword(scene, third)
    await signIn(scene, person.login, third)
    await signOut(page)
  },
  // A visitor registers, and confirms another number than the one that was typed.
  async (scene) => {
    const { page, run, keep } = scene
    const phone = page.locator('input[type=tel]')
    await page.goto('/register')
    for (const name of ['email', 'firstName', 'surname'] as const) await fill(page, name, visitor[name])
    await phone.fill(visitor.mistyped)
    await page.locator('.check--all input').click()
    for (const name of ['Akceptuję regulamin', 'Potwierdzam zapoznanie się'])
      await page.getByRole('button', { name }).click()
    await submit(page)
    await page.getByRole('heading', { name: 'Sprawdź swoją skrzynkę' }).waitFor()
    await followLink(scene, visitor.email, second)
    await page.getByRole('button', { name: 'Wyślij kod SMS' }).click()
    keep('code', await run.smsCode(visitor.mistyped))
    await page.getByRole('button', { name: 'To nie mój numer' }).click()
    await phone.fill(visitor.phone)
    await submit(page)
    await fill(page, 'code', keep('code', await run.smsCode(visitor.phone)))
    await submit(page)
    await page.locator('.account-button__name').waitFor({ state: 'attached' })
    await signOut(page)
  },
  // A document is signed in place, by a customer whose key the provider keeps.
  async (scene) => {
    const { page, run, keep } = scene
    const { login, password, phone } = customerOf('malgorzata')
    // The number of text messages to one address a day is limited, and the journeys before have used it up.
    await run.clock.advance(86_400)
    await page.goto('/')
    await signIn(scene, login, password, phone)
    await page.goto('/documents')
    const row = page.getByRole('row').filter({ hasText: 'U-20846' })
    await row.getByRole('button', { name: /^Przeczytaj i.podpisz/ }).click()
    const dialog = page.getByRole('dialog')
    const { accessCode } = await scene.provider.call(getDocumentCase, {
      params: { case: 'demo-document-downloaded' },
    })
    await enterAccessCode(dialog, keep('access code', accessCode!))
    await dialog.getByRole('button', { name: 'Wyślij kod SMS' }).click()
    await enterCode(scene, phone)
    await page.keyboard.press('Enter')
    await dialog.getByRole('heading', { name: 'Dokument jest podpisany' }).waitFor()
    await dialog.getByRole('button', { name: 'Wróć do dokumentów' }).click()
    await dialog.waitFor({ state: 'detached' })
  },
]
