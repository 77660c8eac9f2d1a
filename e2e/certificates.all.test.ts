import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { downloadSignatureCertificate } from '../contract/signatures.ts'
import { revocationWords } from '../contract/status-requests.ts'
import { ocspStatus } from '../provider/testing/test-authority.ts'
import { phone, downloadBy } from './testing/browser-pages.ts'
import { customerOf, enterSmsCode } from './testing/demonstration-run.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

const bytesOf = async (page: Page, path: string) =>
  new Uint8Array(await (await page.request.get(portal.origin + path)).body())

const press = (within: Locator, name: RegExp) => within.getByRole('button', { name }).click()
const close = (page: Page) => page.locator('dialog .dialog__foot').getByRole('button', { name: 'Close' }).click()
async function chooseReason(dialog: Locator) {
  await dialog.getByRole('combobox').click()
  await dialog.page().getByRole('option', { name: 'Someone else' }).click()
}
/** Checks whether the whole message of a field is in view, and not behind the buttons of its dialog. */
const messageIsInView = (field: Element) => {
  const message = document.getElementById(field.getAttribute('aria-describedby')!.split(' ').at(-1)!)!
  const { left, bottom } = message.getBoundingClientRect()
  return message.contains(document.elementFromPoint(left + 4, bottom - 2))
}
const seeTitle = (page: Page, name: string) => page.getByRole('dialog').getByRole('heading', { name }).waitFor()

test('STP-1 STP-5 a signature is suspended, resumed and revoked from its card', async () => {
  const login = 'irena'
  const page = await portal.openAs(login, { locale: 'en', to: '/certificates/signatures' })
  const id = (await page.locator('[data-certificate]').first().getAttribute('data-certificate'))!
  const card = page.locator(`[data-certificate="${id}"]`)
  const certificate = await bytesOf(
    page,
    downloadSignatureCertificate.path.replace(':id', id).replace(':format', 'der'),
  )
  const issuer = await bytesOf(page, '/pki/ca/issuing.cer')
  /** Asks the demonstration's OCSP responder for the status of the certificate. */
  const status = () => ocspStatus(`${portal.origin}/pki/ocsp`, certificate, issuer)
  const dialog = page.getByRole('dialog')
  expect(await status()).toBe('good')

  await press(card, /^Suspend or revoke/)
  await press(dialog, /^Suspend certificate/)
  const reason = dialog.getByRole('combobox')
  await expect.poll(() => reason.getAttribute('aria-invalid')).toBe('true')
  expect(await reason.evaluate((button) => document.activeElement === button)).toBe(true)
  await chooseReason(dialog)
  await expect.poll(() => reason.getAttribute('aria-invalid')).toBe(null)
  await press(dialog, /^Suspend certificate/)
  await enterSmsCode(page, portal, login)
  await seeTitle(page, 'Certificate suspended')
  expect(await status()).toBe('certificateHold')
  await close(page)
  await expect.poll(() => card.innerText()).toContain('Suspended')

  await press(card, /^End the suspension or/)
  await press(dialog, /^End suspension$/)
  await enterSmsCode(page, portal, login)
  await seeTitle(page, 'Suspension ended')
  expect(await status()).toBe('good')
  await close(page)

  await press(card, /^Suspend or revoke/)
  await dialog.getByText('Permanent.').click()
  await chooseReason(dialog)
  const word = dialog.locator('input[name=confirmation]')
  const submit = /^Revoke certificate/
  // On a phone the last field is at the edge of the dialog's body, and its message would be below that.
  await page.setViewportSize(phone)
  await word.fill('tak')
  await press(dialog, submit)
  await expect.poll(() => word.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => word.evaluate(messageIsInView)).toBe(true)
  await word.fill(revocationWords.en.toLowerCase())
  await press(dialog, submit)
  await enterSmsCode(page, portal, login)
  await seeTitle(page, 'Certificate revoked')
  expect(await status()).toBe('keyCompromise')
  await close(page)
  await expect.poll(() => card.innerText()).toContain('Revoked')
  const mails = (await portal.messages()).filter(
    ({ to, channel }) => channel === 'mail' && to === customerOf(login).email,
  )
  expect(mails.filter(({ subject }) => /zawie|unieważni|suspen|revo/i.test(subject ?? '')).length).toBe(6)
})

test('SEA-19 R216 a second address is named, confirmed by its own mail, and removed', async () => {
  const email = 'sekretariat.en@poczta.example'
  const page = await portal.openPage({ locale: 'en' })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await portal.signIn(page, 'malgorzata', { locale: 'en', to: '/certificates/seals' })
  const openPart = () => page.getByText('Second address for reminders').click()
  await openPart()
  await page.getByRole('button', { name: 'Enter address' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Second address for reminders' })
  await dialog.locator('input[name=email]').fill(email)
  await dialog.getByRole('button', { name: 'Send link' }).press('Enter')
  await enterSmsCode(page, portal, 'malgorzata')
  const part = page.locator('.seal-recipient')
  await part.getByText('To be confirmed').waitFor()

  const link = new URL(await portal.recipientLink(email))
  const token = link.hash.slice(1)
  // Whoever has the mailbox may have no account.
  await page.context().clearCookies()
  await page.goto(link.pathname + link.hash)
  // A reload does not lose the token.
  await expect.poll(() => page.url()).not.toContain(token)
  await page.reload()
  await page.getByRole('button', { name: 'I want reminders' }).press('Enter')
  await page.getByRole('status').filter({ hasText: 'Thank you' }).waitFor()
  expect(
    requests.filter((url) => new URL(url).pathname.includes(token) || new URL(url).search.includes(token)),
  ).toEqual([])

  await portal.signIn(page, 'malgorzata', { locale: 'en', to: '/certificates/seals' })
  await openPart()
  await part.getByText('Confirmed', { exact: true }).waitFor()
  await part.getByRole('button', { name: 'Remove address' }).press('Enter')
  await page.locator('dialog[open]').getByRole('button', { name: 'Remove address' }).press('Enter')
  await enterSmsCode(page, portal, 'malgorzata')
  const enter = part.getByRole('button', { name: 'Enter address' })
  await enter.waitFor()
  await expect.poll(() => enter.evaluate((button) => button === document.activeElement)).toBe(true)

  // The link of a removed address says so.
  await page.goto(link.pathname + link.hash)
  await page.getByRole('button', { name: 'I want reminders' }).press('Enter')
  await page.getByRole('status').filter({ hasText: 'This link doesn’t work' }).waitFor()
})

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

/** Less height than five options need, so that the list must scroll. */
const windowHeight = 220

test('UIX-2 the select keeps 10 px from the edge of the window, and scrolls a step every 50 ms', async () => {
  const page = await portal.openAs('zofia', {
    clock: true,
    viewport: { width: 1440, height: windowHeight },
    to: '/certificates/signatures',
  })
  // Five options.
  await page.getByRole('combobox', { name: 'Kolejność' }).press('Enter')
  const popup = page.locator('.options')
  await popup.waitFor()
  const box = (await popup.boundingBox())!
  expect(Math.round(box.y)).toBeGreaterThanOrEqual(10)
  expect(Math.round(windowHeight - box.y - box.height)).toBeGreaterThanOrEqual(10)
  // The popup does not fit, so it is as tall as the window allows.
  expect(Math.min(Math.round(box.y), Math.round(windowHeight - box.y - box.height))).toBe(10)

  const scrolled = () => popup.locator('.options__list').evaluate((viewport) => viewport.scrollTop)
  // From here on the test controls the time.
  await page.clock.pauseAt(Date.now() + 60_000)
  const before = await scrolled()
  await popup.locator('.options__step').last().dispatchEvent('pointermove', { pointerType: 'mouse' })
  await page.clock.runFor(49)
  expect(await scrolled()).toBe(before)
  await page.clock.runFor(1)
  expect(await scrolled()).toBeGreaterThan(before)
})
