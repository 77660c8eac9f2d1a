import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { readConsents } from '../contract/consents.ts'
import { findCountry } from '../contract/country.ts'
import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { inLocale } from '../contract/pages.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { desktop, phone, untilFocused, untilHydrated, readFocusedText, holdRequests } from './testing/browser-pages.ts'
import { accept, acceptAll, documentDialog as dialog, documentTitles as titleOf } from './testing/demonstration-run.ts'
import { intercept, refuseCall, reply } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()
// All visitors here have one address, and only five may register in an hour.
beforeEach(() => portal.clock.advance(limits.registration.perHour.window))
const field = (page: Page, name: string) => page.locator(`input[name=${name}]`)
const submit = (page: Page) => page.locator('form button[type=submit]:enabled')
const shownNumber = (page: Page) => page.locator('input[type=tel]')
const keptNumber = (page: Page) => page.locator('input[name=phone]')
const sendCode = { pl: 'Wyślij kod SMS', en: 'Send code' }

async function openForm(locale: Locale, options: { country?: string; viewport?: typeof phone } = {}) {
  const { viewport = desktop } = options
  const page = await portal.openPage({ locale, viewport })
  if (options.country)
    await page.route('**/api/country', (route) => route.fulfill({ json: { result: options.country } }))
  await page.goto(inLocale(locale, '/register'))
  return page
}

let people = 0
/** Fills in everything except the consents. */
async function enterData(page: Page) {
  const email = `zaneta.${++people}@poczta.example`
  await field(page, 'email').fill(email)
  await field(page, 'firstName').fill('Żaneta')
  await field(page, 'surname').fill('Kaźmierczak')
  await shownNumber(page).fill(`600 300 ${String(people).padStart(3, '0')}`)
  return { email, number: `+48600300${String(people).padStart(3, '0')}` }
}

const locale = language('pl')
const { at, heading, link, waitForText, translate } = inLanguage(locale)

/** Opens the link of the mail, and sets the password. */
async function setPassword(page: Page, email: string) {
  await page.goto(await portal.mailedLink(email))
  const password = `Zupelnie-Nowe-${locale}-2026!`
  await field(page, 'newPassword').fill(password)
  await field(page, 'repeatPassword').fill(password)
  await submit(page).click()
  await page.waitForURL(portal.origin + at('/confirm-phone'))
  return password
}

test('REG-1 REG-6 a visitor registers with confirmed e-mail and number, and changes a consent', async () => {
  const page = await portal.openPage({ locale })
  await page.goto(at('/'))
  await link(page, 'Załóż konto', 'Create an account').click()
  await page.waitForURL(portal.origin + at('/register'))
  const { email, number } = await enterData(page)
  const wrong = `wrong.${email}`
  await field(page, 'email').fill(wrong)
  await acceptAll(page, locale)
  await submit(page).click()
  await page.getByText(wrong, { exact: true }).waitFor()
  // The address is corrected without retyping the form.
  await page.getByRole('button', { name: translate('Popraw dane', 'Correct my details') }).click()
  await expect.poll(() => field(page, 'email').inputValue()).toBe(wrong)
  expect(await keptNumber(page).inputValue()).toBe(number)
  expect(await field(page, 'privacy').isChecked()).toBe(true)
  await field(page, 'email').fill(email)
  await submit(page).click()
  await heading(page, 'Sprawdź swoją skrzynkę', 'Check your mailbox').waitFor()
  // The new heading has the focus, and the title names it (RTE-9).
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await expect.poll(() => page.title()).toMatch(translate(/^Sprawdź swoją skrzynkę –/, /^Check your mailbox –/))
  await page.getByText(email, { exact: true }).waitFor()

  await setPassword(page, email)
  await page.getByRole('button', { name: sendCode[locale] }).click()
  await field(page, 'code').fill(await portal.smsCode(number))
  await submit(page).click()
  await page.waitForURL(portal.origin + at('/home'))

  await link(page, 'Moje dane', 'My data').first().click()
  const row = (kind: keyof typeof titleOf | 'marketing') =>
    page
      .locator('section[aria-labelledby=consents-title] .consent-list li')
      .nth(['terms', 'privacy', 'marketing'].indexOf(kind))
  await waitForText(row('terms'), 'Potwierdzono', 'Confirmed')
  await row('terms').getByRole('button').click()
  // The text is that of the registration, and the focus returns.
  const shownTerms = dialog(page, locale, 'terms')
  await waitForText(shownTerms, 'Akceptuję regulamin.', 'I accept the terms.')
  await page.keyboard.press('Escape')
  await shownTerms.waitFor({ state: 'detached' })
  await untilFocused(row('terms').getByRole('button'))

  const given = translate('Zgoda udzielona', 'Consent given')
  const withdrawn = translate('Zgoda wycofana', 'Consent withdrawn')
  await row('marketing').getByText(given).waitFor()
  await row('marketing')
    .getByRole('button', { name: translate('Wycofaj zgodę', 'Withdraw consent') })
    .click()
  await row('marketing').getByText(withdrawn).waitFor()
  await page.reload()
  await row('marketing').getByText(withdrawn).waitFor()
  await row('marketing')
    .getByRole('button', { name: translate('Wyraź zgodę', 'Give consent') })
    .click()
  await row('marketing').getByText(given).waitFor()
})

test('PRV-11 My data names an agreement only where the provider has reported it', async () => {
  const page = await portal.openAs('malgorzata', { locale, to: '/my-data' })
  const state = (row: number) => page.locator('[aria-labelledby=consents-title] .consent-list li').nth(row)
  const agreed = ['Zaakceptowano w\u00a0umowie', 'Accepted in your agreement'] as const
  const version = ['wersja z\u00a01 października 2025', 'version of 1 October 2025'] as const
  for (const row of [0, 1]) {
    await waitForText(state(row), ...agreed)
    await waitForText(state(row), ...version)
  }

  const terms = { kind: 'terms', version: '2025-10-01', at: '2025-10-14T08:30:00.000Z' } as const
  await reply(readConsents, { items: [], reported: [terms] })({ page })
  await page.reload()
  await waitForText(state(1), 'Brak zapisu w\u00a0portalu', 'Not recorded in the portal')
  await waitForText(state(0), ...agreed)
})

test.runIf(exhaustive)('REG-6 on a phone a mistyped number is corrected, and a later sign-in goes on', async () => {
  const page = await openForm(locale, { viewport: phone })
  const { email, number } = await enterData(page)
  await acceptAll(page, locale)
  await submit(page).click()
  const password = await setPassword(page, email)
  await page.getByText(`+48 ••• ••• ${number.slice(-3)}`).waitFor()
  const changeNumber = page.getByRole('button', { name: translate('To nie mój numer', 'This isn’t my number') })
  await changeNumber.press('Enter')
  await expect.poll(() => readFocusedText(page)).toBe(translate('Popraw numer telefonu', 'Correct your phone number'))
  await shownNumber(page).fill(`601 300 ${number.slice(-3)}`)
  await page.keyboard.press('Enter')
  await field(page, 'code').waitFor()
  const right = `+48601${number.slice(-6)}`
  await portal.smsCode(right)

  // A later sign-in returns to the same step after the password.
  await page.goto(at('/'))
  await field(page, 'login').fill(email)
  await field(page, 'password').fill(password)
  await submit(page).click()
  await page.waitForURL(portal.origin + at('/confirm-phone'))
  await page.getByText(`+48 ••• ••• ${right.slice(-3)}`).waitFor()
  const send = page.getByRole('button', { name: sendCode[locale] })
  await send.press('Enter')
  await field(page, 'code').fill(await portal.smsCode(right))
  await page.keyboard.press('Enter')
  await page.waitForURL(portal.origin + at('/home'))
})

test('REG-2 the documents are opened before they are ticked, by keyboard too', async () => {
  const page = await portal.openPage({ locale })
  // Before hydration no box can be pressed, which would tick it without opening the document.
  const arrive = await holdRequests(page, '**/assets/*.js')
  await page.goto(at('/register'), { waitUntil: 'load' })
  const early = await page.locator('.consents input').all()
  expect(await Promise.all(early.map((box) => box.isDisabled()))).toEqual([true, true, true, true])
  arrive()
  await untilHydrated(page)

  const [terms, privacy, marketing] = [field(page, 'terms'), field(page, 'privacy'), field(page, 'marketing')]
  const all = page.locator('.check--all input')
  const ticked = () => Promise.all([terms, privacy, marketing, all].map((box) => box.isChecked()))
  const mixed = () => all.evaluate((box: HTMLInputElement) => box.indeterminate)

  // A box that is pressed too early opens its document, stays empty, and gets the focus back.
  await terms.focus()
  await page.keyboard.press('Space')
  await dialog(page, locale, 'terms').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page, locale, 'terms').waitFor({ state: 'detached' })
  expect(await ticked()).toEqual([false, false, false, false])
  await untilFocused(terms)
  // The document was opened, so the box can be ticked.
  await page.keyboard.press('Space')
  expect([await ticked(), await mixed()]).toEqual([[true, false, false, false], true])

  // Accepting all opens each unread document.
  await all.click()
  await accept(page, locale, 'privacy')
  await page.locator('dialog').waitFor({ state: 'detached' })
  expect([await ticked(), await mixed()]).toEqual([[true, true, true, true], false])
  await all.click()
  expect(await ticked()).toEqual([false, false, false, false])

  await submit(page).click()
  const summary = page.locator('.error-summary')
  await summary
    .getByRole('button', {
      name: translate(
        'Potwierdź, że znasz informację o\u00a0przetwarzaniu danych',
        'Confirm that you’ve read the privacy notice',
      ),
    })
    .waitFor()
  // A line of the summary leads to its box; the message disappears when it is ticked (VAL-2).
  await summary.getByRole('button', { name: translate('Zaakceptuj regulamin', 'Accept the terms') }).click()
  await untilFocused(terms)
  await page.keyboard.press('Space')
  await page.locator('.check-field:has([name=terms]) .error:empty').waitFor({ state: 'attached' })

  // A change of language keeps what was typed, but not the consents to documents read in the other language.
  await all.click()
  const { email, number } = await enterData(page)
  await page
    .locator('.lang a')
    .nth(locale === 'pl' ? 1 : 0)
    .click()
  await page.waitForURL(portal.origin + inLocale(locale === 'pl' ? 'en' : 'pl', '/register'))
  await expect.poll(() => field(page, 'email').inputValue()).toBe(email)
  await expect.poll(() => keptNumber(page).inputValue()).toBe(number)
  await expect.poll(ticked).toEqual([false, false, true, false])
})

test('REG-1 a mistyped domain can be corrected with a button and is never an error', async () => {
  const page = await openForm(locale)
  await field(page, 'email').fill('zaneta@gmial.com')
  await page.keyboard.press('Tab')
  const correction = page.getByRole('button', { name: '@gmail.com' })
  await correction.waitFor()
  expect(await field(page, 'email').getAttribute('aria-invalid')).toBeNull()
  await correction.click()
  await expect.poll(() => field(page, 'email').inputValue()).toBe('zaneta@gmail.com')
  await untilFocused(field(page, 'email'))
  expect(await correction.count()).toBe(0)
  await page.keyboard.press('Tab')
  expect(await correction.count()).toBe(0)
})

test.runIf(exhaustive)('PHO-1 the country is searched and chosen by keyboard only', async () => {
  const page = await openForm(locale)
  const button = page.getByRole('button', { name: translate('Kraj numeru: Polska, +48', 'Country code: Poland, +48') })
  const search = page.getByRole('combobox', {
    name: translate('Szukaj kraju: nazwa lub kod', 'Search for a country by name or code'),
  })
  const options = page.getByRole('option')
  await button.press('Enter')
  await untilFocused(search)
  await search.fill('zzzz')
  await waitForText(page, 'Nie znaleziono kraju', 'No country found')
  await page.keyboard.press('Escape')
  await untilFocused(button)

  // A letter on the button starts the search; arrows, Home, End and Enter choose.
  await page.keyboard.press('w')
  await expect.poll(() => search.inputValue()).toBe('w')
  await search.fill('')
  await page.keyboard.press('End')
  const isActive = async (index: number) => {
    await expect.poll(() => options.nth(index).getAttribute('data-active')).toBe('')
  }
  await isActive((await options.count()) - 1)
  await page.keyboard.press('ArrowDown')
  await isActive(0)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  await isActive(0)
  await search.fill('czech')
  await page.keyboard.press('Enter')
  const chosen = page.getByRole('button', { name: /\+420$/ })
  await untilFocused(chosen)
  // It did not submit the form.
  expect(await page.locator('.error-summary').count()).toBe(0)
})

test('PHO-1 a number is formatted when its field is left, which says what is missing', async () => {
  const page = await openForm(locale)
  const number = shownNumber(page)
  const shows = async (shown: string, kept: string) => {
    await expect.poll(() => number.inputValue()).toBe(shown)
    expect(await keptNumber(page).inputValue()).toBe(kept)
  }
  await number.fill('600100417')
  await shows('600100417', '+48600100417')
  await number.press('Tab')
  await shows('600 100 417', '+48600100417')
  // A plus is the international mode: it shows its country and keeps the code.
  await number.fill('+4915112345678')
  await expect.poll(() => page.locator('button.country-code').innerText()).toContain('+49')
  await number.press('Tab')
  await shows('+49 1511 2345678', '+4915112345678')

  const error = page.locator('.field:has([name=phone]) .error')
  await number.fill('600')
  await number.press('Tab')
  await waitForText(error, 'Wpisz brakujące cyfry numeru telefonu', 'Enter the missing digits of the phone number')
})

test.runIf(exhaustive)('PHO-2 the country of the address is preselected, unless a number was typed', async () => {
  const page = await openForm('pl', { country: '1;DE' })
  await page.locator('button.country-code', { hasText: '+49' }).waitFor()
  await page.unroute('**/api/country')

  const answer = Promise.withResolvers<void>()
  await page.route('**/api/country', async (route) => {
    await answer.promise
    await route.fulfill({ json: { result: '1;DE' } })
  })
  await page.goto('/register')
  await submit(page).waitFor()
  await shownNumber(page).fill('600')
  const answered = page.waitForResponse('**/api/country')
  answer.resolve()
  await answered
  await expect.poll(() => page.locator('button.country-code').innerText()).toContain('+48')
})

test('PHO-2 RTE-11 a refused lookup leaves the form, with what was typed, in place', async () => {
  const page = await portal.openPage({ tolerate: /status of 403/ })
  const answer = Promise.withResolvers<void>()
  await intercept(findCountry, async (route) => {
    await answer.promise
    await refuseCall(route, 'cross-site-request')
  })({ page })
  const warned = page.waitForEvent('console', (message) => message.type() === 'warning')
  await page.goto('/register')
  await field(page, 'email').fill('zaneta@poczta.example')
  answer.resolve()
  expect((await warned).text()).toBe('unable to fetch the country')
  await expect.poll(() => field(page, 'email').inputValue()).toBe('zaneta@poczta.example')
  expect(await page.getByRole('heading', { name: 'ODMOWA DOSTĘPU' }).count()).toBe(0)
})
