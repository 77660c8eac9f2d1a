import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { enterSmsCode } from './testing/demonstration-run.ts'
import { openPortal } from './testing/open-portal.ts'
import { downloadBy } from './testing/browser-pages.ts'

const portal = await openPortal()

test('SEA-17 SEA-18 users are invited by a file line by line, and listed in another', async () => {
  const page = await portal.openPage({ locale: 'en' })
  const bodies: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/users')) bodies.push(request.postData() ?? '')
  })
  await portal.signIn(page, 'malgorzata', { locale: 'en', to: '/certificates/seals' })
  await page.getByRole('button', { name: 'Add many from' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add users from a file' })
  const choose = (text: string) =>
    dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

  await choose('a,b\n1,2\n')
  await dialog.getByRole('alert').filter({ hasText: 'must have the headings' }).waitFor()

  const heads = 'imię;nazwisko;e-mail;telefon;rola'
  const [first, second] = ['pierwsza.en@poczta.example', 'druga.en@poczta.example']
  await choose(
    [
      heads,
      `Iza;Lis;${first};600 100 841;`,
      'Ola;Kos;ola;12;szef',
      `Ewa;Bąk;${second};+48600100842;administrator`,
    ].join('\r\n'),
  )
  const lines = dialog.locator('.import-lines li')
  await lines.nth(2).waitFor()
  expect(await lines.nth(1).locator('.error').count()).toBe(3)
  expect(await lines.nth(0).locator('.error').count()).toBe(0)
  expect(bodies).toEqual([])

  await dialog.getByRole('button', { name: 'Send only the correct ones: 2' }).press('Enter')
  await enterSmsCode(page, portal, 'malgorzata')
  const sent = dialog.getByText('Sent', { exact: true })
  await expect.poll(() => sent.count()).toBe(2)
  expect(await dialog.locator('[role=status]:focus').count()).toBe(1)
  // The first was refused until the code was entered. One call for each line, and none for the wrong one.
  const invited = bodies.map((body) => (JSON.parse(body) as { email: string }).email)
  expect([...new Set(invited)]).toEqual([first, second])

  // The same file again: the portal refuses who is there already, next to the line.
  await choose([heads, `Iza;Lis;${first};600100841;`].join('\n'))
  await dialog.getByRole('button', { name: /^(?:Wyślij 1|Send 1)/ }).press('Enter')
  await expect.poll(() => lines.first().locator('.error').count()).toBe(1)
  await dialog.getByText('Not sent: 1').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')

  const file = await downloadBy(page, () => page.getByRole('button', { name: 'Download list (CSV)' }).press('Enter'))
  expect(file.suggestedFilename()).toBe('seal-users.csv')
  const list = readFileSync(await file.path(), 'utf8')
  for (const part of [first, second, 'awaiting activation']) expect(list).toContain(part)
})
