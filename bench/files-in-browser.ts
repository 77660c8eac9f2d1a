import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { customerOf, enter, type DemonstrationRun } from '../e2e/testing/demonstration-run.ts'
import { withBrowser, withDemonstration } from '../e2e/testing/portal-process.ts'
import { atMost, type Figure } from './figures.ts'
import { residentMegabytes } from './resident-size.ts'
import { fileOfManyObjects, imageFile } from './signed-files.ts'

const login = 'malgorzata'

/** Nearly the largest file that a customer can sign or check, as one image; and one of 60,000 objects. */
const filesToSign = (): [string, Uint8Array][] => [
  ['49 MB', imageFile(49_000_000)],
  ['60,000 objects', fileOfManyObjects()],
]

/** Signing a file in the browser and checking the result there (SGN-20, CHK-2): the processor time of the page and its worker. */
export const measureFilesInBrowser = (): Promise<Figure[]> =>
  withDemonstration((run, folder) =>
    withBrowser(async (browser) => {
      const figures: Figure[] = []
      for (const [name, file] of filesToSign()) {
        const path = join(folder, 'contract.pdf')
        writeFileSync(path, file)
        figures.push(...(await measureFile(name, path, { run, browser, folder })))
      }
      return figures
    }),
  )

type Where = { run: DemonstrationRun; browser: Browser; folder: string }

async function measureFile(name: string, path: string, { run, browser, folder }: Where): Promise<Figure[]> {
  const context = await browser.newContext({ baseURL: run.origin, locale: 'en-GB' })
  await enter(run, context, login)
  const page = await context.newPage()
  await page.addInitScript(watchTasks)
  const devtools = await browser.newBrowserCDPSession()
  const figures: Figure[] = []
  await page.goto('/en/sign')
  await requireWatch(page)
  const empty = await memoryOf(devtools)
  const measure = async (what: string, act: () => Promise<unknown>) =>
    void figures.push(...(await measureStep(`${name}: ${what}`, { page, devtools, empty, act })))

  const field = page.locator('.drop input[type=file]:enabled')
  await field.waitFor({ state: 'attached' })
  await measure('reading it in /sign', async () => {
    await field.setInputFiles(path)
    await page.getByRole('button', { name: 'Send code' }).and(page.locator(':enabled')).waitFor()
  })
  await measure('its digest', async () => {
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.locator('dialog[open] input[name=code]').waitFor()
  })
  const code = await run.smsCode(customerOf(login).phone)
  await page.locator('dialog[open] input[name=code]').fill(code)
  await measure('its signature', async () => {
    await page.locator('dialog[open]').getByRole('button', { name: 'Sign files' }).click()
    await page.getByRole('heading', { name: 'Your file is signed' }).waitFor()
  })
  const save = page.getByRole('button', { name: /^Save .*pdf/ }).first()
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
  const signed = join(folder, 'signed.pdf')
  await download.saveAs(signed)

  const checking = await context.newPage()
  await checking.addInitScript(watchTasks)
  await checking.goto('/en/check')
  const chosen = checking.locator('.judge input[type=file]:enabled')
  await chosen.waitFor({ state: 'attached' })
  figures.push(
    ...(await measureStep(`${name}: checking what was signed`, {
      page: checking,
      devtools,
      empty,
      act: async () => {
        await chosen.setInputFiles(signed)
        await checking.locator('.judged').waitFor()
      },
    })),
  )
  await context.close()
  return figures
}

/** `empty`: megabytes of the page before a file was chosen. */
type Step = { page: Page; devtools: CDPSession; empty: number; act: () => Promise<unknown> }

async function measureStep(what: string, { page, devtools, empty, act }: Step): Promise<Figure[]> {
  const before = await renderersOf(devtools)
  await page.evaluate(() => (window.tasks = []))
  const started = performance.now()
  await act()
  const took = performance.now() - started
  const after = await renderersOf(devtools)
  const spent = Math.max(
    ...after.map(({ pid, seconds }) => seconds - (before.find((p) => p.pid === pid)?.seconds ?? 0)),
  )
  const longest = Math.max(0, ...(await page.evaluate(() => window.tasks)))
  const memory = (await memoryOf(devtools, 'VmHWM')) - empty
  return [
    {
      what,
      value: spent,
      unit: 's',
      limit: atMost(3),
      detail: `processor time; ${(took / 1000).toFixed(1)} s by the clock`,
    },
    {
      what: `${what}: longest task of the page`,
      value: longest,
      unit: 'ms',
      limit: atMost(50),
      detail: 'by the clock',
    },
    {
      what: `${what}: memory`,
      value: memory,
      unit: 'MB',
      limit: atMost(300),
      detail: `at its peak, besides ${empty.toFixed(0)} MB of the empty page`,
    },
  ]
}

declare global {
  interface Window {
    /** Durations of the tasks that blocked the page for more than 50 ms, in milliseconds. */
    tasks: number[]
  }
}

const watchTasks = () => {
  window.tasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.tasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
}

/** No task that blocks is a result only if one that blocks would be seen. */
async function requireWatch(page: Page) {
  await page.evaluate(() => {
    window.tasks = []
    const end = performance.now() + 100
    while (performance.now() < end);
  })
  await page.waitForFunction(() => window.tasks.length > 0)
}

const memoryOf = async (devtools: CDPSession, field: 'VmRSS' | 'VmHWM' = 'VmRSS') =>
  Math.max(...(await renderersOf(devtools)).map(({ pid }) => residentMegabytes(pid, field)))

async function renderersOf(devtools: CDPSession) {
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  return processInfo.flatMap(({ type, id, cpuTime }) => (type === 'renderer' ? [{ pid: id, seconds: cpuTime }] : []))
}
