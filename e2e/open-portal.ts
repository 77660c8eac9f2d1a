import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, expect, inject, onTestFinished } from 'vitest'
import { enterSignInCode, signIn } from '../contract/account.ts'
import type { Locale } from '../contract/enums.ts'
import { inLocale } from '../contract/pages.ts'
import { clockOf, createDatabase } from '../server/testing/databases.ts'
import { customerOf, freePort, startDemonstration, type DemonstrationRun } from '../tools/demonstration-run.ts'
import { browserPath } from '../tools/installed-programs.mjs'

const root = join(import.meta.dirname, '..')

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

export const say = <T>(locale: Locale, words: Record<Locale, T>) => words[locale]

/** The portal of a test file: the real program on a database of its own, and what opens pages of it. It ends with the file. */
export async function openPortal(environment: Record<string, string> = {}) {
  if (!existsSync(join(root, 'dist/web/pages.json')))
    spawnSync(process.execPath, ['tools/build.ts'], { cwd: root, stdio: 'inherit' })
  const { template, directory: filled } = await filledDemonstration()
  const database = await createDatabase(template)
  const port = await freePort()
  const directory = `${filled}-${port}`
  cpSync(filled, directory, { recursive: true })
  markFilled(directory, port)
  const run = await startDemonstration({ ...environment, ...onOurDatabase(database.url), DATA_DIR: directory }, port)
  const { openProfile, openPage, closeProfiles } = pagesOf(run.origin)

  afterAll(async () => {
    await closeProfiles()
    await run.stop()
    await database.drop()
    rmSync(directory, { recursive: true })
  })

  const { owner } = database
  return { ...run, ...signInBy(run), openProfile, openPage, owner, directory, clock: clockOf(owner) }
}

/** Nobody looks at the pages, and many are opened: fewer processes and threads draw them in three quarters of the time. */
const thrifty = ['--in-process-gpu', '--renderer-process-limit=1']

let browserOfWorker: Promise<Browser> | undefined

/** One browser for all files of a worker: what it keeps, it keeps in the profiles, which end with their tests. It ends with the worker. */
async function openBrowser(): Promise<Browser> {
  const running = await browserOfWorker
  if (running?.isConnected()) return running
  browserOfWorker = chromium.launch({ executablePath: browserPath()!, args: ['--no-sandbox', ...thrifty] })
  return browserOfWorker
}

/** A demonstration on a database of its own must be declared public (R122). */
const onOurDatabase = (url: string) => ({ DEMONSTRATION_PUBLIC: 'on', DATABASE_URL: url })

type Destination = { locale?: Locale; to?: string }

/**
 * Signing in by the calls of the login page. How one signs in by the page itself is for the journeys of that to show; all the
 * others would only draw it once more.
 */
function signInBy(run: DemonstrationRun) {
  /** Signs a browser profile in, without a page. */
  async function enter(profile: BrowserContext, login: string) {
    const { password, phone: number } = customerOf(login)
    const send = async (path: string, data: object) => {
      const answer = await profile.request.post(run.origin + path, { headers: { origin: run.origin }, data })
      if (!answer.ok()) throw new Error(`${login} cannot sign in: ${path} answers ${await answer.text()}`)
    }
    await send(signIn.path, { login, password })
    await send(enterSignInCode.path, { code: await run.smsCode(number) })
  }

  /** Signs the profile of a page in, and opens `/home` there, or the place asked for. */
  async function signInOn(page: Page, login: string, { locale = 'pl', to = '/home' }: Destination = {}) {
    await enter(page.context(), login)
    await page.goto(inLocale(locale, to))
    await page.waitForURL(run.origin + inLocale(locale, to))
    await page.locator('.who__name').waitFor({ state: 'attached' })
    // It takes the focus, which the keys that follow go by.
    await page.locator('h1').first().waitFor()
  }

  return { enter, signIn: signInOn }
}

/**
 * Filling the demonstration takes longer than any journey, so the first file of a test run does it for all:
 * the others take copies of its database and its data folder. Both go with the PostgreSQL of the run.
 */
async function filledDemonstration() {
  const template = 'e2e_demonstration'
  const client = new pg.Client({ connectionString: inject('postgres') })
  await client.connect()
  try {
    // One file fills, the others wait.
    await client.query('select pg_advisory_lock(1)')
    const { rows } = await client.query<{ directory: string; filled: boolean }>(
      `select current_setting('data_directory') as directory, exists (select from pg_database where datname = $1) as filled`,
      [template],
    )
    const directory = join(rows[0]!.directory, '../e2e-demonstration')
    if (!rows[0]!.filled) {
      // What a file that failed has left.
      await client.query(`drop database if exists e2e_filling with (force)`)
      rmSync(directory, { recursive: true, force: true })
      await client.query(`create database e2e_filling template sygnet_template`)
      const url = new URL(inject('postgres'))
      url.pathname = '/e2e_filling'
      mkdirSync(directory, { recursive: true })
      const run = await startDemonstration({ ...onOurDatabase(url.href), DATA_DIR: directory })
      await run.stop()
      await client.query(`alter database e2e_filling rename to e2e_demonstration`)
    }
    return { template, directory }
  } finally {
    await client.end()
  }
}

/** The demonstration fills itself anew at another address; a copy says that it has been filled at its own. */
function markFilled(directory: string, port: number) {
  const mark = join(directory, 'demonstration.json')
  writeFileSync(mark, readFileSync(mark, 'utf8').replace(/\d+$/, String(port)))
}

/** `named`: the portal is opened by the machine's name instead of its address, as passkeys need. */
type ProfileOptions = { locale?: Locale; viewport?: typeof desktop; javaScriptEnabled?: boolean; named?: true }
type PageOptions = ProfileOptions & { tolerate?: RegExp }

function pagesOf(origin: string) {
  const profiles = new Set<BrowserContext>()

  /** A browser profile. It ends with the file; or with a page of it, by `close`, which ends with the test. */
  async function openProfile({
    locale = 'pl',
    viewport = desktop,
    javaScriptEnabled = true,
    named,
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
    const faults = await watchFaults(context, origin)
    /** What goes wrong from now on in any tab, unless tolerated, fails the test. */
    const demandNoFaults = (tolerate?: RegExp) => {
      faults.length = 0
      onTestFinished(() => expect(faults.filter((fault) => !tolerate?.test(fault))).toEqual([]))
    }
    const openTab = async ({ tolerate, close }: { tolerate?: RegExp | undefined; close: 'tab' | 'profile' }) => {
      demandNoFaults(tolerate)
      const page = await context.newPage()
      onTestFinished(() => (close === 'tab' ? page : context).close())
      return page
    }
    return { context, openTab, demandNoFaults }
  }

  /** A page in a browser profile of its own. Whatever goes wrong in it, unless tolerated, fails the test that opened it. */
  async function openPage({ tolerate, ...options }: PageOptions = {}): Promise<Page> {
    return (await openProfile(options)).openTab({ tolerate, close: 'profile' })
  }

  const closeProfiles = () => Promise.all([...profiles].map((profile) => profile.close()))
  return { openProfile, openPage, closeProfiles }
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
