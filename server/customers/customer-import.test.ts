import { describe, expect, test } from 'vitest'
import { readSession, signIn } from '../../contract/account.ts'
import { importCustomers, type ImportReport } from '../../contract/customer-import.ts'
import { limits } from '../../contract/limits.ts'
import { setPassword } from '../../contract/password-link.ts'
import { blockCustomer, getCustomer } from '../../contract/provider-api.ts'
import { verifyTrail } from '../audit-verify.ts'
import { deliveriesOf } from '../deliveries.ts'
import { sendDue } from '../outbox.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openPortal } from '../testing/open-portal.ts'
import { sampleIdentification, somebody } from '../testing/portal-nodes.ts'
import {
  deliveredTo,
  goodPassword,
  linkToken,
  makeCustomer,
  openBrowser,
  passPassword,
  recordedActs,
  signInAs,
} from '../testing/browser.ts'
import { stateOf } from '../testing/database-state.ts'

const portal = await openPortal({ nodes: 2, settings: { sends: { perNumber: 1000, perAddress: 1000 } } })

const newId = () => `c-${crypto.randomUUID()}`
const line = (over: Record<string, unknown> = {}) => ({ customer: newId(), ...somebody(), ...over })
const textOf = (lines: readonly unknown[]) =>
  lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')

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
const get = (customer: string) => openBrowser(portal).call(getCustomer, { params: { customer } })
const clean = (counts: Partial<ImportReport>) => ({ created: 0, updated: 0, unchanged: 0, refused: [], ...counts })
const mailsTo = (to: string) => deliveredTo(portal, to)
const actsOf = (login: string) => recordedActs(portal, login)

describe('OPS-4 an import of customers', () => {
  test('OPS-4 REG-4 creates what is new, changes what is other and leaves what is the same, each as a PUT of its own would', async () => {
    const [known, changed] = [await makeCustomer(portal), await makeCustomer(portal)]
    const fresh = Array.from({ length: exhaustive ? 300 : 120 }, (_, i) =>
      line(i % 3 ? { locale: 'en', secondName: 'Ewa' } : { identification: sampleIdentification }),
    )
    const { id: knownId, password: _, ...same } = known
    const { id: changedId, password: __, ...other } = { ...changed, ...somebody(), login: changed.login }
    const lines = [
      ...fresh.slice(0, 100),
      { customer: knownId, ...same },
      ...fresh.slice(100),
      { customer: changedId, ...other },
    ]
    expect(await bring(lines)).toEqual(clean({ created: fresh.length, updated: 1, unchanged: 1 }))
    for (const { customer, ...one } of [fresh[0]!, fresh[1]!, fresh.at(-1)!])
      expect((await get(customer)).body).toMatchObject({ ...one, state: 'invited' })
    expect((await get(changedId)).body).toMatchObject({ ...other, locale: 'pl', state: 'active' })
    expect(await actsOf(fresh[7]!.login)).toEqual(['customer-created'])
    expect((await actsOf(changed.login)).at(-1)).toBe('customer-updated')
    expect(await actsOf(known.login)).not.toContain('customer-updated')
    const mails = await mailsTo(fresh[1]!.email)
    expect(mails).toHaveLength(1)
    expect(mails[0]!.text).toContain('https://portal.example/en/setup-password/')
  })

  test('OPS-4 R60 brought again, and twenty times at once over both nodes, it changes nothing, invites nobody and records nothing', async () => {
    const lines = Array.from({ length: 40 }, () => line({ identification: sampleIdentification }))
    const reports = await Promise.all(Array.from({ length: exhaustive ? 20 : 8 }, (_, i) => bring(lines, i % 2)))
    expect(reports.filter(({ created }) => created)).toEqual([clean({ created: 40 })])
    await portal.deliver()
    const state = await stateOf(portal)
    expect(await bring(lines, 1)).toEqual(clean({ unchanged: 40 }))
    expect(await stateOf(portal)).toEqual(state)
    expect(await mailsTo(lines[0]!.email)).toHaveLength(1)
  })

  test('OPS-4 R71 each line that is wrong is told by its number and its fields, and all others count', async () => {
    const owner = await makeCustomer(portal)
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
    for (const [i, [bad, told]] of wrong.entries())
      expect([bad, report.refused[i]]).toEqual([bad, expect.objectContaining({ line: 3 + 2 * i, ...told })])
    for (const { customer } of [first, last]) expect((await get(customer)).status).toBe(200)
    const latin = Buffer.from(JSON.stringify(line({ surname: 'Żółw' })).replace('Żółw', 'B\u00e4r'), 'latin1')
    expect((await send(latin)).json.refused).toEqual([{ line: 1, customer: null, code: 'malformed-request' }])
    expect(({} as { admin?: true }).admin).toBeUndefined()
  })

  test('OPS-4 R19 a name belongs to one customer, whichever lines want it: the last word on a customer counts, and a name that is given up is free', async () => {
    const [one, two] = [line(), line()]
    const later = { ...one, ...somebody() }
    const rival = line({ login: two.login.toUpperCase() })
    const report = await bring([one, two, rival, later])
    expect(report).toEqual(
      clean({ created: 2, updated: 1, refused: [{ line: 3, customer: rival.customer, code: 'login-taken' }] }),
    )
    const { customer, ...particulars } = later
    expect((await get(customer)).body).toMatchObject(particulars)
    // One takes what another leaves, before it and after it in the file.
    const [free, next] = [somebody(), somebody()]
    const moves = [
      { ...later, login: two.login, email: two.email },
      { ...two, login: free.login, email: free.email },
      line({ login: later.login, email: next.email }),
    ]
    expect(await bring(moves)).toEqual(clean({ created: 1, updated: 2 }))
    expect((await get(two.customer)).body.login).toBe(free.login)
    expect((await get(later.customer)).body.login).toBe(two.login)
  })

  test('OPS-4 R11 R19 a changed e-mail voids the link in the old mailbox, and who had registered is the provider’s from then on and signed out', async () => {
    const moved = line()
    await bring([moved])
    await portal.deliver()
    const token = linkToken(portal, moved.email)
    const registered = await makeCustomer(portal)
    const browser = await signInAs(portal, registered)
    await portal.owner.query('update accounts set provider_id = null where login = $1', [registered.login])
    const own = line({ email: registered.email })
    const report = await bring([{ ...moved, email: somebody().email }, own])
    expect(report).toEqual(clean({ updated: 2 }))
    const password = { newPassword: goodPassword, repeatPassword: goodPassword }
    expect((await openBrowser(portal).call(setPassword, { body: { token, password } })).problem.code).toBe(
      'link-expired',
    )
    expect((await browser.call(readSession)).status).toBe(401)
    expect((await get(own.customer)).body).toMatchObject({ login: own.login, phone: own.phone, state: 'active' })
  })

  test('OPS-5 R84 its records stand in the chain like any others, also where acts of others go on beside it', async () => {
    const howMany = exhaustive ? 120 : 40
    const lines = [0, 1].map(() => Array.from({ length: howMany }, () => line()))
    await Promise.all([...lines.map((each, node) => bring(each, node)), makeCustomer(portal)])
    const findings: unknown[] = []
    const { records } = await portal.db
      .transaction()
      .execute((tx) =>
        verifyTrail(tx, portal.portal.keys.audit, { known: [], now: () => undefined }, (finding) =>
          findings.push(finding),
        ),
      )
    expect(findings).toEqual([])
    expect(records).toBeGreaterThan(2 * howMany)
    const { rows } = await portal.owner.query(
      `select actor, address, details from audit where account_id = (select id from accounts where login = $1)`,
      [lines[1]!.at(-1)!.login],
    )
    expect(rows).toEqual([{ actor: 'provider', address: '127.0.0.1', details: { client: expect.any(String) } }])
  })

  test('OPS-4 R70 a call that is too large, of too many lines or no NDJSON is refused whole', async () => {
    const good = JSON.stringify(line())
    const padded = (bytes: number) => `${good}\n`.padEnd(bytes, ' ')
    const state = await stateOf(portal)
    const { bytes, lines } = limits.customerImport
    for (const [body, type, status] of [
      [padded(bytes + 1), 'application/x-ndjson', 413],
      [`${good}${'\n'.repeat(lines)}x`, 'application/x-ndjson', 413],
      [good, 'application/json', 415],
      [good, 'text/plain', 415],
      ['', 'application/x-ndjson', 415],
    ] as const)
      expect([type, (await send(body, 0, type)).status]).toEqual([type, status])
    expect(await stateOf(portal)).toEqual(state)
  })
})

describe('OPS-4 R92 the invitations of an import', () => {
  const dueNow = () => sendDue(portal.db, portal.portal.keys, deliveriesOf(portal.portal))

  test('OPS-4 R92 R93 hold up nothing else: a code to sign in goes beside them, and any other mail goes before theirs', async () => {
    const person = await makeCustomer(portal)
    const lines = Array.from({ length: 60 }, () => line())
    await bring(lines)
    const before = portal.texts.length
    await openBrowser(portal).call(signIn, { body: { login: person.login, password: person.password } })
    await dueNow()
    expect(portal.texts.slice(0, portal.texts.length - before).map(({ to }) => to)).toEqual([person.phone])

    // Their mails are made, and all wait at once, for longer than the other one: more than there are places for.
    const theirsWait = (until: string) =>
      portal.owner.query(
        `update outbox set next_try_at = portal_now() + $1::interval where channel = 'mail' and outcome is null`,
        [until],
      )
    for (let turn = 0; turn < 3; turn++) {
      await theirsWait('1 hour')
      await dueNow()
    }
    await theirsWait('-1 minute')
    const own = () => portal.mails.filter(({ to }) => to === person.email).length
    const known = own()
    await openBrowser(portal).call(blockCustomer, { params: { customer: person.id } })
    await dueNow()
    expect(own()).toBe(known + 1)
    const theirs = new Set(lines.map(({ email }) => email))
    expect(portal.mails.filter(({ to }) => theirs.has(to)).length).toBeLessThan(lines.length)
    for (const { email } of lines) expect(await mailsTo(email)).toHaveLength(1)
  })

  test('OPS-4 R10 have links that live for seven days from when they went out, and go to nobody who needs none any more', async () => {
    const [slow, blocked, quick] = [line(), line(), line()]
    await bring([slow, blocked, quick])
    await openBrowser(portal).call(blockCustomer, { params: { customer: blocked.customer } })
    await portal.owner.query(`update accounts set password_hash = 'x' where login = $1`, [quick.login])
    await portal.clock.advance(3 * 86_400)
    expect(await mailsTo(slow.email)).toHaveLength(1)
    const invited = (mails: { text: string }[]) => mails.filter(({ text }) => text.includes('/setup-password/'))
    expect(invited(await mailsTo(blocked.email))).toEqual([])
    expect(invited(await mailsTo(quick.email))).toEqual([])
    await portal.clock.advance(7 * 86_400 - 60)
    const password = { newPassword: goodPassword, repeatPassword: goodPassword }
    const token = linkToken(portal, slow.email)
    expect((await openBrowser(portal).call(setPassword, { body: { token, password } })).status).toBe(204)
    expect((await passPassword(portal, { ...slow, id: slow.customer, password: goodPassword })).answer.status).toBe(200)
  })
})
