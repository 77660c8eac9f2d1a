import { randomBytes, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { enterSignInCode } from '../contract/account.ts'
import { listActivity } from '../contract/activity.ts'
import { listDocuments } from '../contract/documents.ts'
import { searchCustomers } from '../contract/provider/provider-customers.ts'
import { listDocumentCases } from '../contract/provider/provider-documents.ts'
import { listProviderSignatures } from '../contract/provider/provider-signatures.ts'
import { listSignatures } from '../contract/signatures.ts'
import type { AuditEntry } from '../server/platform/audit/audit-entry.ts'
import { addAuditEntries, addAuditEntry } from '../server/platform/audit/audit.ts'
import { readDatabaseTime } from '../server/platform/database/database.ts'
import { migrate } from '../server/platform/database/migrate.ts'
import { encryptIdentifier } from '../server/platform/encrypted-data/encrypted-fields.ts'
import { loadKeys } from '../server/platform/encrypted-data/open-keys.ts'
import { tidyUp } from '../server/platform/operations/tidying.ts'
import { collectFindings } from '../server/testing/audit-entries.ts'
import { openBrowser, type TestBrowser } from '../server/testing/browser.ts'
import { createDatabase } from '../server/testing/databases.ts'
import { openTestPortal, type TestPortal } from '../server/testing/portal-nodes.ts'
import { addCustomer, signInDirectly } from '../server/testing/samples/ready-customers.ts'
import { smsCode } from '../server/testing/sent-messages.ts'
import { passPassword, type Person } from '../server/testing/test-customers.ts'
import { startTestPostgres } from '../server/testing/test-database.ts'
import { atMost, percentile, progress, type Figure } from './figures.ts'
import { fillDatabase } from './scale-data.ts'

const few = 1000
const many = Number(process.env['ACCOUNTS'] ?? 100_000)
const samples = Number(process.env['SAMPLES'] ?? 300)
const people = 100
const entriesOfDay = 2000
const entry: AuditEntry = { action: 'signed-out', accountId: null, actor: 'system' }

/** Greatest slowdown that is accepted for a database of many rows compared with one of few. */
const limits = { p50: atMost(1.6), p99: atMost(3.5) }

/** A portal whose database has rows, and customers of its own who are measured. */
type Subject = {
  /** Time at which the database had been filled. */
  since: Date
  portal: TestPortal
  customers: { person: Person; browser: TestBrowser }[]
}
type Measured = (subject: Subject, n: number) => Promise<unknown>

/**
 * Measures OPS-7: the same calls on a database of a thousand accounts and on a large one, in turn, so that other work on the machine slows
 * both.
 */
export async function measureScale(): Promise<Figure[]> {
  const settings = { shared_buffers: '2GB', max_wal_size: '8GB', maintenance_work_mem: '256MB' }
  const postgres = await startTestPostgres(tmpdir(), settings)
  const subjects: Subject[] = []
  try {
    for (const accounts of [few, many]) subjects.push(await openSubject(postgres.url, accounts))
    const compared: Figure[][] = []
    for (const [what, comparison] of Object.entries(calls)) compared.push(await compare(what, comparison, subjects))
    return compared.flat()
  } finally {
    for (const { portal } of subjects) await portal.close()
    await postgres.stop()
  }
}

async function openSubject(postgres: string, accounts: number): Promise<Subject> {
  const master = randomBytes(32)
  const database = await createDatabase('template0', postgres)
  await migrate(database.url)
  const keys = await loadKeys(database.url, [master])
  await fillDatabase(database.owner, keys, accounts, (done) => progress(`${done} of ${accounts} accounts`))
  const settings = {
    session: { idle: 28_800, absolute: 28_800 },
    sends: { perNumber: 1_000_000, perAddress: 1_000_000 },
    sms: { sending: true, countries: ['PL'], perRange: 1_000_000 },
  }
  const portal = await openTestPortal({ postgres, database, masters: [[master]], settings })
  const customers: Subject['customers'] = []
  for (let n = 0; n < people; n++) {
    const person = await addCustomer(portal)
    customers.push({ person, browser: await signInDirectly(portal, person) })
  }
  await giveCertificates(portal)
  // A day of the trail has as many entries in both.
  const since = await readDatabaseTime(portal.db)
  for (let n = 0; n < entriesOfDay; n += 500)
    await portal.db.transaction().execute((tx) =>
      addAuditEntries(
        tx,
        Array.from({ length: 500 }, () => entry),
      ),
    )
  await portal.deliver()
  await portal.owner.query('vacuum analyze')
  return { portal, customers, since }
}

/** Gives each of the measured customers four certificates, whose identifiers their lists decrypt. */
async function giveCertificates({ owner, portal: { keys } }: TestPortal): Promise<void> {
  const ids = Array.from({ length: 4 * people }, () => randomUUID())
  await owner.query(
    `with measured as (select id, row_number() over () as n from accounts where provider_id like 'c-%')
     insert into signatures (id, provider_id, account_id, product, name, identifier_type, identifier_country, identifier_value, identifier_index, period,
       valid_from, valid_to, status, certificates, certificate_index, serial_index, agreement_language)
     select g.id, g.id, m.id, 'app', 'Anna Nowak', 'PNO', 'PL', g.identifier, sha256(g.identifier), '2_year', portal_now() - interval '1 year', portal_now() + interval '1 year',
       'good', '\\x00', sha256(g.identifier), sha256(g.identifier), 'pl'
     from unnest($1::uuid[], $2::bytea[]) with ordinality as g (id, identifier, n) join measured m on m.n = (g.n + 3) / 4`,
    [ids, ids.map((id) => encryptIdentifier(keys, id, '44051401458'))],
  )
}

/** Returns the browser of a customer in the first half, who read; the second half signs in, which ends earlier sessions. */
const browserOf = ({ customers }: Subject, n: number) => customers[n % (people / 2)]!.browser

/** Reads the next page of one of the provider's lists with each call. */
function pagesOf(list: typeof listProviderSignatures | typeof listDocumentCases): Measured {
  const cursors = new Map<Subject, string | null>()
  return async (subject) => {
    const cursor = cursors.get(subject)
    const { body } = await browserOf(subject, 0).call(list, { query: cursor ? { cursor } : {} })
    cursors.set(subject, body.next)
  }
}

const searchFor =
  (by: (person: Person) => object): Measured =>
  async (subject, n) => {
    const { person, browser } = subject.customers[n % people]!
    const { body } = await browser.call(searchCustomers, { body: by(person) })
    if (!body.items.some(({ login }) => login === person.login))
      throw new Error('The search did not find the customer.')
  }

type Comparison = {
  measured: Measured
  /** The number of times it is measured. */
  samples: number
}
const withAllSamples = (measured: Measured): Comparison => ({ measured, samples })
/** Takes a fifth of the samples, for calls that take long. */
const withFewSamples = (measured: Measured): Comparison => ({ measured, samples: samples / 5 })

const calls: Record<string, Comparison> = {
  'sign-in with a code': withAllSamples(async ({ portal, customers }, n) => {
    const { person } = customers[people / 2 + (n % (people / 2))]!
    const { browser } = await passPassword(
      portal,
      person,
      openBrowser(portal, { address: `10.${n >> 8}.${n & 255}.7` }),
    )
    const { status } = await browser.call(enterSignInCode, { body: { code: smsCode(portal, person.phone) } })
    if (status !== 200) throw new Error(`The code was answered with ${status}.`)
  }),
  'list of certificates': withAllSamples((subject, n) => read(browserOf(subject, n), listSignatures)),
  'list of documents': withAllSamples((subject, n) => read(browserOf(subject, n), listDocuments)),
  'history of a customer': withAllSamples((subject, n) => read(browserOf(subject, n), listActivity)),
  'page of the provider’s certificates': withAllSamples(pagesOf(listProviderSignatures)),
  'page of the provider’s document cases': withAllSamples(pagesOf(listDocumentCases)),
  'search by a keyed hash (phone)': withAllSamples(searchFor(({ phone }) => ({ phone }))),
  'audit entry': withAllSamples(({ portal }) => portal.db.transaction().execute((tx) => addAuditEntry(tx, entry))),
  'verification of a day of the trail': withFewSamples(verifyDay),
  'cleanup of a thousand expired rows': withFewSamples(async ({ portal }) => {
    await expire(portal)
    return () => tidyUp(portal.portal)
  }),
}

/** Verifies the audit entries written since the database was filled, as one day of the trail. */
async function verifyDay({
  portal: {
    db,
    portal: { keys },
  },
  since,
}: Subject): Promise<void> {
  const period = { from: since, to: new Date(since.getTime() + 86_400_000) }
  const { records, findings } = await collectFindings(db, keys.audit, { period })
  if (findings.length || records < entriesOfDay)
    throw new Error(`The day should be whole: ${records} entries, ${findings.length} findings.`)
}

async function read(browser: TestBrowser, list: typeof listSignatures | typeof listDocuments | typeof listActivity) {
  const { status } = await browser.call(list)
  if (status !== 200) throw new Error(`${list.path} was answered with ${status}.`)
}

/** Adds as many expired rows to three tables as accumulate in ten minutes. */
const expire = ({ owner }: TestPortal) =>
  owner.query(
    `with sessions as (
       insert into sessions (token_hash, account_id, stage, ends_at, absolute_ends_at)
       select sha256(gen_random_uuid()::text::bytea), (select id from accounts limit 1), 'signed-in', portal_now() - interval '2 days', portal_now() - interval '2 days' from generate_series(1, 300)
     ), messages as (
       insert into outbox (channel, message, outcome, created_at) select 'sms', '', 'sent', portal_now() - interval '8 days' from generate_series(1, 400)
     )
     insert into idempotency (caller, key, request_hash, created_at)
     select gen_random_uuid(), n, '', portal_now() - interval '2 days' from generate_series(1, 300) n`,
  )

/** Returns the time of a call, or, if the call returns a function after its preparation, the time of that function. */
async function measureTime(measured: Measured, subject: Subject, n: number): Promise<number> {
  const started = performance.now()
  const prepared = await measured(subject, n)
  if (typeof prepared !== 'function') return performance.now() - started
  const begun = performance.now()
  await (prepared as () => Promise<unknown>)()
  return performance.now() - begun
}

async function compare(
  what: string,
  { measured, samples: count }: Comparison,
  subjects: readonly Subject[],
): Promise<Figure[]> {
  const times = subjects.map((): number[] => [])
  for (let n = 0; n < count + count / 10; n++)
    for (const [i, subject] of n % 2 ? [...subjects.entries()] : [...subjects.entries()].toReversed()) {
      const took = await measureTime(measured, subject, n)
      // The first tenth warms up.
      if (n >= count / 10) times[i]!.push(took)
    }
  const [small, large] = times.map((list) => list.toSorted((a, b) => a - b)) as [number[], number[]]
  return (
    [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const
  ).map(([name, share]) => ({
    what: `${what}, ${name} ÷ that at ${few} accounts`,
    value: percentile(large, share) / percentile(small, share),
    limit: limits[name],
    detail: `${percentile(small, share).toFixed(2)} → ${percentile(large, share).toFixed(2)} ms`,
  }))
}
