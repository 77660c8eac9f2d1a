import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readRenewal, readSigningReadiness, type Renewal } from '../contract/renewal.ts'
import { activationDays, type SigningObstacle } from '../contract/rules/renewal-rules.ts'
import { addDays } from '../contract/rules/warsaw-time.ts'
import { renewalNumber } from '../contract/rules/renewal-number.ts'
import { fromBase32, hotp, totpStep } from '../pki/totp.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { formatDate } from '../web/text/format.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { desktop, phone } from './testing/browser-pages.ts'
import { reply } from './testing/fake-replies.ts'
import { openPortal, say, inLanguage } from './testing/open-portal.ts'
import { openProviderClient, createRenewalCode } from './testing/provider-client.ts'
import { renewalOf } from './testing/renewal-calls.ts'
import { firstStep, identityDocument, sampleRenewal } from './testing/samples/renewal.ts'

const portal = await openPortal()
const provider = await openProviderClient(portal)
const list = '/certificates/signatures'

/** Moves there with the Tab key, as somebody without a mouse does. */
async function reach(page: Page, target: Locator) {
  await target.waitFor()
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not lead to ${String(target)}`)
}

async function press(page: Page, target: Locator) {
  await reach(page, target)
  await page.keyboard.press('Enter')
}

/** As messages write a day. */
const longDay = (locale: 'pl' | 'en', day: string) => formatDate(locale, day).replaceAll('\u00a0', ' ')

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

async function enterCode(page: Page, locale: 'pl' | 'en', code: string) {
  await press(page, button(page, 'Użyj kodu odnowienia', 'Use renewal code'))
  await page.getByRole('dialog').locator('button[type=submit]:enabled').waitFor()
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

/** Waits until the server has stored the choice. */
async function saved(page: Page, action: () => Promise<unknown>) {
  const answer = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().endsWith('/parameters'),
  )
  await action()
  expect((await answer).status()).toBe(200)
}

const locale = language('en')
const { at, button, link, see, translate } = inLanguage(locale)
const step = (number: number) => translate(`Krok ${number} z\\s4`, `Step ${number} of 4`)
const { person, signature, viewport, shortened } = say(locale, {
  pl: { person: 'kamila', signature: 'demo-kamila-app', viewport: phone, shortened: true },
  en: { person: 'malgorzata', signature: 'demo-malgorzata-app', viewport: desktop, shortened: false },
})

test('SIG-4 REN-7 from the code to the paired app by keyboard only, in a new tab after each step', async () => {
  const { context, openTab } = await portal.openProfile({ locale, viewport })
  let page = await openTab({ close: 'profile' })
  const { phone: number } = customerOf(person)

  /** Continues in a new tab. */
  async function closeAndOpen(path: string) {
    const next = await context.newPage()
    await page.close()
    page = next
    await page.goto(path)
  }

  await portal.signIn(page, person, { locale, to: say(locale, { pl: list, en: '/home' }) })
  const code = await createRenewalCode(provider, signature)
  if (locale === 'pl') await enterCode(page, locale, code)
  else {
    const box = page.locator('.voucher')
    await box.locator('button[type=submit]:enabled').waitFor()
    await reach(page, box.locator('input[name=code]'))
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await press(page, box.getByRole('button', { name: 'Start renewal' }))
  }
  await heading(page, new RegExp(step(1))).waitFor()
  const path = new URL(page.url()).pathname
  expect(path).toMatch(/\/renewal\/[\w-]{36}$/)
  // The agreement is in the language of the page, also where the account has another one.
  await expect.poll(() => page.locator('input[name=language]:checked').inputValue()).toBe(locale)

  await reach(page, page.locator('input[name=start]:checked'))
  await saved(page, () => page.keyboard.press('ArrowDown'))
  const years = page.locator('input[name=years]:checked')
  await expect.poll(() => years.inputValue()).toBe('2')
  await reach(page, years)
  await saved(page, () => page.keyboard.press('ArrowRight'))
  await press(page, link(page, 'Wyjdź', 'Exit'))
  await page.getByRole('alertdialog').waitFor()
  await press(page, button(page, 'Zostań tutaj', 'Stay here'))

  await closeAndOpen(at('/home'))
  await press(page, link(page, 'Dokończ odnowienie', 'Finish renewal').first())
  await heading(page, new RegExp(step(1))).waitFor()
  expect(new URL(page.url()).pathname).toBe(path)
  await expect.poll(() => page.locator('input[name=years]:checked').inputValue()).toBe('3')
  await expect.poll(() => page.locator('input[name=start]:checked').inputValue()).toBe('immediately')
  const notes = page.locator('.wiz__notes')
  const shorter = translate(/Certyfikat będzie ważny o/, /will be valid for .* less/)
  if (shortened) await notes.getByText(shorter).waitFor()
  else expect(await notes.getByText(shorter).count()).toBe(0)

  await press(page, page.locator('.wiz__act button[type=submit]:enabled'))
  if (shortened) {
    await page.getByRole('heading', { name: 'Certyfikat będzie ważny krócej' }).waitFor()
    await press(page, page.getByRole('button', { name: /^Akceptuję ważność do / }))
  }
  await heading(page, new RegExp(step(2))).waitFor()
  // The address changes shortly after the heading.
  await page.waitForURL(/[?]step=2$/)
  await page.goBack()
  await see(page, 'Tych ustawień nie można już zmienić.', 'You can’t change these options any more.')
  expect(await page.locator('input[name=years]').count()).toBe(0)
  await page.goForward()
  await heading(page, new RegExp(step(2))).waitFor()

  await closeAndOpen(path)
  await heading(page, new RegExp(step(2))).waitFor()
  const consent = page.locator('input[name=confirmed]')
  if (viewport === desktop) {
    // The next step does what the button to it does, and refuses what it refuses.
    await page.getByRole('button', { name: 'Next: Signing' }).press('Enter')
    await consent.and(page.locator('[aria-invalid=true]:focus')).waitFor()
  }
  await reach(page, consent)
  await page.keyboard.press('Space')
  await press(page, button(page, /^Potwierdź dane/, /^Confirm details/))
  await heading(page, new RegExp(step(3))).waitFor()

  await closeAndOpen(path)
  await heading(page, new RegExp(step(3))).waitFor()
  const sendCode = button(page, /^Wyślij kod SMS/, /^Send code/)
  // Once the agreement is shown.
  await press(page, sendCode.and(page.locator(':not([aria-disabled])')))
  await page.getByRole('img', { name: translate(/^Strona 1: /, /^Page 1: /) }).waitFor()
  await reach(page, page.locator('input[name=code]'))
  const sms = await portal.smsCode(number)
  // R33: the message names what is signed.
  const { sha256 } = (await renewalOf(page, path.slice(-36))).agreement!
  const [newest] = (await portal.messages()).filter(({ to }) => to === number)
  expect(newest!.text).toContain(sha256.slice(0, 8))
  await page.locator('.signbox').getByText(sha256.slice(0, 8)).waitFor()
  await page.keyboard.type(sms)
  await page.keyboard.press('Enter')
  await heading(page, new RegExp(step(4))).waitFor()

  await closeAndOpen(path)
  await heading(page, new RegExp(step(4))).waitFor()
  await press(page, button(page, /^Połącz z\saplikacją/, /^Connect to the app/))
  const dialog = page.getByRole('dialog')
  await dialog.locator('button[type=submit]:enabled').waitFor()
  await reach(page, dialog.locator('input[name=code]'))
  await page.keyboard.type(await portal.smsCode(number))
  await page.keyboard.press('Enter')
  const key = dialog.locator('.qr__key')
  await key.waitFor()
  const secret = fromBase32((await key.innerText()).replaceAll(' ', ''))!
  await press(page, button(dialog, /^Mam kod/, /^I have/))
  await reach(page, dialog.locator('input[name=code]'))
  await page.keyboard.type(hotp(secret, totpStep(new Date())))
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(renewalNumber(path.slice(-36))).waitFor()
  await link(page, 'Podpisz plik', 'Sign a file').waitFor()
})

test('R31 R61 a wrong code is said at its field, and an unknown renewal leads back', async () => {
  const page = await portal.openPage({ locale, viewport })
  await portal.signIn(page, 'wilhelmina', { locale, to: list })
  await enterCode(page, locale, '0000-0000-0000-0000')
  const dialog = page.getByRole('dialog')
  const field = dialog.locator('input[name=code][aria-invalid=true]')
  await field.waitFor()
  await expect.poll(() => field.inputValue()).toBe('0000-0000-0000-0000')
  await see(dialog, 'Nieprawidłowy kod dostępu', 'Invalid access code')

  await page.goto(at(`/renewal/${crypto.randomUUID()}`))
  await heading(page, translate('Nie ma takiego odnowienia', 'This renewal doesn’t exist')).waitFor()
  await link(page, 'Przejdź do podpisów', 'Go to signatures').waitFor()
})

/** Opens a renewal that only this page knows. */
async function show(page: Page, renewal: Renewal, obstacle: SigningObstacle | null = null) {
  const readiness = { obstacle, requirement: null, asksElsewhere: false, authorisation: null }
  for (const fake of [reply(readRenewal, renewal), reply(readSigningReadiness, readiness)]) await fake({ page })
  await page.goto(`/renewal/${renewal.uid}`)
}

test.runIf(exhaustive)('REN-5 REN-6 a document that hinders the renewal leaves only the ways that work', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'wilhelmina')
  const check = { document: identityDocument }
  const back = page.locator('.wiz__act').getByRole('button', { name: 'Wstecz' })
  const enter = page.locator('.note').getByRole('button', { name: 'Zaktualizuj dane dokumentu' })

  // REN-12: no button leads on, and no code is used up.
  await show(page, firstStep(), 'SIGNING_UNAVAILABLE')
  await page.getByText('Kod odnowienia nie został użyty.').waitFor()
  expect(await page.locator('.wiz__act button[type=submit]').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Dalej: / }).count()).toBe(0)

  // It ends before a certificate of the shortest validity would: no earlier day helps.
  await show(page, firstStep({}, 6))
  const advice = page.locator('.wiz__notes .note--warn')
  await advice.getByText('Aby był ważny dłużej, zaktualizuj dane dokumentu lub zmień identyfikator na PESEL.').waitFor()
  await advice.locator('.btn--primary', { hasText: 'Zmień identyfikator na PESEL' }).waitFor()
  await page.locator('.wiz__act .btn--secondary', { hasText: 'Dalej: dane osobowe' }).waitFor()
  const preview = page.locator('.preview__rows')
  await preview.getByText('nie można wydać').waitFor()
  expect(await preview.locator('time').count()).toBe(0)

  await show(page, sampleRenewal({ stops: ['DATA_MISMATCH'] }))
  await heading(page, 'Popraw dane, aby odnowić podpis').waitFor()
  await page.locator('.note .btn--primary', { hasText: 'Zaktualizuj dane dokumentu' }).waitFor()

  await show(page, sampleRenewal({ identityCheck: { ...check, state: 'asked' } }))
  await back.waitFor()
  await heading(page, 'Sprawdzamy Twoje dane').waitFor()
  expect(await page.getByText('Dane dokumentu zaktualizujesz tutaj').count()).toBe(0)

  for (const renewal of [
    sampleRenewal({ identityCheck: { ...check, state: 'refused' } }),
    firstStep({ state: 'personal-data', version: 2, frozen: true }, 400),
  ]) {
    await show(page, renewal)
    await back.waitFor()
    await enter.click()
    await page.getByRole('dialog').waitFor()
  }

  // No day after the end of a document that ends soon can be chosen.
  const soon = firstStep({}, 40)
  await show(page, soon)
  await page.locator('input[name=start][value=chosen-day]').check()
  const day = page.locator('input[data-name=activationDate]')
  const end = soon.person.document!.validTo!
  await day.fill(addDays(end, 1))
  await day.blur()
  await page
    .locator('.error')
    .getByText(`do ${longDay('pl', end)}, gdy wygasa Twój dokument`)
    .waitFor()
  await day.fill(end)
  await day.blur()
  await page.locator('input[data-name=activationDate]:not([aria-invalid])').waitFor()
})

test.skipIf(exhaustive)('VAL-5 UIX-3 errors are in the order of the fields; the next step is no button', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'wilhelmina')
  await show(page, firstStep({ saved: true }))
  const submit = page.locator('.wiz__act button[type=submit]:enabled')
  const { first, last } = activationDays(new Date())
  const [from, to] = [longDay('pl', first), longDay('pl', last)]
  const next = page.getByRole('navigation').getByRole('button', { name: 'Dalej: Dane osobowe' })
  await next.waitFor()
  await page.locator('input[name=company]').fill('')
  await next.waitFor({ state: 'detached' })
  await page.locator('input[name=start][value=chosen-day]').check()
  const undated = page.locator('.preview__rows').getByText('wybranego dnia')
  const day = page.locator('input[data-name=activationDate]')
  const lines = page.locator('.esum__link')
  // A day is needed, and a wrong one is no day.
  for (const typed of ['', '01.01.2020']) {
    await day.fill(typed)
    await submit.click()
    await expect
      .poll(async () => (await lines.allTextContents()).map((line) => line.replaceAll('\u00a0', ' ')))
      .toEqual([`Wpisz pierwszy dzień od ${from} do ${to}`, 'Nazwa firmy: pole musi być wypełnione'])
    await undated.waitFor()
  }
  expect(await next.count()).toBe(0)
  // A day forgives its separators, and is written as elsewhere once its field is left.
  const [year, month, date] = last.split('-')
  await day.fill(` ${Number(date)} ${Number(month)}-${year}`)
  await day.blur()
  expect(await day.inputValue()).toBe(`${date}.${month}.${year}`)
  await undated.waitFor({ state: 'detached' })
  // Another start needs no day.
  await page.locator('input[name=company]').fill('Kancelaria Źródło sp. z o.o.')
  await page.locator('input[name=start][value=immediately]').check()
  await next.waitFor()
})

test.runIf(exhaustive)('REN-6 an expired document stops the renewal at first, where another is entered', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'bruno', { to: list })
  await enterCode(page, 'pl', await createRenewalCode(provider, 'demo-bruno-app'))
  await heading(page, /Najpierw zaktualizuj dane dokumentu/).waitFor()
  await page.getByText('Twój dokument tożsamości wygasł').waitFor()
  expect(await page.locator('input[name=years]').count()).toBe(0)
  await press(page, page.getByRole('button', { name: 'Zaktualizuj dane dokumentu' }))
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=number]').fill('aba 700-008')
  await dialog
    .locator('input[data-name=validTo]')
    .fill(new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10))
  await page.keyboard.press('Enter')
  await heading(page, /Wybierz ustawienia certyfikatu/).waitFor()
  await page.getByText('Nowe dane dokumentu są potwierdzone').waitFor()
  await page.locator('main h1:focus').waitFor()

  await expect.poll(() => page.locator('input[name=start][value=continuity]').isDisabled()).toBe(true)
  await page.locator('input[name=start][value=chosen-day]').check()
  const day = page.locator('input[data-name=activationDate]')
  await day.fill(activationDays(new Date()).last)
  await press(page, page.locator('.wiz__notes').getByRole('button', { name: 'Zaktualizuj dane dokumentu' }))
  await dialog.locator('input[name=number]').waitFor()
})
