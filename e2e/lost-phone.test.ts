import type { Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { enterSignInCode, signIn } from '../contract/account.ts'
import { checkLostPhoneLink } from '../contract/lost-phone.ts'
import { downloadCertificate } from '../contract/signatures.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { customerOf, passPassword, smsField } from './testing/demonstration-run.ts'
import { codeSent, intercept, refuse, refuseCall, reply } from './testing/fake-replies.ts'
import { openPortal, say, inLanguage } from './testing/open-portal.ts'
import { holdRequests } from './testing/browser-pages.ts'
import { ocspStatus } from '../provider/testing/test-authority.ts'

const portal = await openPortal()

/** Whose mails are in each language. */
const owners = { pl: { login: 'malgorzata', hasSeals: true }, en: { login: 'oliver', hasSeals: false } }

const locale = language('pl')
const { at, heading, translate } = inLanguage(locale)
const loginField = 'main input[name=login]'

test('STP-7 R224 from the dialog for the code to the suspended certificate, without the phone', async () => {
  const { login, hasSeals } = owners[locale]
  const person = customerOf(login)
  const { number } = person.identification!.document
  const signedIn = await portal.openPage({ locale, alone: true })
  await portal.signIn(signedIn, login, { locale, to: '/certificates/signatures' })
  const bytesOf = async (path: string) =>
    new Uint8Array(await (await signedIn.request.get(portal.origin + path)).body())
  const cards = signedIn.locator('[data-certificate]:has(.btn)')
  await cards.first().waitFor()
  const id = (await cards.first().getAttribute('data-certificate'))!
  const certificate = await bytesOf(downloadCertificate.path.replace(':id', id).replace(':format', 'der'))
  const issuer = await bytesOf('/pki/ca/issuing.cer')
  const status = () => ocspStatus(`${portal.origin}/pki/ocsp`, certificate, issuer)
  expect(await status()).toBe('good')

  const page = await portal.openPage({ locale })
  const press = (texts: { pl: RegExp; en: RegExp }) => page.getByRole('button', { name: say(locale, texts) }).click()
  await page.goto(locale === 'pl' ? '/' : '/en')
  await passPassword(page, login)
  await smsField(page)
  await portal.smsCode(person.phone)
  const texts = async () =>
    (await portal.messages()).filter(({ channel, to }) => channel === 'sms' && to === person.phone).length
  const before = await texts()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: translate('Zawieś certyfikaty', 'Suspend your certificates') })
    .click()
  // Until the page can be shown, the sign-in with its own field stays.
  await heading(page, 'Utrata telefonu', 'Lost your phone?').waitFor()
  await page.locator(loginField).fill(login)
  await press({ pl: /^Wyślij link/, en: /^Send link/ })
  const sent = page.getByRole('dialog')
  await sent.getByText(translate('Jeśli konto istnieje,', 'If the account exists,')).waitFor()

  const link = await portal.lostPhoneLink(person.email)
  const token = link.split('#link=')[1]!
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  await page.goto('about:blank')
  await page.goto(link)
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
  expect(await page.locator('main .note--warn').count()).toBe(hasSeals ? 1 : 0)
  await expect.poll(status).toBe('certificateHold')
  // No text message reaches the phone, and its sessions have ended.
  expect(await texts()).toBe(before)
  await signedIn.reload()
  await signedIn.locator('input[name=password]').waitFor()

  await page.goto('about:blank')
  await page.goto(link)
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
  const link = `#link=${'x'.repeat(43)}`
  await reply(checkLostPhoneLink, { certificates: 2, suspended: 0, expiresAt: '2099-12-01T12:00:00.000Z' })({ page })
  for (const open of [
    () => page.goto(at(`/lost-phone${link}`), { waitUntil: 'load' }),
    () => page.reload({ waitUntil: 'load' }),
  ]) {
    const arrive = await holdRequests(page, '**/assets/*.js')
    await open()
    await page.locator('.linkwait').waitFor()
    expect(await page.locator(loginField).isVisible()).toBe(false)
    arrive()
    await page.locator('input[name=documentNumber]').waitFor()
    expect(await page.locator('.linkwait').count()).toBe(0)
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
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('link', { name: translate('Zawieś certyfikaty', 'Suspend your certificates') })
      .click()
    await page.locator(loginField).waitFor()
  },
)
