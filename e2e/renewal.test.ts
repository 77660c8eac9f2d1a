import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Locale } from '../contract/enums.ts'
import { inLocale } from '../contract/pages.ts'
import {
  readRenewal,
  readSigningReadiness,
  type Renewal,
  confirmPersonalData,
  downloadRenewalAgreement,
  fixParameters,
  returnToPersonalData,
  type RenewalParameters,
} from '../contract/renewal.ts'
import { renewalNumber } from '../contract/rules/access-code.ts'
import { activationDays, type SigningObstacle } from '../contract/rules/renewal-rules.ts'
import { addDays } from '../contract/rules/warsaw-time.ts'
import { fromBase32, hotp, totpStep } from '../pki/totp.ts'
import { demonstrationBrand } from '../server/platform/brand/brand.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { formatDate } from '../web/text/format.ts'
import { desktop, phone, enterWrongCode, untilFocused, downloadBy, plain } from './testing/browser-pages.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { reply, sendPdf } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import {
  openProviderClient,
  createRenewalCode,
  readRenewalOf,
  pathOf,
  request,
  openRenewalOf,
} from './testing/portal-calls.ts'
import { pageless } from './testing/samples/documents.ts'
import { firstStep, identityDocument, sampleRenewal } from './testing/samples/renewal.ts'

const portal = await openPortal()
const locale = language('en')
const { at, button, link, waitForText, translate } = inLanguage(locale)
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

/** Formats a day as Polish messages do. */
const longDay = (day: string) => formatDate('pl', day).replaceAll('\u00a0', ' ')

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

async function enterCode(page: Page, code: string) {
  await press(page, page.getByRole('button', { name: /^(?:Użyj kodu odnowienia|Use renewal code)/ }))
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

const step = (number: number) => translate(`Krok ${number} z\\s4`, `Step ${number} of 4`)
const { person, signature, viewport, shortened } = {
  pl: { person: 'kamila', signature: 'demo-kamila-app', viewport: phone, shortened: true },
  en: { person: 'malgorzata', signature: 'demo-malgorzata-app', viewport: desktop, shortened: false },
}[locale]

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

  await portal.signIn(page, person, { locale, to: { pl: list, en: '/home' }[locale] })
  const code = await createRenewalCode(provider, signature)
  if (locale === 'pl') await enterCode(page, code)
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
  const notes = page.locator('.wizard__notes')
  const shorter = translate(/Certyfikat będzie ważny o/, /will be valid for .* less/)
  if (shortened) await notes.getByText(shorter).waitFor()
  else expect(await notes.getByText(shorter).count()).toBe(0)

  await press(page, page.locator('.wizard__act button[type=submit]:enabled'))
  if (shortened) {
    await page.getByRole('heading', { name: 'Certyfikat będzie ważny krócej' }).waitFor()
    await press(page, page.getByRole('button', { name: /^Akceptuję ważność do / }))
  }
  await heading(page, new RegExp(step(2))).waitFor()
  // The address changes shortly after the heading.
  await page.waitForURL(/[?]step=2$/)
  await page.goBack()
  await waitForText(page, 'Tych ustawień nie można już zmienić.', 'You can’t change these options any more.')
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
  const { sha256 } = (await readRenewalOf(page, path.slice(-36))).agreement!
  const [newest] = (await portal.messages()).filter(({ to }) => to === number)
  expect(newest!.text).toContain(sha256.slice(0, 8))
  await page.locator('.sign-box').getByText(sha256.slice(0, 8)).waitFor()
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
  const page = await portal.openAs('wilhelmina', { locale, viewport, to: list })
  await enterCode(page, '0000-0000-0000-0000')
  const dialog = page.getByRole('dialog')
  const field = dialog.locator('input[name=code][aria-invalid=true]')
  await field.waitFor()
  await expect.poll(() => field.inputValue()).toBe('0000-0000-0000-0000')
  await waitForText(dialog, 'Nieprawidłowy kod dostępu', 'Invalid access code')

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
  const page = await portal.openAs('wilhelmina')
  const check = { document: identityDocument }
  const back = page.locator('.wizard__act').getByRole('button', { name: 'Wstecz' })
  const enter = page.locator('.notice').getByRole('button', { name: 'Zaktualizuj dane dokumentu' })

  // REN-12: no button leads on, and no code is used up.
  await show(page, firstStep(), 'SIGNING_UNAVAILABLE')
  await page.getByText('Kod odnowienia nie został użyty.').waitFor()
  expect(await page.locator('.wizard__act button[type=submit]').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Dalej: / }).count()).toBe(0)

  // It ends before a certificate of the shortest validity would: no earlier day helps.
  await show(page, firstStep({}, 6))
  const advice = page.locator('.wizard__notes .notice--warning')
  await advice.getByText('Aby był ważny dłużej, zaktualizuj dane dokumentu lub zmień identyfikator na PESEL.').waitFor()
  await advice.locator('.button--primary', { hasText: 'Zmień identyfikator na PESEL' }).waitFor()
  await page.locator('.wizard__act .button--secondary', { hasText: 'Dalej: dane osobowe' }).waitFor()
  const preview = page.locator('.preview__rows')
  await preview.getByText('nie można wydać').waitFor()
  expect(await preview.locator('time').count()).toBe(0)

  await show(page, sampleRenewal({ stops: ['DATA_MISMATCH'] }))
  await heading(page, 'Popraw dane, aby odnowić podpis').waitFor()
  await page.locator('.notice .button--primary', { hasText: 'Zaktualizuj dane dokumentu' }).waitFor()

  await show(page, sampleRenewal({ identityCheck: { ...check, state: 'asked' } }))
  await back.waitFor()
  await heading(page, 'Sprawdzamy Twoje dane').waitFor()
  expect(await page.getByText('Dane dokumentu zaktualizujesz tutaj').count()).toBe(0)

  for (const renewal of [
    sampleRenewal({ identityCheck: { ...check, state: 'refused' } }),
    firstStep({ state: 'personal-data', version: 2, isFinal: true }, 400),
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
    .getByText(`do ${longDay(end)}, gdy wygasa Twój dokument`)
    .waitFor()
  await day.fill(end)
  await day.blur()
  await page.locator('input[data-name=activationDate]:not([aria-invalid])').waitFor()
})

test.skipIf(exhaustive)('VAL-5 UIX-3 errors are in the order of the fields; the next step is no button', async () => {
  const page = await portal.openAs('wilhelmina')
  await show(page, firstStep({ isSaved: true }))
  const submit = page.locator('.wizard__act button[type=submit]:enabled')
  const { first, last } = activationDays(new Date())
  const [from, to] = [longDay(first), longDay(last)]
  const next = page.getByRole('navigation').getByRole('button', { name: 'Dalej: Dane osobowe' })
  await next.waitFor()
  await page.locator('input[name=company]').fill('')
  await next.waitFor({ state: 'detached' })
  await page.locator('input[name=start][value=chosen-day]').check()
  const undated = page.locator('.preview__rows').getByText('wybranego dnia')
  const day = page.locator('input[data-name=activationDate]')
  const lines = page.locator('.error-summary__link')
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
  const page = await portal.openAs('bruno', { to: list })
  await enterCode(page, await createRenewalCode(provider, 'demo-bruno-app'))
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
  await press(page, page.locator('.wizard__notes').getByRole('button', { name: 'Zaktualizuj dane dokumentu' }))
  await dialog.locator('input[name=number]').waitFor()
})

/** Opens a renewal and completes its first step, as its screen does; the page then shows the second one. */
async function openSecondStep(page: Page, renewed: string, chosen: Partial<RenewalParameters>, shown: Locale) {
  const { uid, state, version, parameters } = await openRenewalOf(page, provider, renewed)
  await request<Renewal>(page, pathOf(fixParameters, uid), {
    expected: { state, version },
    parameters: { ...parameters, ...chosen },
    shortenedTo: null,
  })
  await page.goto(inLocale(shown, `/renewal/${uid}`))
  await heading(page, { pl: 'Potwierdź swoje dane', en: 'Confirm your details' }[shown]).waitFor()
  return uid
}

const buttonNamed = (within: Page | Locator, name: RegExp) => within.getByRole('button', { name })

async function confirmData(page: Page, shown: Locale) {
  const box = page.locator('input[name=confirmed]')
  const confirm = buttonNamed(page, { pl: /^Potwierdź dane/, en: /^Confirm details/ }[shown])
  // Without the tick the missing consent is shown at the checkbox.
  await confirm.press('Enter')
  await page.locator('.check-field .error .icon').waitFor()
  await box.press('Space')
  await confirm.press('Enter')
  await heading(page, { pl: 'Podpisz umowę', en: 'Sign the agreement' }[shown]).waitFor()
}

test.runIf(exhaustive)('REN-9 a certificate that begins later is finished by keyboard only, paired then', async () => {
  const page = await portal.openAs('oliver', { locale: 'en' })
  const uid = await openSecondStep(page, 'demo-oliver-app', { start: 'continuity' }, 'en')
  await confirmData(page, 'en')
  await page.getByRole('img', { name: /^Page 1: / }).waitFor()
  await page.getByRole('region', { name: 'Pages of the document' }).press('End')
  await page.getByRole('img', { name: /^Page 3: / }).waitFor()
  await page.getByRole('button', { name: /^Send code/ }).press('Enter')
  const field = page.locator('input[name=code]')
  await field.waitFor()
  await untilFocused(field)
  const code = await portal.smsCode(customerOf('oliver').phone)
  await enterWrongCode(page, code)
  await page.locator('.sign-box .error > .icon').waitFor()
  await field.fill(code)
  await page.keyboard.press('Enter')

  await heading(page, 'Your certificate is ready').waitFor()
  await page.getByText(/^Your certificate starts on/).waitFor()
  const calendar = downloadBy(page, () => page.getByRole('link', { name: 'Add to calendar' }).press('Enter'))
  expect((await calendar).suggestedFilename()).toBe('new-signature.ics')
  await page.getByRole('button', { name: /^Back to Home/ }).press('Enter')
  await page.waitForURL(/\/home$/)
  expect((await readRenewalOf(page, uid)).state).toBe('finished')
  await page.goBack()
  await heading(page, 'Agreement signed').waitFor()
  await page.getByText(renewalNumber(uid)).waitFor()
})

/** Confirms the data again as in another tab, so that the renewal is in the same state with a new version and a new agreement. */
async function confirmAgainElsewhere(page: Page, uid: string) {
  for (const endpoint of [returnToPersonalData, confirmPersonalData]) {
    const { state, version } = await readRenewalOf(page, uid)
    await request<Renewal>(page, pathOf(endpoint, uid), { expected: { state, version } })
  }
  await expect.poll(async () => (await readRenewalOf(page, uid)).agreement).not.toBe(null)
}

/** Makes what a reader's worker draws arrive at the moment when the reader is removed, which must not end the page (ERR-4). */
const drawAsReaderIsRemoved = (page: Page) =>
  page.addInitScript(() => {
    const listen = Reflect.get(MessagePort.prototype, 'addEventListener')
    MessagePort.prototype.addEventListener = function (type: string, listener: EventListener, options?: object) {
      const removed = (event: Event) => {
        const canvas = document.querySelector('.reader canvas')
        const observer = new MutationObserver(() => {
          if (document.contains(canvas)) return
          observer.disconnect()
          listener(event)
        })
        observer.observe(document.body, { childList: true, subtree: true })
      }
      listen.call(this, type, type === 'message' ? removed : listener, options)
    }
  })

test.skipIf(exhaustive)('REN-15 REN-8 a decision on a renewal that has changed is not lost silently', async () => {
  const page = await portal.openPage({ alone: true })
  await drawAsReaderIsRemoved(page)
  await portal.signIn(page, 'tomasz')
  const uid = await openSecondStep(page, 'demo-tomasz-now', {}, 'pl')
  await confirmData(page, 'pl')
  await buttonNamed(page, /^Wyślij kod SMS/).waitFor()
  const message = { hasText: /^Odnowienie zmieniło się w\smiędzyczasie/ }

  await buttonNamed(page, /^Wstecz/).press('Enter')
  await heading(page, 'Dane osobowe są już potwierdzone').waitFor()
  await confirmAgainElsewhere(page, uid)
  await buttonNamed(page, /^Zmień dane osobowe/).press('Enter')
  await page.getByRole('alert').filter(message).waitFor()
  await buttonNamed(page, /^Dalej: podpisanie/).press('Enter')
  await heading(page, 'Podpisz umowę').waitFor()

  await buttonNamed(page, /^Odmów podpisania/).press('Enter')
  const dialog = page.locator('dialog[open]')
  // Declining asks first, with the focus on what changes nothing.
  await untilFocused(dialog.getByRole('button', { name: 'Wróć do podpisywania' }))
  const decline = dialog.getByRole('button', { name: 'Odmów podpisania' })
  await confirmAgainElsewhere(page, uid)
  await decline.press('Enter')
  await dialog.getByRole('alert').filter(message).waitFor()
  expect((await readRenewalOf(page, uid)).state).toBe('signing')
  await decline.press('Enter')
  await heading(page, 'Umowa nie została podpisana').waitFor()
  expect((await readRenewalOf(page, uid)).state).toBe('declined')
})

test.runIf(exhaustive)('REN-7 REN-12 an agreement that cannot be shown is downloaded before the code', async () => {
  const page = await portal.openAs('tomasz')
  await sendPdf(downloadRenewalAgreement, pageless)({ page })
  await openSecondStep(page, 'demo-tomasz-now', {}, 'pl')
  await confirmData(page, 'pl')
  await page.getByText(/^Nie możemy pokazać tego dokumentu/).waitFor()
  const send = buttonNamed(page, /^Wyślij kod SMS/)
  const decline = /^Odmów podpisania/
  await page.getByText(/^Kod wyślesz, gdy pobierzesz/).waitFor()
  expect(await send.getAttribute('aria-disabled')).toBe('true')
  await send.press('Enter')
  await page.getByRole('link', { name: /^Pobierz/ }).press('Enter')
  await expect.poll(() => send.getAttribute('aria-disabled')).toBe(null)
  await send.press('Enter')
  await page.locator('input[name=code]').waitFor()

  // The next renewal of this signature is another one.
  await buttonNamed(page, decline).press('Enter')
  await buttonNamed(page.locator('dialog[open]'), decline).press('Enter')
  await heading(page, 'Umowa nie została podpisana').waitFor()
})

test.runIf(exhaustive)('SIG-5 the early reminders are switched off and on again in My data', async () => {
  const page = await portal.openAs('ewa', { locale: 'en', to: '/my-data' })
  const off = buttonNamed(page, /^Turn off early reminders/)
  const on = buttonNamed(page, /^Turn on early reminders/)
  await off.press('Enter')
  await on.waitFor()
  await page.reload()
  await on.press('Enter')
  await off.waitFor()
})

test('REN-13 REN-14 without a company none can be added, and step 2 shows the tax number', async () => {
  const page = await portal.openAs('tomasz')
  const { uid } = await openRenewalOf(page, provider, 'demo-tomasz-now')
  await page.goto(`/renewal/${uid}`)
  const reason = page.locator('.wizard__form .block', { hasText: 'Rodzaj certyfikatu: osobisty' })
  expect(plain(await reason.innerText())).toContain(
    'Przy odnowieniu nie dodasz firmy, jednostki ani stanowiska: obecny certyfikat ich nie ma',
  )
  const shop = reason.getByRole('link', { name: /^Kup podpis z\sdanymi firmy/ })
  await expect.poll(() => shop.getAttribute('href')).toBe(demonstrationBrand.links.newSignature)
  await buttonNamed(page, /^Dalej: dane osobowe/).press('Enter')
  await heading(page, 'Potwierdź swoje dane').waitFor()
  const group = page.locator('.data-group', { hasText: 'W\u00a0nowym certyfikacie' })
  const rows = async () => plain(await group.innerText())
  for (const part of ['Tomasz Czekaj', 'NIP', 'Polska', '•••••••218']) expect(await rows()).toContain(part)
  await group.getByRole('button', { name: 'Pokaż cały numer: NIP' }).press('Enter')
  await group.getByText('1234563218', { exact: true }).waitFor()
})
