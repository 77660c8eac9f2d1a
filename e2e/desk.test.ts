import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { internalActions } from '../contract/desk/internal-actions.ts'
import { staffActions } from '../contract/desk/staff-actions.ts'
import { language } from '../server/testing/breadth.ts'
import { findings } from './testing/axe-findings.ts'
import { untilFocused } from './testing/browser-pages.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { deskPagesOf } from './testing/desk-pages.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { freePort } from '../server/testing/processes.ts'

const port = String(await freePort())
const origin = `http://127.0.0.1:${port}`
const portal = await openPortal({ DESK_PORT: port })
const { openDesk, chooseStaff, openDeskAs } = deskPagesOf(origin)

const locale = language('pl')
const { button, see, translate } = inLanguage(locale)

test('DSK-5 DSK-12 by keyboard the arrows move in what was found, and sessions are listed', async () => {
  const page = await openDeskAs(locale, 'Ewa Lis')
  await page.locator('#desk-search').fill('mal')
  await page.keyboard.press('Enter')
  await see(page, 'Nikogo nie znaleziono', 'Nobody found')

  // Three customers share a number.
  await portal.owner.query(
    `update accounts set phone_index = (select phone_index from accounts where login = 'oliver') where login in ('emma', 'helena')`,
  )
  await page.locator('#desk-search').fill(customerOf('oliver').phone)
  await page.keyboard.press('Enter')
  const links = page.locator('.desk-found a')
  await expect.poll(() => links.count()).toBe(3)
  expect(await findings(page)).toEqual([])
  await page.locator('#desk-search').press('ArrowDown')
  await untilFocused(links.nth(0))
  await page.keyboard.press('ArrowUp')
  await untilFocused(page.locator('#desk-search'))
  await page.keyboard.press('ArrowDown')
  await untilFocused(links.nth(0))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await untilFocused(links.nth(2))
  await page.keyboard.press('ArrowUp')
  await untilFocused(links.nth(1))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/desk\/customers\//)

  await page.getByRole('button', { name: 'Ewa Lis' }).click()
  await page.getByRole('menuitem', { name: translate('Sesje', 'Sessions') }).click()
  await page.getByRole('heading', { level: 1, name: translate('Sesje', 'Sessions') }).waitFor()
  await see(page, 'Ta sesja', 'This session')
  await page.getByRole('cell', { name: 'Chrome, Linux' }).first().waitFor()
  expect(await findings(page)).toEqual([])
})

test('DSK-23 `/` can be switched off and on, and an address of another role is the start', async () => {
  const page = await openDeskAs(locale, 'Ewa Lis')
  // The key is switched off, also for the next document, and on again.
  const change = async (pl: string, en: string) => {
    await page.getByRole('button', { name: 'Ewa Lis' }).click()
    await page.getByRole('menuitem', { name: translate(pl, en) }).click()
  }
  const box = page.locator('#desk-search')
  await change('Wyłącz skrót „/”', 'Turn off the “/” key')
  await page.reload()
  await box.waitFor()
  await page.keyboard.press('/')
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(false)
  expect(await box.getAttribute('aria-describedby')).toBeNull()
  await change('Włącz skrót „/”', 'Turn on the “/” key')
  await page.locator('h1').click()
  await page.keyboard.press('/')
  await untilFocused(box)

  // An address that an agent may not read.
  await page.goto('/desk/operations/client-keys')
  await page.getByRole('heading', { level: 1, name: translate('Konsola obsługi', 'Support desk') }).waitFor()

  await page.getByRole('button', { name: 'Ewa Lis' }).click()
  await page.getByText(translate('Wyloguj się', 'Sign out')).click()
  // At the OpenID provider too (DSK-29).
  await page.getByRole('button', { name: 'Sign out' }).click()
  await button(page, 'Zaloguj się', 'Sign in').waitFor()
})

test('R86 R235 the page of a customer has no name in its title, and is read when a person acts', async () => {
  const page = await openDesk(locale)
  await page.clock.install()
  await chooseStaff(page, locale, 'Ewa Lis')
  const readings: string[] = []
  page.on('request', (request) => void (request.url().includes('/desk/api/customers/') && readings.push(request.url())))
  await page.locator('#desk-search').fill('zablokowany')
  await page.keyboard.press('Enter')
  await page.locator('[name=reason]').waitFor()
  expect(await page.title()).toBe(translate('Klient – Sygnet', 'Customer – Sygnet'))
  expect(readings).toHaveLength(1)
  // The reading is old by then, and the page asks for its session by itself.
  const session = page.waitForResponse((response) => response.url().endsWith('/desk/api/session'))
  await page.clock.fastForward(60_000)
  await session
  await page.evaluate(() => {
    for (const name of ['visibilitychange', 'focus', 'online']) dispatchEvent(new Event(name))
    return fetch('/desk/api/session')
  })
  expect(readings).toHaveLength(1)

  // DSK-9: all of the data for a reason, for this look only.
  await page.locator('[name=reason]').fill('Zgłoszenie 77')
  await page.getByRole('button', { name: translate('Pokaż dane', 'Show the data'), exact: true }).click()
  await page.locator('dd', { hasText: /^zablokowany$/ }).waitFor()
  expect(await findings(page)).toEqual([])
})

test('DSK-3 somebody without a role is told so', async () => {
  const page = await openDesk(locale)
  await chooseStaff(page, locale, 'Jan Kot')
  await see(page, 'Twoje konto nie ma dostępu do konsoli', 'Your account has no access to the desk')
})

test('DSK-1 no file of the customers has anything of the desk, nor a text that only staff read', () => {
  const assets = join(import.meta.dirname, '../dist/web/assets')
  const files = readdirSync(assets).filter((name) => /\.(?:js|css)$/.test(name))
  expect(files.length).toBeGreaterThan(10)
  const texts = Object.values({ ...internalActions, ...staffActions }).map(({ pl }) => pl)
  for (const name of files) {
    const content = readFileSync(join(assets, name), 'utf8')
    const found = [
      /\/desk\/|\.desk[-_{ ]|desk-customer/.exec(content)?.[0],
      texts.find((text) => content.includes(`\`${text}\``)),
    ]
    expect([name, ...found]).toEqual([name, undefined, undefined])
  }
})
