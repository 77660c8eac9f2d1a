import { expect, onTestFinished, test } from 'vitest'
import { changeTimestampPassword, listTimestampAccounts } from '../../contract/timestamps.ts'
import { limits } from '../../contract/limits.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openTestPortal } from '../testing/portal-nodes.ts'
import { stepUp, type TestBrowser } from '../testing/browser.ts'
import { dumpOf, findIn } from '../testing/samples/canaries.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { giveTimestampAccount } from '../testing/samples/sample-timestamps.ts'
import { auditedActions } from '../testing/audit-entries.ts'

/** The passwords that reached the timestamp server, and its answer. */
const passwordsSet: [account: string, password: string][] = []
let answer: 'changed' | 'refused' | 'unreachable' = 'changed'
const setPassword = async (account: string, password: string) => {
  passwordsSet.push([account, password])
  return answer
}
const portal = await openPortal({ ports: { timestampAccounts: { setPassword } } })

const secret = 'Kanarek-Znaczniki-7'
const change = (browser: TestBrowser, id: string, newPassword = secret, repeatPassword = newPassword) =>
  browser.call(changeTimestampPassword, { params: { id }, body: { newPassword, repeatPassword } })

async function makeOwner() {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
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
  expect(findIn(await dumpOf(portal.owner), secret)).toEqual([])
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
  // A letter and its mark are one letter, however they were typed.
  for (const bad of ['Krotki1', 'bezduzej1', 'BezCyfry', `A1${'x'.repeat(127)}`, 'Z\u0301aczni1'])
    expect([bad, await problems(bad)]).toEqual([bad, rules])
  expect(await problems('Wiersz1\nDrugi')).toEqual([{ name: 'newPassword', problem: 'format' }])
  expect(await problems('')).toMatchObject([{ problem: 'required' }, { problem: 'required' }])
  expect(await problems('Znaczniki1', 'Znaczniki2')).toEqual([{ name: 'repeatPassword', problem: 'passwords-differ' }])
  expect(passwordsSet.length).toBe(before)
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
  onTestFinished(() => closed.close())
  const person = await addCustomer(closed)
  const browser = await signInDirectly(closed, person)
  const { id } = await giveTimestampAccount(closed, person.id)
  expect((await browser.call(listTimestampAccounts)).body.items[0]!.passwordChangeable).toBe(false)
  await stepUp(closed, browser, person, 'timestamp-password', id)
  expect((await change(browser, id)).problem.code).toBe('timestamp-password-fixed')
})
