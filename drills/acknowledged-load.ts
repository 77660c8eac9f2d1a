import { atLeast, atMost, type Figure } from '../bench/figures.ts'
import { changeMarketingConsent } from '../contract/consents.ts'
import { putCustomer } from '../contract/provider/provider-customers.ts'
import { redeemVoucher } from '../contract/vouchers.ts'
import { connect } from '../server/platform/database/database.ts'
import { loadKeys } from '../server/platform/encrypted-data/open-keys.ts'
import { collectFindings } from '../server/testing/audit-entries.ts'
import { openBrowser, type TestBrowser } from '../server/testing/browser.ts'
import { samplePerson, type TestPortal } from '../server/testing/portal-nodes.ts'
import { reachedThrough, type TestProcess } from '../server/testing/processes.ts'
import { wordingHashes } from '../server/testing/samples/registration-forms.ts'
import { giveCodes, sampleVoucher } from '../server/testing/samples/sample-vouchers.ts'
import { makeCustomer, signInAs, type Person } from '../server/testing/test-customers.ts'

const customers = 6
/** `untilAnswered` waits for this many answers. */
const answersBetween = 40

export type Outcome = { acknowledged: number; lost: number; doubled: number; findings: number }

/** Returns the figures of an outcome: every change that was answered must be stored once, and the audit trail must be intact. */
export const figuresOfOutcome = (what: string, { acknowledged, lost, doubled, findings }: Outcome): Figure[] => [
  { what: `${what}: answered and lost`, value: lost, unit: 'changes', limit: atMost(0), detail: `of ${acknowledged}` },
  { what: `${what}: done twice`, value: doubled, unit: 'changes', limit: atMost(0) },
  { what: `${what}: findings in the audit trail`, value: findings, limit: atMost(0) },
]

/**
 * Returns the figure of a control run, in which changes are answered too early and some must be lost: otherwise the drill would detect
 * nothing.
 */
export const figureOfControl = (what: string, { acknowledged, lost }: Outcome): Figure => ({
  what: `control run, ${what}: lost`,
  value: lost,
  unit: 'changes',
  limit: atLeast(1),
  detail: `of ${acknowledged}`,
})

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A customer at work: the consents that were sent since the last answer, and the consent that it confirmed. */
type Customer = { person: Person; session: string | undefined; sent: boolean[]; confirmed: boolean | undefined }

/** The senders' own list of what was answered. */
type Load = {
  /** The nodes that answer now. */
  reached: TestPortal
  people: Customer[]
  /** The ids of the customers that were put. */
  put: Set<string>
  /** The cases of the redeemed codes. */
  redeemed: Map<string, string>
  answers: number
}

/** Creates a load of calls of providers and customers. */
export async function openLoad(portal: TestPortal, nodes: readonly TestProcess[]) {
  const people: Customer[] = []
  for (let i = 0; i < customers; i++) {
    const person = await makeCustomer(portal)
    const session = (await signInAs(portal, person)).cookie
    people.push({ person, session, sent: [], confirmed: undefined })
  }
  const reached = reachedThrough(portal, nodes)
  const load: Load = { reached, people, put: new Set(), redeemed: new Map(), answers: 0 }
  return {
    reach(now: readonly TestProcess[]) {
      load.reached = reachedThrough(portal, now)
    },
    /** Waits until the load is answered again. */
    async untilAnswered() {
      for (const before = load.answers; load.answers < before + answersBetween;) await pause(5)
    },
    /** Starts the load; the function that it returns ends it. */
    run() {
      let over = false
      const stop = () => over
      const working = Promise.all([
        ...Array.from({ length: 4 }, () => provider(load, stop)),
        ...people.slice(0, 3).map((customer) => consenter(load, customer, stop)),
        ...people.slice(3).map((customer) => redeemer(load, customer, stop)),
      ])
      return async () => {
        over = true
        await working
      }
    },
    /** Compares the database with what was answered. */
    verify: (database: Database) => verify(database, load),
  }
}

/** Makes a call; undefined without an answer, and for a refusal. */
async function attempt<T>(
  load: Load,
  call: (browser: TestBrowser) => Promise<{ status: number; body: T }>,
  session?: string,
) {
  const browser = openBrowser(load.reached, { node: Math.random() < 0.5 ? 0 : 1 })
  browser.cookie = session
  try {
    const { status, body } = await call(browser)
    if (status >= 300) return undefined
    load.answers++
    return { body }
  } catch {
    await pause(10)
    return undefined
  }
}

async function provider(load: Load, stop: () => boolean) {
  while (!stop()) {
    const id = `crash-${crypto.randomUUID()}`
    const body = samplePerson()
    if (await attempt(load, (browser) => browser.call(putCustomer, { params: { customer: id }, body })))
      load.put.add(id)
  }
}

async function consenter(load: Load, customer: Customer, stop: () => boolean) {
  while (!stop()) {
    const given = Math.random() < 0.5
    customer.sent.push(given)
    customer.confirmed = undefined
    const body = { given, locale: 'pl' as const, wording: wordingHashes('pl').marketing }
    if (await attempt(load, (browser) => browser.call(changeMarketingConsent, { body }), customer.session)) {
      customer.confirmed = given
      customer.sent = [given]
    }
  }
}

async function redeemer(load: Load, { session }: Customer, stop: () => boolean) {
  while (!stop()) {
    const made = await attempt(load, async () => ({
      status: 200,
      body: await giveCodes(load.reached, sampleVoucher()),
    }))
    if (!made) continue
    const { id, code } = made.body[0]!
    // Without an answer the customer retries until there is one.
    while (!stop()) {
      const done = await attempt(load, (browser) => browser.call(redeemVoucher, { body: { code } }), session)
      if (!done) continue
      if (done.body.kind === 'voucher') load.redeemed.set(id, done.body.case.number)
      break
    }
  }
}

type Database = Pick<TestPortal, 'owner' | 'databaseUrl' | 'masterKey'>

async function verify(
  { owner, databaseUrl, masterKey }: Database,
  { people, put, redeemed, answers }: Load,
): Promise<Outcome> {
  const stored = await owner.query<{ id: string; count: number }>(
    `select provider_id as id, count(*)::int as count from accounts where provider_id like 'crash-%' group by 1`,
  )
  const counts = new Map(stored.rows.map(({ id, count }) => [id, count]))
  let lost = [...put].filter((id) => !counts.has(id)).length
  let doubled = stored.rows.filter(({ count }) => count > 1).length
  for (const { person, sent, confirmed } of people) {
    const { rows } = await owner.query<{ given: boolean }>(
      `select given from consents c join accounts a on a.id = c.account_id where a.provider_id = $1 and c.kind = 'marketing' order by c.id desc limit 1`,
      [person.id],
    )
    const now = rows[0]?.given
    const isLost = confirmed === undefined ? sent.length && now !== undefined && !sent.includes(now) : now !== confirmed
    if (isLost) lost++
  }
  const cases = await owner.query<{ number: string; code: string }>(
    `select c.number, v.provider_id as code from voucher_cases c join voucher_codes v on v.id = c.code_id`,
  )
  const byCode = Map.groupBy(cases.rows, ({ code }) => code)
  for (const [id, number] of redeemed) {
    const opened = byCode.get(id) ?? []
    if (!opened.some((voucherCase) => voucherCase.number === number)) lost++
    if (opened.length > 1) doubled++
  }
  const findings = await findTrailFaults(databaseUrl, masterKey)
  return { acknowledged: answers, lost, doubled, findings }
}

async function findTrailFaults(databaseUrl: string, masterKey: Buffer): Promise<number> {
  const keys = await loadKeys(databaseUrl, [masterKey])
  const { db, close } = connect(databaseUrl, { auditKey: keys.audit })
  try {
    return (await collectFindings(db, keys.audit)).findings.length
  } finally {
    await close()
  }
}
