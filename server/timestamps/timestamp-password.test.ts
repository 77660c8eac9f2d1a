import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeTimestampPassword, listTimestampAccounts } from '../../contract/timestamps.ts'
import { limits } from '../../contract/limits.ts'
import { openTestPortal, type TestPortal } from '../testing/portal-nodes.ts'
import { stepUp, type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { giveTimestampAccount } from '../testing/samples/sample-timestamps.ts'
import { auditedActions } from '../testing/audit-entries.ts'

let portal: TestPortal
/** The passwords that reached the timestamp server, and its answer. */
const passwordsSet: [account: string, password: string][] = []
let answer: 'changed' | 'refused' | 'unreachable' = 'changed'
beforeAll(async () => {
  const setPassword = async (account: string, password: string) => {
    passwordsSet.push([account, password])
    return answer
  }
  portal = await openTestPortal({ ports: { timestampAccounts: { setPassword } } })
})
afterAll(() => portal.close())

const secret = 'Kanarek-Znaczniki-7'
const change = (browser: TestBrowser, id: string, newPassword = secret, repeatPassword = newPassword) =>
  browser.call(changeTimestampPassword, { params: { id }, body: { newPassword, repeatPassword } })

async function makeOwner(): Promise<{ person: Person; browser: TestBrowser; id: string; account: string }> {
  const person = await addCustomer(portal)
  const browser = await letIn(portal, person)
  return { person, browser, ...(await giveTimestampAccount(portal, person.id)) }
}

const actionsOf = async (timestampAccount: string) =>
  (await auditedActions(portal, { details: { timestampAccount } })).filter((action) =>
    action.startsWith('timestamp-password'),
  )

test('TSP-3 AUT-7 R2 the password is set behind an SMS code made for this account, reaches the timestamp server, and is in the audit trail', async () => {
  const { person, browser, id, account } = await makeOwner()
  const otherAccount = await giveTimestampAccount(portal, person.id, { login: 'tsa-02' })
  expect(await change(browser, id)).toMatchObject({ status: 403, problem: { code: 'step-up-required' } })
  await stepUp(portal, browser, person, 'timestamp-password', otherAccount.id)
  expect((await change(browser, id)).status).toBe(403)
  const own = () => passwordsSet.filter(([of]) => of === account)
  expect(own()).toEqual([])
  await stepUp(portal, browser, person, 'timestamp-password', id)
  expect((await change(browser, id)).status).toBe(204)
  expect(own()).toEqual([[account, secret]])
  expect(await actionsOf(id)).toEqual(['timestamp-password-asked', 'timestamp-password-changed'])
})

test('TSP-3 R3 the password is stored nowhere in the portal: no table has it, or a plain hash of it', async () => {
  const { person, browser, id } = await makeOwner()
  await stepUp(portal, browser, person, 'timestamp-password', id)
  expect((await change(browser, id)).status).toBe(204)
  const { rows: tables } = await portal.owner.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  for (const { name } of tables) {
    const { rows } = await portal.owner.query<{ dump: string | null }>(
      `select string_agg(t::text, '|') as dump from ${name} t`,
    )
    expect([name, rows[0]!.dump?.includes(secret) ?? false]).toEqual([name, false])
  }
  // An Idempotency-Key would keep a hash of the whole request, from which a weak password can be guessed.
  const callersSql = `select 1 from idempotency where caller <> '00000000-0000-0000-0000-000000000000'`
  expect((await portal.owner.query(callersSql)).rowCount).toBe(0)
})

test('TSP-3 VAL-3 the password has at least eight characters, an upper-case letter and a digit, no control characters, and both entries match', async () => {
  const { person, browser, id } = await makeOwner()
  await stepUp(portal, browser, person, 'timestamp-password', id)
  const before = passwordsSet.length
  const problems = async (newPassword: string, repeatPassword = newPassword) =>
    (await change(browser, id, newPassword, repeatPassword)).problem.fields
  const rules = [{ name: 'newPassword', problem: 'password-rules' }]
  expect(await problems('Krotki1')).toEqual(rules)
  expect(await problems('bezduzej1')).toEqual(rules)
  expect(await problems('BezCyfry')).toEqual(rules)
  expect(await problems(`A1${'x'.repeat(127)}`)).toEqual(rules)
  expect(await problems('Wiersz1\nDrugi')).toEqual([{ name: 'newPassword', problem: 'format' }])
  expect(await problems('')).toMatchObject([{ problem: 'required' }, { problem: 'required' }])
  expect(await problems('Znaczniki1', 'Znaczniki2')).toEqual([{ name: 'repeatPassword', problem: 'passwords-differ' }])
  expect(passwordsSet.length).toBe(before)
  // A letter and its mark are one letter, however they were typed.
  expect(await problems('Z\u0301aczni1')).toEqual(rules)
  for (const good of ['Znaczni1', 'Z\u0301naczni1', `A1${'x'.repeat(126)}`])
    expect((await change(browser, id, good)).status).toBe(204)
})

test('TSP-3 an account that authenticates by certificate, or is inactive, has no password to change', async () => {
  const { person, browser } = await makeOwner()
  for (const over of [{ authentication: 'cms' }, { status: 'inactive' }] as const) {
    const { id } = await giveTimestampAccount(portal, person.id, { login: `no-${Object.keys(over)[0]!}`, ...over })
    await stepUp(portal, browser, person, 'timestamp-password', id)
    const before = passwordsSet.length
    expect(await change(browser, id)).toMatchObject({ status: 422, problem: { code: 'timestamp-password-fixed' } })
    expect([passwordsSet.length, await actionsOf(id)]).toEqual([before, []])
  }
})

test('TSP-3 ERR-5 a change that the timestamp server did not make is not reported as made', async () => {
  const { person, browser, id } = await makeOwner()
  await stepUp(portal, browser, person, 'timestamp-password', id)
  answer = 'unreachable'
  expect(await change(browser, id)).toMatchObject({ status: 503, problem: { code: 'unavailable' } })
  answer = 'refused'
  expect(await change(browser, id)).toMatchObject({ status: 422, problem: { code: 'timestamp-password-fixed' } })
  answer = 'changed'
  expect(await actionsOf(id)).toEqual(['timestamp-password-asked', 'timestamp-password-asked'])
})

test('TSP-3 R18 the password of an account is changed at most ten times an hour', async () => {
  const { person, browser, id } = await makeOwner()
  await stepUp(portal, browser, person, 'timestamp-password', id)
  const before = passwordsSet.length
  const statuses = []
  for (let n = 0; n < limits.timestamps.password.changes.limit + 1; n++)
    statuses.push((await change(browser, id)).status)
  expect(statuses).toEqual([...Array<number>(10).fill(204), 429])
  expect(passwordsSet.length - before).toBe(10)
})

test('TSP-3 ERR-5 without a timestamp server that takes passwords, no account offers the change', async () => {
  const closed = await openTestPortal({ ports: { timestampAccounts: undefined } })
  try {
    const person = await addCustomer(closed)
    const browser = await letIn(closed, person)
    const { id } = await giveTimestampAccount(closed, person.id)
    expect((await browser.call(listTimestampAccounts)).body.items[0]!.passwordChangeable).toBe(false)
    await stepUp(closed, browser, person, 'timestamp-password', id)
    expect((await change(browser, id)).problem.code).toBe('timestamp-password-fixed')
  } finally {
    await closed.close()
  }
})
