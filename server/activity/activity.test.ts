import { expect, test } from 'vitest'
import { extendSession, signIn } from '../../contract/account.ts'
import { enterStepUpCode, startStepUp } from '../../contract/step-up.ts'
import { exportActivity, listActivity } from '../../contract/activity.ts'
import { auditActions, auditActionsOf, type AuditAction } from '../../contract/audit-actions.ts'
import { internalActions } from '../../contract/desk/internal-actions.ts'
import { locales } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { blockCustomer } from '../../contract/provider/provider-api.ts'
import type { AuditEntry } from '../platform/audit/audit-entry.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { openPortal } from '../testing/open-portal.ts'
import { makeCustomer, openBrowser, signInAs, type Person, type TestBrowser } from '../testing/browser.ts'
import { accountIdOf } from '../platform/authentication/testing/account-id.ts'

const portal = await openPortal({ nodes: 2 })

const consent = { details: { kind: 'marketing', version: '2026-01-01' } }

/** Audits actions of the customer, each at its time. */
async function recordAt(person: Person, moments: [string, AuditAction, Partial<AuditEntry>?][]) {
  const accountId = await accountIdOf(portal, person)
  for (const [moment, action, over] of moments) {
    await portal.clock.stopAt(new Date(moment))
    await portal.db.transaction().execute((tx) => addAuditEntry(tx, { action, accountId, actor: 'customer', ...over }))
  }
  await portal.clock.advance(0)
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
  await portal.clock.advance(0)
})

test('AUT-9 R36 pages follow each other by a cursor that holds for this history, this filter and this customer', async () => {
  const person = await makeCustomer(portal)
  await recordAt(
    person,
    Array.from({ length: 45 }, (_, i) => [
      `2030-05-01T10:00:${String(i).padStart(2, '0')}.000Z`,
      'code-sent',
      { address: `192.0.2.${i % 2}` },
    ]),
  )
  await portal.clock.stopAt(new Date('2030-05-01T11:00:00Z'))
  const browser = await signInAs(portal, person)
  const from = '2030-05-01'
  const seen: string[] = []
  let cursor: string | null = null
  const sizes: number[] = []
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(browser, {
      from,
      kind: 'security',
      ...(cursor && { cursor }),
    })
    seen.push(...page.items.map(({ id }) => id))
    sizes.push(page.items.length)
    cursor = page.next
    // What happens meanwhile moves no page.
    if (sizes.length === 1) await browser.call(extendSession)
  } while (cursor)
  expect(sizes).toEqual([20, 20, 6])
  expect(new Set(seen).size).toBe(46)
  expect(seen.map(Number)).toEqual(seen.map(Number).toSorted((a, b) => b - a))
  const { next } = await list(browser, { from, kind: 'security' })
  const stranger = await signInAs(portal, await makeCustomer(portal))
  for (const [by, query] of [
    [browser, { from, kind: 'sign-in', cursor: next! }],
    [browser, { from, kind: 'security', cursor: `${next!.slice(0, -2)}AA` }],
    [stranger, { from, kind: 'security', cursor: next! }],
  ] as const)
    expect(await listOf(by, query)).toMatchObject({ status: 400, problem: { code: 'cursor-refused' } })
  await portal.clock.advance(0)
})

test('AUT-12 equal entries that follow each other are one row, also where a page would end between them; a downloaded file has each of them', async () => {
  const person = await makeCustomer(portal)
  const at = (second: number) => `2030-05-02T10:00:${String(second).padStart(2, '0')}.000Z`
  await recordAt(person, [
    ...Array.from({ length: 30 }, (_, i): [string, AuditAction] => [at(i), 'code-sent']),
    ...Array.from({ length: 19 }, (_, i): [string, AuditAction, Partial<AuditEntry>] => [
      at(30 + i),
      'code-sent',
      { address: `192.0.2.${i}` },
    ]),
  ])
  await portal.clock.stopAt(new Date('2030-05-03T11:00:00Z'))
  const browser = await signInAs(portal, person)
  const days = { from: '2030-05-02', to: '2030-05-02' }
  const { items, next } = await list(browser, days)
  expect(items.map(({ count }) => count)).toEqual([...Array.from({ length: 19 }, () => 1), 30])
  expect(items.at(-1)).toMatchObject({ since: at(0), at: at(29) })
  expect(next).toBeNull()
  const file = await (await download(browser, { ...days, format: 'json' })).json()
  expect(file).toHaveLength(49)
  await portal.clock.advance(0)
})

test('AUT-9 DAT-6 R76 the history downloads as a table whose cells no spreadsheet takes for formulas, in either language', async () => {
  const person = await makeCustomer(portal)
  await recordAt(person, [
    ['2030-06-01T10:00:00.000Z', 'signed-out', { address: '=HYPERLINK("https://evil.example","x")' }],
    ['2030-06-01T10:00:01.000Z', 'signed-out', { address: '+48600100417' }],
    ['2030-06-01T10:00:02.000Z', 'signed-out', { address: '-2+3' }],
    ['2030-06-01T10:00:03.000Z', 'signed-out', { address: '@SUM(A1)' }],
    ['2030-06-01T10:00:04.000Z', 'signed-out', { address: '\tx' }],
    [
      '2030-06-01T10:00:05.000Z',
      'sign-in-finished',
      { address: '192.0.2.1', details: { browser: 'chrome', system: 'windows', factor: 'sms' } },
    ],
  ])
  await portal.clock.stopAt(new Date('2030-06-02T11:00:00Z'))
  const browser = await signInAs(portal, person)
  const answer = await download(browser, { from: '2030-06-01', to: '2030-06-01' })
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toContain('filename="historia-aktywnosci.csv"')
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())
  expect(text).toBe(
    [
      '\ufeff"Kiedy";"Co się stało";"Czego dotyczy";"Kto";"Urządzenie";"Adres IP"',
      '"2030-06-01 12:00:05";"Zalogowano do portalu";"";"klient";"Chrome, Windows";"192.0.2.1"',
      `"2030-06-01 12:00:04";"Wylogowano";"";"klient";"";"'\tx"`,
      `"2030-06-01 12:00:03";"Wylogowano";"";"klient";"";"'@SUM(A1)"`,
      `"2030-06-01 12:00:02";"Wylogowano";"";"klient";"";"'-2+3"`,
      `"2030-06-01 12:00:01";"Wylogowano";"";"klient";"";"'+48600100417"`,
      `"2030-06-01 12:00:00";"Wylogowano";"";"klient";"";"'=HYPERLINK(""https://evil.example"",""x"")"`,
      '',
    ].join('\r\n'),
  )
  const english = await (await download(browser, { locale: 'en', from: '2030-06-01', to: '2030-06-01' })).text()
  expect(english).toContain('"When","What happened","About","Who","Device","IP address"')
  const json = await (
    await download(browser, { locale: 'en', format: 'json', from: '2030-06-01', to: '2030-06-01' })
  ).json()
  expect(json).toHaveLength(6)
  expect((json as object[])[0]).toMatchObject({
    act: 'sign-in-finished',
    words: 'Signed in to the portal',
    factor: 'sms',
  })
  const { items: downloads } = await list(browser, { from: '2030-06-02', kind: 'personal-data' })
  expect(downloads.map(({ act, count }) => [act, count])).toEqual([['activity-exported', 3]])
  for (let i = 3; i < limits.activity.exports.limit; i++) await download(browser, {})
  expect((await download(browser, {})).status).toBe(429)
  await portal.clock.advance(0)
})

test('AUT-9 R3 R86 the history names actions, and neither codes nor numbers nor owners of objects', async () => {
  const person = await makeCustomer(portal)
  const browser = await signInAs(portal, person)
  await browser.call(enterStepUpCode, { params: { id: crypto.randomUUID() }, body: { code: '000000' } })
  await browser.call(startStepUp, { body: { purpose: 'add-passkey' } })
  const entries = (await list(browser)).items
  for (const entry of entries)
    expect(Object.keys(entry).toSorted()).toEqual([
      'act',
      'actor',
      'address',
      'at',
      'count',
      'device',
      'factor',
      'id',
      'object',
      'since',
    ])
  expect(JSON.stringify(entries)).not.toContain(person.phone)
})
