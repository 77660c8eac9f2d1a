import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Download, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { pagesOf, openPdf } from '../pki/pdf-read.ts'
import { nodeInflate } from '../pki/pdf-cipher-node.ts'
import { languages } from '../server/testing/breadth.ts'
import { customerOf, enterSmsCode } from '../tools/demonstration-run.ts'
import { phone } from './browser-pages.ts'
import { openPortal, say } from './open-portal.ts'

const portal = await openPortal()
const customers = { pl: 'malgorzata', en: 'tomasz' } as const

/** What another program says; undefined where it is not installed. */
const ask = (program: string, ...words: string[]) => {
  const { error, stdout } = spawnSync(program, words, { encoding: 'utf8' })
  return error ? undefined : stdout
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

/** Whether the newest copy that somebody has ordered is made. */
async function isMade(login: string) {
  const { rows } = await portal.owner.query<{ made: boolean }>(
    `select made_at is not null as made from data_exports e join accounts a on a.id = e.account_id
     where login = $1 order by requested_at desc limit 1`,
    [login],
  )
  return rows[0]?.made ?? false
}

/** What a peer says of a PDF: no fault, and a structure for whoever cannot see it. */
async function judge(download: Download) {
  const path = await download.path()
  const [checked, info] = [ask('qpdf', '--check', path), ask('pdfinfo', path)]
  if (checked !== undefined) expect(checked).toContain('No syntax or stream encoding errors')
  if (info !== undefined) expect(info).toMatch(/Tagged: +yes/)
  const bytes = new Uint8Array(readFileSync(path))
  expect(pagesOf(openPdf(bytes, { inflate: nodeInflate })).length).toBeGreaterThan(0)
  expect(Buffer.from(bytes).toString('latin1')).toContain('/StructTreeRoot')
}

describe.each(languages('pl'))('%s', (locale) => {
  const words = (pl: string, en: string) => say(locale, { pl, en })
  const login = customers[locale]
  const open = async (page: Page) => {
    await portal.signIn(page, login, { locale, to: '/my-data' })
    const card = page.locator('section[aria-labelledby=data-export-title]')
    const again = card.getByRole('button', { name: words('Sprawdź ponownie', 'Check again') })
    const ready = card.getByRole('button', { name: new RegExp(`^${words('Pobierz', 'Download')} JSON`) })
    return {
      card,
      /** Once the copy is made, the five seconds until the page looks again pass in the page alone. */
      waitUntilMade: async () => {
        await again.or(ready).waitFor()
        await expect.poll(() => isMade(login)).toBe(true)
        await page.clock.fastForward(5_000)
        await ready.waitFor()
      },
      order: card.getByRole('button', { name: words('Przygotuj kopię danych', 'Prepare a copy of the data') }),
      take: (format: 'JSON' | 'PDF') =>
        card.getByRole('button', { name: new RegExp(`^${words('Pobierz', 'Download')} ${format}`) }),
    }
  }

  test('DAT-6 R87 AUT-7 by keyboard a copy is ordered behind a code, made while the page is open, told by mail, and fetched as JSON and as a tagged PDF; a day later it is gone and can be ordered anew', async () => {
    const page = await portal.openPage({
      locale,
      viewport: locale === 'pl' ? phone : { width: 1440, height: 900 },
      clock: true,
    })
    const { card, order, take, waitUntilMade } = await open(page)
    await order.press('Enter')
    await page.locator('dialog input[name=code]').waitFor()
    // Whoever thinks better of it has ordered nothing.
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await order.press('Enter')
    await enterSmsCode(page, portal, login)
    await waitUntilMade()
    expect(await card.getByRole('status').textContent()).toContain(words('Kopia jest gotowa', 'The copy is ready'))
    expect(await focused(page)).toContain(words('Kopia wszystkich danych', 'Copy of all your data'))

    const fetchFile = async (format: 'JSON' | 'PDF') => {
      const [download] = await Promise.all([page.waitForEvent('download'), take(format).press('Enter')])
      expect(download.suggestedFilename()).toBe(`${words('moje-dane', 'my-data')}.${format.toLowerCase()}`)
      return download
    }
    const data = JSON.parse(readFileSync(await (await fetchFile('JSON')).path(), 'utf8')) as {
      account: { login: string }
      history: { words: string }[]
    }
    expect(data.account.login).toBe(login)
    expect(data.history.map((entry) => entry.words)).toContain(words('Logowanie do portalu', 'Login to the portal'))
    await judge(await fetchFile('PDF'))
    const { email } = customerOf(login)
    const mails = (await portal.messages()).filter(
      ({ to, subject }) => to === email && /gotowe do pobrania|ready to download/.test(subject ?? ''),
    )
    expect(mails.length).toBeGreaterThan(0)

    // Loaded anew it waits on; without a fresh confirmation a code is asked for first.
    await portal.clock.advance(600)
    await page.reload()
    await take('JSON').press('Enter')
    const again = page.waitForEvent('download')
    await enterSmsCode(page, portal, login)
    await again

    // The page was left open over the end.
    await portal.owner.query(
      `update data_exports set made_at = made_at - interval '1 day' from accounts a where a.id = account_id and login = $1`,
      [login],
    )
    await take('PDF').press('Enter')
    await card.getByText(words('Czas na pobranie minął', 'The time to download is over')).waitFor()
    await expect.poll(() => focused(page)).toContain(words('Kopia wszystkich danych', 'Copy of all your data'))
    await order.press('Enter')
    await waitUntilMade()
    expect(await card.getByText(words('Czas na pobranie minął', 'The time to download is over')).count()).toBe(0)
  })

  test('DAT-6 an order that fails says so in its place and can be given again; one that another tab has given is shown', async () => {
    const page = await portal.openPage({ locale, viewport: phone, tolerate: /status of 503/, clock: true })
    const { card, order, take, waitUntilMade } = await open(page)
    // What the test before has left is no more.
    await portal.owner.query(
      `update data_exports set requested_at = requested_at - interval '2 days', made_at = made_at - interval '2 days'
       from accounts a where a.id = account_id and login = $1`,
      [login],
    )
    await page.reload()
    const fail = (route: import('playwright-core').Route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            body: JSON.stringify({ status: 503, code: 'unavailable' }),
          })
        : route.fallback()
    await page.route('**/api/data-export', fail)
    await order.press('Enter')
    await card
      .getByRole('alert')
      .getByText(words('Funkcjonalność jest obecnie niedostępna', 'This feature is currently unavailable'))
      .waitFor()
    await page.unroute('**/api/data-export', fail)

    await order.press('Enter')
    await enterSmsCode(page, portal, login)
    await waitUntilMade()
    await page.route('**/api/data-export', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ json: { state: 'none' } }) : route.fallback(),
    )
    await page.reload()
    await order.waitFor()
    await page.unrouteAll()
    await order.press('Enter')
    await take('PDF').waitFor()
  })
})
