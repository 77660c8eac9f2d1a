import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listSigners } from '../contract/documents.ts'
import { desktop, phone } from './testing/browser-pages.ts'
import { openDocumentCases } from './testing/document-cases.ts'
import { openPortal } from './testing/open-portal.ts'
import { exhaustive } from '../server/testing/breadth.ts'

const portal = await openPortal()

/** Opens a page as on a slow network: visible, but its script does not arrive until `arrive()`. */
async function openAsleep(path: string, options: { viewport?: typeof phone; named?: true } = {}) {
  const page = await portal.openPage(options)
  const script = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', (route) => script.promise.then(() => route.continue()))
  await page.goto(path)
  // Fonts are not part of this test.
  await page.locator('html[data-fonts]').waitFor({ state: 'attached' })
  return { page, arrive: script.resolve }
}

/** React marks each element that it has hydrated; dependent updates follow in the same turn. */
const awake = (page: Page) =>
  page.waitForFunction(
    () =>
      Object.keys(document.querySelector('main h1') ?? {}).some((key) => key.startsWith('__reactFiber')) &&
      !document.querySelector('main :disabled'),
  )

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

test.runIf(exhaustive)(
  'UIX-5 a link that is pressed before its page is hydrated and released afterwards works',
  async () => {
    const { page, arrive } = await openAsleep('/')
    const box = (await page.getByRole('link', { name: 'Załóż konto' }).boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    arrive()
    await page.locator('form button[type=submit]:enabled').waitFor()
    await page.mouse.up()
    await page.waitForURL(`${portal.origin}/register`)
  },
)

test.runIf(exhaustive).each([
  ['/', desktop],
  ['/', phone],
  ['/?reason=signed-out', phone],
  ['/register', desktop],
  ['/password-reset', phone],
  ['/faq', desktop],
  ['/lost-phone', desktop],
  ['/lost-phone', phone],
])('UIX-5 nothing that can be pressed moves while %s is hydrated, at %o', async (path, viewport) => {
  const { page, arrive } = await openAsleep(path, { viewport })
  const before = await pressable(page)
  expect(before.length).toBeGreaterThan(3)
  arrive()
  await awake(page)
  const after = await pressable(page)
  expect(before.filter((control) => !after.includes(control))).toEqual([])
})

test('UIX-5 every control that needs the script is disabled, and looks so, until the script is there', async () => {
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
  arrive()
  await page.locator('button:disabled').first().waitFor({ state: 'detached' })
  for (const [index, { disabled, look }] of (await looks()).entries()) {
    expect(disabled).toBe(false)
    expect(look).not.toBe(asleep[index]!.look)
  }
})

test.runIf(exhaustive)('UIX-5 text typed into the FAQ search before hydration is searched for', async () => {
  const { page, arrive } = await openAsleep('/faq')
  await page.locator('input[type=search]').fill('qwertyuiop')
  arrive()
  await page.getByText('Nie znaleziono pytań.').waitFor()
})

test.runIf(exhaustive)(
  'UIX-5 DOC-9 a form that is still loading cannot be submitted, and is submitted by the first accepted press',
  async () => {
    const page = await portal.openPage()
    await portal.signIn(page, 'malgorzata', { to: '/documents' })
    const answer = Promise.withResolvers<void>()
    await page.route(`**${listSigners.path.replace(':id', '*')}`, (route) =>
      answer.promise.then(() => route.continue()),
    )
    await page
      .locator('tr', { hasText: 'U-20846' })
      .getByRole('button', { name: /^Przeczytaj i.podpisz/ })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.waiting--shown').waitFor()
    const { openToSign } = await openDocumentCases(portal)
    await openToSign(dialog, 'demo-document-downloaded')
    const send = dialog.getByRole('button', { name: 'Wyślij kod SMS' })
    await expect.poll(() => send.getAttribute('aria-disabled')).toBe('true')
    // The button is pressed at the very moment at which it is enabled.
    await send.evaluate((button: HTMLButtonElement) => {
      const press = () => {
        if (button.hasAttribute('aria-disabled')) return
        watching.disconnect()
        button.click()
      }
      const watching = new MutationObserver(press)
      watching.observe(button, { attributes: true })
    })
    answer.resolve()
    await dialog.locator('input[name=code]').waitFor()
  },
)

test.runIf(exhaustive)(
  'UIX-5 DAT-7 the button that shows a whole number does not cover the number before the script is there',
  async () => {
    const page = await portal.openPage({ viewport: phone })
    await portal.signIn(page, 'wilhelmina', { to: '/my-data' })
    await page.locator('.covered .btn:enabled').first().waitFor()
    const script = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', (route) => script.promise.then(() => route.continue()))
    await page.reload({ waitUntil: 'commit' })
    const eye = page.locator('.covered .btn:disabled').first()
    await expect.poll(() => eye.evaluate((button) => getComputedStyle(button).backgroundColor)).toBe('rgba(0, 0, 0, 0)')
    script.resolve()
    await page.locator('.covered .btn:enabled').first().waitFor()
  },
)
