import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { browserPath } from '../tools/installed-programs.mjs'
import { median, type Figure } from './figures.ts'

export type Report = {
  performance: number
  accessibility: number
  bestPractices: number
  fcp: number
  lcp: number
  cls: number
  tbt: number
  requests: number
  /** Over the wire, with headers. */
  bytes: number
  /** Of the processor during the run, before it is slowed down. */
  benchmarkIndex: number
}

export const medianOf = (reports: readonly Report[], pick: (report: Report) => number) => median(reports.map(pick))

/** How fast the measured phone was: the blocking time cannot be compared with that of a faster one. */
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
 * Lighthouse for a phone on a slow network, with an empty cache. It is fetched when it is used: it is far too large for a
 * dependency. `cookie`: of a session.
 *
 * It attaches a debugger. V8 then collects source positions for each error that is made, and React makes some when it starts,
 * so half of the blocking time is not there for a visitor: 265 ms instead of 124 for /documents, in turn on one machine.
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

/** Not synchronously: this process serves the static form. */
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
