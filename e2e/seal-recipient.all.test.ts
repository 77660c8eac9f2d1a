import { expect, test } from 'vitest'
import { languages } from '../server/testing/breadth.ts'
import { enterSmsCode } from './testing/demonstration-run.ts'
import { openPortal, say } from './testing/open-portal.ts'

const portal = await openPortal()

test.each(languages('pl'))(
  'SEA-19 R216 %s a second address is named, confirmed by its own mail, and removed',
  async (locale) => {
    const translate = (pl: string, en: string) => say(locale, { pl, en })
    const email = `sekretariat.${locale}@poczta.example`
    const page = await portal.openPage({ locale })
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await portal.signIn(page, 'malgorzata', { locale, to: '/certificates/seals' })
    const openPart = () =>
      page.getByText(translate('Drugi adres do przypomnień', 'Second address for reminders')).click()
    await openPart()
    await page.getByRole('button', { name: translate('Podaj adres', 'Enter address') }).press('Enter')
    const dialog = page.getByRole('dialog', {
      name: translate('Drugi adres do przypomnień', 'Second address for reminders'),
    })
    await dialog.locator('input[name=email]').fill(email)
    await dialog.getByRole('button', { name: translate('Wyślij link', 'Send link') }).press('Enter')
    await enterSmsCode(page, portal, 'malgorzata')
    const part = page.locator('.seal-recipient')
    await part.getByText(translate('Czeka na potwierdzenie', 'To be confirmed')).waitFor()

    const link = new URL(await portal.recipientLink(email))
    const token = link.hash.slice(1)
    // Whoever has the mailbox may have no account.
    await page.context().clearCookies()
    await page.goto(link.pathname + link.hash)
    // The skip link comes first for who uses the keyboard, and its fragment is no token; a reload does not lose the token.
    await expect.poll(() => page.url()).not.toContain(token)
    await page.locator('a.skip').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
    await page.reload()
    await page.getByRole('button', { name: translate('Chcę przypomnienia', 'I want reminders') }).press('Enter')
    await page
      .getByRole('status')
      .filter({ hasText: translate('Dziękujemy', 'Thank you') })
      .waitFor()
    expect(
      requests.filter((url) => new URL(url).pathname.includes(token) || new URL(url).search.includes(token)),
    ).toEqual([])

    await portal.signIn(page, 'malgorzata', { locale, to: '/certificates/seals' })
    await openPart()
    await part.getByText(translate('Potwierdzony', 'Confirmed'), { exact: true }).waitFor()
    await part.getByRole('button', { name: translate('Usuń adres', 'Remove address') }).press('Enter')
    await page
      .locator('dialog[open]')
      .getByRole('button', { name: translate('Usuń adres', 'Remove address') })
      .press('Enter')
    await enterSmsCode(page, portal, 'malgorzata')
    const enter = part.getByRole('button', { name: translate('Podaj adres', 'Enter address') })
    await enter.waitFor()
    await expect.poll(() => enter.evaluate((button) => button === document.activeElement)).toBe(true)

    // The link of a removed address says so.
    await page.goto(link.pathname + link.hash)
    await page.getByRole('button', { name: translate('Chcę przypomnienia', 'I want reminders') }).press('Enter')
    await page
      .getByRole('status')
      .filter({ hasText: translate('Ten link nie działa', 'This link doesn’t work') })
      .waitFor()
  },
)
