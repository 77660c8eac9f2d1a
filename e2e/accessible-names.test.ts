import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { menu } from '../web/layouts/menu-items.ts'
import { desktop, phone, signedInPaths } from './testing/browser-pages.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()

const visited = ['/', '/register', '/password-reset', '/faq', '/check', '/accessibility']

type Control = {
  role: string
  name: string
  href: string | null
  required: string | null
  height: number
  /** Whether the control is in a sentence, where the text around it keeps targets apart (WCAG 2.5.8). */
  isInText: boolean
  /** The menu, the tab bar and the footer. */
  isInFrame: boolean
  className: string
}

/** Finds everything that can be pressed or filled in, with the names that the browser gives to screen readers. */
async function readControls(page: Page, devtools: CDPSession): Promise<Control[]> {
  await devtools.send('DOM.getDocument', { depth: 0 })
  const { nodes } = await devtools.send('Accessibility.getFullAXTree')
  const roles = new Set(['link', 'button', 'combobox', 'textbox', 'searchbox', 'checkbox', 'DisclosureTriangle'])
  const found = nodes.filter(({ ignored, role }) => !ignored && roles.has(String(role?.value)))
  return Promise.all(
    found.map(async ({ role, name, backendDOMNodeId }) => {
      const { object } = await devtools.send('DOM.resolveNode', { backendNodeId: backendDOMNodeId! })
      const { result } = await devtools.send('Runtime.callFunctionOn', {
        objectId: object.objectId!,
        returnByValue: true,
        functionDeclaration: `function () {
          const { display } = getComputedStyle(this)
          return {
            href: this.getAttribute('href'),
            required: this.getAttribute('aria-required'),
            height: this.getBoundingClientRect().height,
            isInText: display === 'inline' && /\\p{L}/u.test(this.parentElement.textContent.replace(this.textContent, '')),
            isInFrame: !!this.closest('.nav, .tabbar, .foot, .auth__foot'),
            className: String(this.className),
          }
        }`,
      })
      return { role: String(role?.value), name: String(name?.value ?? ''), ...(result.value as object) } as Control
    }),
  )
}

/** Returns the names that several controls have, unless all of them are links to one address. */
function ambiguous(controls: Control[]) {
  const byName = Map.groupBy(controls, ({ name }) => name)
  return [...byName].flatMap(([name, same]) => {
    const targets = new Set(same.map(({ href }, index) => href ?? index))
    return targets.size > 1 ? [`${name} (${same.length})`] : []
  })
}

/** Finds the controls that are too low. The skip link is a pixel high until it is reached; a box is pressed by its label. */
const tooLow = (controls: Control[]) =>
  controls.flatMap(({ role, name, height, isInText, isInFrame, className }) => {
    if (isInText || role === 'checkbox' || className === 'skip' || !height) return []
    const least = isInFrame ? 44 : 24
    return height < least ? [`${name}: ${height}`] : []
  })

/**
 * Finds the fields that have no „(opcjonalnie)” in their label and are not required; only filters and the box that ticks the others may be.
 */
const unmarked = (controls: Control[]) =>
  controls.flatMap(({ role, name, required }) =>
    ['textbox', 'checkbox'].includes(role) && !/opcjonaln|optional/.test(name) && required !== 'true' ? [name] : [],
  )

const locale = language('pl')
const { at, translate } = inLanguage(locale)
const bothLists = '/my-cases?voucher-status=in-progress&received-status=finished'
const few = { login: 'oliver', paths: ['/my-data', '/certificates/signatures', '/software', bothLists] }
const all = [{ login: undefined, paths: visited }, { login: 'zofia', paths: signedInPaths }, few]
test.each(exhaustive ? all : [few])(
  'UIX-20 UIX-22 $login: names are unique, targets high enough',
  async ({ login, paths }) => {
    const page = await portal.openPage({ locale, alone: true })
    if (login) await portal.enter(page.context(), login)
    const devtools = await page.context().newCDPSession(page)
    const problems: object[] = []
    for (const path of paths)
      for (const viewport of [desktop, phone]) {
        await page.setViewportSize(viewport)
        await page.goto(at(path))
        await page.locator('h1').first().waitFor()
        await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
        const controls = await readControls(page, devtools)
        expect(controls.length).toBeGreaterThan(5)
        const filters = path === '/security' ? 2 : path === '/faq' ? 1 : path === '/certificates/signatures' ? 1 : 0
        const found = {
          nameless: controls.filter(({ name }) => !name).map(({ className }) => className),
          ambiguous: ambiguous(controls),
          tooLow: tooLow(controls),
          unmarked: unmarked(controls).length <= filters ? [] : unmarked(controls),
        }
        if (Object.values(found).some((each) => each.length)) problems.push({ path, width: viewport.width, ...found })
      }
    expect(problems).toEqual([])
  },
)

test.each([
  '/certificates/signatures?status=active',
  '/certificates/seals?status=active',
  '/certificates/timestamps?state=low',
  '/documents?status=finished',
  '/my-cases?voucher-status=in-progress',
  '/my-cases?received-status=finished',
  '/security?kind=sign-in',
])('UIX-25 %s: what says how many items match is there before it says so', async (path) => {
  const page = await portal.openAs('zofia', { locale, viewport: desktop, to: path })
  const text = translate('Znaleziono: ', ' found')
  const status = page.getByRole('status').filter({ hasText: text })
  const region = await status.elementHandle()
  const tools = page
    .locator('form')
    .filter({ has: page.getByRole('combobox') })
    .first()
  const filter = tools.getByRole('combobox').first()
  const isFiltered = page.waitForResponse((response) => /[?&](status|state|kind)=/.test(response.url()))
  for (const key of ['Enter', 'ArrowDown', 'Enter']) await filter.press(key)
  if (path.startsWith('/security')) await tools.locator('button[type=submit]').press('Enter')
  await isFiltered
  await expect.poll(() => region.evaluate((element) => element.isConnected && element.textContent)).toContain(text)
})

test('UIX-21 NAV-1 the menu is a list for each group, with its name and number of entries', async () => {
  const page = await portal.openAs('zofia', { locale, viewport: desktop })
  const counts = (selector: string) =>
    page
      .locator(selector)
      .getByRole('list')
      .evaluateAll((lists) => lists.map((list) => list.querySelectorAll(':scope > li > a').length))
  const expected = menu.map(({ entries }) => entries.length)
  expect(await counts('.side .nav')).toEqual(expected)
  const name = { pl: 'Certyfikaty', en: 'Certificates' }[locale]
  expect(await page.locator('.side').getByRole('list', { name }).getByRole('listitem').count()).toBe(3)
  await page.setViewportSize(phone)
  await page.locator('.tabbar').getByRole('button').click()
  await page.locator('dialog .nav').waitFor()
  expect(await counts('dialog .nav')).toEqual(expected)
})
