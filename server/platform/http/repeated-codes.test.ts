import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { enterSignInCode, readSession, signOut } from '../../../contract/account.ts'
import { CodeEntry } from '../../../contract/fields.ts'
import { limits } from '../../../contract/limits.ts'
import { confirmPhone } from '../../../contract/phone-confirmation.ts'
import { manySends, openPortal } from '../../testing/open-portal.ts'
import { accountIdOf } from '../authentication/testing/account-id.ts'
import { tidyUp } from '../operations/tidying.ts'
import { now } from '../../testing/portal-nodes.ts'
import { openBrowser, passPassword, smsCode, type Person } from '../../testing/browser.ts'
import { codeCaller } from './idempotency.ts'
import { addCustomer } from '../../testing/samples/ready-customers.ts'
import { fireTogether, shotOf } from '../../testing/burst.ts'
import { countRows } from '../../testing/database-state.ts'

const portal = await openPortal({ nodes: 2, settings: manySends })

/** How many audit entries of an action a person has. */
const countEntries = async (person: Person, action: string) =>
  countRows(portal, 'audit where account_id = $1 and act = $2', await accountIdOf(portal, person), action)

/** Time stands still, so that however slow the machine is, no answer is too old to be given again. */
async function stopTime() {
  await portal.clock.stopAt(await now(portal.db))
  onTestFinished(() => portal.clock.advance(0))
}

test('R112 R22 a hundred correct codes at once over two nodes get one answer and start one session', async () => {
  await stopTime()
  const person = await addCustomer(portal)
  const { browser } = await passPassword(portal, person)
  const shot = shotOf(enterSignInCode, { body: { code: smsCode(portal, person.phone) } }, browser)
  const shots = Array.from({ length: 100 }, () => shot)
  const hits = await fireTogether(portal, shots)
  // All were answered alike, the cookie of the session included.
  expect(new Set(hits.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(hits.map(({ body, headers }) => JSON.stringify([body, headers['set-cookie'] ?? '']))).size).toBe(1)
  expect(await countEntries(person, 'sign-in-finished')).toBe(1)
  expect(await countEntries(person, 'code-refused')).toBe(0)
  const ofPerson = 'select stage from sessions where account_id = $1'
  const { rows } = await portal.owner.query(ofPerson, [await accountIdOf(portal, person)])
  expect(rows).toEqual([{ stage: 'signed-in' }])
})

test('R112 every call whose body has a one-time code takes an Idempotency-Key', () => {
  // A field with a text of its own is a copy, whose parent is the shared schema.
  const parentOf = ({ _zod }: z.core.$ZodType) => _zod.parent
  const isCode = (schema: z.core.$ZodType | undefined) => schema && [schema, parentOf(schema)].includes(CodeEntry)
  const asked = portal.app.endpoints.filter(({ body }) => body instanceof z.ZodMiniObject && isCode(body.shape['code']))
  expect(asked.map(({ path }) => path)).toContain(confirmPhone.path)
  expect(asked.length).toBeGreaterThanOrEqual(10)
  expect(asked.filter(({ idempotent }) => idempotent !== 'code').map(({ path }) => path)).toEqual([])
})

test('R112 R22 a repetition by the same sender gets the first answer, while its session is valid', async () => {
  await stopTime()
  const person = await addCustomer(portal)
  const { browser } = await passPassword(portal, person)
  const cookie = browser.cookie!
  const code = smsCode(portal, person.phone)
  const key = crypto.randomUUID()
  const enter = (over: { code?: string; cookie?: string; key?: string; node?: number } = {}) => {
    const again = openBrowser(portal, { node: over.node ?? 0 })
    again.cookie = over.cookie ?? cookie
    return again.raw('POST', enterSignInCode.path, { code: over.code ?? code }, { 'idempotency-key': over.key ?? key })
  }
  const token = (answer: Response) => answer.headers.getSetCookie().find((set) => set.startsWith('__Host-sygnet='))
  const first = await enter()
  expect(first.status).toBe(200)
  for (const node of [0, 1]) {
    const again = await enter({ node })
    expect([again.status, token(again)]).toEqual([200, token(first)])
    expect(token(again)).toBeDefined()
  }
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  for (const changed of [{ code: wrong }, { key: crypto.randomUUID() }, { cookie: `__Host-sygnet=${'A'.repeat(43)}` }])
    expect([changed, (await enter(changed)).status]).toEqual([changed, 401])
  expect(await countEntries(person, 'sign-in-finished')).toBe(1)

  await portal.clock.advance(limits.code.repeated + 1)
  expect((await enter()).status).toBe(401)

  // A session that was signed out is not reopened.
  const leaving = await passPassword(portal, person)
  const left = leaving.browser.cookie!
  const second = smsCode(portal, person.phone)
  const signedIn = await enter({ cookie: left, code: second })
  leaving.browser.cookie = token(signedIn)!.split(';')[0]
  expect((await leaving.browser.call(readSession)).status).toBe(200)
  await leaving.browser.call(signOut)
  expect((await enter({ cookie: left, code: second })).status).toBe(401)
})

test('R112 R83 the answer is stored encrypted, for a minute at most', async () => {
  const person = await addCustomer(portal)
  const { browser } = await passPassword(portal, person)
  await browser.call(enterSignInCode, { body: { code: smsCode(portal, person.phone) } })
  const kept = () =>
    portal.owner.query<{ reply: Buffer }>(`select reply from idempotency where caller = $1`, [codeCaller])
  const { rows } = await kept()
  expect(rows.length).toBeGreaterThan(0)
  for (const { reply } of rows) expect(reply.toString('latin1')).not.toContain('token')
  await portal.clock.advance(61)
  await tidyUp(portal.portal)
  expect((await kept()).rows).toEqual([])
})
