import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { enterSignInCode, signIn } from '../contract/account.ts'
import { checkLostPhoneLink } from '../contract/lost-phone.ts'
import { downloadSignatureCertificate } from '../contract/signatures.ts'
import { ocspStatus } from '../provider/testing/test-authority.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { paste, untilFocused, holdRequests } from './testing/browser-pages.ts'
import { customerOf, passPassword, smsField } from './testing/demonstration-run.ts'
import { refuse, codeSent, intercept, refuseCall, reply } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()
const locale = language('pl')
const { at, link, translate, heading, waitForText } = inLanguage(locale)

const login = (page: Page) => page.locator('input[name=login]')
const password = (page: Page) => page.locator('input[name=password]')
const summary = (page: Page) => page.locator('.error-summary')
const errorOf = (page: Page, name: string) => page.locator(`.field:has([name=${name}]) .error`)

test('AUT-1 RTE-4 a customer signs in with password and SMS code by keyboard only', async () => {
  const page = await portal.openPage({ locale })
  await page.goto(at('/'))
  const focused = async (name: string) => {
    for (let tabs = 0; tabs < 12; tabs++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate(() => document.activeElement?.getAttribute('name'))) === name) return
    }
    throw new Error(`Tab does not reach ${name}.`)
  }
  await focused('login')
  await page.keyboard.type('oliver')
  await focused('password')
  await page.keyboard.type(customerOf('oliver').password)
  await page.keyboard.press('Enter')
  await page.locator('dialog input[name=code]:focus').waitFor()
  await page.keyboard.type(await portal.smsCode(customerOf('oliver').phone))
  await page.waitForURL(portal.origin + at('/home'))
  await page.getByRole('heading', { level: 1, name: 'Oliver Smith' }).waitFor()
  await page.goto(at('/'))
  await page.waitForURL(portal.origin + at('/home'))
})

test('AUT-2 a code pasted after typed digits replaces them, with digits of any script', async () => {
  const page = await portal.openPage({ locale })
  await page.goto(at('/'))
  await passPassword(page, 'oliver')
  const field = await smsField(page)
  await field.pressSequentially('1٢')
  await expect.poll(() => field.inputValue()).toBe('12')
  const code = await portal.smsCode(customerOf('oliver').phone)
  await paste(field, `Kod: ${code.slice(0, 3)}\u2009${code.slice(3)}.`)
  await page.waitForURL(portal.origin + at('/home'))
})

test('AUT-2 a browser that keeps no cookies is told so, before a text message if possible', async () => {
  const page = await portal.openPage({ locale, alone: true })
  await page.goto(at('/'))
  await passPassword(page, 'oliver')
  const field = await smsField(page)
  const code = await portal.smsCode(customerOf('oliver').phone)
  await page.context().clearCookies()
  await field.fill(code)
  await waitForText(page, /zezwól na pliki cookie/, /allow this portal’s cookies/)
  const needed = page.getByText(translate('Portal potrzebuje plików cookie', 'The portal needs cookies'))
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false }))
  await page.goto(at('/'))
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.url()))
  await passPassword(page, 'oliver')
  await needed.waitFor()
  expect(calls.filter((url) => url.endsWith('/api/sign-in'))).toEqual([])
})

test('AUT-3 a wrong pair says so; the login stays, the password is emptied and focused', async () => {
  const page = await portal.openPage({ locale })
  await page.goto(at('/'))
  await passPassword(page, 'nobody.here', 'Wrong-Password-1!')
  await summary(page).waitFor()
  await heading(
    summary(page),
    'Login lub hasło się nie zgadza. Sprawdź je i\u00a0spróbuj ponownie.',
    'The username or password is incorrect. Check them and try again.',
  ).waitFor()
  await expect.poll(() => login(page).inputValue()).toBe('nobody.here')
  expect(await password(page).inputValue()).toBe('')
  await untilFocused(password(page))
  await expect.poll(() => page.title()).toBe(translate('Błąd: Logowanie – Sygnet', 'Error: Sign in – Sygnet'))
})

test('VAL-1 VAL-2 errors come when a field is left or changed, never while typing', async () => {
  const page = await portal.openPage({ locale })
  await page.goto(at('/'))
  await page.locator('button[type=submit]:enabled').click()
  await summary(page).waitFor()
  const required = translate('Wpisz login lub adres e-mail', 'Enter your username or e-mail address')
  await expect.poll(() => errorOf(page, 'login').textContent()).toContain(required)
  await expect
    .poll(() => errorOf(page, 'password').textContent())
    .toContain(translate('Wpisz hasło', 'Enter your password'))
  await login(page).pressSequentially('somebody')
  await expect.poll(() => errorOf(page, 'login').textContent()).toContain(required)
  await login(page).press('Tab')
  await expect.poll(() => errorOf(page, 'login').textContent()).toBe('')

  await page.goto(at('/password-reset'))
  const email = page.locator('input[name=email]')
  await email.pressSequentially('no-address')
  expect(await errorOf(page, 'email').textContent()).toBe('')
  await email.press('Tab')
  await expect.poll(() => errorOf(page, 'email').textContent()).toContain('@')
})

test('AUT-4 NAV-3 a blocked account sees the modal only after its correct password', async () => {
  const page = await portal.openPage({ locale })
  await page.goto(at('/'))
  await passPassword(page, 'zablokowany', 'Wrong-Password-1!')
  await summary(page).waitFor()
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
  await passPassword(page, 'zablokowany')
  const modal = page.getByRole('alertdialog')
  await modal.waitFor()
  await heading(
    modal,
    'Twoje konto zostało zablokowane. Wymagana zmiana hasła.',
    'Your account has been blocked. A password change is required.',
  ).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => modal.isVisible()).toBe(true)
  await link(modal, 'Ustaw nowe hasło', 'Set new password').click()
  await page.waitForURL(portal.origin + at('/password-reset'))
})

test.skipIf(exhaustive)('AUT-2 a wrong code says how many are left, its digits selected; the fifth ends', async () => {
  const page = await portal.openPage()
  await page.goto('/')
  await passPassword(page, 'tomasz')
  const code = page.locator('dialog input[name=code]')
  const right = await portal.smsCode(customerOf('tomasz').phone)
  const wrong = right === '000000' ? '000001' : '000000'
  await code.fill(wrong)
  await errorOf(page, 'code').getByText('Kod się nie zgadza. Sprawdź ostatni SMS albo wyślij nowy kod.').waitFor()
  await expect.poll(() => code.inputValue()).toBe(wrong)
  await expect
    .poll(() => code.evaluate((field: HTMLInputElement) => [field.selectionStart, field.selectionEnd]))
    .toEqual([0, 6])
  for (const left of [null, 2, 1]) {
    const answered = page.waitForResponse(/sign-in\/code$/)
    await code.press('Enter')
    await answered
    if (left) await errorOf(page, 'code').getByText(`Zostało: ${left} prób`).waitFor()
    else await page.locator('dialog button[type=submit]:not(.is-busy)').waitFor()
  }
  await code.press('Enter')
  await page.getByText('Tego kodu nie można już użyć', { exact: true }).waitFor()
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
})

test('AUT-10 after too many wrong codes the dialog says until when, without a field', async () => {
  const page = await portal.openPage()
  await refuse(enterSignInCode, 'too-many-attempts', { retryAfter: 86_400 })({ page })
  await page.goto('/')
  await passPassword(page, 'tomasz')
  await page.getByRole('dialog').locator('input[name=code]').fill('123456')
  const dialog = page.getByRole('dialog', { name: 'Logowanie zablokowane' })
  await dialog.getByText('nie przyjmujemy kodów SMS do logowania do').waitFor()
  const until = await dialog.getByRole('time').getAttribute('datetime')
  expect(Math.abs(Date.parse(until!) - Date.now() - 86_400_000)).toBeLessThan(600_000)
  expect(await dialog.locator('input, .code-resend').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Zamknij' }).last().click()
  await dialog.waitFor({ state: 'detached' })
})

test.runIf(exhaustive)('AUT-2 another code can be sent after a minute, and at once after the expiry', async () => {
  const page = await portal.openPage({ clock: true })
  await page.goto('/')
  await passPassword(page, 'nowy')
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/Wyślij ponownie za (?:1:00|0:[345]\d)/).waitFor()
  const first = await portal.smsCode(customerOf('nowy').phone)
  await portal.letPass(61, page)
  await dialog.getByRole('button', { name: 'Wyślij nowy kod' }).click()
  await dialog.getByText('Nowy kod wysłany').waitFor()
  expect(await portal.smsCode(customerOf('nowy').phone)).not.toBe(first)
  await page.clock.fastForward(601_000)
  await dialog.locator('.notice--warning').getByText('Ten kod wygasł.').waitFor()
  await dialog.locator('.button--primary:not([aria-disabled])', { hasText: 'Wyślij nowy kod' }).waitFor()
  expect(await dialog.locator('button[type=submit]').getAttribute('aria-disabled')).toBe('true')
})

test.runIf(exhaustive)('AUT-5 AUT-6 the form appears together with the notice above it, so nothing moves', async () => {
  const page = await portal.openPage()
  const arrive = await holdRequests(page, '**/assets/*.js')
  const resetLink = page.getByRole('link', { name: 'Nie pamiętasz hasła?' })
  await page.goto('/', { waitUntil: 'load' })
  await expect.poll(() => resetLink.isVisible()).toBe(true)
  await page.goto('/?reason=signed-out', { waitUntil: 'load' })
  await page.getByRole('banner').waitFor()
  expect(await resetLink.isVisible()).toBe(false)
  arrive()
  await resetLink.click()
  await page.waitForURL(`${portal.origin}/password-reset`)
})

test('ERR-4 a notice that never arrives does not keep the login page hidden', async () => {
  const page = await portal.openPage({ tolerate: /ERR_FAILED/ })
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/?reason=signed-out')
  await page.locator('.unloaded').waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Nie pamiętasz hasła?' }).isVisible()).toBe(true)
})

const loginField = 'main input[name=login]'

test('STP-7 R224 from the dialog for the code to the suspended certificate, without the phone', async () => {
  // Whose mails are in this language.
  const owner = translate('malgorzata', 'oliver')
  const person = customerOf(owner)
  const { number } = person.identification!.document
  const signedIn = await portal.openAs(owner, { locale, alone: true, to: '/certificates/signatures' })
  const bytesOf = async (path: string) =>
    new Uint8Array(await (await signedIn.request.get(portal.origin + path)).body())
  const cards = signedIn.locator('[data-certificate]:has(.button)')
  await cards.first().waitFor()
  const id = (await cards.first().getAttribute('data-certificate'))!
  const certificate = await bytesOf(downloadSignatureCertificate.path.replace(':id', id).replace(':format', 'der'))
  const issuer = await bytesOf('/pki/ca/issuing.cer')
  const status = () => ocspStatus(`${portal.origin}/pki/ocsp`, certificate, issuer)
  expect(await status()).toBe('good')

  const page = await portal.openPage({ locale })
  const press = (texts: { pl: RegExp; en: RegExp }) => page.getByRole('button', { name: texts[locale] }).click()
  await page.goto(locale === 'pl' ? '/' : '/en')
  await passPassword(page, owner)
  await smsField(page)
  await portal.smsCode(person.phone)
  const texts = async () =>
    (await portal.messages()).filter(({ channel, to }) => channel === 'sms' && to === person.phone).length
  const before = await texts()
  await link(page.getByRole('dialog'), 'Zawieś certyfikaty', 'Suspend your certificates').click()
  // Until the page can be shown, the sign-in with its own field stays.
  await heading(page, 'Utrata telefonu', 'Lost your phone?').waitFor()
  await page.locator(loginField).fill(owner)
  await press({ pl: /^Wyślij link/, en: /^Send link/ })
  const sent = page.getByRole('dialog')
  await waitForText(sent, 'Jeśli konto istnieje,', 'If the account exists,')

  const mailed = await portal.lostPhoneLink(person.email)
  const token = mailed.split('#link=')[1]!
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  await page.goto('about:blank')
  await page.goto(mailed)
  const field = page.locator('input[name=documentNumber]')
  await field.waitFor()
  expect(page.url()).not.toContain(token)
  expect(requests.map((request) => request.url()).filter((url) => url.includes(token))).toEqual([])
  // A reload does not lose it, and neither does the skip link, whose fragment is no token.
  await page.reload()
  await field.waitFor()
  await page.locator('a.skip').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  await field.waitFor()

  const submit = { pl: /^Zawieś certyfikaty/, en: /^Suspend certificates/ }
  await field.fill('XYZ 999999')
  await press(submit)
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  expect(await status()).toBe('good')
  await field.fill(number.toLowerCase())
  await press(submit)
  await heading(page, 'Zlecono zawieszenie', 'Suspension requested').waitFor()
  expect(await page.locator('main .notice--warning').count()).toBe(owner === 'malgorzata' ? 1 : 0)
  await expect.poll(status).toBe('certificateHold')
  // No text message reaches the phone, and its sessions have ended.
  expect(await texts()).toBe(before)
  await signedIn.reload()
  await signedIn.locator('input[name=password]').waitFor()

  await page.goto('about:blank')
  await page.goto(mailed)
  await heading(page, 'Ten link został już użyty', 'This link has already been used').waitFor()
  await press({ pl: /^Wyślij nowy link/, en: /^Get a new link/ })
  await page.locator(loginField).waitFor()
})

test('STP-7 SEA-19 PWD-2 the pages of mailed links work in a browser that denies storage', async () => {
  const page = await portal.openPage({ locale, alone: true })
  await page.addInitScript(() => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: denied })
  })
  const certificates = { certificates: 2, suspended: 0, expiresAt: '2099-12-01T12:00:00.000Z' }
  await reply(checkLostPhoneLink, certificates)({ page })
  const token = 'A'.repeat(43)
  for (const [path, seen] of [
    ['/lost-phone', loginField],
    [`/lost-phone#link=${token}`, 'input[name=documentNumber]'],
    [`/setup-password/${token}`, translate('text=Ten link nie działa', 'text=This link doesn’t work')],
    [`/reminder-recipient#${token}`, 'main button'],
  ] as const) {
    await page.goto('about:blank')
    await page.goto(portal.origin + at(path))
    await page.locator(seen).first().waitFor()
  }
})

test.runIf(exhaustive)('STP-7 a link shows an outline of its form until the script runs, reloaded too', async () => {
  const page = await portal.openPage({ locale, alone: true })
  await reply(checkLostPhoneLink, { certificates: 2, suspended: 0, expiresAt: '2099-12-01T12:00:00.000Z' })({ page })
  for (const open of [
    () => page.goto(at(`/lost-phone#link=${'x'.repeat(43)}`), { waitUntil: 'load' }),
    () => page.reload({ waitUntil: 'load' }),
  ]) {
    const arrive = await holdRequests(page, '**/assets/*.js')
    await open()
    await page.locator('.link-wait').waitFor()
    expect(await page.locator(loginField).isVisible()).toBe(false)
    arrive()
    await page.locator('input[name=documentNumber]').waitFor()
    expect(await page.locator('.link-wait').count()).toBe(0)
    await page.unroute('**/assets/*.js')
  }
})

test.runIf(exhaustive).each(['passkey', 'locked', 'blocked'] as const)(
  'STP-7 the dialog at sign-in leads there: %s',
  async (dialog) => {
    const page = await portal.openPage({ locale, alone: true, ...(dialog === 'passkey' && { named: true }) })
    const begun = dialog === 'passkey' ? { channel: 'passkey' as const } : codeSent()
    if (dialog === 'blocked') await refuse(signIn, 'account-blocked')({ page })
    else await intercept(signIn, (route) => route.fulfill({ json: begun }))({ page })
    await intercept(enterSignInCode, (route) => refuseCall(route, 'too-many-attempts', { retryAfter: 86_400 }))({
      page,
    })
    await page.goto(at('/'))
    await passPassword(page, 'oliver')
    if (dialog === 'locked') await (await smsField(page)).fill('123456')
    await link(
      page.getByRole('dialog').or(page.getByRole('alertdialog')),
      'Zawieś certyfikaty',
      'Suspend your certificates',
    ).click()
    await page.locator(loginField).waitFor()
  },
)
