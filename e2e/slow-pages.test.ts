import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { listDocumentSigners } from '../contract/documents.ts'
import { exhaustive } from '../server/testing/breadth.ts'
import { desktop, phone, untilHydrated, holdRequests } from './testing/browser-pages.ts'
import { openDocumentCases } from './testing/document-cases.ts'
import { intercept } from './testing/fake-replies.ts'
import { openPortal } from './testing/open-portal.ts'
import { openSlowLine } from './testing/slow-line.ts'

const portal = await openPortal()

/** Opens a page that adds up its layout shifts as CLS does. Each load counts as a first visit, without the cached decision about fonts. */
async function openMeasured(viewport: typeof phone, tolerate: RegExp) {
  const page = await portal.openPage({ alone: true, viewport, tolerate })
  await page.addInitScript(() => {
    localStorage.clear()
    const shifts: string[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(describeShift(entry as LayoutShift))
    }).observe({ type: 'layout-shift', buffered: true })
    type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] }
    const describeShift = ({ value, sources }: LayoutShift) =>
      `${value.toFixed(4)}: ${sources.map(({ node }) => (node instanceof Element ? node.className : node?.textContent)).join(', ')}`
  })
  return page
}

/** Waits for two frames: by the second, everything that was laid out is painted and its shifts are reported. */
const painted = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))

/** Checks whether nothing was painted before the page's data, its last part, had arrived. */
const paintedWhole = () =>
  performance.getEntriesByName('first-paint')[0]!.startTime >= (window as unknown as { completeAt: number }).completeAt

async function readShifts(page: Page) {
  await painted(page)
  return page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
}

/** Texts before which the page is cut in two: in the head of the form, in the form, below it, and in the art. */
const cutMarkers = [
  '<header',
  '<h1',
  'name="password"',
  'type="submit"',
  'class="auth__passkey"',
  'class="auth__foot"',
  'class="auth__links"',
  '<aside class="auth__art',
  '<circle r="232"',
  'class="auth__big"',
  '</svg></aside>',
]

/**
 * Texts before which a signed-in page is cut in two: in the account button, after it, in the content, and between an icon and its text
 * below the page of a phone.
 */
const signedInCutMarkers = [
  'class="avatar"',
  'class="account-button__name"',
  'Zielińska</span>',
  '<main',
  'class="tiles"',
  '<span>Więcej</span>',
]

describe.each([phone, desktop])('%o', (viewport) => {
  test.runIf(exhaustive).each(['/', '/en?reason=session-gone'])(
    'UIX-8 nothing on the login page moves while %s arrives slowly',
    async (path) => {
      const line = await openSlowLine(portal.origin)
      const page = await openMeasured(viewport, new RegExp(line.origin))
      for (const cut of cutMarkers) {
        const arrive = line.cut(path, cut)
        await page.goto(line.origin + path, { waitUntil: 'commit' })
        await page.locator('body').waitFor({ state: 'attached' })
        await painted(page)
        arrive()
        await page.locator('form button[type=submit]:enabled').waitFor()
        await page.locator('html[data-fonts]').waitFor({ state: 'attached' })
        expect({ cut, shifts: await readShifts(page) }).toEqual({ cut, shifts: [] })
      }
    },
  )

  test.runIf(exhaustive)('UIX-9 a signed-in page is painted once it has arrived, and nothing moves', async () => {
    const line = await openSlowLine(portal.origin)
    const page = await openMeasured(viewport, new RegExp(line.origin))
    await page.addInitScript(() => {
      const noteData = (changes: MutationObserver | undefined) => {
        if (!document.getElementById('page-data')) return
        changes?.disconnect()
        Object.assign(window, { completeAt: performance.now() })
      }
      const changes = new MutationObserver(() => noteData(changes))
      changes.observe(document, { childList: true, subtree: true })
    })
    await portal.enter(page.context(), 'zofia')
    const other = await portal.openPage()
    for (const cut of signedInCutMarkers) {
      const arrive = line.cut('/home', cut)
      await page.goto(`${line.origin}/home`, { waitUntil: 'commit' })
      // A page that is not painted has no frames to wait for; meanwhile it could have been painted as often as this one.
      for (let frame = 0; frame < 10; frame++) await painted(other)
      arrive()
      await page.locator('fieldset.controls:enabled').waitFor({ state: 'attached' })
      expect({ cut, shifts: await readShifts(page) }).toEqual({ cut, shifts: [] })
      expect(await page.evaluate(paintedWhole)).toBe(true)
    }
  })

  test('UIX-8 ERR-4 nothing on the login page moves without its scripts, and a bar says so', async () => {
    const page = await openMeasured(viewport, /ERR_FAILED/)
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/')
    await page.getByRole('alert').getByText('Nie udało się wczytać całej strony.').waitFor()
    expect(await readShifts(page)).toEqual([])
  })
})

/** Opens a page as on a slow network: visible, but its script does not arrive until `arrive()`. */
async function openAsleep(path: string, options: { viewport?: typeof phone; named?: true } = {}) {
  const page = await portal.openPage(options)
  const arrive = await holdRequests(page, '**/assets/*.js')
  await page.goto(path, { waitUntil: 'load' })
  // Fonts are not part of this test.
  await page.locator('html[data-fonts]').waitFor({ state: 'attached' })
  return { page, arrive }
}

/** Returns the positions of all visible elements that can be pressed. */
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
  const page = await portal.openAs('malgorzata', { to: '/documents' })
  const answer = Promise.withResolvers<void>()
  await intercept(listDocumentSigners, (route) => answer.promise.then(() => route.continue()))({ page })
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
