import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { signIn } from '../../contract/account.ts'
import { requestDataExport } from '../../contract/data-export.ts'
import { limits } from '../../contract/limits.ts'
import { eraseCustomer, getCustomer, putCustomer } from '../../contract/provider/provider-customers.ts'
import { warsawDay } from '../../contract/rules/warsaw-time.ts'
import { endDataExports, readExportedData } from '../data-export/data-export-files.ts'
import { removeDiscarded } from '../platform/files/discarded-files.ts'
import { tidyUp } from '../platform/operations/tidying.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { givePasskey } from '../testing/authenticators.ts'
import { openBrowser } from '../testing/browser.ts'
import { findAccountId } from '../testing/database-state.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { now, sampleIdentification, samplePerson } from '../testing/portal-nodes.ts'
import { openTestProvider } from '../testing/provider.ts'
import { dumpDatabase, findIn } from '../testing/samples/canaries.ts'
import { fillTables, listNames, readStoredColumns } from '../testing/samples/customer-tables.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { giveDocument } from '../testing/samples/sample-documents.ts'
import { giveObjects } from '../testing/samples/sample-objects.ts'
import { passPassword, makeCustomer } from '../testing/test-customers.ts'
import { endRetention } from './erasure.ts'

const portal = await openPortal({ nodes: 2, settings: manySends })

const erase = (customer: string, node = 0) => openBrowser(portal).call(eraseCustomer, { params: { customer } }, node)
const files = () =>
  readdirSync(portal.documentsFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
const tidy = async () => {
  await endDataExports(portal.portal)
  await endRetention(portal.portal)
  await removeDiscarded(portal.db, portal.portal.ports.documents)
}
const tidied = async () => {
  await tidy()
  return files()
}
const run = (statement: string, account: string) => portal.owner.query(statement, [account])
const count = async (from: string, account: string) =>
  (await portal.owner.query<{ n: number }>(`select count(*)::int as n from ${from}`, [account])).rows[0]!.n

/** Creates a customer with one object of each kind. */
async function leaver() {
  const provider = await openTestProvider(portal)
  const person = await addCustomer(portal, { identification: sampleIdentification })
  const browser = await signInDirectly(portal, person)
  const { account } = await giveObjects(portal, provider, person, browser)
  await browser.call(requestDataExport, { body: { locale: 'pl' } })
  await portal.deliver()
  await fillTables(portal.owner, account)
  return { person, account, browser }
}

/** Active services: an account with any of them cannot be erased. */
const running = [
  `update signatures set valid_to = now() - interval '1 day' where account_id = $1`,
  `update seal_users set status = 'deleted', deleted_at = now() where account_id = $1`,
  `update timestamp_accounts set active = false where account_id = $1`,
  `update document_cases set status = 'canceled' where account_id = $1`,
  `update voucher_cases set status = 'finished-successfully' where account_id = $1`,
]

/** Statements that start a single service again after all have ended, and the statement that ends it. */
const alone = [
  [
    [`update signatures set valid_to = now() + interval '1 day' where account_id = $1`],
    `update signatures set status = 'revoked' where account_id = $1`,
  ],
  [[`update seal_users set status = 'active', deleted_at = null where account_id = $1`], running[1]!],
  [[`update timestamp_accounts set active = true where account_id = $1`], running[2]!],
  [[`update voucher_cases set status = 'in-progress' where account_id = $1`], running[4]!],
  [
    [
      `update renewals set state = 'personal-data' where account_id = $1`,
      `update renewals set state = 'signing', terms = 'x', terms_sha256 = 'x', agreement_key = 'agreements/' || id, agreement_sha256 = 'x' where account_id = $1`,
      `update renewals set state = 'authorised' where account_id = $1`,
    ],
    `update renewals set state = 'signing' where account_id = $1`,
  ],
] as const

test('R87 an account with any active service is not erased or changed', async () => {
  const { person, account, browser } = await leaver()
  const refused = async (what: string) => {
    expect([what, (await erase(person.id)).problem.code]).toEqual([what, 'customer-in-use'])
    expect(await count('personal_data where account_id = $1', account)).toBe(1)
  }
  await refused('all of them')
  // Only the first document waits for the customer.
  for (const end of running.toSorted((a, b) => Number(a.includes('document')) - Number(b.includes('document')))) {
    if (end.includes('document')) await refused(end)
    await run(end, account)
  }
  for (const [begin, end] of alone) {
    for (const statement of begin) await run(statement, account)
    await refused(begin[0])
    await run(end, account)
  }
  expect((await browser.call(requestDataExport, { body: { locale: 'pl' } })).status).not.toBe(401)
  expect((await erase(person.id, 1)).status).toBe(200)
})

test('R87 erasure removes names, numbers, credentials, marketing consents and files; evidence is kept until its period ends, to the second; then only the audit trail is left', async () => {
  const filesBefore = files()
  const { person, account, browser } = await leaver()
  // One case ended well: its documents are evidence.
  for (const status of ['subscriber-downloaded', 'subscriber-uploaded', 'issuer-uploaded', 'finished'])
    await run(`update document_cases set status = '${status}' where account_id = $1`, account)
  const { documentCase } = await giveDocument(portal, person.id)
  await run(`update document_cases set status = 'canceled' where id = $1`, documentCase)
  for (const end of running.filter((statement) => !statement.includes('document_cases'))) await run(end, account)
  const start = await now(portal.db)
  await portal.clock.stopAt(start)
  const tables = (await readStoredColumns(portal.owner)).filter(({ column }) => column === 'account_id')
  const withRows = async () => {
    const counts = tables.map(
      async ({ table: name }) => [name, await count(`${name} where account_id = $1`, account)] as const,
    )
    return (await Promise.all(counts)).flatMap(([name, rows]) => (rows ? [name] : [])).toSorted()
  }
  const erased = await erase(person.id)
  // In the database, which has its own rule for years without a 29 February.
  const { rows: periods } = await sql<{ until: Date }>`
    select portal_now() + make_interval(years => ${limits.retention.evidenceYears}) as until`.execute(portal.ownerDb)
  const { until } = periods[0]!
  expect(erased).toMatchObject({ status: 200, body: { heldUntil: until.toISOString() } })
  await portal.deliver()
  const mail = portal.mails.find(({ to, subject }) => to === person.email && subject.includes('zostało usunięte'))!
  expect(mail.text).toContain(warsawDay(until).slice(0, 4))
  await tidy()

  // These names find no account, no sign-in works, and another call gets 'not-found'.
  const dump = await dumpDatabase(portal.owner)
  for (const word of [person.email, person.phone, person.login]) expect([word, findIn(dump, word)]).toEqual([word, []])
  expect((await browser.call(requestDataExport, { body: { locale: 'pl' } })).status).toBe(401)
  const body = { login: person.login, password: person.password, botProof: crypto.randomUUID() }
  expect((await openBrowser(portal).call(signIn, { body })).problem.code).toBe('login-refused')
  for (const again of [
    await erase(person.id),
    await openBrowser(portal).call(getCustomer, { params: { customer: person.id } }),
  ])
    expect(again.status).toBe(404)

  const held = (await readExportedData(portal.portal, account)).json as Record<string, Record<string, unknown>[]>
  expect(held['account']).toMatchObject({ login: '', email: '', phone: '', firstName: '', surname: '' })
  // A table that is not listed here has nothing left of a customer whose evidence is kept.
  const evidence = ['audit', 'consents', 'document_cases', 'erasures', 'reported_acceptances', 'seal_users'].concat(
    'signatures',
    'status_requests',
    'voucher_cases',
  )
  expect(await withRows()).toEqual(evidence)
  expect(listNames(held).toSorted()).toEqual(
    ['account', 'consents', 'documents', 'documents.files', 'reportedAcceptances', 'seals', 'signatures'].concat(
      'statusRequests',
      'vouchers',
    ),
  )
  expect(new Set(held['consents']!.map(({ kind }) => kind))).toEqual(new Set(['privacy', 'terms']))
  expect(held['signatures']).toMatchObject([{ agreement: { sha256: expect.stringMatching(/./) }, pairedAt: null }])
  expect(held['documents']).toMatchObject([{ status: 'finished' }])
  expect(held['seals']).toMatchObject([{ access: 'deleted', email: '', phone: '', pairedAt: null }])
  expect(await count('data_exports where account_id = $1', account)).toBe(0)
  expect(await count(`idempotency where caller = $1`, account)).toBe(0)
  const kept = files().filter((name) => !filesBefore.includes(name))
  // The agreement of the certificate, the document of the finished case, and the agreement of the seal, which is the organisation's.
  const kinds = kept.map((name) => name.split('/').at(-2))
  expect(kinds.toSorted((a, b) => (a! < b! ? -1 : 1))).toEqual(['agreements', 'agreements', 'documents'])

  await portal.clock.stopAt(new Date(until.getTime() - 1000))
  await tidy()
  expect(await count('signatures where account_id = $1', account)).toBe(1)
  await portal.clock.stopAt(until)
  await tidy()
  expect(await withRows()).toEqual(['audit'])
  expect(await count('accounts where id = $1', account)).toBe(0)
  expect(files().filter((name) => kept.includes(name)).length).toBe(1)
  expect(await count('audit where account_id = $1', account)).toBeGreaterThan(10)
  const ended = await auditEntries(portal, { account })
  expect(ended.filter(({ action }) => /^(?:customer-erased|evidence-removed)$/.test(action))).toMatchObject([
    { action: 'customer-erased', actor: 'provider' },
    { action: 'evidence-removed', actor: 'system' },
  ])
  await portal.clock.stopAt(start)
})

test('R251 evidence that has expired stays with its files during a legal hold, and ends after it', async () => {
  const start = await now(portal.db)
  const others = new Set(files())
  const own = async () => (await tidied()).filter((name) => !others.has(name))
  const { person, account } = await leaver()
  for (const end of running) await run(end, account)
  expect((await erase(person.id)).status).toBe(200)
  await run('update accounts set held_at = portal_now() where id = $1', account)
  const before = await own()
  await portal.clock.advance(limits.retention.evidenceYears * 366 * 86_400)
  expect(await own()).toEqual(before)
  expect(await count('erasures where account_id = $1', account)).toBe(1)
  await run('update accounts set held_at = null where id = $1', account)
  expect((await own()).length).toBeLessThan(before.length)
  expect(await count('accounts where id = $1', account)).toBe(0)
  await portal.clock.stopAt(start)
})

test('R87 of a customer without evidence nothing is kept, and the names become available', async () => {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  await givePasskey(portal, browser, person)
  const { browser: waiting } = await passPassword(portal, person)
  const account = await findAccountId(portal, person)
  expect(await erase(person.id)).toMatchObject({ status: 200, body: { heldUntil: null } })
  expect(await count('accounts where id = $1', account)).toBe(0)
  expect((await waiting.raw('POST', '/api/sign-in/code/send', {})).status).toBe(401)
  const { login, email } = person
  const body = samplePerson({ login, email })
  const again = await openBrowser(portal).call(putCustomer, { params: { customer: person.id }, body })
  expect(again).toMatchObject({ status: 200, body: { state: 'invited' } })
})

test('R87 REG-5 the portal cannot delete the consents of a customer who was not erased', async () => {
  const { account } = await leaver()
  await sql`select forget_marketing(${account})`.execute(portal.db)
  expect(await count(`consents where account_id = $1 and kind = 'marketing'`, account)).toBe(1)
})

test('R87 the removal of a file is retried, and its row is removed after it', async () => {
  const { documents } = portal.portal.ports
  await removeDiscarded(portal.db, documents)
  const key = `exports/${crypto.randomUUID()}`
  const { bytes } = await documents.write(key, Readable.from([Buffer.from('left')]), 10)
  expect(bytes).toBe(4)
  await portal.owner.query('insert into discarded_files values ($1)', [key])
  const stuck = { ...documents, remove: async () => Promise.reject(new Error('EIO')) }
  await expect(removeDiscarded(portal.db, stuck)).rejects.toThrow('EIO')
  expect((await portal.owner.query('select from discarded_files')).rowCount).toBe(1)
  await removeDiscarded(portal.db, documents)
  expect((await portal.owner.query('select from discarded_files')).rowCount).toBe(0)
  expect(await documents.read(key)).toBeUndefined()
})

const hour = 3600
const day = 24 * hour

/** A row of the account `$1` that ends, or was made, at `$2`, and for how many seconds it is kept from then on. */
const passing: { what: string; insert: string; where: string; kept: number }[] = [
  {
    what: 'a session that has ended',
    insert: `insert into sessions (token_hash, account_id, stage, ends_at, absolute_ends_at) values ('old', $1, 'signed-in', $2, $2)`,
    where: `sessions where token_hash = 'old'`,
    kept: day,
  },
  {
    what: 'an expired code of a live session',
    insert: `with one as (insert into sessions (token_hash, account_id, stage, ends_at, absolute_ends_at)
        values ('new', $1, 'signed-in', $2::timestamptz + interval '1 year', $2::timestamptz + interval '1 year') returning id)
      insert into codes (account_id, session_id, purpose, object, code_mac, expires_at) select $1, id, 'sign-in', id, 'x', $2 from one`,
    where: `codes`,
    kept: day,
  },
  {
    what: 'a device that was not seen again',
    insert: `insert into devices (token_hash, account_id, expires_at) values ('old', $1, $2)`,
    where: `devices where token_hash = 'old'`,
    kept: 0,
  },
  {
    what: 'a link of a mail',
    insert: `insert into links (token_hash, account_id, purpose, expires_at) values ('old', $1, 'reset', $2)`,
    where: `links where token_hash = 'old'`,
    kept: 30 * day,
  },
  {
    what: 'a count of tries',
    insert: `insert into rate_limits (name, key, spent, forget_at) select 'old', 'x', '{}', $2 where $1::uuid is not null`,
    where: `rate_limits where name = 'old'`,
    kept: 0,
  },
  {
    what: 'a stored answer to a request',
    insert: `insert into idempotency (caller, key, request_hash, created_at) values ($1, 'old', 'x', $2)`,
    where: `idempotency where key = 'old'`,
    kept: day,
  },
  ...(
    [
      ['sent', 7 * day],
      ['expired', 7 * day],
      ['dead', 30 * day],
    ] as const
  ).map(([outcome, kept]) => ({
    what: `a message that is ${outcome}`,
    insert: `insert into outbox (channel, message, outcome, created_at) select 'mail', '', '${outcome}', $2 where $1::uuid is not null`,
    where: `outbox where outcome = '${outcome}'`,
    kept,
  })),
]

test('R87 expired rows are removed when their period ends, to the second, and not before', async () => {
  const account = await findAccountId(portal, await makeCustomer(portal))
  // Only rows that this test inserts count.
  await portal.owner.query('delete from outbox')
  await portal.owner.query('delete from codes')
  const start = await now(portal.db)
  const at = (seconds: number) => portal.clock.stopAt(new Date(start.getTime() + seconds * 1000))
  await at(0)
  for (const { insert } of passing) await portal.owner.query(insert, [account, start])
  const left = async () => {
    const there: string[] = []
    for (const { what, where } of passing)
      if ((await portal.owner.query(`select from ${where}`)).rowCount === 1) there.push(what)
    return there
  }
  const times = [...new Set(passing.map(({ kept }) => kept))].toSorted((a, b) => a - b)
  for (const time of times)
    for (const seconds of [time, time + 1]) {
      await at(seconds)
      await tidyUp(portal.portal)
      const expected = passing.filter(({ kept }) => kept >= seconds).map(({ what }) => what)
      expect([seconds, await left()]).toEqual([seconds, expected])
    }
})

test('R87 more than one batch of expired rows is removed at once, so that a busy portal does not grow', async () => {
  const { owner, db } = portal
  await portal.clock.stopAt(await now(db))
  await owner.query(
    `insert into rate_limits (name, key, spent, forget_at)
     select 'many', convert_to(n::text, 'UTF8'), '{}', portal_now() - interval '1 second' from generate_series(1, 2500) n`,
  )
  await tidyUp(portal.portal)
  expect((await owner.query(`select from rate_limits where name = 'many'`)).rowCount).toBe(0)
})
