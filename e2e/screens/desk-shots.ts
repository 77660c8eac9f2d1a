import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { locales, type Locale } from '../../contract/enums.ts'
import { withBrowser, withDemonstration } from '../testing/portal-process.ts'
import { deskStates } from './desk-screens.ts'
import { freePort } from '../../server/testing/processes.ts'

// `node e2e/screens/desk-shots.ts` draws every state of the desk, after `npm run build`; with names, those that begin so.
const wanted = process.argv.slice(2)
const states = deskStates.filter(({ name }) => !wanted.length || wanted.some((start) => name.startsWith(start)))
const folder = join(import.meta.dirname, '../../shots')
mkdirSync(folder, { recursive: true })
const port = String(await freePort())
process.env.DESK_PORT = port
process.env.DESK_TASKS = 'on'
const origin = `http://127.0.0.1:${port}`

await withDemonstration(() =>
  withBrowser(async (browser) => {
    for (const locale of locales) for (const width of [1280, 820]) await draw(browser, locale, width)
  }),
)
console.log(`Pictures are in ${folder}.`)

async function draw(browser: Browser, locale: Locale, width: number) {
  for (const person of new Set(states.map(({ person: each }) => each))) {
    const page = await browser.newPage({
      baseURL: origin,
      locale,
      viewport: { width, height: 800 },
      timezoneId: 'Europe/Warsaw',
      reducedMotion: 'reduce',
    })
    page.setDefaultTimeout(10_000)
    if (person) await signIn(page, person)
    for (const { name, path, steps = [], shows } of states.filter((state) => state.person === person)) {
      const file = `${name}--${width}--${locale}.png`
      try {
        await page.goto(path)
        await page.locator('h1').first().waitFor()
        for (const step of steps) await step(page)
        if (shows) await page.locator(shows).first().waitFor()
        await page.evaluate(() => document.fonts.ready)
        const isDialog = (await page.locator('dialog[open]').count()) > 0
        await page.screenshot({ path: join(folder, file), fullPage: !isDialog })
      } catch (error) {
        process.exitCode = 1
        console.error(`${file}: ${(error as Error).message}`)
      }
    }
    await page.close()
  }
}

async function signIn(page: Page, person: string) {
  await page.goto('/desk')
  await page.locator('main button').click()
  await page.getByRole('button', { name: person }).click()
  await page.waitForURL(`${origin}/desk`)
}
