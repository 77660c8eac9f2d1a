import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { signIn } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { importCustomers, type ImportReport } from '../../contract/provider/customer-import.ts'
import { blockCustomer, eraseCustomer, getCustomer, listCustomers } from '../../contract/provider/provider-customers.ts'
import { sendDue } from '../platform/messages/outbox.ts'
import { createDeliveries } from '../platform/operations/deliveries.ts'
import { readAuditedActions } from '../testing/audit-entries.ts'
import { exhaustive } from '../testing/breadth.ts'
import * as testBrowsers from '../testing/browser.ts'
import { readDatabase, findAccountId } from '../testing/database-state.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { sampleIdentification, samplePerson } from '../testing/portal-nodes.ts'
import * as sentMessages from '../testing/sent-messages.ts'
import * as testCustomers from '../testing/test-customers.ts'

const portal = await openPortal({ nodes: 2, settings: manySends })

const newId = () => `c-${crypto.randomUUID()}`
const line = (over: Record<string, unknown> = {}) => ({ customer: newId(), ...samplePerson(), ...over })
const textOf = (lines: readonly unknown[]) =>
  lines.map((content) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n')

async function send(body: string | Buffer, node = 0, type = 'application/x-ndjson') {
  const response = await fetch(portal.nodes[node]!.origin + importCustomers.path, {
    method: 'PUT',
    headers: { authorization: `Bearer ${portal.clientKey}`, 'content-type': type },
    body: body as BodyInit,
  })
  const json = (await response.json()) as ImportReport & { code: string }
  return { status: response.status, json }
}
const bring = async (lines: readonly unknown[], node = 0) => (await send(textOf(lines), node)).json
const get = (customer: string) => testBrowsers.openBrowser(portal).call(getCustomer, { params: { customer } })
const clean = (counts: Partial<ImportReport>) => ({ created: 0, updated: 0, unchanged: 0, refused: [], ...counts })
const mailsTo = (to: string) => sentMessages.readDeliveredTo(portal, to)
const changesOf = async (login: string) =>
  (await readAuditedActions(portal, { login })).filter((action) => action !== 'data-read')

describe('OPS-4 an import of customers', () => {
  test('DSK-26 R251 a line that would remove the identification of a customer under a legal hold is refused, and no other line', async () => {
    const held = line({ identification: sampleIdentification })
    await bring([held])
    await portal.owner.query('update accounts set held_at = portal_now() where provider_id = $1', [held.customer])
    const { identification: _, ...without } = held as typeof held & { identification?: unknown }
    expect(await bring([line(), without, line()])).toEqual(
      clean({ created: 2, refused: [{ line: 2, customer: held.customer, code: 'object-in-use' }] }),
    )
    expect((await get(held.customer)).body.identification).toEqual(sampleIdentification)
    expect(await bring([{ ...held, surname: 'Inna' }])).toEqual(clean({ updated: 1 }))
  })

  test('OPS-4 REG-4 creates new customers, updates changed ones and leaves unchanged ones, each as a PUT of its own would', async () => {
    const [known, changed] = [await testCustomers.makeCustomer(portal), await testCustomers.makeCustomer(portal)]
    const fresh = Array.from({ length: exhaustive ? 300 : 120 }, (_, i) =>
      line(i % 3 ? { locale: 'en', secondName: 'Ewa' } : { identification: sampleIdentification }),
    )
    const { id: knownId, password: _, ...same } = known
    const { id: changedId, password: __, ...restated } = { ...changed, ...samplePerson(), login: changed.login }
    const lines = [
      ...fresh.slice(0, 100),
      { customer: knownId, ...same },
      ...fresh.slice(100),
      { customer: changedId, ...restated },
    ]
    expect(await bring(lines)).toEqual(clean({ created: fresh.length, updated: 1, unchanged: 1 }))
    for (const { customer, ...stated } of [fresh[0]!, fresh[1]!, fresh.at(-1)!])
      expect((await get(customer)).body).toMatchObject({ ...stated, state: 'invited' })
    expect((await get(changedId)).body).toMatchObject({ ...restated, locale: 'pl', state: 'active' })
    expect(await changesOf(fresh[7]!.login)).toEqual(['customer-created'])
    expect((await changesOf(changed.login)).at(-1)).toBe('customer-updated')
    expect(await changesOf(known.login)).not.toContain('customer-updated')
    const mails = await mailsTo(fresh[1]!.email)
    expect(mails).toHaveLength(1)
    expect(mails[0]!.text).toContain('https://portal.example/en/setup-password/')
  })

  test('PRV-11 a line reports acceptances; one in the future is refused, and no other line', async () => {
    const good = line()
    const { acceptances, ...without } = line()
    const future = { ...acceptances!.terms!, at: '9999-01-01T00:00:00.000Z' }
    const late = line({ acceptances: { ...acceptances, terms: future } })
    const fields = [{ name: 'acceptances.terms.at', problem: 'date-range' as const }]
    expect(await bring([good, without, late])).toEqual(
      clean({ created: 2, refused: [{ line: 3, customer: late.customer, code: 'invalid-input', fields }] }),
    )
    expect((await get(good.customer)).body.acceptances).toEqual(acceptances)
    expect(await bring([good, { ...without, acceptances }])).toEqual(clean({ updated: 1, unchanged: 1 }))
    expect((await get(without.customer)).body.acceptances).toEqual(acceptances)
  })

  test('OPS-4 R60 imported again, and twenty times at once over both nodes, it changes nothing, invites nobody and records nothing', async () => {
    const lines = Array.from({ length: 40 }, () => line({ identification: sampleIdentification }))
    const reports = await Promise.all(Array.from({ length: exhaustive ? 20 : 8 }, (_, i) => bring(lines, i % 2)))
    expect(reports.filter(({ created }) => created)).toEqual([clean({ created: 40 })])
    await portal.deliver()
    const state = await readDatabase(portal)
    expect(await bring(lines, 1)).toEqual(clean({ unchanged: 40 }))
    expect(await readDatabase(portal)).toEqual(state)
    expect(await mailsTo(lines[0]!.email)).toHaveLength(1)
  })

  test('OPS-4 R71 each line that is wrong is reported with its number and its fields, and all others count', async () => {
    const owner = await testCustomers.makeCustomer(portal)
    const [first, last] = [line(), line()]
    const { surname: _, ...nameless } = line()
    const wrong: [unknown, object][] = [
      ['no json', { customer: null, code: 'malformed-request' }],
      ['{"customer":"c-1",', { customer: null, code: 'malformed-request' }],
      ['[]', { customer: null, code: 'invalid-input' }],
      ['null', { customer: null, code: 'invalid-input' }],
      [nameless, { customer: nameless.customer, fields: [{ name: 'surname', problem: 'required' }] }],
      [
        line({ customer: 'c-phone', phone: '600' }),
        { customer: 'c-phone', fields: [{ name: 'phone', problem: 'phone-format' }] },
      ],
      [line({ firstName: 'A\u0000B' }), { fields: [{ name: 'firstName', problem: 'format' }] }],
      [line({ customer: '../x' }), { customer: null, fields: [{ name: 'customer', problem: 'format' }] }],
      [line({ admin: true }), { fields: [{ name: 'admin', problem: 'unknown-field' }] }],
      [
        `{"__proto__":{"admin":true},${JSON.stringify(line()).slice(1)}`,
        { fields: [{ name: '__proto__', problem: 'unknown-field' }] },
      ],
      [line({ surname: 'x'.repeat(limits.customerImport.lineBytes) }), { customer: null, code: 'body-too-large' }],
      [
        line({ customer: 'c-taken', login: owner.email.split('@')[0], email: owner.email }),
        { customer: 'c-taken', code: 'login-taken' },
      ],
    ]
    const lines = [first, '', ...wrong.flatMap(([bad]) => [bad, '  \r']), last]
    const report = await bring(lines)
    expect(report).toMatchObject({ created: 2, updated: 0, unchanged: 0 })
    expect(report.refused).toHaveLength(wrong.length)
    for (const [i, [bad, problem]] of wrong.entries())
      expect([bad, report.refused[i]]).toEqual([bad, expect.objectContaining({ line: 3 + 2 * i, ...problem })])
    for (const { customer } of [first, last]) expect((await get(customer)).status).toBe(200)
    const latin = Buffer.from(JSON.stringify(line({ surname: 'Żółw' })).replace('Żółw', 'B\u00e4r'), 'latin1')
    expect((await send(latin)).json.refused).toEqual([{ line: 1, customer: null, code: 'malformed-request' }])
    expect(({} as { admin?: true }).admin).toBeUndefined()
  })

  test('OPS-4 R19 a name belongs to one customer: the last line about a customer counts, and a name that is no longer used is free', async () => {
    const [first, second] = [line(), line()]
    const later = { ...first, ...samplePerson() }
    const rival = line({ login: second.login.toUpperCase() })
    const report = await bring([first, second, rival, later])
    expect(report).toEqual(
      clean({ created: 2, updated: 1, refused: [{ line: 3, customer: rival.customer, code: 'login-taken' }] }),
    )
    const { customer, ...particulars } = later
    expect((await get(customer)).body).toMatchObject(particulars)
    // One takes the name that another one gives up, before it and after it in the file.
    const [free, next] = [samplePerson(), samplePerson()]
    const moves = [
      { ...later, login: second.login, email: second.email },
      { ...second, login: free.login, email: free.email },
      line({ login: later.login, email: next.email }),
    ]
    expect(await bring(moves)).toEqual(clean({ created: 1, updated: 2 }))
    expect((await get(second.customer)).body.login).toBe(free.login)
    expect((await get(later.customer)).body.login).toBe(second.login)
  })

  test('OPS-4 R70 a call that is too large, has too many lines or is not NDJSON is refused as a whole', async () => {
    const good = JSON.stringify(line())
    const padded = (bytes: number) => `${good}\n`.padEnd(bytes, ' ')
    const state = await readDatabase(portal)
    const { bytes, lines } = limits.customerImport
    for (const [body, type, status] of [
      [padded(bytes + 1), 'application/x-ndjson', 413],
      [`${good}${'\n'.repeat(lines)}x`, 'application/x-ndjson', 413],
      [good, 'application/json', 415],
      [good, 'text/plain', 415],
      ['', 'application/x-ndjson', 415],
    ] as const)
      expect([type, (await send(body, 0, type)).status]).toEqual([type, status])
    expect(await readDatabase(portal)).toEqual(state)
  })
})

describe('OPS-4 R92 the invitations of an import', () => {
  const dueNow = () => sendDue({ ...portal.portal, deliveries: createDeliveries(portal.portal) })

  test('OPS-4 R92 R93 its mails delay nothing else: a sign-in code is sent meanwhile, and any other mail before them', async () => {
    const person = await testCustomers.makeCustomer(portal)
    const lines = Array.from({ length: 60 }, () => line())
    await bring(lines)
    const before = portal.texts.length
    await testBrowsers.openBrowser(portal).call(signIn, { body: { login: person.login, password: person.password } })
    await dueNow()
    expect(portal.texts.slice(0, portal.texts.length - before).map(({ to }) => to)).toEqual([person.phone])

    // Their mails are enqueued before the other one, and there are more of them than are sent at a time.
    const theirsWait = (until: string) =>
      sql`update outbox set next_try_at = portal_now() + ${until}::interval
        where channel = 'mail' and outcome is null`.execute(portal.ownerDb)
    for (let turn = 0; turn < 3; turn++) {
      await theirsWait('1 hour')
      await dueNow()
    }
    await theirsWait('-1 minute')
    const own = () => portal.mails.filter(({ to }) => to === person.email).length
    const known = own()
    await testBrowsers.openBrowser(portal).call(blockCustomer, { params: { customer: person.id } })
    await dueNow()
    expect(own()).toBe(known + 1)
    const theirs = new Set(lines.map(({ email }) => email))
    expect(portal.mails.filter(({ to }) => theirs.has(to)).length).toBeLessThan(lines.length)
    for (const { email } of lines) expect(await mailsTo(email)).toHaveLength(1)
  })

  test('OPS-4 R10 have links that are valid for seven days after they are sent, and are not sent to customers who need none any more', async () => {
    const [slow, blocked, quick] = [line(), line(), line()]
    await bring([slow, blocked, quick])
    await testBrowsers.openBrowser(portal).call(blockCustomer, { params: { customer: blocked.customer } })
    await portal.owner.query(`update accounts set password_hash = 'x' where login = $1`, [quick.login])
    await portal.clock.advance(3 * 86_400)
    expect(await mailsTo(slow.email)).toHaveLength(1)
    const invited = (mails: { text: string }[]) => mails.filter(({ text }) => text.includes('/setup-password/'))
    expect(invited(await mailsTo(blocked.email))).toEqual([])
    expect(invited(await mailsTo(quick.email))).toEqual([])
    await portal.clock.advance(7 * 86_400 - 60)
    expect((await testCustomers.spendMailedLink(portal, slow.email, testBrowsers.openBrowser(portal))).status).toBe(204)
    const person = { ...slow, id: slow.customer, password: testCustomers.goodPassword }
    expect((await testCustomers.passPassword(portal, person)).answer.status).toBe(200)
  })
})

test('PRV-9 the list of customers has each once, with ids and states only, and no erased one', async () => {
  const lines = Array.from({ length: 205 }, () => line())
  await bring(lines)
  const [erased, ...kept] = lines.map(({ customer }) => customer)
  const { call } = testBrowsers.openBrowser(portal)
  await call(eraseCustomer, { params: { customer: erased! } })
  const pages = []
  let cursor: string | undefined
  do {
    const { body } = await call(listCustomers, { query: cursor === undefined ? {} : { cursor } })
    pages.push(body.items)
    cursor = body.next ?? undefined
  } while (cursor !== undefined)
  expect(pages.slice(0, -1).every((page) => page.length === 100)).toBe(true)
  const listed = pages.flat()
  const account = await findAccountId(portal, lines[1]!)
  expect(listed.find(({ customer }) => customer === kept[0])).toEqual({
    customer: kept[0],
    account,
    state: 'invited',
    createdAt: expect.any(String) as string,
  })
  const imported = new Set(lines.map(({ customer }) => customer))
  const own = listed.filter(({ customer }) => imported.has(customer))
  expect(own.map(({ customer }) => customer).toSorted()).toEqual(kept.toSorted())
})
