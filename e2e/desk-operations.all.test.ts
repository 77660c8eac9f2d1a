import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { freePort } from '../server/testing/processes.ts'
import { downloadBy, findViolations } from './testing/browser-pages.ts'
import { openDeskPages } from './testing/desk-pages.ts'
import { openPortal } from './testing/open-portal.ts'

const port = String(await freePort())
const origin = `http://127.0.0.1:${port}`
const portal = await openPortal({ DESK_PORT: port, WEBHOOK_HOSTS: 'hooks.example' })
const { chooseStaff, openDeskAs } = openDeskPages(origin)

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click()
const waitForText = (page: Page, text: string) => page.getByText(text).first().waitFor()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

test('DSK-31 DSK-33 an administrator checks the system, and makes and revokes keys and codes', async () => {
  await portal.owner.query(
    `insert into outbox (id, channel, message, outcome, tries, failure) values (gen_random_uuid(), 'mail', 'x', 'dead', 83, 'HTTP 500')`,
  )
  const page = await openDeskAs('en', 'Iga Zych')
  await follow(page, 'Operations')
  await heading(page, 'Health')
  await page.locator('.desk-jobs').waitFor()
  await press(page, 'Check the services')
  const checking = page.getByText('The nodes are checking')
  await checking.waitFor()
  expect(await findViolations(page)).toEqual([])
  // The page asks again by itself.
  await checking.waitFor({ state: 'detached' })
  await page
    .getByRole('row', { name: /PostgreSQL/ })
    .first()
    .waitFor()
  expect(await findViolations(page)).toEqual([])

  await follow(page, 'Undelivered')
  await waitForText(page, 'HTTP 500')
  expect(await findViolations(page)).toEqual([])
  await press(page, 'Send all again')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await waitForText(page, 'Being sent again: 1.')

  await follow(page, 'Client keys')
  await heading(page, 'Client keys')
  // The sign-in was an hour ago.
  await portal.owner.query(`update staff_sessions set authenticated_at = portal_now() - interval '1 hour'`)
  await page.reload()
  await waitForText(page, 'Sign in again')
  expect(await findViolations(page)).toEqual([])
  await chooseStaff(page, 'en', 'Iga Zych', { isAgain: true })
  await page.waitForURL(`${origin}/desk/operations/client-keys`)
  await press(page, 'Create a key')
  await page.locator('dialog input[name=name]').fill('crm')
  await page.getByText('events:read', { exact: true }).click()
  expect(await findViolations(page)).toEqual([])
  await page.locator('dialog button[type=submit]').click()
  const secret = page.locator('[data-secret]')
  expect(await secret.textContent()).toMatch(/^sygnet_[\w-]{43}$/)
  expect(await findViolations(page)).toEqual([])
  await press(page, 'I’ve saved it, close')
  await secret.waitFor({ state: 'detached' })
  const row = page.getByRole('row', { name: /^crm/ })
  await row.getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await row.getByText('Revoked').waitFor()

  await follow(page, 'Webhooks')
  await press(page, 'Add a webhook')
  await page.locator('dialog input[name=webhook]').fill('erp')
  await page.locator('dialog input[name=url]').fill('https://elsewhere.example/sygnet')
  await page.locator('dialog button[type=submit]').click()
  await waitForText(page, 'The operator hasn’t allowed this host')
  await page.locator('dialog input[name=url]').fill('https://hooks.example/sygnet')
  await page.locator('dialog button[type=submit]').click()
  expect(await secret.textContent()).toMatch(/^whsec_/)
  await press(page, 'I’ve saved it, close')
  await page.getByRole('row', { name: /^erp/ }).waitFor()
  expect(await findViolations(page)).toEqual([])

  await follow(page, 'Software')
  await page.getByRole('row').nth(1).getByRole('button', { name: 'Change' }).click()
  await page.locator('dialog input[name=version]').fill('9.9')
  expect(await findViolations(page)).toEqual([])
  await page.locator('dialog button[type=submit]').click()
  await page.getByRole('cell', { name: '9.9', exact: true }).waitFor()

  await follow(page, 'Vouchers')
  await press(page, 'Create codes')
  expect(await findViolations(page)).toEqual([])
  await page.locator('dialog button[type=submit]').click()
  const code = (await secret.textContent())!
  expect(code).toMatch(/^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/)
  await page
    .locator('dialog')
    .getByText(/^desk-[0-9a-f-]{36}$/)
    .waitFor()
  await press(page, 'I’ve saved it, close')
  const newest = page.getByRole('row', { name: /^desk-/ })
  expect(await newest.textContent()).not.toContain(code)
  expect(await findViolations(page)).toEqual([])
  await newest.getByRole('button', { name: 'Withdraw' }).click()
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await newest.getByText('Expired').waitFor()

  await follow(page, 'Features')
  await waitForText(page, 'Copy of all data')
  expect(await findViolations(page)).toEqual([])
})

test('DSK-13 DSK-14 an auditor filters the trail, saves it, verifies a day, and who read what', async () => {
  const page = await openDeskAs('en', 'Adam Bąk')
  await follow(page, 'Audit trail')
  await page.getByRole('row').nth(5).waitFor()
  // The option of the list that somebody picks after they have typed a part of it.
  await page.getByLabel('Action', { exact: true }).fill('Signed in to the desk · desk-signed-in')
  await press(page, 'Show')
  await page.waitForURL(/action=desk-signed-in/)
  const signedIn = 'Signed in to the desk'
  await page.getByRole('cell', { name: signedIn }).first().waitFor()
  await page.locator('summary').first().click()
  await page.getByText('staff-2').first().waitFor()
  expect(await findViolations(page)).toEqual([])

  const saving = downloadBy(page, () => press(page, 'Download CSV'))
  const file = readFileSync(await (await saving).path(), 'utf8')
  expect(file).toContain('"desk-signed-in"')
  expect(file).toContain('"Adam Bąk"')

  await follow(page, 'Who read whose data')
  await page.getByLabel('Who: name').fill('adam bąk')
  await press(page, 'Show')
  await page.getByRole('link', { name: 'Adam Bąk' }).waitFor()
  await page.getByRole('cell', { name: 'Audit trail read' }).waitFor()
  expect(await findViolations(page)).toEqual([])

  await follow(page, 'Verification')
  const day = await page.evaluate(() => new Date().toISOString().slice(0, 10))
  await press(page, 'Verify')
  const required = page.getByText('The field must be completed')
  await expect.poll(() => required.count()).toBe(2)
  await page.getByLabel('From').fill('2020-01-01')
  await page.getByLabel('To').fill(day)
  await press(page, 'Verify')
  await waitForText(page, 'Choose at most 31 days')
  for (const label of ['From', 'To']) await page.getByLabel(label).fill(day)
  await press(page, 'Verify')
  await waitForText(page, 'No damage found')
  await waitForText(page, 'Compared with the signed head')
  expect(await findViolations(page)).toEqual([])
})
