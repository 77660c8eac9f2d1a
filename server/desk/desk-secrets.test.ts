import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  createKeyAtDesk,
  listKeysAtDesk,
  revokeKeyAtDesk,
  rotateKeyAtDesk,
} from '../../contract/desk/desk-client-keys.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { approveProposal } from '../../contract/desk/desk-proposals.ts'
import { finishDeskSignIn, readDeskSession, renewDeskSignIn } from '../../contract/desk/desk-session.ts'
import { createCodesAtDesk } from '../../contract/desk/desk-vouchers.ts'
import {
  drawSecretAtDesk,
  listWebhooksAtDesk,
  putWebhookAtDesk,
  removeWebhookAtDesk,
  replayAtDesk,
} from '../../contract/desk/desk-webhooks.ts'
import { getClientKey } from '../../contract/provider/client-keys.ts'
import { staffCookie } from '../platform/authentication/staff-session.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { letStaffIn, openDesk, signInStaff, type StaffBrowser } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'
import { sampleRelease } from '../testing/provider.ts'
import { issueClientKey } from '../client-keys/client-keys.ts'
import { listReleasesAtDesk, putReleaseAtDesk, removeReleaseAtDesk } from '../../contract/desk/desk-operations.ts'

const portal = await openPortal({ settings: { webhookHosts: ['hooks.example'] } })
const desk = await openDesk(portal)
const administrator = await letStaffIn(portal, desk, { subject: 'Iga Zych', roles: ['administrator'] })

const url = 'https://hooks.example/sygnet'
const newKey = (name: string) => ({ body: { name, scopes: ['events:read' as const], days: 30 } })
const readWith = (key: string) =>
  fetch(`${portal.origin}${getClientKey.path}`, { headers: { authorization: `Bearer ${key}` } })

const entriesOf = (staff: string) => auditEntries(portal, { details: { staff } })

test('DSK-33 a key is created, rotated and revoked, with the name of the person, by the rules of the command', async () => {
  const made = await administrator.call(createKeyAtDesk, newKey('crm'))
  expect(made.status).toBe(200)
  expect(await (await readWith(made.body.key)).json()).toMatchObject({ name: 'crm', scopes: ['events:read'] })
  expect((await administrator.call(createKeyAtDesk, newKey('crm'))).problem.code).toBe('object-in-use')
  for (const name of ['CRM', 'crm ', '', crypto.randomUUID(), 'ę'])
    expect([name, (await administrator.call(createKeyAtDesk, newKey(name))).status]).toEqual([name, 400])

  const params = { id: made.body.id }
  const rotated = await administrator.call(rotateKeyAtDesk, { params })
  expect((await readWith(rotated.body.key)).status).toBe(200)
  expect((await administrator.call(rotateKeyAtDesk, { params })).status).toBe(404)
  expect((await administrator.call(revokeKeyAtDesk, { params })).status).toBe(204)
  expect((await readWith(made.body.key)).status).toBe(401)
  expect((await administrator.call(revokeKeyAtDesk, { params })).status).toBe(404)
  expect((await readWith(rotated.body.key)).status).toBe(200)

  const { items } = (await administrator.call(listKeysAtDesk)).body
  expect(items.filter(({ name }) => name === 'crm').map(({ id, state }) => [id, state])).toEqual([
    [rotated.body.id, 'live'],
    [made.body.id, 'revoked'],
  ])
  expect((await entriesOf('Iga Zych')).filter(({ details }) => details['name'] === 'crm')).toMatchObject([
    { action: 'client-key-made', details: { actorName: 'Iga Zych', name: 'crm', scopes: 'events:read' } },
    { action: 'client-key-rotated', details: { actorName: 'Iga Zych', before: made.body.id } },
    { action: 'client-key-revoked', details: { actorName: 'Iga Zych', client: made.body.id } },
  ])
})

test('DSK-34 a webhook is added, changed and removed, on the hosts that the operator allows', async () => {
  const params = { webhook: 'erp' }
  const body = { url, types: null }
  const elsewhere = { ...body, url: 'https://evil.example/' }
  const foreign = await administrator.call(putWebhookAtDesk, { params, body: elsewhere })
  expect([foreign.status, foreign.problem.code]).toEqual([422, 'host-not-allowed'])
  expect((await administrator.call(putWebhookAtDesk, { params, body })).body.secret).toMatch(/^whsec_/)
  expect((await administrator.call(putWebhookAtDesk, { params, body })).body).toEqual({ secret: null })
  expect((await entriesOf('Iga Zych')).at(-1)).toMatchObject({ action: 'webhook-stored', details: { url } })
  expect((await administrator.call(drawSecretAtDesk, { params })).body.secret).toMatch(/^whsec_/)
  expect((await administrator.call(replayAtDesk, { params })).body).toEqual({ replayed: 0 })
  expect((await administrator.call(listWebhooksAtDesk)).body).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ webhook: 'erp', url, deadLetters: 0 })]),
    hosts: ['hooks.example'],
  })
  expect((await administrator.call(removeWebhookAtDesk, { params })).status).toBe(204)
  for (const endpoint of [removeWebhookAtDesk, drawSecretAtDesk, replayAtDesk])
    expect((await administrator.call(endpoint, { params })).status).toBe(404)
})

test('DSK-35 a program is published, changed and withdrawn', async () => {
  const params = { release: 'signer' }
  for (const version of ['1', '2']) {
    const body = { ...sampleRelease, version }
    expect((await administrator.call(putReleaseAtDesk, { params, body })).status).toBe(204)
  }
  const list = async () => (await administrator.call(listReleasesAtDesk)).body.items
  expect(await list()).toMatchObject([{ release: 'signer', version: '2' }])
  const { url: address, sha256 } = sampleRelease
  expect((await entriesOf('Iga Zych')).at(-1)).toMatchObject({
    action: 'software-stored',
    details: { release: 'signer', version: '2', url: address, ...(sha256 && { sha256 }) },
  })
  for (let time = 0; time < 2; time++)
    expect((await administrator.call(removeReleaseAtDesk, { params })).status).toBe(204)
  expect(await list()).toEqual([])
})

/** The calls that make something which outlives the session, and their effects. */
const guarded = (browser: StaffBrowser) => [
  browser.call(createKeyAtDesk, newKey('guarded')),
  browser.call(putWebhookAtDesk, { params: { webhook: 'guarded' }, body: { url, types: null } }),
  browser.call(drawSecretAtDesk, { params: { webhook: 'kept' } }),
  browser.call(putReleaseAtDesk, { params: { release: 'guarded' }, body: sampleRelease }),
  browser.call(createCodesAtDesk, {
    body: { codes: { kind: 'voucher', process: 'timestamps', customer: null, count: 1, days: 30 } },
  }),
  browser.call(approveProposal, { params: { id: crypto.randomUUID() } }),
]

test('R252 a key, a webhook, a secret and a published program need a recent sign-in', async () => {
  const body = { url, types: null }
  await administrator.call(putWebhookAtDesk, { params: { webhook: 'kept' }, body })
  const { id } = (await administrator.call(createKeyAtDesk, newKey('kept'))).body
  const old = new Date(Date.now() - (deskLimits.recentSignIn + 60) * 1000)
  for (const authenticatedAt of [old, null]) {
    const browser = await letStaffIn(portal, desk, { subject: 'late', roles: ['administrator'], authenticatedAt })
    expect((await browser.call(readDeskSession)).body.recentUntil).toBeNull()
    const answers = await Promise.all([...guarded(browser), browser.call(rotateKeyAtDesk, { params: { id } })])
    expect(answers.map(({ status, problem }) => [status, problem.code])).toEqual(
      answers.map(() => [403, 'step-up-required']),
    )
    expect((await browser.call(listKeysAtDesk)).status).toBe(200)
  }
  expect(await entriesOf('late')).toEqual([])
  const lists = [await administrator.call(listReleasesAtDesk), await administrator.call(listKeysAtDesk)]
  expect(JSON.stringify(lists.map(({ body: { items } }) => items))).not.toContain('guarded')
  expect((await portal.owner.query('select from voucher_codes')).rows).toEqual([])
})

test('R252 another sign-in makes the session recent, and ends the one before (DSK-29)', async () => {
  const browser = await signInStaff(desk, 'staff-3')
  await sql`update staff_sessions set authenticated_at = portal_now() - interval '1 hour'
    where subject = 'staff-3'`.execute(portal.ownerDb)
  expect((await browser.call(createKeyAtDesk, newKey('renewed'))).status).toBe(403)
  const before = browser.cookies.get(staffCookie)!
  const { url: address } = (await browser.call(renewDeskSignIn)).body
  expect(new URL(address).searchParams.get('prompt')).toBe('login')
  // The provider knows the person, and asks all the same.
  const back = await browser.choose(address, 'staff-3')
  const finished = await browser.call(finishDeskSignIn, { body: { answer: back.search.slice(1) } })
  expect(finished.body.recentUntil).not.toBeNull()
  expect((await browser.call(createKeyAtDesk, newKey('renewed'))).status).toBe(200)
  const session = (token: string) =>
    fetch(`${desk.origin}${readDeskSession.path}`, {
      headers: { 'sec-fetch-site': 'same-origin', cookie: `${staffCookie}=${token}` },
    })
  expect((await session(before)).status).toBe(401)
  expect((await entriesOf('staff-3')).filter(({ action }) => action === 'desk-signed-out')).toMatchObject([
    { details: { by: 'new-sign-in', actorName: 'Iga Zych' } },
  ])
  expect((await session(browser.cookies.get(staffCookie)!)).status).toBe(200)
})

test('R257 no key that could change customers is made or rotated at the desk; each other one raises an alarm', async () => {
  const scopes = ['events:read', 'customers:write'] as const
  const refused = await administrator.call(createKeyAtDesk, {
    body: { name: 'alone', scopes: [...scopes], days: 30 } as never,
  })
  expect([refused.status, refused.problem.code]).toEqual([400, 'invalid-input'])
  const byCommand = await issueClientKey(portal.ownerDb, { name: 'alone', scopes })
  const rotated = await administrator.call(rotateKeyAtDesk, { params: { id: byCommand.id } })
  expect([rotated.status, rotated.problem.code]).toEqual([403, 'scope-missing'])
  const { items } = (await administrator.call(listKeysAtDesk)).body
  expect(items.filter(({ name }) => name === 'alone')).toMatchObject([{ id: byCommand.id, state: 'live' }])

  const made = (await administrator.call(createKeyAtDesk, newKey('heard'))).body
  const next = (await administrator.call(rotateKeyAtDesk, { params: { id: made.id } })).body
  for (const { id } of [made, next])
    await expect.poll(() => portal.alarms).toContainEqual({ name: 'client-key-at-desk', about: id })
  expect(portal.alarms.some(({ about }) => about === byCommand.id)).toBe(false)
})

test('R253 a key or a secret is in its one answer, and nowhere else', async () => {
  const { body: made } = await administrator.call(createKeyAtDesk, newKey('once'))
  const { body: rotated } = await administrator.call(rotateKeyAtDesk, { params: { id: made.id } })
  const params = { webhook: 'once' }
  const { body: added } = await administrator.call(putWebhookAtDesk, { params, body: { url, types: null } })
  const { body: drawn } = await administrator.call(drawSecretAtDesk, { params })
  const { rows } = await sql<{ all: string }>`
    select concat((select string_agg(audit::text, ' ') from audit), (select string_agg(provider_keys::text, ' ') from provider_keys),
      (select string_agg(webhooks::text, ' ') from webhooks), (select string_agg(s::text, ' ') from webhook_secrets s),
      (select string_agg(idempotency::text, ' ') from idempotency)) as all`.execute(portal.ownerDb)
  const lists = await Promise.all([administrator.call(listKeysAtDesk), administrator.call(listWebhooksAtDesk)])
  const left = rows[0]!.all + JSON.stringify(lists.map(({ body }) => body))
  for (const secret of [made.key, rotated.key, added.secret!, drawn.secret]) {
    expect(secret.length).toBeGreaterThan(30)
    for (const form of [secret, secret.slice(7), Buffer.from(secret.slice(6), 'base64').toString('hex')])
      expect(left).not.toContain(form)
  }
})
