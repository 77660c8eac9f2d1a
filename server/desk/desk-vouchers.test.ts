import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import {
  createCodesAtDesk,
  listCodesAtDesk,
  withdrawCodeAtDesk,
  type NewCodes,
} from '../../contract/desk/desk-vouchers.ts'
import { getVoucherCode } from '../../contract/provider/provider-vouchers.ts'
import { openRenewal } from '../../contract/renewal.ts'
import { redeemVoucher } from '../../contract/vouchers.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { runBehindLock, untilWaiting } from '../testing/concurrency.ts'
import { findAccountId } from '../testing/database-state.ts'
import { letStaffIn, openDesk } from '../testing/open-desk.ts'
import { openPortalWithRenewals } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { giveRenewalCode, addVoucher, openVoucherCase, sampleVoucher } from '../testing/samples/sample-vouchers.ts'
import { findIndexes, recordStatements, findWholeReads, withManyRows } from '../testing/statement-plans.ts'
import { addCodes } from '../vouchers/provider-voucher-store.ts'

const { portal, provider, giveCloudSignature } = await openPortalWithRenewals()
const desk = await openDesk(portal)
const administrator = await letStaffIn(portal, desk, { subject: 'Iga Zych', roles: ['administrator'] })
const person = await addCustomer(portal)
const customer = await signInDirectly(portal, person)

const vouchers = (over: Partial<NewCodes & { kind: 'voucher' }> = {}) => ({
  body: {
    codes: { kind: 'voucher' as const, process: 'timestamps' as const, customer: null, count: 1, days: 30, ...over },
  },
})
const make = async (over: Partial<NewCodes & { kind: 'voucher' }> = {}) =>
  (await administrator.call(createCodesAtDesk, vouchers(over))).body
const list = async (query = {}) => (await administrator.call(listCodesAtDesk, { query })).body.items
const withdraw = (id: string) => administrator.call(withdrawCodeAtDesk, { params: { id } })
const stateAtProvider = async (code: string) =>
  (await openBrowser(portal).call(getVoucherCode, { params: { code } })).body
const entries = async (action: AuditAction) =>
  (await auditEntries(portal, { action, details: { staff: 'Iga Zych' } })).map(({ details }) => details)

test('DSK-37 vouchers and a renewal code are created as by the provider API, with the name of the person, and found', async () => {
  const owner = await addCustomer(portal)
  const { idPrefix, codes } = await make({ count: 3, customer: owner.id })
  expect(codes).toHaveLength(3)
  expect(await stateAtProvider(`${idPrefix}-2`)).toMatchObject({
    code: codes[1],
    process: 'timestamps',
    customer: owner.id,
    status: 'unused',
  })
  const { providerId: signature } = await provider.give(owner)
  const order = { codes: { kind: 'renewal', signature, days: 30 } } as const
  const { body: renewal } = await administrator.call(createCodesAtDesk, { body: order })
  expect(await stateAtProvider(renewal.idPrefix)).toMatchObject({ kind: 'renewal', signature, code: renewal.codes[0] })
  for (const made of [
    { codes: 3, idPrefix },
    { codes: 1, idPrefix: renewal.idPrefix },
  ])
    expect(await entries('voucher-codes-stored')).toContainEqual({ ...made, actorName: 'Iga Zych', staff: 'Iga Zych' })

  expect((await list({ idPrefix })).map(({ id }) => id)).toEqual([`${idPrefix}-1`, `${idPrefix}-2`, `${idPrefix}-3`])
  expect((await list({ customer: owner.id })).map(({ id }) => id)).toEqual([
    renewal.idPrefix,
    ...[1, 2, 3].map((n) => `${idPrefix}-${n}`),
  ])
  const { opened, voucher } = await openVoucherCase(portal, await signInDirectly(portal, owner))
  expect(await list({ customer: owner.id, status: 'used' })).toMatchObject([{ id: voucher.id, case: opened.number }])
  expect(await list({ customer: 'nobody' })).toEqual([])
})

test('DSK-37 no code is made for a customer or a signature that the portal does not know', async () => {
  const before = await list()
  expect((await administrator.call(createCodesAtDesk, vouchers({ customer: 'nobody' }))).status).toBe(404)
  const body = { codes: { kind: 'renewal', signature: 'none', days: 30 } } as const
  expect((await administrator.call(createCodesAtDesk, { body })).status).toBe(404)
  expect(await list()).toEqual(before)
})

test('R260 a code is in its one answer, and masked in the list', async () => {
  const { idPrefix, codes } = await make({ count: 2 })
  const { rows } = await sql<{ all: string }>`
    select concat((select string_agg(audit::text, ' ') from audit), (select string_agg(v::text, ' ') from voucher_codes v),
      (select string_agg(idempotency::text, ' ') from idempotency)) as all`.execute(portal.ownerDb)
  const listed = await list({ idPrefix })
  const left = rows[0]!.all + JSON.stringify(listed)
  for (const [i, code] of codes.entries()) {
    expect(code).toMatch(/^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/)
    expect(listed[i]!.code).toBe('•'.repeat(16) + code.slice(-3))
    for (const form of [code, code.replaceAll('-', ''), code.slice(-9), Buffer.from(code).toString('hex')])
      expect(left).not.toContain(form)
  }
})

test('R237 R260 each look at the list is an entry, with the customer who was asked for', async () => {
  await list({ customer: person.id })
  const looks = await auditEntries(portal, { action: 'desk-codes-read' })
  expect(looks.at(-1)!.account).toBe(await findAccountId(portal, person))
})

async function allPages(query = {}) {
  const { body } = await administrator.call(listCodesAtDesk, { query })
  const pages = [body.items]
  for (let { next } = body; next;) {
    const { body: more } = await administrator.call(listCodesAtDesk, { query: { ...query, cursor: next } })
    pages.push(more.items)
    next = more.next
  }
  return pages.map((items) => items.map(({ id }) => id))
}

/** Adds codes that were created at the same moment, which has microseconds. */
const addMany = async (prefix: string, count: number) => {
  const orders = Array.from({ length: count }, (_, i) => sampleVoucher({ id: prefix + String(i + 1).padStart(4, '0') }))
  await portal.db.transaction().execute((tx) => addCodes(tx, portal.portal.keys, orders))
  await sql`update voucher_codes set created_at = date_trunc('hour', created_at) - interval '1 day' + interval '123456 microseconds'
     where provider_id like ${prefix} || '%'`.execute(portal.ownerDb)
}

test('DSK-37 every code is on one page of the list, also of many of the same moment, and of a prefix by id', async () => {
  const { page } = deskLimits.codes
  await addMany('Many_', 2 * page)
  await addMany('Many.', 1)
  const pages = await allPages()
  expect(pages.slice(0, -1).every(({ length }) => length === page)).toBe(true)
  const { rows } = await portal.owner.query<{ id: string }>('select provider_id as id from voucher_codes')
  expect(pages.flat().toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  const ordered = await allPages({ idPrefix: 'Many_' })
  expect(ordered.map(({ length }) => length)).toEqual([page, page])
  expect(ordered.flat()).toEqual(ordered.flat().toSorted())
  expect(ordered.flat()[0]).toBe('Many_0001')
  expect(await allPages({ idPrefix: 'many_' })).toEqual([[]])
  const { next } = (await administrator.call(listCodesAtDesk, { query: { idPrefix: 'Many_' } })).body
  const other = await administrator.call(listCodesAtDesk, { query: { idPrefix: 'Many', cursor: next! } })
  expect(other.problem.code).toBe('cursor-refused')
  await portal.owner.query(`delete from voucher_codes where provider_id like 'Many%'`)
})

test('OPS-7 DSK-37 no page of the codes reads a table or an index from end to end', async () => {
  await addMany('Many_', deskLimits.codes.page + 1)
  await openVoucherCase(portal, customer)
  const queries = {
    all: {},
    order: { idPrefix: 'Many_' },
    customer: { customer: person.id },
    used: { status: 'used' },
  } as const
  const texts = await recordStatements(async (doing) => {
    for (const [name, query] of Object.entries(queries)) {
      doing(name)
      await allPages(query)
    }
  })
  const lists = [...texts].filter(([text]) => text.includes('can_withdraw from'))
  expect(lists.map(([, name]) => name)).toEqual(['all', 'all', 'order', 'order', 'customer', 'used'])
  const indexes: Record<string, string> = {
    all: 'voucher_codes_by_time',
    order: 'voucher_codes_by_id',
    customer: 'voucher_codes_pkey',
    used: 'voucher_codes_used',
  }
  await withManyRows(portal, async (client) => {
    for (const [text, name] of lists) {
      expect([name, await findWholeReads(client, text)]).toEqual([name, []])
      expect(await findIndexes(client, text)).toContain(indexes[name])
    }
  })
  await portal.owner.query(`delete from voucher_codes where provider_id like 'Many%'`)
})

test('R261 one person makes codes 20 times a day, however many calls come at once; the next call raises an alarm', async () => {
  const { limit } = deskLimits.codes.calls
  const busy = await letStaffIn(portal, desk, { subject: 'busy', roles: ['administrator'] })
  const count = async () => (await portal.owner.query('select from voucher_codes')).rowCount
  const before = await count()
  const answers = await Promise.all(Array.from({ length: limit + 5 }, () => busy.call(createCodesAtDesk, vouchers())))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.map(({ status, problem }) => [status, problem.code])).toEqual(
    Array.from({ length: 5 }, () => [429, 'too-many-requests']),
  )
  expect(await count()).toBe(before! + limit)
  await expect
    .poll(() => portal.alarms.filter(({ name }) => name === 'staff-makes-many-codes'))
    .toEqual([{ name: 'staff-makes-many-codes', about: 'busy' }])
  expect((await make()).codes).toHaveLength(1)
})

test('R260 a call makes at most 20 codes', async () => {
  const { atOnce, daysMost } = deskLimits.codes
  expect((await make({ count: atOnce })).codes).toHaveLength(atOnce)
  for (const over of [{ count: atOnce + 1 }, { count: 0 }, { days: daysMost + 1 }])
    expect((await administrator.call(createCodesAtDesk, vouchers(over))).status).toBe(400)
})

test('DSK-37 R260 an unused code is withdrawn once, however many ask, and redeems nothing then', async () => {
  const { id, code } = await addVoucher(portal)
  const answers = await Promise.all(Array.from({ length: 10 }, () => withdraw(id)))
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  for (const { problem } of answers.filter(({ status }) => status !== 204))
    expect(problem).toMatchObject({ code: 'state-passed', current: 'expired' })
  expect((await entries('desk-code-withdrawn')).filter((details) => JSON.stringify(details).includes(id))).toEqual([
    { id, actorName: 'Iga Zych', staff: 'Iga Zych' },
  ])
  expect(await list({ idPrefix: id })).toMatchObject([{ status: 'expired' }])
  expect((await customer.call(redeemVoucher, { body: { code } })).problem.code).toBe('voucher-refused')
  expect((await withdraw('nothing')).status).toBe(404)
})

test('R260 a used code is not withdrawn', async () => {
  const { voucher } = await openVoucherCase(portal, customer)
  expect((await withdraw(voucher.id)).problem).toMatchObject({ code: 'state-passed', current: 'used' })
})

test('R31 a code that was used in vain opens another renewal, also past its own end', async () => {
  const owner = await addCustomer(portal)
  const { providerId } = await giveCloudSignature(owner, {})
  const { id, code } = await giveRenewalCode(portal, providerId)
  const browser = await signInDirectly(portal, owner)
  const open = async () => (await browser.call(openRenewal, { body: { code } })).body
  const first = await open()
  await sql`update renewals set state = 'expired', parameters_sha256 = 'x' where code_id = (select id from voucher_codes
    where provider_id = ${id})`.execute(portal.ownerDb)
  await sql`update voucher_codes set used_at = portal_now(), expires_at = portal_now() - interval '1 hour'
    where provider_id = ${id}`.execute(portal.ownerDb)
  expect(await open()).toMatchObject({ uid: expect.not.stringMatching(first.uid) })
})

test.each([
  { use: 'renewal', first: 'use' },
  { use: 'renewal', first: 'withdrawal' },
  { use: 'redemption', first: 'use' },
  { use: 'redemption', first: 'withdrawal' },
] as const)('R260 of a $use and a withdrawal at once only the first succeeds: $first', async ({ use, first }) => {
  const owner = await addCustomer(portal)
  const browser = await signInDirectly(portal, owner)
  const { id, code } =
    use === 'renewal'
      ? await giveRenewalCode(portal, (await giveCloudSignature(owner, {})).providerId)
      : await addVoucher(portal)
  const body = { code }
  const calls = {
    use: () => (use === 'renewal' ? browser.call(openRenewal, { body }) : browser.call(redeemVoucher, { body })),
    withdrawal: () => withdraw(id),
  }
  const inTurn = async () => {
    const one = calls[first]()
    await untilWaiting(portal)
    return Promise.all([one, calls[first === 'use' ? 'withdrawal' : 'use']()])
  }
  const lock: [string, unknown[]] = ['select from voucher_codes where provider_id = $1 for update', [id]]
  const answers = await runBehindLock(portal, lock, inTurn, { count: 2 })
  expect(answers.map(({ problem }) => problem?.code)).toEqual([
    undefined,
    first === 'use' ? 'state-passed' : 'voucher-refused',
  ])
  if (use === 'renewal' && first === 'use')
    expect(await list({ idPrefix: id })).toMatchObject([{ status: 'unused', canWithdraw: false }])
})
