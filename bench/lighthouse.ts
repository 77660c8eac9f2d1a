import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { browserPath } from '../tools/installed-programs.mjs'
import { median } from './figures.ts'

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
}

export const medianOf = (reports: readonly Report[], pick: (report: Report) => number) => median(reports.map(pick))

/**
 * Lighthouse for a phone on a slow network, with an empty cache. It is fetched when it is used: it is far too large for a
 * dependency. `cookie`: of a session.
 */
export async function lighthouse(url: string, directory: string, cookie?: string): Promise<Report> {
  const file = join(directory, 'lighthouse.json')
  await record(url, file, cookie).catch((error: Error) => {
    // Lighthouse lost the beginning of the trace, which is no figure of the page.
    if (!error.message.includes('NO_NAVSTART')) throw error
    return record(url, file, cookie)
  })
  const { categories, audits } = JSON.parse(readFileSync(file, 'utf8')) as {
    categories: Record<string, { score: number }>
    audits: Record<string, { numericValue: number; details?: { items?: unknown[] } }>
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
