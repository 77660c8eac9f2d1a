import { changeMarketingConsent } from '../contract/consents.ts'
import { putCustomer } from '../contract/provider-api.ts'
import { redeemVoucher } from '../contract/vouchers.ts'
import { verifyTrail } from '../server/audit-verify.ts'
import { openDatabase } from '../server/db.ts'
import { openKeys } from '../server/open-keys.ts'
import { somebody, type TestPortal } from '../server/testing/portal-nodes.ts'
import { makeCustomer, openBrowser, signInAs, type Person, type TestBrowser } from '../server/testing/browser.ts'
import { reachedThrough, type TestProcess } from '../server/testing/processes.ts'
import { shown } from '../server/testing/registration-forms.ts'
import { giveCodes, sampleVoucher } from '../server/testing/sample-vouchers.ts'

const customers = 6
/** So many acts are answered while `goesOn` waits. */
const answersBetween = 40

export type Outcome = { acknowledged: number; lost: number; doubled: number; findings: number }

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A customer at work: what they have asked for since the last answer, and what that answer said. */
type Holder = { person: Person; session: string | undefined; given: boolean[]; sure: boolean | undefined }

/** Providers' and customers' acts, and the senders' own list of what was answered. */
export async function openLoad(portal: TestPortal, nodes: readonly TestProcess[]) {
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
    /** What of all that was answered is where. */
    async judge({
      owner,
      databaseUrl,
      masterKey,
    }: Pick<TestPortal, 'owner' | 'databaseUrl' | 'masterKey'>): Promise<Outcome> {
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
      const findings = await trailFindings(databaseUrl, masterKey)
      return { acknowledged: answers, lost, doubled, findings }
    },
  }
}

async function trailFindings(databaseUrl: string, masterKey: Buffer): Promise<number> {
  const keys = await openKeys(databaseUrl, [masterKey])
  const { db, close } = openDatabase(databaseUrl, { auditKey: keys.audit })
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
