import { expect, test } from 'vitest'
import { languages } from '../server/testing/breadth.ts'
import { openPortal, say } from './testing/open-portal.ts'

const portal = await openPortal()

/** As a calendar program reads it. */
const read = (address: string) => fetch(portal.origin + new URL(address).pathname)

test.each(languages('pl'))('CAL-1 %s an address is made, copied, replaced and revoked in My data', async (locale) => {
  const page = await portal.openPage({ locale })
  await portal.signIn(page, 'oliver', { locale, to: '/my-data' })
  const card = page.getByRole('region', {
    name: say(locale, { pl: /^Terminy w\sTwoim kalendarzu/, en: /^Expiry dates in your calendar/ }),
  })
  const press = (names: Record<typeof locale, string>, within = card) =>
    within.getByRole('button', { name: say(locale, names) }).press('Enter')
  const confirm = (names: Record<typeof locale, string>) => press(names, page.locator('dialog[open]'))
  const shown = card.locator('.note .mono')
  const created = { pl: 'Utwórz nowy adres', en: 'Create new link' }
  const revoke = { pl: 'Wyłącz adres', en: 'Turn off link' }

  await press({ pl: 'Utwórz adres kalendarza', en: 'Create calendar link' })
  await shown.waitFor()
  const first = await shown.innerText()
  expect(await (await read(first)).text()).toMatch(/^BEGIN:VCALENDAR\r\n/)
  // What is shown only once stays, whether the browser allows to copy it or not.
  for (const [allowed, said] of [
    [[], { pl: 'Przeglądarka nie pozwala kopiować. Zaznacz adres.', en: 'Your browser can’t copy. Select the link.' }],
    [['clipboard-read', 'clipboard-write'], { pl: 'Skopiowano', en: 'Copied' }],
  ] as const) {
    await page.context().grantPermissions([...allowed])
    await press({ pl: 'Skopiuj adres', en: 'Copy link' })
    await page.getByText(say(locale, said)).first().waitFor()
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
  await card
    .getByRole('button', { name: say(locale, { pl: 'Utwórz adres kalendarza', en: 'Create calendar link' }) })
    .waitFor()
  expect((await read(second)).status).toBe(404)
  expect(await shown.count()).toBe(0)
})
