import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { request, type APIRequestContext } from 'playwright-core'
import { openRenewal, type Renewal } from '../contract/renewal.ts'
import { enter, type DemonstrationRun } from '../e2e/testing/demonstration-run.ts'
import { withDemonstration } from '../e2e/testing/portal-process.ts'
import { atLeast, atMost, type Figure } from './figures.ts'
import { lighthouse, medianOf, phoneSpeed, type Report } from './lighthouse.ts'

const runs = 3
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

/** The pages behind the sign-in as a phone on a slow network gets them, with an empty cache. */
export const measureSignedInPages = (): Promise<Figure[]> =>
  withDemonstration(async (run, folder) => {
    const figures: Figure[] = []
    const reports: Report[] = []
    const measure = async (address: string, name: string, cookie: string) => {
      const ofPage = await reportsOf(address, folder, cookie)
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

async function reportsOf(address: string, folder: string, cookie: string): Promise<Report[]> {
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
  ): Figure => ({
    what: `${name}: ${what}`,
    value: medianOf(reports, pick),
    unit,
    limit,
  })
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

/** With the code that the demonstration made for her. */
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
