import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { changeMarketingConsent } from '../contract/consents.ts'
import { putCustomer } from '../contract/provider-api.ts'
import { redeemVoucher } from '../contract/vouchers.ts'
import { verifyTrail } from '../server/audit-verify.ts'
import { openDatabase } from '../server/db.ts'
import { startPostgres } from '../server/embedded-postgres.ts'
import { migrate } from '../server/migrate.ts'
import { openKeys } from '../server/open-keys.ts'
import { openTestPortal, somebody, type TestPortal } from '../server/test-app.ts'
import { makeCustomer, openBrowser, signInAs, type Person, type TestBrowser } from '../server/test-browser.ts'
import { openProcess, reachedThrough, type TestProcess } from '../server/test-processes.ts'
import { shown } from '../server/test-registration.ts'
import { giveCodes, sampleVoucher } from '../server/test-vouchers.ts'
import type { Figure } from './figures.ts'

const cycles = 100
const customers = 6
/** So many acts are answered from one kill to the next, at the least. */
const answersBetween = 40
/** A node or the database is killed this long after the load goes on, at the most. */
const longestMs = 250

type Victim = 'node' | 'database'
type Outcome = { acknowledged: number; lost: number; doubled: number; findings: number }

/**
 * R90: a node, or PostgreSQL with all its processes, is killed in the middle of a mixed load, a hundred times each. Every act that
 * was answered must be there once, and the audit trail whole. The control run lets the database answer before it has
 * written (`synchronous_commit=off`), and must lose: otherwise the drill would see nothing.
 */
export async function measureCrashes(): Promise<Figure[]> {
  const node = await drill('node', 'on')
  const database = await drill('database', 'on')
  const control = await drill('database', 'off')
  const most = (value: number) => ({ at: 'most' as const, value })
  const told = (who: string, { acknowledged, lost, doubled, findings }: Outcome): Figure[] => [
    {
      what: `${cycles} × kill -9 of ${who}: answered and lost`,
      value: lost,
      unit: 'acts',
      limit: most(0),
      detail: `of ${acknowledged}`,
    },
    { what: `${cycles} × kill -9 of ${who}: done twice`, value: doubled, unit: 'acts', limit: most(0) },
    { what: `${cycles} × kill -9 of ${who}: findings in the audit trail`, value: findings, unit: '', limit: most(0) },
  ]
  return [
    ...told('a node', node),
    ...told('the database', database),
    {
      what: 'control run, not written before it is answered: lost',
      value: control.lost,
      unit: 'acts',
      limit: { at: 'least', value: 1 },
      detail: `of ${control.acknowledged}`,
    },
  ]
}

async function drill(victim: Victim, commit: 'on' | 'off'): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-crashes-'))
  // A killed process leaves what it wrote with the kernel, so fsync is not what is tried here. A slow writer of the log makes the control lose more.
  const settings = {
    fsync: 'off',
    synchronous_commit: commit,
    max_connections: '200',
    ...(commit === 'off' ? { wal_writer_delay: '1000ms' } : {}),
  }
  let server = await startPostgres(directory, settings)
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('create database sygnet_template')
  await client.end()
  const template = new URL(server.url)
  template.pathname = '/sygnet_template'
  await migrate(template.href)
  const portal = await openTestPortal({ postgres: server.url })
  try {
    const nodes = await Promise.all([openProcess(portal), openProcess(portal)])
    const load = await openLoad(portal, nodes)
    const finish = load.run()
    for (let cycle = 0; cycle < cycles; cycle++) {
      await load.goesOn()
      await pause(Math.random() * longestMs)
      if (victim === 'node') {
        const which = cycle % 2
        await nodes[which]!.kill()
        nodes[which] = await openProcess(portal)
        load.reach(nodes)
      } else {
        killDatabase(directory)
        server = await startAgain(directory, settings)
      }
      // What an entry has paid that was killed stays paid, and would end the load.
      await retried(() => portal.owner.query('delete from budgets'))
      if (cycle % 20 === 19) process.stderr.write(`  ${victim}, commit ${commit}: ${cycle + 1} killed\n`)
    }
    await load.goesOn()
    await finish()
    const outcome = await load.judge()
    await Promise.all(nodes.map((node) => node.close()))
    return outcome
  } finally {
    await portal.close().catch(() => {})
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The postmaster first, so that it starts nobody anew, and then whoever it had started. */
function killDatabase(directory: string): void {
  const postmaster = Number(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster)
    .map(Number)
  for (const pid of [postmaster, ...children]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Gone by itself.
    }
  }
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return 0
  }
}

/** What the killed processes shared may take a moment to be free. */
const startAgain = (directory: string, settings: Record<string, string>) =>
  retried(() => startPostgres(directory, settings))

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 100) throw error
      await pause(50)
    }
  }
}

/** A customer at work: what they have asked for since the last answer, and what that answer said. */
type Holder = { person: Person; session: string | undefined; given: boolean[]; sure: boolean | undefined }

/** Providers' and customers' acts, and the senders' own list of what was answered. */
async function openLoad(portal: TestPortal, nodes: readonly TestProcess[]) {
  let reached = reachedThrough(portal, nodes)
  const people: Holder[] = []
  for (let i = 0; i < customers; i++) {
    const person = await makeCustomer(portal)
    const session = (await signInAs(portal, person)).cookie
    people.push({ person, session, given: [], sure: undefined })
  }
  const put = new Set<string>()
  const redeemed = new Map<string, string>()
  const doubted: string[] = []
  let answers = 0

  /** Undefined when there was no answer, or none that says it was done. */
  async function tried<T>(
    call: (browser: TestBrowser) => Promise<{ status: number; body: T }>,
    session?: string,
    node = Math.random() < 0.5 ? 0 : 1,
  ) {
    const browser = openBrowser(reached, { node })
    browser.cookie = session
    try {
      const { status, body } = await call(browser)
      if (status >= 300) return undefined
      answers++
      return { body }
    } catch {
      await pause(10)
      return undefined
    }
  }

  async function provider(stop: () => boolean) {
    while (!stop()) {
      const id = `crash-${crypto.randomUUID()}`
      const body = somebody()
      if (await tried((browser) => browser.call(putCustomer, { params: { customer: id }, body }))) put.add(id)
    }
  }

  async function customer(one: Holder, stop: () => boolean) {
    while (!stop()) {
      const given = Math.random() < 0.5
      one.given.push(given)
      one.sure = undefined
      const body = { given, locale: 'pl' as const, wording: shown('pl').marketing }
      if (await tried((browser) => browser.call(changeMarketingConsent, { body }), one.session)) {
        one.sure = given
        one.given = [given]
      }
    }
  }

  async function redeemer(one: Holder, stop: () => boolean) {
    while (!stop()) {
      const made = await tried(async () => ({ status: 200, body: (await giveCodes(reached, sampleVoucher()))[0]! }))
      if (!made) continue
      const { id, code } = made.body
      // Without an answer the customer tries again, as often as it takes.
      while (!stop()) {
        const done = await tried((browser) => browser.call(redeemVoucher, { body: { code } }), one.session)
        if (!done) {
          if (!doubted.includes(id)) doubted.push(id)
          continue
        }
        if (done.body.kind === 'voucher') redeemed.set(id, done.body.case.number)
        break
      }
    }
  }

  return {
    reach(now: readonly TestProcess[]) {
      reached = reachedThrough(portal, now)
    },
    /** Waits until the load is answered again. */
    async goesOn() {
      for (const before = answers; answers < before + answersBetween;) await pause(5)
    },
    /** Begins the load; what it gives back ends it. */
    run() {
      let over = false
      const stop = () => over
      const working = Promise.all([
        ...Array.from({ length: 4 }, () => provider(stop)),
        ...people.slice(0, 3).map((one) => customer(one, stop)),
        ...people.slice(3).map((one) => redeemer(one, stop)),
      ])
      return async () => {
        over = true
        await working
      }
    },
    async judge(): Promise<Outcome> {
      const { owner } = portal
      const stored = await owner.query<{ id: string; count: number }>(
        `select provider_id as id, count(*)::int as count from accounts where provider_id like 'crash-%' group by 1`,
      )
      const counts = new Map(stored.rows.map(({ id, count }) => [id, count]))
      let lost = [...put].filter((id) => !counts.has(id)).length
      let doubled = stored.rows.filter(({ count }) => count > 1).length
      for (const { person, given, sure } of people) {
        const { rows } = await owner.query<{ given: boolean }>(
          `select given from consents c join accounts a on a.id = c.account_id where a.provider_id = $1 and c.kind = 'marketing' order by c.id desc limit 1`,
          [person.id],
        )
        const now = rows[0]?.given
        if (sure !== undefined ? now !== sure : given.length && now !== undefined && !given.includes(now)) lost++
      }
      const cases = await owner.query<{ number: string; code: string }>(
        `select c.number, v.provider_id as code from voucher_cases c join voucher_codes v on v.id = c.code_id`,
      )
      const byCode = Map.groupBy(cases.rows, ({ code }) => code)
      for (const [id, number] of redeemed) {
        const held = byCode.get(id) ?? []
        if (!held.some((one) => one.number === number)) lost++
        if (held.length > 1) doubled++
      }
      const findings = await trailFindings(portal)
      return { acknowledged: answers, lost, doubled, findings }
    },
  }
}

async function trailFindings(portal: TestPortal): Promise<number> {
  const keys = await openKeys(portal.databaseUrl, [portal.masterKey])
  const { db, close } = openDatabase(portal.databaseUrl, { auditKey: keys.audit })
  try {
    let findings = 0
    await db
      .transaction()
      .execute((tx) => verifyTrail(tx, keys.audit, { known: [], now: () => undefined }, () => void findings++))
    return findings
  } finally {
    await close()
  }
}
