import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Download,
  type Locator,
  type Page,
  type Request,
  type Route,
} from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { readSession } from '../../contract/account.ts'
import type { Locale } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { browserPath } from '../../tools/installed-programs.mjs'

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** Browser flags for fewer processes and threads, with which the many pages take three quarters of the time. */
const thrifty = ['--in-process-gpu', '--renderer-process-limit=1']

/** Waits until a page answers: it is hydrated, its script cannot be loaded, or it has none. */
export const untilHydrated = (page: Page) =>
  page
    .locator(':root:is([data-hydrated], [data-unloaded], :not(:has(meta[name=build])))')
    .waitFor({ state: 'attached' })

const navigations = ['goto', 'reload', 'goBack', 'goForward', 'waitForURL'] as const

/** Lets each navigation of a page last until the page is hydrated, unless its options say how long to wait. */
function waitForHydration(page: Page) {
  for (const name of navigations) {
    const navigate = page[name].bind(page) as (...parameters: unknown[]) => Promise<unknown>
    const hydrated = async (...parameters: unknown[]) => {
      const outcome = await navigate(...parameters)
      const options = parameters.at(-1) as { waitUntil?: unknown } | undefined
      if (!options?.waitUntil) await untilHydrated(page)
      return outcome
    }
    Object.assign(page, { [name]: hydrated })
  }
}

let browserOfWorker: Promise<Browser> | undefined

/**
 * Opens the browser that all files of a worker share, or returns it if it is open; it ends with the worker. State is only in the profiles,
 * which end with their tests.
 */
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
 * `named`: the portal is opened by the name of the machine instead of its address, as passkeys need. `clock`: time passes by itself
 * and can be advanced by `page.clock`.
 */
type ProfileOptions = {
  locale?: Locale
  viewport?: typeof desktop
  javaScriptEnabled?: boolean
  named?: true
  clock?: true
  /** The service worker may run; elsewhere it would answer what tests intercept. */
  serviceWorker?: true
}
/** `alone`: in a profile of its own, for what cannot be undone, like an init script, or must not be, like a history. */
export type PageOptions = ProfileOptions & { tolerate?: RegExp; alone?: true }

/** Options that all profiles share. */
const environment = { timezoneId: 'Europe/Warsaw', reducedMotion: 'reduce' } as const

export function openPages(origin: string) {
  const profiles = new Set<BrowserContext>()

  /** Opens a browser profile. It ends with the file or, with `close: 'profile'`, with one of its pages after the test. */
  async function openProfile({
    locale = 'pl',
    viewport = desktop,
    javaScriptEnabled = true,
    named,
    clock,
    serviceWorker,
  }: ProfileOptions = {}) {
    const browser = await openBrowser()
    const context = await browser.newContext({
      ...environment,
      baseURL: named ? origin.replace('127.0.0.1', 'localhost') : origin,
      locale: locale === 'pl' ? 'pl-PL' : 'en-GB',
      viewport,
      javaScriptEnabled,
      serviceWorkers: serviceWorker ? 'allow' : 'block',
    })
    profiles.add(context)
    if (javaScriptEnabled) context.on('page', waitForHydration)
    context.on('close', () => profiles.delete(context))
    // The limit only ends hangs.
    context.setDefaultTimeout(60_000)
    if (clock) await context.clock.install()
    followCalls(context)
    const requireNoFaults = await watchFaults(context, origin)
    const openTab = async ({ tolerate, close }: { tolerate?: RegExp | undefined; close: 'tab' | 'profile' }) => {
      requireNoFaults(tolerate)
      const page = await context.newPage()
      onTestFinished(() => (close === 'tab' ? page : context).close())
      return page
    }
    return { context, openTab, requireNoFaults }
  }

  /** Unused profiles with one tab each, by their options. */
  const spare = new Map<string, SpareTab[]>()

  async function openSpareTab(options: ProfileOptions) {
    const { context, requireNoFaults } = await openProfile(options)
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    refuseLastingChanges(page)
    return { page, context, requireNoFaults, devtools }
  }

  /**
   * Opens a page for a new visitor. Any fault in it, unless tolerated, fails the test that opened it. Creating a profile takes longer than
   * most tests, so the page of a finished test is reset and reused.
   */
  async function openPage({ tolerate, alone, viewport = desktop, ...options }: PageOptions = {}): Promise<Page> {
    if (alone) return (await openProfile({ viewport, ...options })).openTab({ tolerate, close: 'profile' })
    const kind = JSON.stringify([
      options.locale ?? 'pl',
      options.javaScriptEnabled ?? true,
      options.named,
      options.clock,
      options.serviceWorker,
    ])
    const spares = spare.get(kind) ?? []
    spare.set(kind, spares)
    const tab = spares.pop() ?? (await openSpareTab(options))
    tab.requireNoFaults(tolerate)
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') return tab.context.close()
      await reset(tab)
      spares.push(tab)
    })
    await tab.page.setViewportSize(viewport)
    if (options.clock) await resetClock(tab.context)
    return tab.page
  }

  const closeProfiles = () => Promise.all([...profiles].map((profile) => profile.close()))
  return { openProfile, openPage, closeProfiles }
}

type SpareTab = {
  page: Page
  context: BrowserContext
  devtools: CDPSession
  requireNoFaults: (tolerate?: RegExp) => void
}

/** Refuses changes that would last into the next test: they need a page that is opened `alone`. */
function refuseLastingChanges(page: Page) {
  const refuse = () => {
    throw new Error('This change of the page cannot be undone: open it alone.')
  }
  const context = page.context()
  Object.assign(page, { addInitScript: refuse, emulateMedia: refuse, exposeFunction: refuse })
  Object.assign(context, { newCDPSession: refuse, setExtraHTTPHeaders: refuse, setOffline: refuse })
  Object.assign(context.clock, { install: refuse })
}

/** The calls of each profile that have no answer yet. */
const openCalls = new WeakMap<BrowserContext, Set<Request>>()

function followCalls(context: BrowserContext) {
  const open = new Set<Request>()
  openCalls.set(context, open)
  context.on('request', (call) => call.url().includes('/api/') && open.add(call))
  context.on('requestfinished', (call) => open.delete(call))
  context.on('requestfailed', (call) => open.delete(call))
}

/**
 * Advances the clocks of the portal and of tabs as if it were in one moment. A call that is still under way would be judged at the
 * later time, so all are answered before; and a tab that asked for its session in between would find it over before its time, so
 * that is answered afterwards.
 */
export async function betweenCalls(profile: BrowserContext, advance: () => Promise<void>) {
  const advanced = Promise.withResolvers<void>()
  const held = new Set<Request>()
  const hold = (route: Route) => {
    held.add(route.request())
    return advanced.promise.then(() => route.fallback())
  }
  await profile.route(`**${readSession.path}`, hold)
  await expect.poll(() => [...openCalls.get(profile)!].filter((call) => !held.has(call)).length).toBe(0)
  await advance()
  advanced.resolve()
  await profile.unroute(`**${readSession.path}`, hold)
}

/** Sets a clock that a test has moved or stopped back to the present, and lets it run. */
async function resetClock({ clock }: BrowserContext) {
  await clock.setSystemTime(Date.now())
  await clock.resume()
}

const eventsOfTests = [
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

/**
 * Removes what a test has left in a tab: other tabs, routes, listeners, the page, its storage and its history. The
 * browser's cache of files stays.
 */
async function reset({ page, context, devtools }: SpareTab) {
  const otherPages = context.pages().filter((open) => open !== page)
  await Promise.all(otherPages.map((open) => open.close()))
  for (const target of [page, context]) await target.unrouteAll({ behavior: 'ignoreErrors' })
  // Playwright's own listeners, for a page that is closed or has crashed, stay.
  for (const event of eventsOfTests) page.removeAllListeners(event)
  // A file of the portal without a script, which could store something again.
  await page.goto('/builds/latest.json')
  await page.evaluate(() => {
    sessionStorage.clear()
    window.name = ''
  })
  await devtools.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' })
  await devtools.send('Page.resetNavigationHistory')
  await context.clearCookies()
  openCalls.get(context)?.clear()
}

/**
 * Watches for console errors, uncaught errors, policy violations, failed requests, and requests that leave the portal. After a call of
 * the returned function any fault in any tab, unless tolerated, fails the test.
 */
async function watchFaults(context: BrowserContext, origin: string) {
  const faults: string[] = []
  // The name of the machine leads to the same portal.
  const own = [origin, origin.replace('127.0.0.1', 'localhost')]
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`CSP ${violatedDirective} blocked ${blockedURI}`)
    })
  })
  context.on('console', (message) => {
    // The browser reports each 4xx answer like this; whether it is expected is up to the journey.
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
    // Leaving a page aborts what it was still loading.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      faults.push(`failed: ${request.url()} ${request.failure()?.errorText}`)
  })
  return (tolerate?: RegExp) => {
    const before = faults.length
    onTestFinished(() => expect(faults.slice(before).filter((fault) => !tolerate?.test(fault))).toEqual([]))
  }
}

/** Waits until an element has the focus, which the page may give it after it has drawn the rest. */
export async function untilFocused(element: Locator) {
  await expect.poll(() => element.evaluate((node) => node === document.activeElement)).toBe(true)
}

/** Dispatches a paste event, which the page handles; the text that the browser itself would insert is not inserted. */
export const paste = (field: Locator, text: string) =>
  field.evaluate((input: HTMLInputElement, data) => {
    input.focus()
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', data)
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

/** Opens a select by keyboard, and chooses an option by the beginning of its name. */
export async function chooseByTyping(select: Locator, start: string) {
  const { keyboard } = select.page()
  await select.press('Enter')
  await select.page().getByRole('listbox').waitFor()
  await keyboard.type(start)
  await keyboard.press('Enter')
}

/** Replaces the spaces that keep a line from breaking by plain ones, as tests write a text. */
export const plain = (text: string) => text.replaceAll('\u00a0', ' ')

export const readFocusedText = async (page: Page) =>
  plain(await page.evaluate(() => document.activeElement?.textContent ?? ''))

export async function downloadBy(page: Page, action: () => Promise<unknown>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), action()])
  return download
}

/** Holds requests until the returned function is called. */
export async function holdRequests(page: Page, url: string | RegExp) {
  const held = Promise.withResolvers<void>()
  await page.route(url, (route) => held.promise.then(() => route.fallback()))
  return held.resolve
}

export async function pressSignOut(page: Page) {
  await page.locator('.account-button').click()
  await page.getByRole('menuitem', { name: /^(?:Wyloguj się|Sign out)$/ }).click()
}

/** Enters a code that is not the right one into the focused field. */
export async function enterWrongCode({ keyboard }: Page, right: string) {
  await keyboard.type(right === '000000' ? '000001' : '000000')
  await keyboard.press('Enter')
}

/** Pages of a customer that need no object of their own. */
export const signedInPaths = Object.values(pages)
  .filter((page) => page.needsSignIn && !page.path.includes(':'))
  .map(({ path }) => path)

/** Adds a virtual device with a fingerprint reader to the tab. */
export async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Whether the fingerprint is the owner's. */
    verifies: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** Whether somebody touches the device when it is used; without, passkeys that the login field offers stay unused. */
    isTouched: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    remove: () => devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}

const axeOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations' as const],
}

// Half as long as `axe.source`, and sent to each page once: on a plain page, both took longer than the check itself.
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns axe's findings on the page in its current state, one line for each element. */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(async (options) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options)
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  }, axeOptions)
}
