import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { enterSignInCode, readSession } from '../../../contract/account.ts'
import { getSignature } from '../../../contract/provider/provider-signatures.ts'
import {
  confirmSignaturePairing,
  downloadSignatureAgreement,
  listSignatures,
  startSignaturePairing,
} from '../../../contract/signatures.ts'
import { testFile, testFolder } from '../../../pki/testing/peer-programs.ts'
import { fromBase32, totp } from '../../../pki/totp.ts'
import { collectFindings } from '../../testing/audit-entries.ts'
import { exhaustive } from '../../testing/breadth.ts'
import { openBrowser } from '../../testing/browser.ts'
import { untilWaiting } from '../../testing/concurrency.ts'
import { countRows } from '../../testing/database-state.ts'
import { openPortalForTest } from '../../testing/open-portal.ts'
import { now, type TestPortal } from '../../testing/portal-nodes.ts'
import { openTestProvider, samplePdf } from '../../testing/provider.ts'
import { shownSecret } from '../../testing/samples/activation-samples.ts'
import { smsCode } from '../../testing/sent-messages.ts'
import { makeCustomer, passPassword, signInAs, stepUp } from '../../testing/test-customers.ts'
import { readHead, signHead } from '../audit/audit-head.ts'
import { keyIdOf } from '../encryption/keys.ts'
import { rotateKeys } from './encrypted-columns.ts'
import { loadKeys, readKeys } from './open-keys.ts'

/** Opens two nodes in the middle of a key rotation: the first still encrypts with the older key. */
async function openRotatingPortal() {
  const [older, newer] = [randomBytes(32), randomBytes(32)]
  const ofFirst = [older, newer]
  const portal = await openPortalForTest({ masters: [ofFirst, ofFirst.toReversed()] })
  const provider = await openTestProvider(portal)
  return { portal, provider, older, newer }
}

/** Runs the command as the operator does, with a file of the keys. */
function sygnetRotate(portal: TestPortal, masters: Buffer[]) {
  const keyFile = testFile(masters.map((key) => `${key.toString('base64')}\n`).join(''))
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../cli/sygnet.ts'), 'keys', 'rotate'], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/sygnet/compiled'),
      DATABASE_URL: portal.databaseUrl,
      MASTER_KEY_FILE: keyFile,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  )
}

/** Reads the ids of the master keys with which values in the whole database are encrypted. */
async function keyIds({ owner }: TestPortal) {
  const { rows } = await owner.query<{ value: Buffer }>(`
    select phone as value from accounts union all select identifier_value from signatures union all select certificates from signatures
    union all select secret from pairings union all select message from outbox where message <> '' union all select encrypted from document_keys
    union all select reply from idempotency where reply is not null union all select encrypted from secrets`)
  return new Set(rows.map(({ value }) => keyIdOf(value).toString('hex')))
}

test.runIf(exhaustive)(
  'R82 R83 the master key is rotated while both nodes serve, and then the older one decrypts nothing',
  async () => {
    const { portal, provider, older, newer } = await openRotatingPortal()
    const people = await Promise.all(Array.from({ length: 4 }, () => makeCustomer(portal)))
    const signatures = await Promise.all(people.map((person) => provider.give(person)))
    for (const { providerId } of signatures) await provider.putAgreement(providerId)
    const person = people[0]!
    const { id, providerId } = signatures[0]!
    const browser = await signInAs(portal, person)
    await stepUp(portal, browser, person, 'pair-app', id)
    const idempotencyKey = crypto.randomUUID()
    const { body: pairing } = await browser.call(startSignaturePairing, { params: { id }, idempotencyKey })
    // A sign-in waits for its code while the keys are rotated.
    const waiting = await passPassword(portal, people[1]!)
    const headFolder = testFolder()
    await signHead(portal.db, portal.portal.keys, headFolder)
    expect((await keyIds(portal)).size).toBe(1)

    const refusals: unknown[] = []
    let [running, calls] = [true, 0]
    const customers = await Promise.all([2, 3].map((i) => signInAs(portal, people[i]!)))
    const load = Promise.all(
      customers.flatMap((customer) =>
        [0, 1].map(async (node) => {
          while (running) {
            const { status, problem } = await customer.call(listSignatures, {}, node)
            if (status !== 200) refusals.push(problem)
            calls++
          }
        }),
      ),
    )
    const rotated = await sygnetRotate(portal, [newer, older])
    running = false
    await load
    expect(refusals).toEqual([])
    expect(calls).toBeGreaterThan(10)
    const newId = portal.nodes[1]!.portal.keys.masters[0]!.id.toString('hex')
    expect(rotated.output).toMatch(
      new RegExp(`^\\d\\d+ values re-encrypted. Everything is now encrypted with the master key ${newId}; the older`),
    )
    expect(rotated.code).toBe(0)
    expect([...(await keyIds(portal))]).toEqual([newId])

    // Operations that began with the older key continue on every node.
    const code = smsCode(portal, people[1]!.phone)
    expect((await waiting.browser.call(enterSignInCode, { body: { code } }, 1)).status).toBe(200)
    expect((await browser.call(readSession, {}, 1)).status).toBe(200)
    const again = await browser.call(startSignaturePairing, { params: { id }, idempotencyKey }, 1)
    expect(again.body).toEqual(pairing)
    const appCode = totp(fromBase32(shownSecret(pairing).key)!, await now(portal.db))
    expect((await browser.call(confirmSignaturePairing, { params: { id }, body: { code: appCode } })).status).toBe(200)
    const agreement = await browser.raw('GET', downloadSignatureAgreement.path.replace(':id', id))
    expect(Buffer.from(await agreement.arrayBuffer())).toEqual(samplePdf)

    // The first node still encrypts with its older key; after its restart another run re-encrypts those values.
    await openBrowser(portal).call(getSignature, { params: { signature: providerId } })
    await provider.give(people[0]!)
    expect((await keyIds(portal)).size).toBe(2)
    expect(await sygnetRotate(portal, [newer, older])).toMatchObject({ code: 0 })
    expect([...(await keyIds(portal))]).toEqual([newId])
    await expect(readKeys(portal.databaseUrl, [older])).rejects.toThrow(
      `The database belongs to another master key. Encrypted with the master key ${newId}`,
    )
    const keys = await loadKeys(portal.databaseUrl, [newer])
    const { masters: _, ...others } = portal.portal.keys
    expect(keys).toMatchObject(others)

    // The audit trail is unbroken and contains the rotation.
    await signHead(portal.nodes[1]!.db, keys, headFolder)
    const head = () => readHead(keys, headFolder)
    const { findings } = await collectFindings(portal.db, keys.audit, { known: [head()!], now: head })
    expect(findings).toEqual([])
    const rows = await portal.rows(`select actor, details->>'key' as key from audit where act = 'keys-rotated'`)
    expect(rows).toEqual(Array.from({ length: 2 }, () => ({ actor: 'operator', key: newId })))
  },
)

test('R83 a change by a request during a batch wins', async () => {
  const { portal, older, newer } = await openRotatingPortal()
  const person = await makeCustomer(portal)
  const client = await portal.owner.connect()
  await client.query('begin')
  const { rows } = await client.query<{ id: string }>(
    `update accounts set phone = '\\x00', locale = 'en' where provider_id = $1 returning id`,
    [person.id],
  )
  const keys = await readKeys(portal.databaseUrl, [newer, older])
  const rotating = rotateKeys(portal.ownerDb, keys)
  await untilWaiting(portal)
  await client.query('commit')
  client.release()
  const { unreadable } = await rotating
  const { rows: after } = await portal.owner.query('select phone, locale from accounts where id = $1', [rows[0]!.id])
  expect(after).toEqual([{ phone: Buffer.of(0), locale: 'en' }])
  expect(unreadable).toEqual([`accounts.phone ${rows[0]!.id}`])
})

test('R83 a rotation reports a value that it cannot decrypt, keeps the older key, and finishes when repeated', async () => {
  const { portal, older, newer } = await openRotatingPortal()
  await makeCustomer(portal)
  const flip = () => portal.owner.query('update accounts set phone = set_byte(phone, 40, get_byte(phone, 40) # 1)')
  await flip()
  const { rows } = await portal.owner.query<{ id: string }>('select id from accounts')
  const { code, output } = await sygnetRotate(portal, [newer, older])
  expect(code).toBe(1)
  expect(output).toContain(`except 1 that cannot be decrypted; keep the older keys:\naccounts.phone ${rows[0]!.id}\n`)
  // The root stays where the older key opens it, so that this key cannot be put away by mistake.
  await expect(loadKeys(portal.databaseUrl, [newer])).rejects.toThrow('another master key')
  await flip()
  const repeated = await rotateKeys(portal.ownerDb, await readKeys(portal.databaseUrl, [newer, older]))
  expect(repeated.unreadable).toEqual([])
  expect((await loadKeys(portal.databaseUrl, [newer])).audit).toEqual(portal.portal.keys.audit)
})

test('R83 a database with entries and without its root key is refused, and gets no other one', async () => {
  const { portal, older } = await openRotatingPortal()
  await makeCustomer(portal)
  await portal.owner.query('delete from secrets')
  await expect(loadKeys(portal.databaseUrl, [older])).rejects.toThrow('but not its root key')
  expect(await countRows(portal, 'secrets')).toBe(0)
})
