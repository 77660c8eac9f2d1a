import type { Browser } from 'playwright-core'
import { customerOf, passPassword, smsField, type DemonstrationRun } from '../e2e/testing/demonstration-run.ts'
import { withBrowser, withDemonstration } from '../e2e/testing/portal-process.ts'
import { atMost, type Figure, median } from './figures.ts'

const runs = 5

/** Lighthouse's mobile network and processor. */
const slow4g = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 750_000 / 8 }
const slowdown = 4

/** From the last digit of the correct code to a home page that can be used, on a phone, with an empty cache. */
export async function measureArrival(): Promise<Figure[]> {
  const times: number[] = []
  await withDemonstration((run) =>
    withBrowser(async (browser) => {
      for (let i = 0; i < runs; i++) times.push(await arrive(browser, run))
    }),
  )
  return [
    {
      what: 'from the correct SMS code to a usable home page',
      value: median(times),
      unit: 'ms',
      limit: atMost(1000),
      detail: times.map((time) => time.toFixed(0)).join(', '),
    },
  ]
}

async function arrive(browser: Browser, run: DemonstrationRun): Promise<number> {
  const page = await browser.newPage({ baseURL: run.origin, viewport: { width: 390, height: 844 }, isMobile: true })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow4g)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto('/')
  await page.locator('form button[type=submit]:enabled').waitFor()
  await passPassword(page, 'zofia')
  const field = await smsField(page)
  const code = await run.smsCode(customerOf('zofia').phone)
  // Reading and typing a code takes longer than the requests of the page.
  await page.waitForLoadState('networkidle')
  // Playwright's own wait looks in every frame, which slows a phone down.
  const usable = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const check = () => {
          const isThere = document.querySelector('.controls:enabled .tiles')
          if (isThere && !document.querySelector('main [aria-busy=true]')) resolve()
        }
        new MutationObserver(check).observe(document, { subtree: true, childList: true, attributes: true })
      }),
  )
  const begun = performance.now()
  await field.fill(code)
  await usable
  const took = performance.now() - begun
  await page.close()
  return took
}
