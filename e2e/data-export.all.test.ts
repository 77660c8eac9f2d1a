import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Download, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { pagesOf, openPdf } from '../pki/pdf/pdf-read.ts'
import { readDataExport, requestDataExport } from '../contract/data-export.ts'
import { languages } from '../server/testing/breadth.ts'
import { customerOf, enterSmsCode } from './testing/demonstration-run.ts'
import { isUsable, phone } from './testing/browser-pages.ts'
import { refuse, reply } from './testing/fake-replies.ts'
import { openPortal, say } from './testing/open-portal.ts'

const portal = await openPortal()
const customers = { pl: 'malgorzata', en: 'tomasz' } as const

/** The output of another program; undefined where it is not installed. */
const run = (program: string, ...args: string[]) => {
  const { error, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return error ? undefined : stdout
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

/** Whether the customer's newest export is ready. */
async function isMade(login: string) {
  const { rows } = await portal.owner.query<{ made: boolean }>(
    `select made_at is not null as made from data_exports e join accounts a on a.id = e.account_id
     where login = $1 order by requested_at desc limit 1`,
    [login],
  )
  return rows[0]?.made ?? false
}

/** Checks a PDF with external programs: it has no fault, and a structure for screen readers. */
async function judge(download: Download) {
  const path = await download.path()
  const [checked, info] = [run('qpdf', '--check', path), run('pdfinfo', path)]
  if (checked !== undefined) expect(checked).toContain('No syntax or stream encoding errors')
  if (info !== undefined) expect(info).toMatch(/Tagged: +yes/)
  const bytes = new Uint8Array(readFileSync(path))
  expect(pagesOf(openPdf(bytes)).length).toBeGreaterThan(0)
  expect(Buffer.from(bytes).toString('latin1')).toContain('/StructTreeRoot')
}

describe.each(languages('pl'))('%s', (locale) => {
  const translate = (pl: string, en: string) => say(locale, { pl, en })
  const login = customers[locale]
  const open = async (page: Page) => {
    await portal.signIn(page, login, { locale, to: '/security' })
    const card = page.locator('section[aria-labelledby=data-export-title]')
    const again = card.getByRole('button', { name: translate('Sprawdź ponownie', 'Check again') })
    const ready = card.getByRole('button', { name: new RegExp(`^${translate('Pobierz', 'Download')} JSON`) })
    return {
      card,
      /** When the export is ready, lets the five seconds until the next poll pass in the page only. */
      waitUntilMade: async () => {
        await again.or(ready).waitFor()
        await expect.poll(() => isMade(login)).toBe(true)
        await page.clock.fastForward(5_000)
        await ready.waitFor()
      },
      order: card.getByRole('button', { name: translate('Przygotuj kopię danych', 'Prepare a copy') }),
      take: (format: 'JSON' | 'PDF') =>
        card.getByRole('button', { name: new RegExp(`^${translate('Pobierz', 'Download')} ${format}`) }),
    }
  }

  test('DAT-6 R87 AUT-7 by keyboard an export is ordered with a code, made while the page is open, announced by mail, and downloaded as JSON and as a tagged PDF; a day later it is gone and can be ordered again', async () => {
    const page = await portal.openPage({
      locale,
      viewport: locale === 'pl' ? phone : { width: 1440, height: 900 },
      clock: true,
    })
    const { card, order, take, waitUntilMade } = await open(page)
    await order.press('Enter')
    await page.locator('dialog input[name=code]').waitFor()
    // Cancelling orders nothing.
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await order.press('Enter')
    await enterSmsCode(page, portal, login)
    await waitUntilMade()
    await expect
      .poll(() => card.getByRole('status').textContent())
      .toContain(translate('Kopia jest gotowa', 'Your copy is ready'))
    await expect.poll(() => focused(page)).toContain(translate('Kopia wszystkich danych', 'Copy of all your data'))

    const fetchFile = async (format: 'JSON' | 'PDF') => {
      const [download] = await Promise.all([page.waitForEvent('download'), take(format).press('Enter')])
      expect(download.suggestedFilename()).toBe(`${translate('moje-dane', 'my-data')}.${format.toLowerCase()}`)
      return download
    }
    const data = JSON.parse(readFileSync(await (await fetchFile('JSON')).path(), 'utf8')) as {
      account: { login: string }
      history: { words: string }[]
    }
    expect(data.account.login).toBe(login)
    expect(data.history.map((entry) => entry.words)).toContain(
      translate('Zalogowano do portalu', 'Signed in to the portal'),
    )
    await judge(await fetchFile('PDF'))
    const { email } = customerOf(login)
    const mails = (await portal.messages()).filter(
      ({ to, subject }) => to === email && /danych jest gotowa|data is ready/.test(subject ?? ''),
    )
    expect(mails.length).toBeGreaterThan(0)

    // After a reload it still waits; without a fresh confirmation a code is required first.
    await portal.clock.advance(600)
    await page.reload()
    await isUsable(page)
    await take('JSON').press('Enter')
    const again = page.waitForEvent('download')
    await enterSmsCode(page, portal, login)
    await again

    // The page stayed open until after the expiry.
    await portal.owner.query(
      `update data_exports set made_at = made_at - interval '1 day' from accounts a where a.id = account_id and login = $1`,
      [login],
    )
    await take('PDF').press('Enter')
    await card.getByText(translate('Pliki wygasły', 'The files have expired')).waitFor()
    await expect.poll(() => focused(page)).toContain(translate('Kopia wszystkich danych', 'Copy of all your data'))
    await order.press('Enter')
    await waitUntilMade()
    expect(await card.getByText(translate('Pliki wygasły', 'The files have expired')).count()).toBe(0)
  })

  test('DAT-6 a failed order is shown in its place and can be repeated; an order from another tab is shown', async () => {
    const page = await portal.openPage({ locale, viewport: phone, tolerate: /status of 503/, clock: true })
    const { card, order, take, waitUntilMade } = await open(page)
    // The export of the test before has expired.
    await portal.owner.query(
      `update data_exports set requested_at = requested_at - interval '2 days', made_at = made_at - interval '2 days'
       from accounts a where a.id = account_id and login = $1`,
      [login],
    )
    await page.reload()
    await isUsable(page)
    await refuse(requestDataExport, 'unavailable')({ page })
    await order.press('Enter')
    await card
      .getByRole('alert')
      .getByText(translate('Funkcjonalność jest obecnie niedostępna', 'This feature is currently unavailable'))
      .waitFor()
    await page.unrouteAll()

    await order.press('Enter')
    await enterSmsCode(page, portal, login)
    await waitUntilMade()
    await reply(readDataExport, { state: 'none' })({ page })
    await page.reload()
    await isUsable(page)
    await order.waitFor()
    await page.unrouteAll()
    await order.press('Enter')
    await take('PDF').waitFor()
  })
})
