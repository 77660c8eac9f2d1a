import { expect, test } from 'vitest'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

/** As a calendar program reads it. */
const read = (address: string) => fetch(portal.origin + new URL(address).pathname)

test('CAL-1 an address is made, copied, replaced and revoked in My data', async () => {
  const page = await portal.openPage({ locale: 'en' })
  await portal.signIn(page, 'oliver', { locale: 'en', to: '/my-data' })
  const card = page.getByRole('region', { name: /^Expiry dates in your calendar/ })
  const press = (name: string, within = card) => within.getByRole('button', { name }).press('Enter')
  const confirm = (name: string) => press(name, page.locator('dialog[open]'))
  const shown = card.locator('.note .mono')
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
