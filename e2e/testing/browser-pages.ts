import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Locale } from '../contract/enums.ts'
import { browserPath } from '../tools/installed-programs.mjs'

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** Nobody looks at the pages, and many are opened: fewer processes and threads draw them in three quarters of the time. */
const thrifty = ['--in-process-gpu', '--renderer-process-limit=1']

let browserOfWorker: Promise<Browser> | undefined

/** One browser for all files of a worker: what it keeps, it keeps in the profiles, which end with their tests. It ends with the worker. */
async function openBrowser(): Promise<Browser> {
  browserOfWorker ??= chromium.launch({ executablePath: browserPath()!, args: ['--no-sandbox', ...thrifty] })
  try {
    const browser = await browserOfWorker
    if (browser.isConnected()) return browser
  } catch (error) {
    browserOfWorker = undefined
    throw error
  }
  browserOfWorker = undefined
  return openBrowser()
}

/**
 * `named`: the portal is opened by the machine's name instead of its address, as passkeys need. `clock`: its time goes on by itself and can
 * be moved on by `page.clock`.
 */
type ProfileOptions = {
  locale?: Locale
  viewport?: typeof desktop
  javaScriptEnabled?: boolean
  named?: true
  clock?: true
}
/** `alone`: in a profile of its own, for what cannot be taken back, like a script before each page, or must not be, like a history. */
type PageOptions = ProfileOptions & { tolerate?: RegExp; alone?: true }

/** Opens profiles and pages of a portal at this address. */
export function pagesOf(origin: string) {
  const profiles = new Set<BrowserContext>()

  /** A browser profile. It ends with the file; or with a page of it, by `close`, which ends with the test. */
  async function openProfile({
    locale = 'pl',
    viewport = desktop,
    javaScriptEnabled = true,
    named,
    clock,
  }: ProfileOptions = {}) {
    const baseURL = named ? origin.replace('127.0.0.1', 'localhost') : origin
    const browser = await openBrowser()
    const context = await browser.newContext({
      baseURL,
      locale: locale === 'pl' ? 'pl-PL' : 'en-GB',
      viewport,
      javaScriptEnabled,
      timezoneId: 'Europe/Warsaw',
      reducedMotion: 'reduce',
    })
    profiles.add(context)
    context.on('close', () => profiles.delete(context))
    // It only ends what hangs.
    context.setDefaultTimeout(60_000)
    if (clock) await context.clock.install()
    const faults = await watchFaults(context, origin)
    /** What goes wrong from now on in any tab, unless tolerated, fails the test. */
    const demandNoFaults = (tolerate?: RegExp) => {
      const before = faults.length
      onTestFinished(() => expect(faults.slice(before).filter((fault) => !tolerate?.test(fault))).toEqual([]))
    }
    const openTab = async ({ tolerate, close }: { tolerate?: RegExp | undefined; close: 'tab' | 'profile' }) => {
      demandNoFaults(tolerate)
      const page = await context.newPage()
      onTestFinished(() => (close === 'tab' ? page : context).close())
      return page
    }
    return { context, openTab, demandNoFaults }
  }

  /** Profiles with one tab each that no test has now, by what they were opened for. */
  const spare = new Map<string, SpareTab[]>()

  async function openSpareTab(options: ProfileOptions) {
    const { context, demandNoFaults } = await openProfile(options)
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    refuseWhatLasts(page)
    return { page, context, demandNoFaults, devtools }
  }

  /**
   * A page as a new visitor has it. Whatever goes wrong in it, unless tolerated, fails the test that opened it. A new profile costs more
   * than most tests do in it, so a page that its test is done with is emptied and passed on to the next.
   */
  async function openPage({ tolerate, alone, viewport = desktop, ...options }: PageOptions = {}): Promise<Page> {
    if (alone) return (await openProfile({ viewport, ...options })).openTab({ tolerate, close: 'profile' })
    const kind = JSON.stringify([
      options.locale ?? 'pl',
      options.javaScriptEnabled ?? true,
      options.named,
      options.clock,
    ])
    const spares = spare.get(kind) ?? []
    spare.set(kind, spares)
    const tab = spares.pop() ?? (await openSpareTab(options))
    tab.demandNoFaults(tolerate)
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') return tab.context.close()
      await empty(tab)
      spares.push(tab)
    })
    await tab.page.setViewportSize(viewport)
    if (options.clock) await setRight(tab.context)
    return tab.page
  }

  const closeProfiles = () => Promise.all([...profiles].map((profile) => profile.close()))
  return { openProfile, openPage, closeProfiles }
}

type SpareTab = {
  page: Page
  context: BrowserContext
  devtools: CDPSession
  demandNoFaults: (tolerate?: RegExp) => void
}

/** What would be there for the next test as well is for a page that is opened `alone`. */
function refuseWhatLasts(page: Page) {
  const refuse = () => {
    throw new Error('This stays with the page for good: open it alone.')
  }
  const context = page.context()
  Object.assign(page, { addInitScript: refuse, emulateMedia: refuse, exposeFunction: refuse })
  Object.assign(context, { newCDPSession: refuse, setExtraHTTPHeaders: refuse, setOffline: refuse })
  Object.assign(context.clock, { install: refuse })
}

/** A clock that a test has moved or stopped shows the present again, and goes. */
async function setRight({ clock }: BrowserContext) {
  await clock.setSystemTime(Date.now())
  await clock.resume()
}

const heardByTests = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'framenavigated',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
  'worker',
] as const

/** Takes from a tab what its test has left there: other tabs, routes, listeners, the page, what it keeps, and the way back to it. The browser's cache of files stays. */
async function empty({ page, context, devtools }: SpareTab) {
  const others = context.pages().filter((other) => other !== page)
  await Promise.all(others.map((other) => other.close()))
  for (const holder of [page, context]) await holder.unrouteAll({ behavior: 'ignoreErrors' })
  // Playwright's own, for a page that is closed or has crashed, stay.
  for (const event of heardByTests) page.removeAllListeners(event)
  // A place of the portal without a script, which would keep something again.
  await page.goto('/builds/latest.json')
  await page.evaluate(() => {
    sessionStorage.clear()
    window.name = ''
  })
  await devtools.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' })
  await devtools.send('Page.resetNavigationHistory')
  await context.clearCookies()
}

/** Console errors, uncaught errors, policy violations, failed requests, and requests that leave the portal. */
async function watchFaults(context: BrowserContext, origin: string) {
  const faults: string[] = []
  // The machine's name leads to the same portal.
  const own = [origin, origin.replace('127.0.0.1', 'localhost')]
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`CSP ${violatedDirective} blocked ${blockedURI}`)
    })
  })
  context.on('console', (message) => {
    // The browser reports each answer of 4xx so; whether it is right is for the journey to say.
    if (
      message.type() === 'error' &&
      !message.text().startsWith('Failed to load resource: the server responded with a status of 4')
    )
      faults.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => faults.push(`uncaught: ${String(error.error())}`))
  context.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !own.includes(new URL(request.url()).origin))
      faults.push(`left the portal: ${request.url()}`)
  })
  context.on('requestfailed', (request) => {
    // A page that is left gives up what it was still loading.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      faults.push(`failed: ${request.url()} ${request.failure()?.errorText}`)
  })
  return faults
}
