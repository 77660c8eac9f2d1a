import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { inLocale } from '../contract/pages.ts'
import { locales, openPortal, say } from './open-portal.ts'

const portal = await openPortal()
const logins = { pl: 'malgorzata', en: 'oliver' } as const

describe.each(locales)('%s', (locale) => {
  const at = (path: string) => inLocale(locale, path)
  const words = (pl: string, en: string) => say(locale, { pl, en })
  const login = logins[locale]

  test('AUT-9 AUT-5 a session elsewhere is seen and ended, and its page leads to the login and says why; then all others', async () => {
    const [here, there, third] = [
      await portal.openPage({ locale }),
      await portal.openPage({ locale }),
      await portal.openPage({ locale }),
    ]
    for (const page of [there, third]) await portal.signIn(page, login, { locale })
    await portal.signIn(here, login, { locale, to: '/my-data' })
    const card = here.locator('section[aria-labelledby=sessions-title]')
    const rows = card.getByRole('listitem')
    await rows.nth(2).waitFor()
    expect(await rows.first().textContent()).toContain(words('Ta przeglądarka', 'This browser'))
    expect(await rows.first().textContent()).toContain('Chrome, Linux')
    const end = words('Zakończ sesję', 'End the session')
    expect(await rows.first().getByRole('button').count()).toBe(0)

    // The last used one after the own: of the two others, the one that signed in last.
    await rows.nth(1).getByRole('button', { name: end }).press('Enter')
    const dialog = here.getByRole('alertdialog')
    await dialog.getByRole('button', { name: words('Anuluj', 'Cancel') }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await rows.count()).toBe(3)
    await rows.nth(1).getByRole('button', { name: end }).click()
    await dialog.getByRole('button', { name: end }).click()
    await expect.poll(() => rows.count()).toBe(2)
    await third.goto(at('/my-data'))
    await third.waitForURL(/reason=session-gone/)

    await card.getByRole('button', { name: words('Zakończ wszystkie inne', 'End all others') }).click()
    await dialog.getByRole('button', { name: words('Zakończ sesje', 'End the sessions') }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await there.goto(at('/my-data'))
    await there.waitForURL(/reason=session-gone/)
    await here
      .locator('section.activity')
      .getByText(words('Zakończona inna sesja', 'Another session ended'))
      .nth(1)
      .waitFor()
  })

  test('AUT-9 DAT-6 the history is told in plain words, filtered by kind and day, turned by pages, and downloaded', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, login, { locale })
    // More than a page holds.
    await portal.owner.query(
      `insert into audit (chain, seq, id, at, act, account_id, actor, details, previous, mac) overriding system value
       select gen_random_uuid(), n, nextval('audit_id_seq'), now() - interval '400 days', 'agreement-downloaded', id, 'customer', '{}', '', ''
       from accounts, generate_series(1, 25) n where login = $1`,
      [login],
    )
    await page.goto(at('/my-data'))
    const card = page.locator('section.activity')
    const rows = card.locator('tbody tr')
    const pages = card.getByRole('navigation')
    await pages.getByText(words('Strona 1', 'Page 1')).waitFor()
    expect(await rows.count()).toBe(20)

    await card.locator('select[name=kind]').selectOption('sign-in')
    await card.getByRole('button', { name: words('Pokaż', 'Show') }).click()
    await card
      .getByText(words('Logowanie do portalu, kodem SMS', 'Login to the portal, by text-message code'))
      .first()
      .waitFor()
    await expect.poll(() => card.getByText(words('Pobrana umowa', 'Agreement downloaded')).count()).toBe(0)

    const downloading = page.waitForEvent('download')
    await card.getByRole('link', { name: words('Pobierz CSV', 'Download CSV') }).click()
    const text = readFileSync(await (await downloading).path(), 'utf8')
    expect(text).toContain(words('Logowanie do portalu', 'Login to the portal'))
    expect(text).not.toContain(words('Pobrana umowa', 'Agreement downloaded'))

    await card.locator('input[name=to]').fill('2020-01-01')
    await card.getByRole('button', { name: words('Pokaż', 'Show') }).click()
    await card.getByText(words('Brak danych', 'No data')).waitFor()
    await card.getByRole('button', { name: words('Wyczyść filtry', 'Clear filters') }).click()
    await expect.poll(() => rows.count()).toBe(20)
    expect(await card.locator('input[name=to]').inputValue()).toBe('')

    await pages.getByRole('button', { name: words('Następne', 'Next') }).click()
    await pages.getByText(words('Strona 2', 'Page 2')).waitFor()
    await card.getByText(words('Pobrana umowa', 'Agreement downloaded')).first().waitFor()
    await pages.getByRole('button', { name: words('Poprzednie', 'Previous') }).click()
    await pages.getByText(words('Strona 1', 'Page 1')).waitFor()
  })
})
