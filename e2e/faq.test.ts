import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inLocale } from '../contract/pages.ts'
import { redeemVoucher } from '../contract/vouchers.ts'
import { language } from '../server/testing/breadth.ts'
import { phone } from './testing/browser-pages.ts'
import { passPassword } from './testing/demonstration-run.ts'
import { refuse } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()

/** Returns the question that has the focus, whether it is open, and whether its whole line can be seen. */
const shownQuestion = (page: Page) =>
  page.evaluate(() => {
    const details = document.activeElement?.closest('details')
    if (!details) return undefined
    const { top, bottom } = document.activeElement!.getBoundingClientRect()
    return { id: document.activeElement!.id, open: details.open, isSeen: top >= 0 && bottom <= innerHeight }
  })
const open = (id: string) => ({ id, open: true, isSeen: true })

const locale = language('pl')
const { at, waitForText, translate } = inLanguage(locale)

test('FAQ-3 an address opens its question, also after a search and in the other language', async () => {
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
  const other = locale === 'pl' ? 'en' : 'pl'
  await page.locator(`.lang [hreflang=${other}]`).click()
  await page.waitForURL(portal.origin + inLocale(other, '/faq#forgot-password'))
  await expect.poll(() => shownQuestion(page)).toEqual(open('forgot-password'))
})

test('FAQ-6 FAQ-2 the most asked questions lead to their answers, and a search finds others', async () => {
  const page = await portal.openPage({ locale, viewport: phone })
  await page.goto(at('/faq'))
  const openTopics = page.locator('.faq__topic[open]')
  expect(await openTopics.count()).toBe(0)
  // A topic is opened by keyboard, and its first question is the next stop.
  await page.locator('#phone').press('Enter')
  expect(await openTopics.count()).toBe(1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => shownQuestion(page)).toEqual(open('change-number'))
  const common = page.getByRole('navigation', { name: translate('Najczęstsze pytania', 'Most asked') })
  expect(await common.getByRole('link').count()).toBe(5)
  await common.getByRole('link').nth(3).click()
  await expect.poll(() => shownQuestion(page)).toEqual(open('lost-device'))
  const search = page.getByRole('searchbox')
  await search.fill(translate('pieczec zaproszenie', 'SEAL invitation'))
  await common.waitFor({ state: 'detached' })
  await waitForText(page, /^Znaleziono \d/, /^\d+ questions? found/)
  // The first result is open, and what was found is marked.
  const marks = await page.locator('.accordion details[open] mark').allTextContents()
  expect(marks.map((text) => text.toLowerCase())).toContain(translate('pieczęć', 'seal'))
  await search.fill('qwertyuiop')
  await waitForText(page, 'Nie znaleziono pytań.', 'No questions found.')
  for (const start of ['tel:', 'mailto:'])
    expect(await page.locator(`.faq__contact a[href^="${start}"]`).isVisible()).toBe(true)
  const all = translate('Pokaż wszystkie pytania', 'Show all questions')
  await page.getByRole('button', { name: all }).click()
  await expect.poll(() => search.inputValue()).toBe('')

  // Who has signed in asks something else.
  await portal.signIn(page, 'oliver', { locale })
  await page.goto(at('/faq'))
  await common.getByRole('link', { name: translate(/^Jak połączyć podpis/, /^How do I connect my signature/) }).click()
  await expect.poll(() => shownQuestion(page)).toEqual(open('pair-app'))
})

test('FAQ-5 the sign-in pages and the error screens link to the FAQ, which leads back', async () => {
  const page = await portal.openPage({ locale, tolerate: /status of 404/ })
  const name = translate('Pytania i\u00a0odpowiedzi', 'FAQ')
  for (const path of ['/', '/password-reset', '/register', '/no-such-page', '/access-denied']) {
    await page.goto(at(path))
    expect(await page.getByRole('link', { name }).first().getAttribute('href')).toBe(at('/faq'))
  }
  await page.getByRole('main').getByRole('link', { name }).click()
  await page.waitForURL(portal.origin + at('/faq'))
  await page.getByRole('link', { name: translate('Wróć do logowania', 'Back to sign-in') }).click()
  await passPassword(page, 'kamila')
  const missing = translate(/^Kod SMS nie dotarł/, /^I didn’t get the text-\u2060message code/)
  const help = page.getByRole('dialog').getByRole('link', { name: missing })
  expect(await help.getAttribute('href')).toBe(at('/faq#code-not-received'))
})

test('FAQ-4 a customer follows a refused voucher to its answer inside the menu', async () => {
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
  const back = translate('Wróć do logowania', 'Back to sign-in')
  expect(await tab.getByRole('link', { name: back }).count()).toBe(0)
  await tab.close()
  expect(await page.locator('input[name=code]').inputValue()).toBe('0000-0000-0000-0000')
})
