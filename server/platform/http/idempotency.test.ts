import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPairing } from '../contract/signatures.ts'
import { putSignature } from '../contract/provider-api.ts'
import { fromBase32 } from '../pki/totp.ts'
import { unseal } from './keys.ts'
import { openPortal } from './testing/open-portal.ts'
import { openBrowser, stepUp, type Person, type TestBrowser } from './testing/browser.ts'
import { addCustomer, letIn } from './testing/ready-customers.ts'
import { openTestProvider, type TestProvider } from './testing/provider.ts'
import { stateOf } from './testing/database-state.ts'
import { openWire, readAnswers } from './testing/raw-http.ts'

let provider: TestProvider
const portal = await openPortal({ nodes: 2, settings: { sends: { perNumber: 1000, perAddress: 1000 } } })
beforeAll(async () => {
  provider = await openTestProvider(portal)
})
afterAll(async () => {
  provider.close()
})

type Owner = { person: Person; browser: TestBrowser; id: string; providerId: string }

/** A signed-in customer with a signature, who has confirmed that an app may be paired with it. */
async function makeOwner(): Promise<Owner> {
  const person = await addCustomer(portal)
  const browser = await letIn(portal, person)
  const given = await provider.give(person)
  await stepUp(portal, browser, person, 'pair-app', given.id)
  return { person, browser, ...given }
}

const started = async ({ id }: Owner) => {
  const { rows } = await portal.owner.query<{ count: number }>(
    `select count(*)::int as count from audit where act = 'pairing-started' and details->>'signature' = $1`,
    [id],
  )
  return rows[0]!.count
}

/** The secret that the portal holds, as the customer would type it. */
async function secretOf({ id }: Owner) {
  const { secret } = await portal.db
    .selectFrom('pairings')
    .select('secret')
    .where('signature_id', '=', id)
    .executeTakeFirstOrThrow()
  return Buffer.from(unseal(portal.portal.keys, `pairing ${id}`, secret), 'base64')
}

/** The whole request as text, for a connection of its own. */
function rawPairing(origin: string, { browser, id }: Owner, key: string) {
  const { host } = new URL(origin)
  return `POST ${startPairing.path.replace(':id', id)} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nCookie: ${browser.cookie}\r\nIdempotency-Key: ${key}\r\nConnection: close\r\n\r\n`
}

test('R52 a repetition on the other node gets the first answer and has no second effect', async () => {
  const owner = await makeOwner()
  const idempotencyKey = crypto.randomUUID()
  const input = { params: { id: owner.id }, idempotencyKey }
  const first = await owner.browser.call(startPairing, input, 0)
  expect(first.status).toBe(200)
  const before = await stateOf(portal)
  for (const node of [1, 0, 1])
    expect(await owner.browser.call(startPairing, input, node)).toMatchObject({ status: 200, body: first.body })
  const { sessions: _, ...after } = await stateOf(portal)
  expect(before).toMatchObject(after)
  expect(await started(owner)).toBe(1)
  const other = await owner.browser.call(startPairing, { params: { id: owner.id } })
  expect(other.body.key).not.toBe(first.body.key)
})

test('R52 who lost the answer asks the other node again and is told what was done', async () => {
  const owner = await makeOwner()
  const idempotencyKey = crypto.randomUUID()
  const wire = openWire(portal.nodes[0]!.origin)
  wire.socket.pause()
  await wire.write(rawPairing(portal.nodes[0]!.origin, owner, idempotencyKey))
  await expect.poll(() => started(owner)).toBe(1)
  wire.socket.destroy()
  const committed = await secretOf(owner)
  const again = await owner.browser.call(startPairing, { params: { id: owner.id }, idempotencyKey }, 1)
  expect(again.status).toBe(200)
  expect(Buffer.from(fromBase32(again.body.key)!)).toEqual(committed)
  expect(await secretOf(owner)).toEqual(committed)
  expect(await started(owner)).toBe(1)
})

test('R52 forty at once over both nodes with one key do it once, and all are told the same', async () => {
  const owner = await makeOwner()
  const key = crypto.randomUUID()
  const wires = Array.from({ length: 40 }, (_, i) => ({
    origin: portal.nodes[i % 2]!.origin,
    wire: openWire(portal.nodes[i % 2]!.origin),
  }))
  await Promise.all(wires.map(({ origin, wire }) => wire.write(rawPairing(origin, owner, key).slice(0, -1))))
  await Promise.all(wires.map(({ wire }) => wire.write('\n')))
  const answers = (await Promise.all(wires.map(({ wire }) => wire.untilClosed()))).flatMap(readAnswers)
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
  await owner.browser.call(startPairing, { params: { id: owner.id }, idempotencyKey })
  const { sessions: _, ...before } = await stateOf(portal)
  const other = await owner.browser.call(startPairing, { params: { id: second.id }, idempotencyKey }, 1)
  expect(other).toMatchObject({ status: 422, problem: { code: 'idempotency-key-reused' } })
  expect(await stateOf(portal)).toMatchObject(before)
})

test('R52 a refused act leaves no trace, so the same key works once it may', async () => {
  const owner = await makeOwner()
  const body = await provider.draw(owner.person.id)
  const put = (status: 'good' | 'suspended') =>
    openBrowser(portal).call(putSignature, { params: { signature: owner.providerId }, body: { ...body, status } })
  const input = { params: { id: owner.id }, idempotencyKey: crypto.randomUUID() }
  await put('suspended')
  expect((await owner.browser.call(startPairing, input)).problem.code).toBe('pairing-not-possible')
  expect(
    await portal.db.selectFrom('idempotency').select('key').where('key', '=', input.idempotencyKey).execute(),
  ).toEqual([])
  await put('good')
  expect((await owner.browser.call(startPairing, input)).status).toBe(200)
})

test('R52 R34 one customer’s key says nothing to another who uses the same', async () => {
  const [one, other] = [await makeOwner(), await makeOwner()]
  const idempotencyKey = crypto.randomUUID()
  const first = await one.browser.call(startPairing, { params: { id: one.id }, idempotencyKey })
  const second = await other.browser.call(startPairing, { params: { id: other.id }, idempotencyKey })
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.body.key).not.toBe(first.body.key)
  const foreign = await other.browser.call(startPairing, {
    params: { id: one.id },
    idempotencyKey: crypto.randomUUID(),
  })
  expect(foreign.problem.code).toBe('step-up-required')
})

test('R52 a write that must not happen twice demands a key that is one', async () => {
  const owner = await makeOwner()
  const path = startPairing.path.replace(':id', owner.id)
  const bad = [
    undefined,
    '',
    'short',
    'x'.repeat(15),
    'x'.repeat(65),
    `${'x'.repeat(20)} `.repeat(2),
    `${'x'.repeat(20)};`,
    `${'x'.repeat(20)}ą`,
    `${'x'.repeat(20)}, ${'y'.repeat(20)}`,
    `'; drop table idempotency; --`,
  ]
  for (const key of bad) {
    const response = await owner.browser.raw('POST', path, undefined, {
      'idempotency-key': key && Buffer.from(key).toString('latin1'),
    })
    expect([key, response.status, ((await response.json()) as { code: string }).code]).toEqual([
      key,
      400,
      'idempotency-key-missing',
    ])
  }
  expect(await started(owner)).toBe(0)
})

test('R52 R83 the answer that is kept for a repetition is sealed, and opens for this caller and key only', async () => {
  const owner = await makeOwner()
  const idempotencyKey = crypto.randomUUID()
  const { body } = await owner.browser.call(startPairing, { params: { id: owner.id }, idempotencyKey })
  const row = await portal.db
    .selectFrom('idempotency')
    .selectAll()
    .where('key', '=', idempotencyKey)
    .executeTakeFirstOrThrow()
  expect(row.reply!.toString('latin1')).not.toContain(body.key)
  const { keys } = portal.portal
  expect(JSON.parse(unseal(keys, `idempotency ${row.caller} ${idempotencyKey}`, row.reply!))).toEqual(body)
  expect(() => unseal(keys, `idempotency ${crypto.randomUUID()} ${idempotencyKey}`, row.reply!)).toThrow()
})
