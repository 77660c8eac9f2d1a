import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listSigners } from '../contract/documents.ts'
import { desktop, phone, untilHydrated, holdRequests } from './testing/browser-pages.ts'
import { openDocumentCases } from './testing/document-cases.ts'
import { intercept } from './testing/fake-replies.ts'
import { openPortal } from './testing/open-portal.ts'
import { exhaustive } from '../server/testing/breadth.ts'

const portal = await openPortal()

/** Opens a page as on a slow network: visible, but its script does not arrive until `arrive()`. */
async function openAsleep(path: string, options: { viewport?: typeof phone; named?: true } = {}) {
  const page = await portal.openPage(options)
  const arrive = await holdRequests(page, '**/assets/*.js')
  await page.goto(path, { waitUntil: 'load' })
  // Fonts are not part of this test.
  await page.locator('html[data-fonts]').waitFor({ state: 'attached' })
  return { page, arrive }
}

/** The position of everything that is visible and can be pressed. */
const pressable = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('a, button, input, summary')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => {
        const { x, y } = element.getBoundingClientRect()
        return `${element.tagName} ${element.textContent || element.getAttribute('name')} at ${Math.round(x)} ${Math.round(y)}`
      }),
  )

test.runIf(exhaustive).each([
  ['/?reason=signed-out', phone],
  ['/register', desktop],
  ['/lost-phone', phone],
])('UIX-5 nothing that can be pressed moves while %s is hydrated, at %o', async (path, viewport) => {
  const { page, arrive } = await openAsleep(path, { viewport })
  const before = await pressable(page)
  expect(before.length).toBeGreaterThan(3)
  arrive()
  await untilHydrated(page)
  const after = await pressable(page)
  expect(before.filter((control) => !after.includes(control))).toEqual([])
})

test('UIX-5 without its script, what needs it is disabled, links work, and typed text stays', async () => {
  // Passkeys need a host name, so this page has the passkey button too.
  const { page, arrive } = await openAsleep('/', { named: true })
  const looks = () =>
    page.locator('button').evaluateAll((buttons: HTMLButtonElement[]) =>
      buttons.map((button) => {
        const { color, backgroundColor } = getComputedStyle(button)
        return { disabled: button.disabled, look: `${color} ${backgroundColor}` }
      }),
    )
  const asleep = await looks()
  expect(asleep.map(({ disabled }) => disabled)).toEqual([true, true, true])
  const login = page.locator('input[name=login]')
  await login.fill('oliver')
  const link = (await page.getByRole('link', { name: 'Załóż konto' }).boundingBox())!
  await page.mouse.move(link.x + link.width / 2, link.y + link.height / 2)
  await page.mouse.down()
  arrive()
  await untilHydrated(page)
  expect(await login.inputValue()).toBe('oliver')
  for (const [index, { disabled, look }] of (await looks()).entries()) {
    expect(disabled).toBe(false)
    expect(look).not.toBe(asleep[index]!.look)
  }
  await page.mouse.up()
  await page.waitForURL('**/register')
})

test.runIf(exhaustive)('UIX-5 a form with a part that is still loading cannot be submitted', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'malgorzata', { to: '/documents' })
  const answer = Promise.withResolvers<void>()
  await intercept(listSigners, (route) => answer.promise.then(() => route.continue()))({ page })
  await page
    .locator('tr', { hasText: 'U-20846' })
    .getByRole('button', { name: /^Przeczytaj i.podpisz/ })
    .click()
  const dialog = page.getByRole('dialog')
  const { openToSign } = await openDocumentCases(portal)
  await openToSign(dialog, 'demo-document-downloaded')
  const send = dialog.getByRole('button', { name: 'Wyślij kod SMS' })
  await expect.poll(() => send.getAttribute('aria-disabled')).toBe('true')
  answer.resolve()
  await expect.poll(() => send.getAttribute('aria-disabled')).toBe(null)
  await send.click()
  await dialog.locator('input[name=code]').waitFor()
})
