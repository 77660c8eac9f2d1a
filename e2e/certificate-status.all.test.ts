import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { downloadCertificate } from '../contract/signatures.ts'
import { revocationWords } from '../contract/status-requests.ts'
import { phone } from './testing/browser-pages.ts'
import { customerOf, enterSmsCode } from './testing/demonstration-run.ts'
import { openPortal } from './testing/open-portal.ts'
import { ocspStatus } from '../provider/testing/test-authority.ts'

const portal = await openPortal()

const bytesOf = async (page: Page, path: string) =>
  new Uint8Array(await (await page.request.get(portal.origin + path)).body())

const press = (within: Locator, name: RegExp) => within.getByRole('button', { name }).click()
const close = (page: Page) => page.locator('dialog .dialog__foot').getByRole('button', { name: 'Close' }).click()
async function chooseReason(dialog: Locator) {
  await dialog.getByRole('combobox').click()
  await dialog.page().getByRole('option', { name: 'Someone else' }).click()
}
/** Whether the whole message of a field is in view, and not behind the buttons of its dialog. */
const messageIsInView = (field: Element) => {
  const message = document.getElementById(field.getAttribute('aria-describedby')!.split(' ').at(-1)!)!
  const { left, bottom } = message.getBoundingClientRect()
  return message.contains(document.elementFromPoint(left + 4, bottom - 2))
}
const seeTitle = (page: Page, name: string) => page.getByRole('dialog').getByRole('heading', { name }).waitFor()

test('STP-1 STP-5 a signature is suspended, resumed and revoked from its card', async () => {
  const login = 'irena'
  const page = await portal.openPage({ locale: 'en' })
  await portal.signIn(page, login, { locale: 'en', to: '/certificates/signatures' })
  const id = (await page.locator('[data-certificate]').first().getAttribute('data-certificate'))!
  const card = page.locator(`[data-certificate="${id}"]`)
  const certificate = await bytesOf(page, downloadCertificate.path.replace(':id', id).replace(':format', 'der'))
  const issuer = await bytesOf(page, '/pki/ca/issuing.cer')
  /** What the demonstration's OCSP responder says of it. */
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
