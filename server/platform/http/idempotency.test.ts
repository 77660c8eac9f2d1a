import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { enterSignInCode, readSession, signOut } from '../../../contract/account.ts'
import { CodeEntry } from '../../../contract/fields.ts'
import { limits } from '../../../contract/limits.ts'
import { confirmPhone } from '../../../contract/phone-confirmation.ts'
import { putSignature } from '../../../contract/provider/provider-signatures.ts'
import { startSignaturePairing } from '../../../contract/signatures.ts'
import { fromBase32 } from '../../../pki/totp.ts'
import { openBrowser, type TestBrowser } from '../../testing/browser.ts'
import { sendTogether, preparedCall } from '../../testing/burst.ts'
import { countRows, readDatabase, findAccountId } from '../../testing/database-state.ts'
import { manySends, openPortalWithProvider } from '../../testing/open-portal.ts'
import { now } from '../../testing/portal-nodes.ts'
import { openWire, readAnswers } from '../../testing/raw-http.ts'
import { shownSecret } from '../../testing/samples/activation-samples.ts'
import { addCustomer, signInDirectly } from '../../testing/samples/ready-customers.ts'
import { smsCode } from '../../testing/sent-messages.ts'
import { passPassword, stepUp, type Person } from '../../testing/test-customers.ts'
import { decrypt } from '../encryption/keys.ts'
import { tidyUp } from '../operations/tidying.ts'
import { codeCaller } from './idempotency.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })

type Owner = { person: Person; browser: TestBrowser; id: string; providerId: string }

/** Makes a signed-in customer with a signature, who has confirmed that an app may be paired with it. */
async function makeOwner(): Promise<Owner> {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  const given = await provider.give(person)
  await stepUp(portal, browser, person, 'pair-app', given.id)
  return { person, browser, ...given }
}

const started = ({ id }: Owner) =>
  countRows(portal, `audit where act = 'pairing-started' and details->>'signature' = $1`, id)

/** Returns the secret that the portal has, as the customer would type it. */
async function secretOf({ id }: Owner) {
  const stored = sql<{ secret: Buffer }>`select secret from pairings where signature_id = ${id}`
  const { rows } = await stored.execute(portal.db)
  return Buffer.from(decrypt(portal.portal.keys, `pairing ${id}`, rows[0]!.secret), 'base64')
}

/** Returns the whole request as text, for a connection of its own. */
function rawPairing(origin: string, { browser, id }: Owner, key: string) {
  const { host } = new URL(origin)
  return `POST ${startSignaturePairing.path.replace(':id', id)} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nCookie: ${browser.cookie}\r\nIdempotency-Key: ${key}\r\nConnection: close\r\n\r\n`
}

test('R52 R83 a repetition on the other node gets the first answer, stored encrypted for this caller and key', async () => {
  const owner = await makeOwner()
  const idempotencyKey = crypto.randomUUID()
  const input = { params: { id: owner.id }, idempotencyKey }
  const first = await owner.browser.call(startSignaturePairing, input, 0)
  expect(first.status).toBe(200)
  const before = await readDatabase(portal)
  for (const node of [1, 0, 1])
    expect(await owner.browser.call(startSignaturePairing, input, node)).toMatchObject({
      status: 200,
      body: first.body,
    })
  const { sessions: _, ...after } = await readDatabase(portal)
  expect(before).toMatchObject(after)
  expect(await started(owner)).toBe(1)
  const { rows } = await sql<{ caller: string; reply: Buffer }>`
    select caller, reply from idempotency where key = ${idempotencyKey}`.execute(portal.db)
  const { caller, reply } = rows[0]!
  const open = (by: string) => decrypt(portal.portal.keys, `idempotency ${by} ${idempotencyKey}`, reply)
  expect(reply.toString('latin1')).not.toContain(shownSecret(first.body).key)
  expect(JSON.parse(open(caller))).toEqual(first.body)
  expect(() => open(crypto.randomUUID())).toThrow()
  const withoutKey = await owner.browser.call(startSignaturePairing, { params: { id: owner.id } })
  expect(shownSecret(withoutKey.body).key).not.toBe(shownSecret(first.body).key)
})

test('R52 a client that lost the answer gets it by a repetition on the other node', async () => {
  const owner = await makeOwner()
  const idempotencyKey = crypto.randomUUID()
  const wire = openWire(portal.nodes[0]!.origin)
  wire.socket.pause()
  await wire.write(rawPairing(portal.nodes[0]!.origin, owner, idempotencyKey))
  await expect.poll(() => started(owner)).toBe(1)
  wire.socket.destroy()
  const committed = await secretOf(owner)
  const again = await owner.browser.call(startSignaturePairing, { params: { id: owner.id }, idempotencyKey }, 1)
  expect(again.status).toBe(200)
  expect(Buffer.from(fromBase32(shownSecret(again.body).key)!)).toEqual(committed)
  expect(await secretOf(owner)).toEqual(committed)
  expect(await started(owner)).toBe(1)
})

test('R52 forty requests at once over both nodes with one key have one effect and one answer', async () => {
  const owner = await makeOwner()
  const key = crypto.randomUUID()
  const origins = Array.from({ length: 40 }, (_, i) => portal.nodes[i % 2]!.origin)
  const wires = origins.map((origin) => openWire(origin))
  await Promise.all(wires.map((wire, i) => wire.write(rawPairing(origins[i]!, owner, key).slice(0, -1))))
  await Promise.all(wires.map((wire) => wire.write('\n')))
  const answers = (await Promise.all(wires.map((wire) => wire.untilClosed()))).flatMap(readAnswers)
  expect(answers).toHaveLength(wires.length)
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
  expect(answers[0]!.status).toBe(200)
  expect(await started(owner)).toBe(1)
  expect(Buffer.from(fromBase32((JSON.parse(answers[0]!.body) as { key: string }).key)!)).toEqual(await secretOf(owner))
})

test('R52 the same key with another request is refused and changes nothing', async () => {
  const owner = await makeOwner()
  const second = await provider.give(owner.person)
  await stepUp(portal, owner.browser, owner.person, 'pair-app', second.id)
  const idempotencyKey = crypto.randomUUID()
  await owner.browser.call(startSignaturePairing, { params: { id: owner.id }, idempotencyKey })
  const { sessions: _, ...before } = await readDatabase(portal)
  const reused = await owner.browser.call(startSignaturePairing, { params: { id: second.id }, idempotencyKey }, 1)
  expect(reused).toMatchObject({ status: 422, problem: { code: 'idempotency-key-reused' } })
  expect(await readDatabase(portal)).toMatchObject(before)
})

test('R52 a refused request leaves no trace, so the same key works once the request is allowed', async () => {
  const owner = await makeOwner()
  const body = await provider.signedBody(owner.person.id)
  const put = (status: 'good' | 'suspended') =>
    openBrowser(portal).call(putSignature, { params: { signature: owner.providerId }, body: { ...body, status } })
  const input = { params: { id: owner.id }, idempotencyKey: crypto.randomUUID() }
  await put('suspended')
  expect((await owner.browser.call(startSignaturePairing, input)).problem.code).toBe('pairing-not-possible')
  expect(await countRows(portal, 'idempotency where key = $1', input.idempotencyKey)).toBe(0)
  await put('good')
  expect((await owner.browser.call(startSignaturePairing, input)).status).toBe(200)
})

test('R52 R34 the same key of another customer reveals nothing', async () => {
  const [owner, stranger] = [await makeOwner(), await makeOwner()]
  const idempotencyKey = crypto.randomUUID()
  const first = await owner.browser.call(startSignaturePairing, { params: { id: owner.id }, idempotencyKey })
  const second = await stranger.browser.call(startSignaturePairing, { params: { id: stranger.id }, idempotencyKey })
  expect([first.status, second.status]).toEqual([200, 200])
  expect(shownSecret(second.body).key).not.toBe(shownSecret(first.body).key)
})

test('R52 a write that must not happen twice requires a valid key', async () => {
  const owner = await makeOwner()
  const path = startSignaturePairing.path.replace(':id', owner.id)
  const long = 'x'.repeat(20)
  const lengths = [undefined, '', 'short', 'x'.repeat(15), 'x'.repeat(65)]
  const signs = [`${long} ${long} `, `${long};`, `${long}ą`, `${long}, ${long}`, `'; drop table idempotency; --`]
  for (const key of [...lengths, ...signs]) {
    const headers = { 'idempotency-key': key && Buffer.from(key).toString('latin1') }
    const response = await owner.browser.raw('POST', path, undefined, headers)
    const { code } = (await response.json()) as { code: string }
    expect([response.status, code], key).toEqual([400, 'idempotency-key-missing'])
  }
  expect(await started(owner)).toBe(0)
})

const countEntries = async (person: Person, action: string) =>
  countRows(portal, 'audit where account_id = $1 and act = $2', await findAccountId(portal, person), action)

/** Stops the clock, so that no answer is too old to be given again, however slow the machine is. */
async function stopTime() {
  await portal.clock.stopAt(await now(portal.db))
  onTestFinished(() => portal.clock.advance(0))
}

test('R112 R22 a hundred correct codes at once over two nodes get one answer and start one session', async () => {
  await stopTime()
  const person = await addCustomer(portal)
  const { browser } = await passPassword(portal, person)
  const shot = preparedCall(enterSignInCode, { body: { code: smsCode(portal, person.phone) } }, browser)
  const shots = Array.from({ length: 100 }, () => shot)
  const hits = await sendTogether(portal, shots)
  // All were answered alike, the cookie of the session included.
  expect(new Set(hits.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(hits.map(({ body, headers }) => JSON.stringify([body, headers['set-cookie'] ?? '']))).size).toBe(1)
  expect(await countEntries(person, 'sign-in-finished')).toBe(1)
  expect(await countEntries(person, 'code-refused')).toBe(0)
  const ofPerson = 'select stage from sessions where account_id = $1'
  const { rows } = await portal.owner.query(ofPerson, [await findAccountId(portal, person)])
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

  await portal.clock.advance(limits.code.repeatFor + 1)
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

test('R112 R83 the answer to a code is stored encrypted, and removed by the next tidying after a minute', async () => {
  onTestFinished(() => portal.clock.advance(0))
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
