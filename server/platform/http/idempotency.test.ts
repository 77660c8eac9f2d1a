import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startPairing } from '../../../contract/signatures.ts'
import { putSignature } from '../../../contract/provider/provider-api.ts'
import { fromBase32 } from '../../../pki/totp.ts'
import { decrypt } from '../encryption/keys.ts'
import { manySends } from '../../testing/open-portal.ts'
import { openPortalWithProvider } from '../../testing/open-provider.ts'
import { openBrowser, stepUp, type Person, type TestBrowser } from '../../testing/browser.ts'
import { addCustomer, letIn } from '../../testing/samples/ready-customers.ts'
import { countRows, stateOf } from '../../testing/database-state.ts'
import { openWire, readAnswers } from '../../testing/raw-http.ts'
import { shownSecret } from '../../testing/samples/activation-samples.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })

type Owner = { person: Person; browser: TestBrowser; id: string; providerId: string }

/** A signed-in customer with a signature, who has confirmed that an app may be paired with it. */
async function makeOwner(): Promise<Owner> {
  const person = await addCustomer(portal)
  const browser = await letIn(portal, person)
  const given = await provider.give(person)
  await stepUp(portal, browser, person, 'pair-app', given.id)
  return { person, browser, ...given }
}

const started = ({ id }: Owner) =>
  countRows(portal, `audit where act = 'pairing-started' and details->>'signature' = $1`, id)

/** The secret that the portal has, as the customer would type it. */
async function secretOf({ id }: Owner) {
  const stored = sql<{ secret: Buffer }>`select secret from pairings where signature_id = ${id}`
  const { rows } = await stored.execute(portal.db)
  return Buffer.from(decrypt(portal.portal.keys, `pairing ${id}`, rows[0]!.secret), 'base64')
}

/** The whole request as text, for its own connection. */
function rawPairing(origin: string, { browser, id }: Owner, key: string) {
  const { host } = new URL(origin)
  return `POST ${startPairing.path.replace(':id', id)} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nCookie: ${browser.cookie}\r\nIdempotency-Key: ${key}\r\nConnection: close\r\n\r\n`
}

test('R52 R83 a repetition on the other node gets the first answer, stored encrypted for this caller and key', async () => {
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
  const { rows } = await sql<{ caller: string; reply: Buffer }>`
    select caller, reply from idempotency where key = ${idempotencyKey}`.execute(portal.db)
  const { caller, reply } = rows[0]!
  const open = (by: string) => decrypt(portal.portal.keys, `idempotency ${by} ${idempotencyKey}`, reply)
  expect(reply.toString('latin1')).not.toContain(shownSecret(first.body).key)
  expect(JSON.parse(open(caller))).toEqual(first.body)
  expect(() => open(crypto.randomUUID())).toThrow()
  const withoutKey = await owner.browser.call(startPairing, { params: { id: owner.id } })
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
  const again = await owner.browser.call(startPairing, { params: { id: owner.id }, idempotencyKey }, 1)
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
  await owner.browser.call(startPairing, { params: { id: owner.id }, idempotencyKey })
  const { sessions: _, ...before } = await stateOf(portal)
  const reused = await owner.browser.call(startPairing, { params: { id: second.id }, idempotencyKey }, 1)
  expect(reused).toMatchObject({ status: 422, problem: { code: 'idempotency-key-reused' } })
  expect(await stateOf(portal)).toMatchObject(before)
})

test('R52 a refused request leaves no trace, so the same key works once the request is allowed', async () => {
  const owner = await makeOwner()
  const body = await provider.draw(owner.person.id)
  const put = (status: 'good' | 'suspended') =>
    openBrowser(portal).call(putSignature, { params: { signature: owner.providerId }, body: { ...body, status } })
  const input = { params: { id: owner.id }, idempotencyKey: crypto.randomUUID() }
  await put('suspended')
  expect((await owner.browser.call(startPairing, input)).problem.code).toBe('pairing-not-possible')
  expect(await countRows(portal, 'idempotency where key = $1', input.idempotencyKey)).toBe(0)
  await put('good')
  expect((await owner.browser.call(startPairing, input)).status).toBe(200)
})

test('R52 R34 the same key of another customer reveals nothing', async () => {
  const [owner, stranger] = [await makeOwner(), await makeOwner()]
  const idempotencyKey = crypto.randomUUID()
  const first = await owner.browser.call(startPairing, { params: { id: owner.id }, idempotencyKey })
  const second = await stranger.browser.call(startPairing, { params: { id: stranger.id }, idempotencyKey })
  expect([first.status, second.status]).toEqual([200, 200])
  expect(shownSecret(second.body).key).not.toBe(shownSecret(first.body).key)
})

test('R52 a write that must not happen twice requires a valid key', async () => {
  const owner = await makeOwner()
  const path = startPairing.path.replace(':id', owner.id)
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
