import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Text } from '../contract/enums.ts'
import { languages } from '../server/testing/breadth.ts'
import { freePort } from '../server/testing/free-port.ts'
import { findings } from './testing/axe-findings.ts'
import { deskPagesOf } from './testing/desk-pages.ts'
import { openPortal } from './testing/open-portal.ts'

const port = String(await freePort())
const origin = `http://127.0.0.1:${port}`
const portal = await openPortal({ DESK_PORT: port, WEBHOOK_HOSTS: 'hooks.example' })
const { chooseStaff, openDeskAs } = deskPagesOf(origin)

describe.each(languages('pl'))('%s', (locale) => {
  const say = (text: Text) => text[locale]
  const press = (page: Page, text: Text) =>
    page
      .getByRole('button', { name: say(text), exact: true })
      .first()
      .click()
  const follow = (page: Page, text: Text) =>
    page
      .getByRole('link', { name: say(text), exact: true })
      .first()
      .click()
  const see = (page: Page, text: Text) => page.getByText(say(text)).first().waitFor()
  const heading = (page: Page, text: Text) => page.getByRole('heading', { level: 1, name: say(text) }).waitFor()

  test('DSK-31 DSK-33 an administrator checks the system, and makes and revokes keys and codes', async () => {
    await portal.owner.query(
      `insert into outbox (id, channel, message, outcome, tries, failure) values (gen_random_uuid(), 'mail', 'x', 'dead', 83, 'HTTP 500')`,
    )
    const page = await openDeskAs(locale, 'Iga Zych')
    await follow(page, { pl: 'Operacje', en: 'Operations' })
    await heading(page, { pl: 'Stan systemu', en: 'Health' })
    await page.locator('.desk-jobs').waitFor()
    await press(page, { pl: 'Sprawdź usługi', en: 'Check the services' })
    const checking = page.getByText(say({ pl: 'Węzły sprawdzają usługi', en: 'The nodes are checking' }))
    await checking.waitFor()
    expect(await findings(page)).toEqual([])
    // The page asks again by itself.
    await checking.waitFor({ state: 'detached' })
    await page
      .getByRole('row', { name: /PostgreSQL/ })
      .first()
      .waitFor()
    expect(await findings(page)).toEqual([])

    await follow(page, { pl: 'Niedoręczone', en: 'Undelivered' })
    await see(page, { pl: 'HTTP 500', en: 'HTTP 500' })
    expect(await findings(page)).toEqual([])
    await press(page, { pl: 'Wyślij ponownie wszystkie', en: 'Send all again' })
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: say({ pl: 'Wyślij ponownie', en: 'Send again' }) }).click()
    await see(page, { pl: 'Wysyłamy ponownie. Wiadomości: 1.', en: 'Being sent again: 1.' })

    await follow(page, { pl: 'Klucze', en: 'Client keys' })
    await heading(page, { pl: 'Klucze klienckie', en: 'Client keys' })
    // The sign-in was an hour ago.
    await portal.owner.query(`update staff_sessions set authenticated_at = portal_now() - interval '1 hour'`)
    await page.reload()
    await see(page, { pl: 'Zaloguj się ponownie', en: 'Sign in again' })
    expect(await findings(page)).toEqual([])
    await chooseStaff(page, locale, 'Iga Zych', { isAgain: true })
    await page.waitForURL(`${origin}/desk/operations/client-keys`)
    await press(page, { pl: 'Utwórz klucz', en: 'Create a key' })
    await page.locator('dialog input[name=name]').fill('crm')
    await page.getByText('events:read', { exact: true }).click()
    expect(await findings(page)).toEqual([])
    await page.locator('dialog button[type=submit]').click()
    const secret = page.locator('[data-secret]')
    expect(await secret.textContent()).toMatch(/^sygnet_[\w-]{43}$/)
    expect(await findings(page)).toEqual([])
    await press(page, { pl: 'Zapisane, zamknij', en: 'I’ve saved it, close' })
    await secret.waitFor({ state: 'detached' })
    const row = page.getByRole('row', { name: /^crm/ })
    await row.getByRole('button', { name: say({ pl: 'Unieważnij', en: 'Revoke' }) }).click()
    await dialog.getByRole('button', { name: say({ pl: 'Unieważnij', en: 'Revoke' }) }).click()
    await row.getByText(say({ pl: 'Unieważniony', en: 'Revoked' })).waitFor()

    await follow(page, { pl: 'Webhooki', en: 'Webhooks' })
    await press(page, { pl: 'Dodaj webhook', en: 'Add a webhook' })
    await page.locator('dialog input[name=webhook]').fill('erp')
    await page.locator('dialog input[name=url]').fill('https://elsewhere.example/sygnet')
    await page.locator('dialog button[type=submit]').click()
    await see(page, { pl: 'Operator nie dopuścił tego hosta', en: 'The operator hasn’t allowed this host' })
    await page.locator('dialog input[name=url]').fill('https://hooks.example/sygnet')
    await page.locator('dialog button[type=submit]').click()
    expect(await secret.textContent()).toMatch(/^whsec_/)
    await press(page, { pl: 'Zapisane, zamknij', en: 'I’ve saved it, close' })
    await page.getByRole('row', { name: /^erp/ }).waitFor()
    expect(await findings(page)).toEqual([])

    await follow(page, { pl: 'Programy', en: 'Software' })
    await page
      .getByRole('row')
      .nth(1)
      .getByRole('button', { name: say({ pl: 'Zmień', en: 'Change' }) })
      .click()
    await page.locator('dialog input[name=version]').fill('9.9')
    expect(await findings(page)).toEqual([])
    await page.locator('dialog button[type=submit]').click()
    await page.getByRole('cell', { name: '9.9', exact: true }).waitFor()

    await follow(page, { pl: 'Vouchery', en: 'Vouchers' })
    await press(page, { pl: 'Utwórz kody', en: 'Create codes' })
    expect(await findings(page)).toEqual([])
    await page.locator('dialog button[type=submit]').click()
    const code = (await secret.textContent())!
    expect(code).toMatch(/^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/)
    await page
      .locator('dialog')
      .getByText(/^desk-[0-9a-f-]{36}$/)
      .waitFor()
    await press(page, { pl: 'Zapisane, zamknij', en: 'I’ve saved it, close' })
    const newest = page.getByRole('row', { name: /^desk-/ })
    expect(await newest.textContent()).not.toContain(code)
    expect(await findings(page)).toEqual([])
    await newest.getByRole('button', { name: say({ pl: 'Wycofaj', en: 'Withdraw' }) }).click()
    await dialog.getByRole('button', { name: say({ pl: 'Wycofaj', en: 'Withdraw' }) }).click()
    await newest.getByText(say({ pl: 'Wygasł', en: 'Expired' })).waitFor()

    await follow(page, { pl: 'Funkcje', en: 'Features' })
    await see(page, { pl: 'Kopia danych', en: 'Copy of all data' })
    expect(await findings(page)).toEqual([])
  })

  test('DSK-13 DSK-14 an auditor filters the trail, saves it, verifies a day, and who read what', async () => {
    const page = await openDeskAs(locale, 'Adam Bąk')
    await follow(page, { pl: 'Dziennik', en: 'Audit trail' })
    await page.getByRole('row').nth(5).waitFor()
    // The option of the list that somebody picks after they have typed a part of it.
    await page
      .getByLabel(say({ pl: 'Działanie', en: 'Action' }), { exact: true })
      .fill(`${say({ pl: 'Zalogowano do konsoli', en: 'Signed in to the desk' })} · desk-signed-in`)
    await press(page, { pl: 'Pokaż', en: 'Show' })
    await page.waitForURL(/action=desk-signed-in/)
    const signedIn = say({ pl: 'Zalogowano do konsoli', en: 'Signed in to the desk' })
    await page.getByRole('cell', { name: signedIn }).first().waitFor()
    await page.locator('summary').first().click()
    await page.getByText('staff-2').first().waitFor()
    expect(await findings(page)).toEqual([])

    const saving = page.waitForEvent('download')
    await press(page, { pl: 'Pobierz CSV', en: 'Download CSV' })
    const file = readFileSync(await (await saving).path(), 'utf8')
    expect(file).toContain('"desk-signed-in"')
    expect(file).toContain('"Adam Bąk"')

    await follow(page, { pl: 'Kto czyje dane odczytał', en: 'Who read whose data' })
    await page.getByLabel(say({ pl: 'Kto: nazwisko', en: 'Who: name' })).fill('adam bąk')
    await press(page, { pl: 'Pokaż', en: 'Show' })
    await page.getByRole('link', { name: 'Adam Bąk' }).waitFor()
    await page.getByRole('cell', { name: say({ pl: 'Odczytano dziennik', en: 'Audit trail read' }) }).waitFor()
    expect(await findings(page)).toEqual([])

    await follow(page, { pl: 'Sprawdzenie łańcucha', en: 'Verification' })
    const day = await page.evaluate(() => new Date().toISOString().slice(0, 10))
    await press(page, { pl: 'Sprawdź', en: 'Verify' })
    const required = page.getByText(say({ pl: 'Pole musi być wypełnione', en: 'The field must be completed' }))
    await expect.poll(() => required.count()).toBe(2)
    await page.getByLabel(say({ pl: 'Od dnia', en: 'From' })).fill('2020-01-01')
    await page.getByLabel(say({ pl: 'Do dnia', en: 'To' })).fill(day)
    await press(page, { pl: 'Sprawdź', en: 'Verify' })
    await see(page, { pl: 'Wybierz najwyżej 31 dni', en: 'Choose at most 31 days' })
    for (const label of [say({ pl: 'Od dnia', en: 'From' }), say({ pl: 'Do dnia', en: 'To' })])
      await page.getByLabel(label).fill(day)
    await press(page, { pl: 'Sprawdź', en: 'Verify' })
    await see(page, { pl: 'Nie znaleziono naruszeń', en: 'No damage found' })
    await see(page, { pl: 'Porównano z\u00a0podpisanym nagłówkiem', en: 'Compared with the signed head' })
    expect(await findings(page)).toEqual([])
  })
})
