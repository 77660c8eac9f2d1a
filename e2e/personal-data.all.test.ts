import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { downloadBy, readFocusedText } from './testing/browser-pages.ts'
import { enterSmsCode } from './testing/demonstration-run.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

/** Reads an address as a calendar program does. */
const read = (address: string) => fetch(portal.origin + new URL(address).pathname)

test('CAL-1 an address is made, copied, replaced and revoked in My data', async () => {
  const page = await portal.openAs('oliver', { locale: 'en', to: '/my-data' })
  const card = page.getByRole('region', { name: /^Expiry dates in your calendar/ })
  const press = (name: string, within = card) => within.getByRole('button', { name }).press('Enter')
  const confirm = (name: string) => press(name, page.locator('dialog[open]'))
  const shown = card.locator('.notice .mono')
  const created = 'Create new link'
  const revoke = 'Turn off link'

  await press('Create calendar link')
  await shown.waitFor()
  const first = await shown.innerText()
  expect(await (await read(first)).text()).toMatch(/^BEGIN:VCALENDAR\r\n/)
  // What is shown only once stays, whether the browser allows to copy it or not.
  for (const [allowed, said] of [
    [[], 'Your browser can’t copy. Select the link.'],
    [['clipboard-read', 'clipboard-write'], 'Copied'],
  ] as const) {
    await page.context().grantPermissions([...allowed])
    await press('Copy link')
    await page.getByText(said).first().waitFor()
    expect(await shown.innerText()).toBe(first)
  }
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first)

  // After a reload it is not shown any more.
  await page.reload()
  await card.locator('time').waitFor()
  expect(await shown.count()).toBe(0)

  await press(created)
  expect((await read(first)).status).toBe(200)
  await confirm(created)
  await shown.waitFor()
  const second = await shown.innerText()
  expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200])

  await press(revoke)
  await confirm(revoke)
  await card.getByRole('button', { name: 'Create calendar link' }).waitFor()
  expect((await read(second)).status).toBe(404)
  expect(await shown.count()).toBe(0)
})

async function isMade(login: string) {
  const { rows } = await portal.owner.query<{ made: boolean }>(
    `select made_at is not null as made from data_exports e join accounts a on a.id = e.account_id
     where login = $1 order by requested_at desc limit 1`,
    [login],
  )
  return rows[0]?.made ?? false
}

const login = 'tomasz'

test('DAT-6 an export is ordered with a code, downloaded twice, and ordered again a day later', async () => {
  const page = await portal.openAs(login, {
    locale: 'en',
    viewport: { width: 1440, height: 900 },
    clock: true,
    to: '/security',
  })
  const card = page.locator('section[aria-labelledby=data-export-title]')
  const order = card.getByRole('button', { name: 'Prepare a copy' })
  const take = (format: 'JSON' | 'PDF') => card.getByRole('button', { name: new RegExp(`^Download ${format}`) })
  /** Waits until the export is ready, and then lets the five seconds until the next poll pass in the page only. */
  const waitUntilMade = async () => {
    await card.getByRole('button', { name: 'Check again' }).or(take('JSON')).waitFor()
    await expect.poll(() => isMade(login)).toBe(true)
    await page.clock.fastForward(5_000)
    await take('JSON').waitFor()
  }
  await order.press('Enter')
  await page.locator('dialog input[name=code]').waitFor()
  // Cancelling orders nothing.
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await order.press('Enter')
  await enterSmsCode(page, portal, login)
  await waitUntilMade()
  await expect.poll(() => card.getByRole('status').textContent()).toContain('Your copy is ready')
  await expect.poll(() => readFocusedText(page)).toContain('Copy of all your data')

  const fetchFile = async (format: 'JSON' | 'PDF') => {
    const download = await downloadBy(page, () => take(format).press('Enter'))
    expect(download.suggestedFilename()).toBe(`my-data.${format.toLowerCase()}`)
    return download
  }
  const data = JSON.parse(readFileSync(await (await fetchFile('JSON')).path(), 'utf8')) as {
    account: { login: string }
    history: { words: string }[]
  }
  expect(data.account.login).toBe(login)
  expect(data.history.map((entry) => entry.words)).toContain('Signed in to the portal')
  expect(readFileSync(await (await fetchFile('PDF')).path(), 'latin1')).toMatch(/^%PDF-/)

  // After a reload it still waits; without a fresh confirmation a code is required first.
  await portal.clock.advance(600)
  await page.reload()
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
  await card.getByText('The files have expired').waitFor()
  await expect.poll(() => readFocusedText(page)).toContain('Copy of all your data')
  await order.press('Enter')
  await waitUntilMade()
  expect(await card.getByText('The files have expired').count()).toBe(0)
})
