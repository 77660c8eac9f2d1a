import { expect, test } from 'vitest'
import { enterSmsCode } from './testing/demonstration-run.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

test('SEA-19 R216 a second address is named, confirmed by its own mail, and removed', async () => {
  const email = 'sekretariat.en@poczta.example'
  const page = await portal.openPage({ locale: 'en' })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await portal.signIn(page, 'malgorzata', { locale: 'en', to: '/certificates/seals' })
  const openPart = () => page.getByText('Second address for reminders').click()
  await openPart()
  await page.getByRole('button', { name: 'Enter address' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Second address for reminders' })
  await dialog.locator('input[name=email]').fill(email)
  await dialog.getByRole('button', { name: 'Send link' }).press('Enter')
  await enterSmsCode(page, portal, 'malgorzata')
  const part = page.locator('.seal-recipient')
  await part.getByText('To be confirmed').waitFor()

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
  await page.getByRole('button', { name: 'I want reminders' }).press('Enter')
  await page.getByRole('status').filter({ hasText: 'Thank you' }).waitFor()
  expect(
    requests.filter((url) => new URL(url).pathname.includes(token) || new URL(url).search.includes(token)),
  ).toEqual([])

  await portal.signIn(page, 'malgorzata', { locale: 'en', to: '/certificates/seals' })
  await openPart()
  await part.getByText('Confirmed', { exact: true }).waitFor()
  await part.getByRole('button', { name: 'Remove address' }).press('Enter')
  await page.locator('dialog[open]').getByRole('button', { name: 'Remove address' }).press('Enter')
  await enterSmsCode(page, portal, 'malgorzata')
  const enter = part.getByRole('button', { name: 'Enter address' })
  await enter.waitFor()
  await expect.poll(() => enter.evaluate((button) => button === document.activeElement)).toBe(true)

  // The link of a removed address says so.
  await page.goto(link.pathname + link.hash)
  await page.getByRole('button', { name: 'I want reminders' }).press('Enter')
  await page.getByRole('status').filter({ hasText: 'This link doesn’t work' }).waitFor()
})
