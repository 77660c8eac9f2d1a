import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { findCountry } from '../contract/country.ts'
import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { inLocale } from '../contract/pages.ts'
import { sendPhoneConfirmation } from '../contract/phone-confirmation.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { desktop, phone, untilFocused } from './testing/browser-pages.ts'
import { intercept, refuse, refuseCall } from './testing/fake-replies.ts'
import { openPortal, say, see } from './testing/open-portal.ts'

const portal = await openPortal()
// All visitors here have one address, and only five may register in an hour.
beforeEach(() => portal.clock.advance(limits.registration.perHour.window))
const field = (page: Page, name: string) => page.locator(`input[name=${name}]`)
const submit = (page: Page) => page.locator('form button[type=submit]:enabled')
const shownNumber = (page: Page) => page.locator('input[type=tel]')
const keptNumber = (page: Page) => page.locator('input[name=phone]')
const titleOf = {
  terms: { pl: 'Regulamin', en: 'Terms' },
  privacy: { pl: 'Informacja o\u00a0przetwarzaniu danych', en: 'Privacy notice' },
}
const acceptOf = {
  terms: { pl: 'Akceptuję regulamin', en: 'Accept the terms' },
  privacy: { pl: 'Potwierdzam zapoznanie się', en: 'I’ve read this notice' },
}

const sendCode = { pl: 'Wyślij kod SMS', en: 'Send code' }

async function openForm(locale: Locale, options: { country?: string; viewport?: typeof phone } = {}) {
  const { viewport = desktop } = options
  const page = await portal.openPage({ locale, viewport })
  if (options.country)
    await page.route('**/api/country', (route) => route.fulfill({ json: { result: options.country } }))
  await page.goto(inLocale(locale, '/register'))
  await submit(page).waitFor()
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

const dialog = (page: Page, locale: Locale, kind: keyof typeof titleOf) =>
  page.getByRole('dialog', { name: say(locale, titleOf[kind]) })
const accept = (page: Page, locale: Locale, kind: keyof typeof titleOf) =>
  dialog(page, locale, kind)
    .getByRole('button', { name: say(locale, acceptOf[kind]) })
    .click()
async function acceptAll(page: Page, locale: Locale) {
  await page.locator('.check--all input').click()
  await accept(page, locale, 'terms')
  await accept(page, locale, 'privacy')
}

describe.each(languages('pl'))('%s', (locale) => {
  const at = (path: string) => inLocale(locale, path)

  test('REG-1 REG-4 REG-5 REG-6 a visitor registers, sets a password with the link of the mail, confirms the number, reads the consents and changes the optional one', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(at('/'))
    await page.getByRole('link', { name: say(locale, { pl: 'Załóż konto', en: 'Create an account' }) }).click()
    await page.waitForURL(portal.origin + at('/register'))
    const { email, number } = await enterData(page)
    await acceptAll(page, locale)
    await submit(page).click()
    await page
      .getByRole('heading', { name: say(locale, { pl: 'Sprawdź swoją skrzynkę', en: 'Check your mailbox' }) })
      .waitFor()
    // The new heading has the focus, and the title names it (RTE-9).
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await expect
      .poll(() => page.title())
      .toMatch(say(locale, { pl: /^Sprawdź swoją skrzynkę –/, en: /^Check your mailbox –/ }))
    await page.getByText(email, { exact: true }).waitFor()

    await page.goto(await portal.mailedLink(email))
    const password = `Zupelnie-Nowe-${locale}-2026!`
    await field(page, 'newPassword').fill(password)
    await field(page, 'repeatPassword').fill(password)
    await submit(page).click()
    await page.waitForURL(portal.origin + at('/confirm-phone'))
    await page.getByRole('button', { name: sendCode[locale] }).click()
    await field(page, 'code').fill(await portal.smsCode(number))
    await submit(page).click()
    await page.waitForURL(portal.origin + at('/home'))

    await page
      .getByRole('link', { name: say(locale, { pl: 'Moje dane', en: 'My data' }) })
      .first()
      .click()
    const row = (kind: keyof typeof titleOf | 'marketing') =>
      page
        .locator('section[aria-labelledby=consents-title] .consent-list li')
        .nth(['terms', 'privacy', 'marketing'].indexOf(kind))
    await see(row('terms'), locale, { pl: 'Potwierdzono', en: 'Confirmed' })
    await row('terms').getByRole('button').click()
    // The text is that of the registration, and the focus returns.
    const shownTerms = dialog(page, locale, 'terms')
    await see(shownTerms, locale, { pl: 'Akceptuję regulamin.', en: 'I accept the terms.' })
    await page.keyboard.press('Escape')
    await shownTerms.waitFor({ state: 'detached' })
    await untilFocused(row('terms').getByRole('button'))

    const [given, withdrawn] = say(locale, {
      pl: ['Zgoda udzielona', 'Zgoda wycofana'],
      en: ['Consent given', 'Consent withdrawn'],
    })
    const [withdraw, give] = say(locale, {
      pl: ['Wycofaj zgodę', 'Wyraź zgodę'],
      en: ['Withdraw consent', 'Give consent'],
    })
    await row('marketing').getByText(given).waitFor()
    await row('marketing').getByRole('button', { name: withdraw }).click()
    await row('marketing').getByText(withdrawn).waitFor()
    await page.reload()
    await row('marketing').getByText(withdrawn).waitFor()
    await row('marketing').getByRole('button', { name: give }).click()
    await row('marketing').getByText(given).waitFor()
  })

  test.runIf(exhaustive)(
    'REG-1 REG-6 on a phone the form has one column; a mistyped number is corrected by keyboard, errors are next to their fields, and a reload and a later sign-in lose nothing',
    async () => {
      const page = await openForm(locale, { viewport: phone })
      const [first, second] = await Promise.all(
        ['firstName', 'secondName'].map(async (name) => (await field(page, name).boundingBox())!),
      )
      expect(second!.y).toBeGreaterThan(first!.y + first!.height)
      const { email, number } = await enterData(page)
      await acceptAll(page, locale)
      await submit(page).click()
      await page.goto(await portal.mailedLink(email))
      const password = `Zupelnie-Nowe-${locale}-2026!`
      await field(page, 'newPassword').fill(password)
      await field(page, 'repeatPassword').fill(password)
      await submit(page).click()
      const heading = page.getByRole('heading', {
        level: 1,
        name: say(locale, { pl: 'Potwierdź numer telefonu', en: 'Confirm your phone number' }),
      })
      await heading.waitFor()
      await page.getByText(`+48 ••• ••• ${number.slice(-3)}`).waitFor()
      await expect
        .poll(() => page.title())
        .toMatch(say(locale, { pl: /^Potwierdź numer telefonu –/, en: /^Confirm your phone/ }))

      const changeNumber = page.getByRole('button', {
        name: say(locale, { pl: 'To nie mój numer', en: 'This isn’t my number' }),
      })
      await changeNumber.press('Enter')
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toBe(say(locale, { pl: 'Popraw numer telefonu', en: 'Correct your phone number' }))
      await shownNumber(page).fill('600 30')
      await page.keyboard.press('Enter')
      await page.locator('.error:not(:empty)').waitFor()
      await shownNumber(page).fill(`601 300 ${number.slice(-3)}`)
      await page.keyboard.press('Enter')
      await field(page, 'code').waitFor()
      const right = `+48601${number.slice(-6)}`
      const code = await portal.smsCode(right)
      await page.reload()
      await field(page, 'code').fill(code === '123456' ? '654321' : '123456')
      await page.keyboard.press('Enter')
      await page.locator('.otp--err').waitFor()

      // A later sign-in returns to the same step after the password.
      await page.goto(at('/'))
      await field(page, 'login').fill(email)
      await field(page, 'password').fill(password)
      await submit(page).click()
      await page.waitForURL(portal.origin + at('/confirm-phone'))
      await page.getByText(`+48 ••• ••• ${right.slice(-3)}`).waitFor()
      const send = page.getByRole('button', { name: sendCode[locale] })
      // Once no more codes are sent to the number, nothing offers to send one.
      await refuse(sendPhoneConfirmation, 'phone-sends-spent')({ page })
      await send.press('Enter')
      await page.locator('.note--err').waitFor()
      expect(await send.count()).toBe(0)
      expect(await page.locator('main .btn--primary').innerText()).toBe(await changeNumber.innerText())
      await page.unrouteAll()
      await page.reload()
      await send.press('Enter')
      await field(page, 'code').fill(await portal.smsCode(right))
      await page.keyboard.press('Enter')
      await page.waitForURL(portal.origin + at('/home'))
    },
  )

  test('REG-2 no checkbox can be pressed before hydration, which would tick it without opening the document', async () => {
    const page = await portal.openPage({ locale })
    const scripts = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', (route) => scripts.promise.then(() => route.continue()))
    await page.goto(at('/register'))
    const boxes = await page.locator('.consents input').all()
    expect(await Promise.all(boxes.map((box) => box.isDisabled()))).toEqual([true, true, true, true])
    scripts.resolve()
    await page.locator('.check--all input').click()
    await dialog(page, locale, 'terms').waitFor()
  })

  test.runIf(exhaustive)(
    'REG-2 the documents must be opened before they can be ticked, by keyboard too, without scrolling to the end',
    async () => {
      const page = await openForm(locale)
      const [terms, privacy, marketing, all] = [
        field(page, 'terms'),
        field(page, 'privacy'),
        field(page, 'marketing'),
        page.locator('.check--all input'),
      ]
      const ticked = () => Promise.all([terms, privacy, marketing, all].map((box) => box.isChecked()))
      const mixed = () => all.evaluate((box: HTMLInputElement) => box.indeterminate)

      // A checkbox that is pressed too early opens its document, stays empty, and gets the focus back.
      await terms.focus()
      await page.keyboard.press('Space')
      await dialog(page, locale, 'terms').waitFor()
      await page.keyboard.press('Escape')
      await dialog(page, locale, 'terms').waitFor({ state: 'detached' })
      expect(await ticked()).toEqual([false, false, false, false])
      await untilFocused(terms)
      // The document was opened, so the box can be ticked and cleared.
      await page.keyboard.press('Space')
      expect([await ticked(), await mixed()]).toEqual([[true, false, false, false], true])
      await page.keyboard.press('Space')
      expect([await ticked(), await mixed()]).toEqual([[false, false, false, false], false])

      // Accepting all opens each unread document, and keeps what was accepted when it is cancelled.
      await all.click()
      await dialog(page, locale, 'privacy').waitFor()
      await accept(page, locale, 'privacy')
      await page.locator('dialog').waitFor({ state: 'detached' })
      expect([await ticked(), await mixed()]).toEqual([[true, true, true, true], false])
      await marketing.click()
      expect([await ticked(), await mixed()]).toEqual([[true, true, false, false], true])
      await all.click()
      expect(await ticked()).toEqual([true, true, true, true])
      await all.click()
      expect(await ticked()).toEqual([false, false, false, false])

      await submit(page).click()
      for (const message of say(locale, {
        pl: ['Zaakceptuj regulamin', 'Potwierdź, że znasz informację o\u00a0przetwarzaniu danych'],
        en: ['Accept the terms', 'Confirm that you’ve read the privacy notice'],
      }))
        await page.locator('.esum').getByText(message, { exact: true }).waitFor()
      // A line of the summary leads to its checkbox; the message disappears when it is ticked (VAL-2).
      await page
        .locator('.esum')
        .getByRole('button', { name: say(locale, { pl: 'Zaakceptuj regulamin', en: 'Accept the terms' }) })
        .click()
      await untilFocused(terms)
      await page.keyboard.press('Space')
      await page.locator('.check-field:has([name=terms]) .error:empty').waitFor({ state: 'attached' })
    },
  )

  test.runIf(exhaustive)(
    'REG-3 after too many attempts the page says when to retry and whom to call, and keeps what was typed',
    async () => {
      const page = await openForm(locale)
      const { email, number } = await enterData(page)
      await acceptAll(page, locale)
      await page.route('**/api/registration', (route) => refuseCall(route, 'too-many-attempts', { retryAfter: 1800 }))
      await submit(page).click()
      const notice = page.getByRole('alert')
      await see(notice, locale, {
        pl: 'Za dużo prób założenia konta z\u00a0tego adresu IP. Spróbuj ponownie później.',
        en: 'Too many attempts to create an account from this IP address. Try again later.',
      })
      await untilFocused(notice)
      await expect
        .poll(() => notice.innerText())
        .toMatch(say(locale, { pl: /Następna próba: .*\d\d:\d\d/, en: /again on .*\d\d:\d\d/ }))
      await expect.poll(() => notice.getByRole('link').getAttribute('href')).toMatch(/^tel:\+/)
      await expect.poll(() => field(page, 'email').inputValue()).toBe(email)
      await expect.poll(() => keptNumber(page).inputValue()).toBe(number)
      await expect.poll(() => field(page, 'terms').isChecked()).toBe(true)
    },
  )

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

  test.runIf(exhaustive)(
    'REG-1 REG-4 the mail can be sent again after a minute, and its address corrected without retyping the form',
    async () => {
      const page = await portal.openPage({ locale, clock: true })
      await page.goto(at('/register'))
      await submit(page).waitFor()
      const { email, number } = await enterData(page)
      await acceptAll(page, locale)
      await submit(page).click()
      const again = page.getByRole('button', { name: say(locale, { pl: /^Wyślij ponownie/, en: /^Resend/ }) })
      await again.waitFor()
      await expect.poll(() => again.getAttribute('aria-disabled')).toBe('true')
      const first = await portal.mailedLink(email)
      await page.clock.runFor(limits.code.resendAfter * 1000 + 1000)
      await again.click()
      await see(page, locale, {
        pl: 'Działa tylko link z\u00a0najnowszej.',
        en: 'Only the link in the newest one works.',
      })
      expect(await portal.mailedLink(email)).not.toBe(first)

      await page.getByRole('button', { name: say(locale, { pl: 'Popraw dane', en: 'Correct my details' }) }).click()
      await submit(page).waitFor()
      await expect.poll(() => field(page, 'email').inputValue()).toBe(email)
      await expect.poll(() => field(page, 'surname').inputValue()).toBe('Kaźmierczak')
      await expect.poll(() => keptNumber(page).inputValue()).toBe(number)
      await expect.poll(() => field(page, 'privacy').isChecked()).toBe(true)

      // The first registration is gone with its link, and no e-mail would find it, so the page leads to the form.
      await page.goto(first)
      await page
        .getByRole('heading', { name: say(locale, { pl: 'Ten link nie działa', en: 'This link doesn’t work' }) })
        .waitFor()
      await page.getByRole('link', { name: say(locale, { pl: 'Zacznij od nowa', en: 'Start again' }) }).click()
      await page.waitForURL(portal.origin + at('/register'))
    },
  )

  test.runIf(exhaustive)(
    'PHO-1 the country is found by its name, its native name or its code, from the first letter, and by keyboard only',
    async () => {
      const page = await openForm(locale)
      const button = page.locator('button.cc')
      const search = page.getByRole('combobox', {
        name: say(locale, { pl: 'Szukaj kraju: nazwa lub kod', en: 'Search for a country by name or code' }),
      })
      const options = page.getByRole('option')
      const flagAndCode = async (index = 0) => (await options.nth(index).innerText()).replace(/\s+/g, ' ')
      await expect
        .poll(() => button.getAttribute('aria-label'))
        .toBe(say(locale, { pl: 'Kraj numeru: Polska, +48', en: 'Country code: Poland, +48' }))
      // Poland first, then by name in the language of the page.
      await button.click()
      await search.waitFor()
      expect(await flagAndCode(0)).toMatch(say(locale, { pl: /^Polska .*\+48/, en: /^Poland .*\+48/ }))
      expect(await flagAndCode(1)).toMatch(say(locale, { pl: /^Afganistan/, en: /^Afghanistan/ }))
      await expect.poll(() => options.count()).toBeGreaterThan(200)
      await expect.poll(() => options.nth(0).locator('svg.flag').getAttribute('aria-hidden')).toBe('true')
      for (const [typed, found] of [
        [say(locale, { pl: 'niem', en: 'germ' }), /\+49/],
        ['deutsch', /\+49/],
        ['+49', /\+49/],
        [say(locale, { pl: 'wegry', en: 'hungary' }), /\+36/],
      ] as const) {
        await search.fill(typed)
        await expect.poll(async () => [typed, await flagAndCode()]).toEqual([typed, expect.stringMatching(found)])
      }
      await search.fill('zzzz')
      await page
        .getByText(say(locale, { pl: 'Nie znaleziono kraju', en: 'No country found' }), { exact: true })
        .waitFor()
      await page.keyboard.press('Escape')
      await untilFocused(button)

      // A letter on the button starts the search; arrows, Home, End and Enter choose.
      await page.keyboard.press('w')
      await expect.poll(() => search.inputValue()).toBe('w')
      await search.fill('')
      await page.keyboard.press('End')
      const last = (await options.count()) - 1
      expect(await options.nth(last).getAttribute('data-active')).toBe('')
      await page.keyboard.press('ArrowDown')
      expect(await options.nth(0).getAttribute('data-active')).toBe('')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Home')
      expect(await options.nth(0).getAttribute('data-active')).toBe('')
      await search.fill(say(locale, { pl: 'czech', en: 'czech' }))
      await page.keyboard.press('Enter')
      await expect.poll(() => button.innerText()).toContain('+420')
      await untilFocused(button)
      // It did not submit the form.
      expect(await page.locator('.esum').count()).toBe(0)
    },
  )

  test('PHO-1 a number is formatted only when its field is left, and keeps the mode it was typed in', async () => {
    const page = await openForm(locale)
    const number = shownNumber(page)
    await number.focus()
    for (const [typed, kept] of [
      ['6', '+48 6'],
      ['600', '+48 600'],
      ['600100417', '+48600100417'],
    ] as const) {
      await number.fill(typed)
      expect([await number.inputValue(), await keptNumber(page).inputValue()]).toEqual([typed, kept])
    }
    await number.press('ArrowLeft')
    await number.press('Tab')
    await expect.poll(() => number.inputValue()).toBe('600 100 417')
    await expect.poll(() => keptNumber(page).inputValue()).toBe('+48600100417')

    // A plus, or two zeros, is the international mode: it shows its country and keeps the code.
    await number.fill('+4915112345678')
    await expect.poll(() => page.locator('button.cc').innerText()).toContain('+49')
    await number.press('Tab')
    await expect.poll(() => number.inputValue()).toBe('+49 1511 2345678')
    await number.fill('0048600100417')
    await expect.poll(() => page.locator('button.cc').innerText()).toContain('+48')
    await number.press('Tab')
    expect([await number.inputValue(), await keptNumber(page).inputValue()]).toEqual([
      '+48 600 100 417',
      '+48600100417',
    ])
  })

  test('PHO-1 the field accepts 25 characters, takes the digits of a pasted text, and says what is missing', async () => {
    const page = await openForm(locale)
    const number = shownNumber(page)
    const error = page.locator('.field:has([name=phone]) .error')
    await expect.poll(() => number.getAttribute('maxlength')).toBe(String(limits.phone.shown))
    await number.focus()
    await page.keyboard.insertText('1'.repeat(40))
    await expect.poll(() => number.inputValue()).toBe('1'.repeat(25))
    await number.press('Tab')
    await see(error, locale, { pl: 'Wpisz mniej znaków', en: 'Enter fewer characters' })

    const paste = (text: string) =>
      number.evaluate((input: HTMLInputElement, data) => {
        input.value = ''
        input.focus()
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', data)
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    await paste(`tel.: +48 (600) 100-417 ${'x'.repeat(300)}9`)
    await number.press('Tab')
    await expect.poll(() => keptNumber(page).inputValue()).toBe('+48600100417')

    await number.fill('600')
    await number.press('Tab')
    await see(error, locale, {
      pl: 'Wpisz brakujące cyfry numeru telefonu',
      en: 'Enter the missing digits of the phone number',
    })
    await number.fill('')
    await number.press('Tab')
    await see(error, locale, { pl: 'Pole musi być wypełnione', en: 'The field must be completed' })
  })

  test.runIf(exhaustive)(
    'RTE-1 REG-2 a change of language keeps what was typed, but not the consents to documents read in the other language',
    async () => {
      const page = await openForm(locale)
      const { email, number } = await enterData(page)
      await acceptAll(page, locale)
      await page
        .locator('.lang a')
        .nth(locale === 'pl' ? 1 : 0)
        .click()
      const otherLocale = locale === 'pl' ? 'en' : 'pl'
      await page.waitForURL(portal.origin + inLocale(otherLocale, '/register'))
      await submit(page).waitFor()
      await expect.poll(() => field(page, 'email').inputValue()).toBe(email)
      await expect.poll(() => keptNumber(page).inputValue()).toBe(number)
      await expect.poll(() => shownNumber(page).inputValue()).toContain('600')
      const boxes = ['terms', 'privacy', 'marketing'].map((name) => field(page, name).isChecked())
      expect(await Promise.all(boxes)).toEqual([false, false, true])
    },
  )
})

test.runIf(exhaustive)(
  'PHO-2 R87 the visitor’s country is preselected by their address, which no other host receives, unless something was typed or chosen already',
  async () => {
    const found = await openForm('pl', { country: '1;DE' })
    await found.locator('button.cc', { hasText: '+49' }).waitFor()

    const page = await portal.openPage()
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
    await expect.poll(() => page.locator('button.cc').innerText()).toContain('+48')
  },
)

test('PHO-2 RTE-11 a refused lookup leaves the form, with what was typed, in place', async () => {
  const page = await portal.openPage({ tolerate: /status of 403/ })
  const answer = Promise.withResolvers<void>()
  await intercept(findCountry, async (route) => {
    await answer.promise
    await refuseCall(route, 'cross-site-request')
  })({ page })
  const warned = page.waitForEvent('console', (message) => message.type() === 'warning')
  await page.goto('/register')
  await submit(page).waitFor()
  await field(page, 'email').fill('zaneta@poczta.example')
  answer.resolve()
  await warned
  await expect.poll(() => field(page, 'email').inputValue()).toBe('zaneta@poczta.example')
  expect(await page.getByRole('heading', { name: 'ODMOWA DOSTĘPU' }).count()).toBe(0)
})

test.runIf(exhaustive)(
  'PHO-2 a failed lookup is reported in the console only, and the form continues with Poland',
  async () => {
    const page = await portal.openPage()
    for (const country of ['0', '1;XX', '9;DE', '']) {
      await page.route('**/api/country', (route) => route.fulfill({ json: { result: country } }))
      const warned = page.waitForEvent('console', (message) => message.type() === 'warning')
      await page.goto('/register')
      expect((await warned).text()).toBe('unable to fetch the country')
      await submit(page).waitFor()
      await expect.poll(() => page.locator('button.cc').innerText()).toContain('+48')
      expect(await page.getByText('unable to fetch').count()).toBe(0)
      await shownNumber(page).fill('600100417')
      await shownNumber(page).press('Tab')
      await expect.poll(() => keptNumber(page).inputValue()).toBe('+48600100417')
    }
  },
)

test.runIf(exhaustive)('REG-1 on a phone the form has one column and can be completed', async () => {
  const page = await openForm('pl', { viewport: phone })
  const { email } = await enterData(page)
  const [first, second] = await Promise.all(
    ['firstName', 'secondName'].map(async (name) => (await field(page, name).boundingBox())!),
  )
  expect(second!.y).toBeGreaterThan(first!.y + first!.height)
  await page.locator('.check--all input').click()
  await accept(page, 'pl', 'terms')
  await accept(page, 'pl', 'privacy')
  await submit(page).click()
  await page.getByText(email, { exact: true }).waitFor()
})
