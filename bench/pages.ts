import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { request, type APIRequestContext } from 'playwright-core'
import { openRenewal, type Renewal } from '../contract/renewal.ts'
import { enter, type DemonstrationRun } from '../e2e/testing/demonstration-run.ts'
import { withDemonstration } from '../e2e/testing/portal-process.ts'
import { freePort } from '../server/testing/processes.ts'
import { browserPath } from '../tools/installed-programs.mjs'
import { atLeast, atMost, type Figure, median } from './figures.ts'

const runs = 3

/**
 * Measures the login page as a first visitor gets it: Lighthouse (mobile), compared with a bare static form. e2e/page-loads.test.ts
 * measures its size in bytes.
 */
export const measurePages = (): Promise<Figure[]> =>
  withDemonstration(({ origin }, folder) => measureOn(origin, folder))

export type Report = {
  performance: number
  accessibility: number
  bestPractices: number
  fcp: number
  lcp: number
  cls: number
  tbt: number
  requests: number
  /** Bytes transferred, with headers. */
  bytes: number
  /** Lighthouse's benchmark index of the processor during the run, before throttling. */
  benchmarkIndex: number
}

export const medianOf = (reports: readonly Report[], pick: (report: Report) => number) => median(reports.map(pick))

/** Returns the speed of the measured phone: its blocking time cannot be compared with that of a faster one. */
export function phoneSpeed(reports: readonly Report[]): Figure {
  const index = medianOf(reports, (report) => report.benchmarkIndex)
  return {
    what: 'benchmark index of this machine, slowed down four times',
    value: index / 4,
    // Chrome's developer tools calibrate by these: a Pixel 5 and a Moto G Power of 2022.
    detail: `${index.toFixed(0)} before; a phone of the middle class has 1,000, a cheap one 264`,
  }
}

/**
 * Runs Lighthouse for a phone on a slow network, with an empty cache. Lighthouse is downloaded on use, because it is far too large for a
 * dependency. `cookie`: the cookie of a session.
 *
 * Lighthouse attaches a debugger. V8 then collects source positions for each error that is created, and React creates some when it starts,
 * so half of the blocking time does not occur for a visitor: 265 ms instead of 124 for /documents, measured in turn on one machine.
 */
export async function lighthouse(url: string, directory: string, cookie?: string): Promise<Report> {
  const file = join(directory, 'lighthouse.json')
  await record(url, file, cookie).catch((error: Error) => {
    // Lighthouse lost the beginning of the trace, which is no figure of the page.
    if (!error.message.includes('NO_NAVSTART')) throw error
    return record(url, file, cookie)
  })
  const { categories, audits, environment } = JSON.parse(readFileSync(file, 'utf8')) as {
    categories: Record<string, { score: number }>
    audits: Record<string, { numericValue: number; details?: { items?: unknown[] } }>
    environment: { benchmarkIndex: number }
  }
  const score = (name: string) => Math.round(categories[name]!.score * 100)
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    fcp: audits['first-contentful-paint']!.numericValue,
    lcp: audits['largest-contentful-paint']!.numericValue,
    cls: audits['cumulative-layout-shift']!.numericValue,
    tbt: audits['total-blocking-time']!.numericValue,
    requests: audits['network-requests']!.details!.items!.length,
    bytes: audits['total-byte-weight']!.numericValue,
    benchmarkIndex: environment.benchmarkIndex,
  }
}

/** Runs Lighthouse asynchronously, because this process serves the static form. */
const record = (url: string, file: string, cookie?: string) =>
  promisify(execFile)(
    'npx',
    [
      '--yes',
      'lighthouse@13.5.0',
      url,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      '--only-categories=performance,accessibility,best-practices',
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
      ...(cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : []),
    ],
    { env: { ...process.env, CHROME_PATH: browserPath()! }, timeout: 120_000 },
  )

async function measureOn(origin: string, folder: string): Promise<Figure[]> {
  const form = await serveStaticForm()
  try {
    const subject: Report[] = []
    const bare: Report[] = []
    for (let i = 0; i < runs; i++) {
      bare.push(await lighthouse(form.origin, folder))
      subject.push(await lighthouse(origin, folder))
    }
    const ratio = median(subject.map((report, i) => report.lcp / bare[i]!.lcp))
    const score = (name: string, pick: (report: Report) => number, least: number): Figure => ({
      what: `Lighthouse mobile: ${name}`,
      value: medianOf(subject, pick),
      limit: atLeast(least),
    })
    return [
      score('performance', (r) => r.performance, 99),
      score('accessibility', (r) => r.accessibility, 100),
      score('best practices', (r) => r.bestPractices, 100),
      { what: 'cumulative layout shift', value: Math.max(...subject.map((r) => r.cls)), limit: atMost(0) },
      phoneSpeed(subject),
      { what: 'total blocking time', value: medianOf(subject, (r) => r.tbt), unit: 'ms', limit: atMost(50) },
      {
        what: 'largest contentful paint ÷ a bare static form',
        value: ratio,
        limit: atMost(1.15),
        detail: `${medianOf(subject, (r) => r.lcp).toFixed(0)} and ${medianOf(bare, (r) => r.lcp).toFixed(0)} ms`,
      },
    ]
  } finally {
    form.close()
  }
}

/** Serves the same two fields and a button with nothing else, the fastest page possible. */
async function serveStaticForm() {
  const html = `<!doctype html><html lang="pl"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Logowanie</title></head><body><main><h1>Zaloguj się</h1><form><p><label>Login lub e-mail<br><input name="login"></label></p><p><label>Hasło<br><input name="password" type="password"></label></p><button>Zaloguj się</button></form></main></body></html>`
  const body = brotliCompressSync(html)
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' }).end(body),
  )
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const names = [
  '/home',
  '/certificates/signatures',
  '/certificates/seals',
  '/certificates/timestamps',
  '/documents',
  '/my-cases',
  '/my-data',
  '/security',
]

/** Measures the pages behind the sign-in as a phone on a slow network gets them, with an empty cache. */
export const measureSignedInPages = (): Promise<Figure[]> =>
  withDemonstration(async (run, folder) => {
    const figures: Figure[] = []
    const reports: Report[] = []
    const measure = async (address: string, name: string, cookie: string) => {
      const ofPage = await measureReports(address, folder, cookie)
      reports.push(...ofPage)
      figures.push(...figuresOf(name, ofPage))
    }
    const zofia = await signIn(run, 'zofia')
    for (const name of names) await measure(run.origin + name, name, zofia.cookie)
    const malgorzata = await signIn(run, 'malgorzata')
    const uid = await startRenewal(run, malgorzata.client, folder)
    await measure(`${run.origin}/renewal/${uid}`, '/renewal/:uid', malgorzata.cookie)
    for (const { client } of [zofia, malgorzata]) await client.dispose()
    return [...figures, phoneSpeed(reports)]
  })

async function measureReports(address: string, folder: string, cookie: string): Promise<Report[]> {
  const reports: Report[] = []
  for (let i = 0; i < runs; i++) reports.push(await lighthouse(address, folder, cookie))
  return reports
}

function figuresOf(name: string, reports: readonly Report[]): Figure[] {
  const figure = (
    what: string,
    unit: string,
    limit: NonNullable<Figure['limit']>,
    pick: (report: Report) => number,
  ): Figure => ({ what: `${name}: ${what}`, value: medianOf(reports, pick), unit, limit })
  return [
    figure('requests', '', atMost(15), (r) => r.requests),
    figure('bytes', 'kB', atMost(250), (r) => r.bytes / 1000),
    figure('first contentful paint', 'ms', atMost(1000), (r) => r.fcp),
    figure('largest contentful paint', 'ms', atMost(1600), (r) => r.lcp),
    figure('total blocking time', 'ms', atMost(150), (r) => r.tbt),
    { what: `${name}: cumulative layout shift`, value: Math.max(...reports.map((r) => r.cls)), limit: atMost(0) },
    figure('performance', '', atLeast(95), (r) => r.performance),
  ]
}

async function signIn(run: DemonstrationRun, login: string) {
  const client = await request.newContext()
  await enter(run, { request: client }, login)
  const { cookies } = await client.storageState()
  return { client, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
}

/** Starts Małgorzata's renewal with the code that the demonstration made for her. */
async function startRenewal({ origin }: DemonstrationRun, client: APIRequestContext, folder: string) {
  const file = join(folder, 'data/provider/voucher-codes.json')
  const codes = JSON.parse(readFileSync(file, 'utf8')) as { code: string; what: string }[]
  const { code } = codes.find(({ what }) => what === 'renewal of demo-malgorzata-app')!
  const answer = await client.post(origin + openRenewal.path, {
    headers: { origin, 'idempotency-key': crypto.randomUUID() },
    data: { code },
  })
  return ((await answer.json()) as Renewal).uid
}
