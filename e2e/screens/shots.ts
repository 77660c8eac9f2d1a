import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { locales, type Locale } from '../../contract/enums.ts'
import { inLocale } from '../../contract/pages.ts'
import { signInHere, type DemonstrationRun } from '../testing/demonstration-run.ts'
import { withBrowser, withDemonstration } from '../testing/portal-process.ts'
import { showState, type ScreenState } from './screen-state.ts'
import { screenStates } from './screen-states.ts'

// `npm run shots` draws every state; `npm run shots -- home signatures--qr` those whose names begin so.
const sizes = [
  { device: 'desktop', width: 1440, height: 900 },
  { device: 'desktop', width: 1920, height: 1080 },
  { device: 'phone', width: 390, height: 844 },
] as const
const wanted = process.argv.slice(2)
const states = screenStates.filter(({ name }) => !wanted.length || wanted.some((start) => name.startsWith(start)))
const root = join(import.meta.dirname, '../..')
const folder = join(root, 'shots')

if (!existsSync(join(root, 'dist/web/pages.json')))
  throw new Error('The web part is not built. Run npm run build first.')
if (!wanted.length) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

let failed = 0
await withDemonstration((run) =>
  withBrowser(async (browser) => {
    for (const locale of locales) for (const size of sizes) await draw(run, browser, locale, size)
  }),
)
console.log(`Pictures are in ${folder}.`)
process.exitCode = failed ? 1 : 0

async function draw(run: DemonstrationRun, by: Browser, locale: Locale, size: (typeof sizes)[number]) {
  const { device, width, height } = size
  /** One profile for each customer and one for nobody, so that each signs in once. */
  const profiles = new Map<string, BrowserContext>()
  for (const state of states.filter(({ only }) => !only || only === device)) {
    const file = `${state.name}--${width}x${height}--${locale}.png`
    try {
      await drawOne(state, file)
    } catch (error) {
      failed++
      console.error(`${file}: ${(error as Error).message}`)
    }
  }
  for (const profile of profiles.values()) await profile.close()

  async function openProfile(customer: string | undefined) {
    const known = profiles.get(customer ?? '')
    if (known) return known
    const profile = await by.newContext({
      baseURL: run.origin,
      locale,
      viewport: { width, height },
      timezoneId: 'Europe/Warsaw',
      reducedMotion: 'reduce',
      isMobile: device === 'phone',
      hasTouch: device === 'phone',
      serviceWorkers: 'block',
    })
    profile.setDefaultTimeout(10_000)
    profiles.set(customer ?? '', profile)
    if (customer) {
      const page = await profile.newPage()
      await page.goto(inLocale(locale, '/'))
      await signInHere(page, run, customer)
      await page.close()
    }
    return profile
  }

  async function drawOne(state: ScreenState, file: string) {
    const page = await (await openProfile(state.customer)).newPage()
    try {
      await showState({ page, run, locale }, state)
      // Fonts of what has just been shown load once it is laid out.
      await page.evaluate(() => {
        document.body.getBoundingClientRect()
        return document.fonts.ready
      })
      // The whole page, in a window as tall as it is, because bars keep to the edge of the window; behind a dialog nothing more is seen.
      if (!(await page.locator('dialog[open]').count())) {
        const tall = await page.evaluate(() => {
          scrollTo(0, 0)
          return document.documentElement.scrollHeight
        })
        await page.setViewportSize({ width, height: Math.max(height, tall) })
      }
      await page.screenshot({ path: join(folder, file) })
    } finally {
      await page.close()
    }
  }
}
