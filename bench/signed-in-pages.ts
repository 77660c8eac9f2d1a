import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enterSignInCode, signIn } from '../contract/account.ts'
import { customerOf, messagesOf } from '../e2e/testing/demonstration-run.ts'
import { startPortal } from '../e2e/testing/portal-process.ts'
import { atLeast, atMost, type Figure, median } from './figures.ts'
import { lighthouse, type Report } from './lighthouse.ts'

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
export async function measureSignedInPages(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-bench-pages-'))
  const portal = await startPortal(process.execPath, ['server/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    dataDirectory: directory,
  })
  await portal.demonstrationReady
  try {
    const cookie = await sessionOf(portal.origin, 'zofia')
    const figures: Figure[] = []
    for (const name of names) figures.push(...(await measurePage(portal.origin, name, directory, cookie)))
    return figures
  } finally {
    await portal.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function measurePage(origin: string, name: string, directory: string, cookie: string): Promise<Figure[]> {
  const reports: Report[] = []
  for (let i = 0; i < runs; i++) reports.push(await lighthouse(origin + name, directory, cookie))
  const middle = (pick: (report: Report) => number) => median(reports.map(pick))
  const figure = (what: string, value: number, unit: string, limit: Figure['limit']) => ({
    what: `${name}: ${what}`,
    value,
    unit,
    ...(limit && { limit }),
  })
  return [
    figure(
      'requests',
      middle((r) => r.requests),
      '',
      atMost(15),
    ),
    figure('bytes', middle((r) => r.bytes) / 1000, 'kB', atMost(250)),
    figure(
      'first contentful paint',
      middle((r) => r.fcp),
      'ms',
      atMost(1000),
    ),
    figure(
      'largest contentful paint',
      middle((r) => r.lcp),
      'ms',
      atMost(1600),
    ),
    figure(
      'total blocking time',
      middle((r) => r.tbt),
      'ms',
      atMost(150),
    ),
    figure('cumulative layout shift', Math.max(...reports.map((r) => r.cls)), '', atMost(0)),
    figure(
      'performance',
      middle((r) => r.performance),
      '',
      atLeast(95),
    ),
  ]
}

/** The cookie of a session, by the calls of the login page. */
async function sessionOf(origin: string, login: string): Promise<string> {
  const { password, phone } = customerOf(login)
  const { smsCode } = await messagesOf(origin)
  const post = async (path: string, body: object, cookie?: string) => {
    const headers = { 'content-type': 'application/json', origin, ...(cookie && { cookie }) }
    const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.headers.getSetCookie()[0]!.split(';')[0]!
  }
  const cookie = await post(signIn.path, { login, password })
  return post(enterSignInCode.path, { code: await smsCode(phone) }, cookie)
}
