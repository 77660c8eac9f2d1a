import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { redeemVoucher } from '../contract/vouchers.ts'
import { inLocale } from '../contract/pages.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { findings } from './testing/axe-findings.ts'
import { refuse } from './testing/fake-replies.ts'
import { customerOf, passPassword } from './testing/demonstration-run.ts'
import { desktop, phone } from './testing/browser-pages.ts'
import { openPortal, say, see } from './testing/open-portal.ts'

const portal = await openPortal()

/** The question that has the focus and is open, with whether its whole line can be seen. */
const shownQuestion = (page: Page) =>
  page.evaluate(() => {
    const details = document.activeElement?.closest('details')
    if (!details) return undefined
    const { top, bottom } = document.activeElement!.getBoundingClientRect()
    return { id: document.activeElement!.id, open: details.open, isSeen: top >= 0 && bottom <= innerHeight }
  })
const open = (id: string) => ({ id, open: true, isSeen: true })

/** Follows a link that opens a new tab; returns the address and the question that is shown there. */
async function follow(link: Locator) {
  const [tab] = await Promise.all([link.page().context().waitForEvent('page'), link.click()])
  await expect.poll(async () => (await shownQuestion(tab))?.open).toBe(true)
  const shown = await shownQuestion(tab)
  const address = tab.url().slice(portal.origin.length)
  await tab.close()
  return { address, shown }
}

const answerName = (locale: 'pl' | 'en', question: { pl: string; en: string }) => new RegExp(`^${question[locale]}`)

describe.each(languages('pl'))('%s', (locale) => {
  const at = (path: string) => inLocale(locale, path)

  test.runIf(exhaustive)(
    'UIX-37 next to the number of the support the page says when nobody answers, as soon as that is so',
    async () => {
      const page = await portal.openPage({ locale, clock: true })
      // A Friday, half an hour before 17:00 in Poland.
      await page.clock.setSystemTime(new Date('2026-11-27T15:30:00Z'))
      await page.goto(at('/faq'))
      await page.getByRole('searchbox').fill('.')
      const contact = page.locator('.faq__contact')
      await see(contact, locale, { pl: 'pon.–pt. 8:00–17:00', en: 'Mon–Fri 8:00–17:00' })
      const closed = contact.getByText(
        say(locale, {
          pl: 'Teraz nieczynne. Odbieramy od poniedziałku, 8:00',
          en: 'Closed now. We answer from Monday, 8:00',
        }),
      )
      expect(await closed.isVisible()).toBe(false)
      await page.clock.fastForward(30 * 60_000)
      await closed.waitFor()
    },
  )

  test.runIf(exhaustive)(
    'FAQ-2 the search says how many questions it found, ignores accents, and shows the contact when it found none',
    async () => {
      const page = await portal.openPage({ locale })
      await page.goto(at('/faq'))
      const search = page.getByRole('searchbox')
      const shown = page.locator('.faq .accordion details')
      const all = await shown.count()
      expect(all).toBeGreaterThan(40)
      await search.fill(say(locale, { pl: 'pieczec zaproszenie', en: 'SEAL invitation' }))
      await page.locator('#seal-invitation').waitFor()
      await expect.poll(() => shown.count()).toBeLessThan(6)
      const found = await shown.count()
      const status = page.getByRole('status').filter({ hasText: `${found} ` })
      await expect
        .poll(() => status.textContent())
        .toMatch(say(locale, { pl: /^Znaleziono \d/, en: /^\d+ questions? found/ }))
      // The first result is open, and what was found is marked.
      const opened = page.locator('.accordion details[open]')
      expect(await opened.count()).toBe(1)
      expect(await shown.first().getAttribute('open')).not.toBeNull()
      const marks = await opened.locator('mark').allTextContents()
      expect(marks.map((text) => text.toLowerCase())).toContain(say(locale, { pl: 'pieczęć', en: 'seal' }))
      await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true)
      await search.fill('qwertyuiop')
      await see(page, locale, { pl: 'Nie znaleziono pytań.', en: 'No questions found.' })
      expect(await shown.count()).toBe(0)
      const contact = page.locator('.faq__contact')
      for (const start of ['tel:', 'mailto:'])
        await expect.poll(() => contact.locator(`a[href^="${start}"]`).isVisible()).toBe(true)
      expect(await findings(page)).toEqual([])
      await page
        .getByRole('button', { name: say(locale, { pl: 'Pokaż wszystkie pytania', en: 'Show all questions' }) })
        .click()
      await expect.poll(() => shown.count()).toBe(all)
      await expect.poll(() => search.inputValue()).toBe('')
    },
  )

  test('FAQ-3 an address opens its question, scrolls to it and focuses it, also on the page and after a search', async () => {
    const page = await portal.openPage({ locale, viewport: phone })
    // The second one is on the same page.
    for (const id of ['seal-access', 'timestamps-rejected']) {
      await page.goto(at(`/faq#${id}`))
      await expect.poll(() => shownQuestion(page)).toEqual(open(id))
    }
    expect(await page.locator('.accordion details[open]').count()).toBe(2)
    // So is the third, which a search has hidden.
    const search = page.getByRole('searchbox')
    await search.fill('voucher')
    await page.locator('#seal-access').waitFor({ state: 'detached' })
    await page.goto(at('/faq#forgot-password'))
    await expect.poll(() => shownQuestion(page)).toEqual(open('forgot-password'))
    expect(await search.inputValue()).toBe('')
  })

  test.runIf(exhaustive).each([phone, desktop])(
    'FAQ-3 the topics are closed until one is pressed, found or named by the address: %o',
    async (viewport) => {
      const page = await portal.openPage({ locale, viewport })
      await page.goto(at('/faq'))
      const topics = page.locator('.faq__topic')
      const openOnes = () => page.locator('.faq__topic[open] > summary').evaluateAll((all) => all.map(({ id }) => id))
      expect(await topics.count()).toBeGreaterThan(10)
      expect(await openOnes()).toEqual([])
      expect(await topics.first().innerText()).toMatch(say(locale, { pl: /\d+ pyta(?:ń|nia)/, en: /\d+ questions/ }))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
      // Its first question is the next stop, and opens and closes by the keyboard.
      await page.locator('#phone').press('Enter')
      expect(await openOnes()).toEqual(['phone'])
      expect(await findings(page)).toEqual([])
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect.poll(() => shownQuestion(page)).toEqual(open('change-number'))
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await shownQuestion(page))?.open).toBe(false)
      // A search opens what it finds.
      const search = page.getByRole('searchbox')
      await search.fill('voucher')
      await expect.poll(async () => (await openOnes()).length).toBe(await topics.count())
      await search.fill('')
      await expect.poll(openOnes).toEqual([])
      await page.goto(at('/faq#passkeys'))
      await expect.poll(openOnes).toEqual(['passkeys'])
      await expect.poll(() => shownQuestion(page)).toEqual(open('passkeys'))
    },
  )

  test('FAQ-6 the most asked questions lead to their answers, and give way to what a search finds', async () => {
    const page = await portal.openPage({ locale, viewport: phone })
    await page.goto(at('/faq'))
    const common = page.getByRole('navigation', { name: say(locale, { pl: 'Najczęstsze pytania', en: 'Most asked' }) })
    expect(await common.getByRole('link').count()).toBe(5)
    await common.getByRole('link').nth(3).click()
    await expect.poll(() => shownQuestion(page)).toEqual(open('lost-device'))
    await page.getByRole('searchbox').fill('voucher')
    await common.waitFor({ state: 'detached' })

    // Who has signed in asks something else.
    await portal.signIn(page, 'oliver', { locale })
    await page.goto(at('/faq'))
    await common
      .getByRole('link', { name: say(locale, { pl: /^Jak połączyć podpis/, en: /^How do I connect my signature/ }) })
      .click()
    await expect.poll(() => shownQuestion(page)).toEqual(open('pair-app'))
  })

  test.runIf(exhaustive)(
    'FAQ-5 FAQ-3 the sign-in links to the FAQ, which leads back; the language switch keeps the question',
    async () => {
      const page = await portal.openPage({ locale })
      const name = say(locale, { pl: 'Pytania i\u00a0odpowiedzi', en: 'FAQ' })
      for (const path of ['/', '/password-reset', '/register']) {
        await page.goto(at(path))
        await page.getByRole('contentinfo').getByRole('link', { name }).click()
        await page.waitForURL(portal.origin + at('/faq'))
        await page.getByRole('heading', { level: 1, name }).waitFor()
      }
      await page.getByRole('link', { name: say(locale, { pl: 'Wróć do logowania', en: 'Back to sign-in' }) }).click()
      await page.waitForURL(portal.origin + at('/'))
      await page.locator('input[name=login]').waitFor()

      await page.goto(at('/faq#code-not-received'))
      await expect.poll(() => shownQuestion(page)).toEqual(open('code-not-received'))
      const other = locale === 'pl' ? 'en' : 'pl'
      await page.locator(`.lang [hreflang=${other}]`).click()
      await page.waitForURL(portal.origin + inLocale(other, '/faq#code-not-received'))
      await expect.poll(() => shownQuestion(page)).toEqual(open('code-not-received'))
    },
  )

  test.runIf(exhaustive)(
    'FAQ-4 FAQ-5 a refused sign-in and the dialog for the SMS code link to their answers, and nothing is lost',
    async () => {
      const page = await portal.openPage({ locale, tolerate: /status of 422/ })
      await page.goto(at('/'))
      await passPassword(page, 'no-such-customer', 'Wrong-Password-1!')
      const refused = page.getByRole('alert').getByRole('link', {
        name: answerName(locale, { pl: 'Nie mogę się zalogować\\.', en: 'I can’t sign in\\.' }),
      })
      expect(await follow(refused)).toEqual({ address: at('/faq#sign-in-refused'), shown: open('sign-in-refused') })
      expect(await page.locator('input[name=login]').inputValue()).toBe('no-such-customer')
      expect(await findings(page)).toEqual([])

      await passPassword(page, 'kamila')
      const dialog = page.getByRole('dialog')
      const missing = dialog.getByRole('link', {
        name: answerName(locale, { pl: 'Kod SMS nie dotarł\\.', en: 'I didn’t get the text-\u2060message code\\.' }),
      })
      expect(await follow(missing)).toEqual({ address: at('/faq#code-not-received'), shown: open('code-not-received') })
      const code = await portal.smsCode(customerOf('kamila').phone)
      await dialog.locator('input').fill(code === '123456' ? '654321' : '123456')
      const wrong = dialog.locator('.error').getByRole('link', {
        name: answerName(locale, {
          pl: 'Dlaczego kod SMS nie działa',
          en: 'Why doesn’t my text-\u2060message code work\\?',
        }),
      })
      expect(await follow(wrong)).toEqual({ address: at('/faq#code-refused'), shown: open('code-refused') })
      // The question that fits is the only one.
      expect(await dialog.locator('.answer').count()).toBe(1)
      expect(await findings(page)).toEqual([])
      await dialog.locator('input').fill(code)
      await page.waitForURL(portal.origin + at('/home'))
    },
  )

  test('FAQ-4 FAQ-5 a customer follows a refused voucher to its answer inside the menu', async () => {
    const page = await portal.openPage({ locale, tolerate: /status of 422/ })
    await refuse(redeemVoucher, 'voucher-refused')({ page })
    await portal.signIn(page, 'oliver', { locale })
    await page.locator('input[name=code]').fill('0000-0000-0000-0000')
    await page.locator('input[name=code]').press('Enter')
    const link = page.locator('.voucher__form .error a')
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await tab.locator('.app [open] > #voucher-refused').waitFor()
    await expect.poll(() => shownQuestion(tab)).toEqual(open('voucher-refused'))
    // The menu is the way back here.
    const back = say(locale, { pl: 'Wróć do logowania', en: 'Back to sign-in' })
    expect(await tab.getByRole('link', { name: back }).count()).toBe(0)
    await tab.close()
    expect(await page.locator('input[name=code]').inputValue()).toBe('0000-0000-0000-0000')
  })

  test.runIf(exhaustive)('FAQ-5 the error screens link to the FAQ', async () => {
    const page = await portal.openPage({ locale, tolerate: /status of 404/ })
    const name = say(locale, { pl: 'Pytania i\u00a0odpowiedzi', en: 'FAQ' })
    for (const path of ['/no-such-page', '/access-denied']) {
      await page.goto(at(path))
      await page.getByRole('main').getByRole('link', { name }).click()
      await page.waitForURL(portal.origin + at('/faq'))
    }
  })
})
