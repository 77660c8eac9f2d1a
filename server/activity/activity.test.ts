import { afterEach, expect, test } from 'vitest'
import { extendSession, signIn } from '../../contract/account.ts'
import { activityObjectText } from '../../contract/activity-object.ts'
import { exportActivity, listActivity, type ActivityEntry } from '../../contract/activity.ts'
import { auditActions, auditActionsOf, type AuditAction } from '../../contract/audit-actions.ts'
import { internalActions } from '../../contract/desk/internal-actions.ts'
import { listDocuments } from '../../contract/documents.ts'
import { locales } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { removePasskey } from '../../contract/passkeys.ts'
import { blockCustomer } from '../../contract/provider/provider-customers.ts'
import { removeDocumentCase } from '../../contract/provider/provider-documents.ts'
import { removeSeal } from '../../contract/provider/provider-seals.ts'
import { removeSignature } from '../../contract/provider/provider-signatures.ts'
import { removeTimestampAccount } from '../../contract/provider/provider-timestamps.ts'
import { listSeals } from '../../contract/seals.ts'
import { listSignatures } from '../../contract/signatures.ts'
import { listTimestampAccounts } from '../../contract/timestamps.ts'
import { listVoucherCases } from '../../contract/vouchers.ts'
import type { AuditEntry } from '../platform/audit/audit-entry.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { watchWork } from '../testing/concurrency.ts'
import { findAccountId } from '../testing/database-state.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openTestProvider } from '../testing/provider.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { giveObjects } from '../testing/samples/sample-objects.ts'
import { inviteTo, makeSeal } from '../testing/samples/sample-seals.ts'
import { giveTimestampAccount } from '../testing/samples/sample-timestamps.ts'
import { makeCustomer, signInAs, type Person } from '../testing/test-customers.ts'
import { readRows } from './activity.ts'

const portal = await openPortal({ nodes: 2 })

afterEach(() => portal.clock.advance(0))

const consent = { details: { kind: 'marketing', version: '2026-01-01' } }

/** Audits actions of the customer, each at its time. */
async function recordAt(person: Person, moments: readonly (readonly [string, AuditAction, Partial<AuditEntry>?])[]) {
  const accountId = await findAccountId(portal, person)
  for (const [moment, action, over] of moments) {
    await portal.clock.stopAt(new Date(moment))
    await portal.db.transaction().execute((tx) => addAuditEntry(tx, { action, accountId, actor: 'customer', ...over }))
  }
}

const list = async (browser: TestBrowser, query: Parameters<typeof listOf>[1] = {}) =>
  (await listOf(browser, query)).body
const listOf = (browser: TestBrowser, query: Record<string, string> = {}) => browser.call(listActivity, { query })
const actsIn = async (browser: TestBrowser, query: Record<string, string>) =>
  (await list(browser, query)).items.map(({ act }) => act)
const download = (browser: TestBrowser, query: Record<string, string>) =>
  browser.raw('GET', `${exportActivity.path}?${new URLSearchParams({ locale: 'pl', format: 'csv', ...query })}`)

test('AUT-9 every audit action has a text in both languages, and each kind has actions', () => {
  for (const text of Object.values({ ...auditActions, ...internalActions }))
    for (const locale of locales) expect(text[locale]).toMatch(/^\p{Lu}[^.]{4,80}$/u)
  expect(auditActionsOf()).not.toContain('keys-rotated')
  expect(auditActionsOf('sign-in')).toContain('sign-in-refused')
})

test('AUT-9 R34 the history shows what happened in the account, newest first, with address and device; and nothing of others', async () => {
  const [person, otherCustomer] = [await makeCustomer(portal), await makeCustomer(portal)]
  const stranger = openBrowser(portal, { address: '203.0.113.200' })
  await stranger.call(signIn, { body: { login: person.login, password: 'Wrong-Password-1!' } })
  const browser = await signInAs(portal, person, openBrowser(portal, { address: '198.51.100.9' }))
  await signInAs(portal, otherCustomer)
  const { items } = await list(browser)
  expect(items.map(({ act, address, actor }) => [act, actor, address])).toEqual([
    ['sign-in-finished', 'customer', '198.51.100.9'],
    ['code-sent', 'customer', '198.51.100.9'],
    ['sign-in-refused', 'customer', '203.0.113.200'],
    ['password-set', 'customer', '198.51.100.7'],
    ['customer-created', 'provider', null],
  ])
  expect(items[0]).toMatchObject({ factor: 'sms', device: null })
  expect((await list(browser, {})).items).toEqual(items)
  // The provider's address is not shown, and its actions are.
  await openBrowser(portal).call(blockCustomer, { params: { customer: otherCustomer.id } })
  expect(JSON.stringify(await list(browser))).not.toContain('account-blocked')
})

test('AUT-9 the history is filtered by kind and by days of the Polish calendar, both ends included', async () => {
  const person = await makeCustomer(portal)
  await recordAt(person, [
    ['2030-03-30T22:59:59.000Z', 'signed-out'],
    ['2030-03-30T23:00:00.000Z', 'password-changed'],
    // The day on which the clocks go forward has 23 hours.
    ['2030-03-31T21:59:59.000Z', 'consent-given', consent],
    ['2030-03-31T22:00:00.000Z', 'agreement-downloaded'],
  ])
  await portal.clock.stopAt(new Date('2030-04-02T10:00:00Z'))
  const browser = await signInAs(portal, person)
  const day = '2030-03-31'
  expect(await actsIn(browser, { from: day, to: day })).toEqual(['consent-given', 'password-changed'])
  expect(await actsIn(browser, { to: '2030-03-30' })).toContain('signed-out')
  expect(await actsIn(browser, { from: '2030-04-01', kind: 'certificates' })).toEqual(['agreement-downloaded'])
  expect(await actsIn(browser, { kind: 'personal-data', to: '2030-12-31', from: day })).toEqual(['consent-given'])
  expect(await actsIn(browser, { from: '2030-04-01', to: day })).toEqual([])
  for (const query of [{ kind: 'internal' }, { from: '2030-02-30' }, { to: "2030-03-31' or 1=1" }])
    expect((await listOf(browser, query as never)).status).toBe(400)
})

test('AUT-9 R36 pages follow each other by a cursor that holds for this history, this filter and this customer', async () => {
  const person = await makeCustomer(portal)
  const second = (i: number) => `2030-05-01T10:00:${String(i).padStart(2, '0')}.000Z`
  const entries = Array.from(
    { length: 45 },
    (_, i) => [second(i), 'code-sent', { address: `192.0.2.${i % 2}` }] as const,
  )
  await recordAt(person, entries)
  await portal.clock.stopAt(new Date('2030-05-01T11:00:00Z'))
  const browser = await signInAs(portal, person)
  const security = { from: '2030-05-01', kind: 'security' }
  const pages: string[][] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Awaited<ReturnType<typeof list>> = await list(browser, { ...security, ...(cursor && { cursor }) })
    pages.push(page.items.map(({ id }) => id))
    cursor = page.next
    // What happens meanwhile moves no page.
    if (pages.length === 1) await browser.call(extendSession)
  }
  const seen = pages.flat()
  expect(pages.map(({ length }) => length)).toEqual([20, 20, 6])
  expect(seen.map(Number)).toEqual([...new Set(seen.map(Number))].toSorted((a, b) => b - a))
  const { next } = await list(browser, security)
  const stranger = await signInAs(portal, await makeCustomer(portal))
  for (const [by, query] of [
    [browser, { ...security, kind: 'sign-in', cursor: next! }],
    [browser, { ...security, cursor: `${next!.slice(0, -2)}AA` }],
    [stranger, { ...security, cursor: next! }],
  ] as const)
    expect(await listOf(by, query)).toMatchObject({ status: 400, problem: { code: 'cursor-refused' } })
})

test('AUT-9 DAT-6 R76 the history downloads as a table whose cells no spreadsheet takes for formulas, in either language', async () => {
  const person = await makeCustomer(portal)
  await recordAt(person, [
    ['2030-06-01T10:00:00.000Z', 'signed-out', { address: '=HYPERLINK("https://evil.example","x")' }],
    ['2030-06-01T10:00:04.000Z', 'signed-out', { address: '\tx' }],
    ['2030-06-01T10:00:04.000Z', 'signed-out', { address: '\tx' }],
    [
      '2030-06-01T10:00:05.000Z',
      'sign-in-finished',
      { address: '192.0.2.1', details: { browser: 'chrome', system: 'windows', factor: 'sms' } },
    ],
  ])
  await portal.clock.stopAt(new Date('2030-06-02T11:00:00Z'))
  const browser = await signInAs(portal, person)
  const day = { from: '2030-06-01', to: '2030-06-01' }
  const answer = await download(browser, day)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toContain('filename="historia-aktywnosci.csv"')
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())
  expect(text).toBe(
    [
      '\ufeff"Kiedy";"Co się stało";"Czego dotyczy";"Kto";"Urządzenie";"Adres IP"',
      '"2030-06-01 12:00:05";"Zalogowano do portalu";"";"klient";"Chrome, Windows";"192.0.2.1"',
      ...Array.from({ length: 2 }, () => `"2030-06-01 12:00:04";"Wylogowano";"";"klient";"";"'\tx"`),
      `"2030-06-01 12:00:00";"Wylogowano";"";"klient";"";"'=HYPERLINK(""https://evil.example"",""x"")"`,
      '',
    ].join('\r\n'),
  )
  const english = await (await download(browser, { locale: 'en', ...day })).text()
  expect(english).toContain('"When","What happened","About","Who","Device","IP address"')
  const json = await (await download(browser, { locale: 'en', format: 'json', ...day })).json()
  // The page has equal ones that follow each other in one row (AUT-12), the file has each.
  const newest = { act: 'sign-in-finished', words: 'Signed in to the portal', factor: 'sms' }
  expect(json).toMatchObject([newest, {}, {}, {}])
  expect((await list(browser, day)).items.map(({ count }) => count)).toEqual([1, 2, 1])
  const { items: downloads } = await list(browser, { from: '2030-06-02', kind: 'personal-data' })
  expect(downloads.map(({ act, count }) => [act, count])).toEqual([['activity-exported', 3]])
  for (let i = 3; i < limits.activity.exports.limit; i++) await download(browser, {})
  expect((await download(browser, {})).status).toBe(429)
})

const provider = await openTestProvider(portal)
const { call } = openBrowser(portal)
const query = { reason: 'wrong-customer' as const }

const historyOf = async (browser: TestBrowser) =>
  (await browser.call(listActivity, { query: { size: '100' } })).body.items
const day = (instant: string) => instant.slice(0, 10)
const sealText = 'Pieczęć w\u00a0aplikacji mobilnej, Stowarzyszenie Łączność – pieczęć'
/** Returns the object of the newest entry of an action: its text, and whether a page shows it to the customer. */
function about(entries: readonly ActivityEntry[], action: AuditAction) {
  const object = entries.find(({ act }) => act === action)!.object
  return object && { text: activityObjectText('pl', object, day), isListed: object.shown?.isListed }
}

/** Adds entries to an account, regardless of who owns the objects that they name. */
async function addEntries(person: Person, ...entries: Pick<AuditEntry, 'action' | 'details'>[]) {
  const accountId = await findAccountId(portal, person)
  await portal.db.transaction().execute(async (tx) => {
    for (const entry of entries) await addAuditEntry(tx, { ...entry, accountId, actor: 'customer' })
  })
}

test('AUT-12 R34 each entry names what it is about, but nothing of somebody else’s', async () => {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  const given = await giveObjects(portal, provider, person, browser)
  const { voucherCase, passkey, seal, sealUser } = given
  const entries = await historyOf(browser)
  const certificate = /^Podpis w\u00a0aplikacji mobilnej, Anna Nowak, do \d{4}-\d\d-\d\d$/
  const listed = (text: unknown) => ({ text, isListed: true })
  expect(about(entries, 'agreement-stored')).toEqual(listed(expect.stringMatching(certificate)))
  expect(about(entries, 'renewal-opened')).toEqual(listed(expect.stringMatching(certificate)))
  expect(about(entries, 'document-stored')).toEqual(listed('Sprawa W/2026/117'))
  expect(about(entries, 'voucher-redeemed')).toEqual(listed(`Sprawa ${voucherCase}`))
  expect(about(entries, 'timestamp-account-stored')).toEqual(listed('Konto tsa-01'))
  expect(about(entries, 'timestamp-package-stored')).toEqual(listed('Konto tsa-01'))
  expect(about(entries, 'passkey-added')!.text).toMatch(/^Klucz ./)
  expect(about(entries, 'seal-user-stored')).toEqual(listed(sealText))
  expect(about(entries, 'code-sent')).toBeNull()
  await addEntries(person, { action: 'seal-user-invited', details: { seal, user: sealUser } })
  const [{ name }] = await portal.rows(`select first_name || ' ' || surname as name from seal_users where id = $1`, [
    sealUser,
  ])
  expect(about(await historyOf(browser), 'seal-user-invited')!.text).toBe(`${name}, ${sealText}`)

  const stranger = await addCustomer(portal)
  const [{ id: caseId }] = await portal.rows('select id from voucher_cases where number = $1', [voucherCase])
  await addEntries(
    stranger,
    { action: 'agreement-downloaded', details: { signature: given.signature } },
    { action: 'renewal-opened', details: { renewal: given.renewal, signature: given.signature } },
    { action: 'document-stored', details: { documentCase: given.documentCase } },
    { action: 'voucher-redeemed', details: { voucherCase: caseId } },
    { action: 'timestamp-account-stored', details: { timestampAccount: given.timestampAccount } },
    { action: 'passkey-added', details: { passkey } },
    { action: 'seal-user-invited', details: { seal, user: sealUser } },
    { action: 'certificate-downloaded', details: { signature: 'no id' } },
  )
  const foreign = (await historyOf(await signInDirectly(portal, stranger))).filter(({ object }) => object)
  expect(foreign).toHaveLength(8)
  expect(foreign.map(({ object }) => object!.shown)).toEqual(foreign.map(() => null))
})

test('AUT-12 what was removed has no link; an ended membership of a seal keeps the name', async () => {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  const given = await giveObjects(portal, provider, person, browser)
  await browser.call(removePasskey, { params: { id: given.passkey } })
  await call(removeDocumentCase, { params: { case: given.providerDocumentCase }, query })
  await call(removeTimestampAccount, { params: { account: given.providerTimestampAccount }, query })
  await call(removeSeal, { params: { seal: given.providerSeal }, query })
  await call(removeSignature, { params: { signature: given.providerSignature }, query })
  const entries = await historyOf(browser)
  const removed = (text: string) => ({ text, isListed: undefined })
  expect(about(entries, 'filed-object-removed')).toEqual(removed('Usunięty podpis'))
  expect(about(entries, 'agreement-stored')).toEqual(removed('Usunięty podpis'))
  expect(about(entries, 'document-stored')).toEqual(removed('Usunięta sprawa'))
  expect(about(entries, 'timestamp-package-stored')).toEqual(removed('Usunięte konto'))
  expect(about(entries, 'seal-user-stored')).toEqual(removed('Usunięta pieczęć'))
  expect(about(entries, 'passkey-added')).toEqual(removed('Usunięty klucz'))
  expect(about(entries, 'passkey-removed')).toBeNull()

  const [administrator, user] = [person, await addCustomer(portal)]
  const seal = await makeSeal(portal, provider, [
    { person: administrator, role: 'admin', status: 'active' },
    { person: user, role: 'user', status: 'active' },
  ])
  const other = await inviteTo(portal, seal.providerId)
  const details = { seal: seal.id, user: other.id }
  await addEntries(administrator, { action: 'seal-user-invited', details })
  await addEntries(user, { action: 'seal-user-invited', details })
  const browserOfUser = await signInDirectly(portal, user)
  expect(about(await historyOf(browser), 'seal-user-invited')!.text).toMatch(new RegExp(`^.+ .+, ${sealText}$`))
  expect(about(await historyOf(browserOfUser), 'seal-user-invited')).toEqual({ text: sealText, isListed: true })
  await portal.owner.query(`update seal_users set status = 'deleted', deleted_at = now() where id = any($1)`, [
    [other.id, seal.users[1]!.id],
  ])
  expect(about(await historyOf(browser), 'seal-user-invited')).toMatchObject({ isListed: false })
  expect(about(await historyOf(browserOfUser), 'seal-user-invited')).toEqual({ text: sealText, isListed: false })
})

test('AUT-12 R34 each list can be read with one object alone, and never with somebody else’s', async () => {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  await giveObjects(portal, provider, person, browser)
  await giveTimestampAccount(portal, person.id, { login: 'tsa-02' })
  const stranger = await signInDirectly(portal, await addCustomer(portal))
  for (const endpoint of [listSignatures, listSeals, listTimestampAccounts, listDocuments, listVoucherCases]) {
    const idsOf = async (by: TestBrowser, wanted: { id?: string; search?: string }) => {
      const { body } = await by.call(endpoint as typeof listDocuments, { query: wanted })
      return body.items.map(({ id }) => id)
    }
    const all = await idsOf(browser, {})
    expect([endpoint.path, all.length > 0]).toEqual([endpoint.path, true])
    for (const id of all) {
      expect(await idsOf(browser, { id })).toEqual([id])
      expect(await idsOf(browser, { id, search: 'nothing has this' })).toEqual([])
      expect(await idsOf(stranger, { id })).toEqual([])
    }
    expect((await browser.raw('GET', `${endpoint.path}?id=1`)).status).toBe(400)
  }
})

test('AUT-12 the names of a page are read by one statement, however many there are', async () => {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  const { id } = await provider.give(person)
  const take = watchWork()
  const statementsOf = async () => {
    take()
    const rows = await historyOf(browser)
    const entries = rows.reduce((sum, { count }) => sum + count, 0)
    return { entries, statements: take().statements.filter((text) => !/sessions/.test(text)).length }
  }
  const few = await statementsOf()
  const downloaded = { action: 'agreement-downloaded', details: { signature: id } } as const
  await addEntries(person, ...Array.from({ length: 40 }, () => downloaded))
  expect(await statementsOf()).toEqual({ entries: few.entries + 40, statements: few.statements })
})

const entry = (id: number, at: string, over: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id: String(id),
  at,
  act: 'code-sent',
  actor: 'customer',
  address: '198.51.100.7',
  object: null,
  device: null,
  factor: null,
  ...over,
})

/** Returns a reader of a history, newest first, and the sizes that it was asked for. */
function readHistory(entries: readonly ActivityEntry[]) {
  const reads: number[] = []
  const read = (before: string | undefined, most: number) => {
    reads.push(most)
    const from = before === undefined ? 0 : entries.findIndex(({ id }) => id === before) + 1
    return Promise.resolve(entries.slice(from, from + most))
  }
  return { read, reads }
}

test('AUT-12 equal entries of one day that follow each other are one row, with the time of the first and their number', async () => {
  const entries = [
    entry(6, '2026-11-21T09:43:00.000Z'),
    entry(5, '2026-11-21T09:42:00.000Z'),
    entry(4, '2026-11-21T09:41:00.000Z', { act: 'sign-in-finished' }),
    entry(3, '2026-11-21T09:40:00.000Z'),
    // Another address, and the day before in Poland.
    entry(2, '2026-11-20T23:30:00.000Z', { address: '198.51.100.8' }),
    entry(1, '2026-11-20T22:30:00.000Z', { address: '198.51.100.8' }),
  ]
  expect(await readRows(readHistory(entries).read, undefined, 21)).toEqual([
    { ...entries[0]!, since: entries[1]!.at, count: 2, oldest: '5' },
    ...entries.slice(2).map((each) => ({ ...each, since: each.at, count: 1, oldest: each.id })),
  ])
})

test('AUT-12 a row is whole where a page ends, however many entries it holds, and no row has more than its limit', async () => {
  const at = '2026-11-21T09:00:00.000Z'
  const others = ['signed-out', 'sign-in-finished'] as const
  const older = Array.from({ length: 8 }, (_, i) => entry(8 - i, at, { act: others[i % 2]! }))
  const entries = [
    entry(309, at, { act: 'signed-out' }),
    ...Array.from({ length: 50 }, (_, i) => entry(308 - i, at)),
    ...older,
  ]
  const { read, reads } = readHistory(entries)
  const rows = await readRows(read, undefined, 3)
  expect(rows.map(({ act, count }) => [act, count])).toEqual([
    ['signed-out', 1],
    ['code-sent', 50],
    ['signed-out', 1],
  ])
  expect(reads).toEqual([3, 6, 12, 24, 48])
  expect((await readRows(read, rows[1]!.oldest, 21)).map(({ id }) => id)).toEqual(older.map(({ id }) => id))

  const same = Array.from({ length: 250 }, (_, i) => entry(250 - i, at))
  const cut = await readRows(readHistory(same).read, undefined, 21)
  expect(cut.map(({ count }) => count)).toEqual([limits.activity.maxGrouped, limits.activity.maxGrouped, 50])
})
