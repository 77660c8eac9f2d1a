import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listActivity } from '../../contract/activity.ts'
import type { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { putSignature } from '../../contract/provider/provider-signatures.ts'
import {
  getProviderStatusRequest,
  listProviderStatusRequests,
  refuseStatusRequest,
  reportStatusChanged,
} from '../../contract/provider/provider-status-requests.ts'
import { listSeals } from '../../contract/seals.ts'
import { certificateMoves, type StatusChange } from '../../contract/signatures-and-seals.ts'
import { listSignatures } from '../../contract/signatures.ts'
import {
  readStatusRequest,
  requestResumption,
  requestRevocation,
  requestSuspension,
  statusRequestMoves,
  StatusRequestState,
} from '../../contract/status-requests.ts'
import type { StepUpPurpose } from '../../contract/step-up-purpose.ts'
import { listenOnLoopback } from '../adapters/loopback/loopback-server.ts'
import { certificateStatusByHttp } from '../adapters/provider-services-http.ts'
import { features } from '../features.ts'
import { readAuditedActions, endOfFeed, readFeed } from '../testing/audit-entries.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { runBehindLock } from '../testing/concurrency.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { startStatusService } from '../testing/provider.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { insertStepUp, makeSeal } from '../testing/samples/sample-seals.ts'
import type { Person } from '../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })
const authority = await startStatusService(portal, provider)
const { connect } = authority
const byHttp = certificateStatusByHttp(authority.service)
afterEach(() => portal.clock.advance(0))
const api = openBrowser(portal)

const purposes = ['suspend', 'resume', 'revoke'] as const satisfies StepUpPurpose[]
const stepUps = async (person: Person, id: string) => {
  for (const purpose of purposes) await insertStepUp(portal, person, purpose, id)
}

type Caller = { browser: TestBrowser; id: string }

const suspend = ({ browser, id }: Caller, node = 0) =>
  browser.call(requestSuspension, { params: { id }, body: { reason: 'compromised' } }, node)
const resume = ({ browser, id }: Caller, node = 0) => browser.call(requestResumption, { params: { id } }, node)
const revoke = ({ browser, id }: Caller, node = 0) =>
  browser.call(
    requestRevocation,
    { params: { id }, body: { reason: 'not-needed', confirmation: 'unieważniam ' } },
    node,
  )
const newest = async ({ browser, id }: Caller) =>
  (await browser.call(readStatusRequest, { params: { id } })).body.request

async function makeOwner() {
  const person = await addCustomer(portal)
  const body = await provider.signedBody(person.id)
  const signature = `s-${crypto.randomUUID()}`
  await api.call(putSignature, { params: { signature }, body })
  const browser = await signInDirectly(portal, person)
  const list = async () => (await browser.call(listSignatures)).body.items[0]!
  const { id } = await list()
  await stepUps(person, id)
  const certificate = Buffer.from(body.certificate, 'base64')
  await portal.deliver()
  return { person, browser, id, signature, body, list, ocsp: () => authority.statusOf(certificate) }
}

async function makeAdministrators(count = 2) {
  const people = await Promise.all(Array.from({ length: count }, () => addCustomer(portal)))
  const user = await addCustomer(portal)
  const seal = await makeSeal(portal, provider, [
    ...people.map((person) => ({ person, role: 'admin', status: 'active' }) as const),
    { person: user, role: 'user', status: 'active' },
  ])
  const callers = await Promise.all(
    [...people, user].map(async (person) => {
      const browser = await signInDirectly(portal, person)
      await stepUps(person, seal.id)
      return { person, browser, id: seal.id }
    }),
  )
  await portal.deliver()
  return { seal, first: callers[0]!, second: callers[1]!, user: callers.at(-1)! }
}

describe('with an interface of the authority', () => {
  beforeEach(() => connect(byHttp))

  test('STP-1 STP-5 a certificate is suspended, resumed and revoked, and OCSP reports each status at once', async () => {
    const owner = await makeOwner()
    expect(await owner.list()).toMatchObject({ status: 'active', changes: ['suspend', 'revoke'], request: null })
    expect(await owner.ocsp()).toBe('good')

    const asked = await suspend(owner)
    expect(asked.body).toMatchObject({ change: 'suspend', reason: 'compromised', state: 'requested', decidedAt: null })
    expect(Date.parse(asked.body.deadline) - Date.parse(asked.body.requestedAt)).toBe(
      limits.statusRequest.decideWithin * 1000,
    )
    expect(await owner.list()).toMatchObject({
      status: 'active',
      changes: ['revoke'],
      request: { change: 'suspend', deadline: asked.body.deadline },
    })
    await portal.deliver()
    expect(await owner.ocsp()).toBe('certificateHold')
    expect(await newest(owner)).toMatchObject({ id: asked.body.id, state: 'done', note: null })
    expect(await owner.list()).toMatchObject({ reason: 'suspended', changes: ['resume', 'revoke'], request: null })

    expect((await resume(owner)).status).toBe(200)
    await portal.deliver()
    expect(await owner.ocsp()).toBe('good')
    expect(await owner.list()).toMatchObject({ status: 'active', changes: ['suspend', 'revoke'] })

    expect((await revoke(owner)).status).toBe(200)
    await portal.deliver()
    expect(await owner.ocsp()).toBe('cessationOfOperation')
    expect(await owner.list()).toMatchObject({ reason: 'revoked', changes: [], request: null })
    expect(
      (await readAuditedActions(portal, { login: owner.person.login })).filter((action) =>
        /suspen|resum|revo/.test(action),
      ),
    ).toEqual([
      'suspension-requested',
      'certificate-suspended',
      'resumption-requested',
      'certificate-resumed',
      'revocation-requested',
      'certificate-revoked',
    ])
  })

  test('STP-5 R177 an authority that does not answer is asked again, and one that refuses leaves the request to the provider', async () => {
    const owner = await makeOwner()
    authority.received.length = 0
    authority.failWith(503)
    const { id } = (await suspend(owner)).body
    await portal.deliver()
    expect(await newest(owner)).toMatchObject({ state: 'requested' })
    await portal.clock.advance(3)
    authority.failWith(undefined)
    // It suspends the certificate, and its answer is lost.
    authority.loseAnswers(true)
    await portal.deliver()
    authority.loseAnswers(false)
    expect([await newest(owner), await owner.ocsp()]).toMatchObject([{ state: 'requested' }, 'certificateHold'])
    await portal.clock.advance(5)
    await portal.deliver()
    expect(authority.received).toEqual([id, id, id])
    expect([await newest(owner), await owner.ocsp()]).toMatchObject([{ state: 'done' }, 'certificateHold'])
    const details = { signature: owner.id }
    expect(await readAuditedActions(portal, { action: 'certificate-suspended', details })).toHaveLength(1)

    authority.failWith(409)
    const refused = (await revoke(owner)).body
    await portal.deliver()
    await portal.clock.advance(100)
    await portal.deliver()
    expect(authority.received).toEqual([id, id, id, refused.id])
    authority.failWith(undefined)
    expect(await newest(owner)).toMatchObject({ state: 'requested' })
    const waiting = await api.call(listProviderStatusRequests, { query: { state: 'requested' } })
    expect(waiting.body.items.map(({ request }) => request)).toContain(refused.id)
  })

  test('R176 of many revocations at once one counts, and nothing follows it', async () => {
    const owner = await makeOwner()
    const open = (await suspend(owner)).body
    const answers = await Promise.all(Array.from({ length: 4 }, (_, i) => revoke(owner, i % 2)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ problem }) => problem.code === 'state-passed')).toHaveLength(3)
    const stored = await portal.rows('select state from status_requests where signature_id = $1 order by id', [
      owner.id,
    ])
    expect(stored).toEqual([{ state: 'replaced' }, { state: 'requested' }])
    await portal.deliver()
    // The message of the replaced suspension does nothing.
    expect(authority.received).not.toContain(open.id)
    expect(await owner.ocsp()).toBe('cessationOfOperation')
    for (const answer of [await suspend(owner), await resume(owner), await revoke(owner)])
      expect(answer.problem).toMatchObject({ code: 'state-passed', current: 'revoked' })
  })

  test.each([
    { change: 'suspend', call: suspend, before: 'good', after: 'suspended' },
    { change: 'resume', call: resume, before: 'suspended', after: 'good' },
    { change: 'revoke', call: revoke, before: 'good', after: 'revoked' },
  ] as const)('R176 requests that wait for the decision of one to $change find the new status', async (tried) => {
    connect(undefined)
    const owner = await makeOwner()
    const run = (text: string) => portal.rows(text, [owner.id])
    await run(`update signatures set status = '${tried.before}', own_suspension = true where id = $1`)
    expect((await tried.call(owner, 0)).status).toBe(200)
    const answers = await runBehindLock(
      portal,
      [`update status_requests set state = 'done', decided_at = portal_now() where signature_id = $1`, [owner.id]],
      () => Promise.all([0, 1, 0, 1].map((node) => tried.call(owner, node))),
      { count: 4, change: [`update signatures set status = '${tried.after}' where id = $1`, [owner.id]] },
    )
    expect(answers.map(({ problem }) => problem.code)).toEqual(answers.map(() => 'state-passed'))
    expect(await run('select state from status_requests where signature_id = $1')).toEqual([{ state: 'done' }])
  })

  test('R177 a repeated request has the first answer; one without its entry leaves nothing', async () => {
    const owner = await makeOwner()
    await portal.owner.query(`alter table audit add constraint refused check (act <> 'suspension-requested') not valid`)
    expect((await suspend(owner)).status).toBe(500)
    await portal.owner.query('alter table audit drop constraint refused')
    expect(await newest(owner)).toBeNull()
    await portal.deliver()
    expect(await owner.ocsp()).toBe('good')
    const idempotencyKey = crypto.randomUUID()
    const repeated = { params: { id: owner.id }, body: { reason: 'compromised' }, idempotencyKey } as const
    const call = (node: number) => owner.browser.call(requestSuspension, repeated, node)
    const [first, second] = [await call(0), await call(1)]
    expect([first.status, second.body]).toEqual([200, first.body])
    expect(await portal.rows('select from status_requests where signature_id = $1', [owner.id])).toHaveLength(1)
    await portal.deliver()
  })
})

describe('decided by the provider', () => {
  beforeEach(() => connect(undefined))

  test('STP-4 R178 the provider has a task with a deadline, and its report takes effect once', async () => {
    const owner = await makeOwner()
    const before = await endOfFeed(portal)
    const { id, deadline } = (await suspend(owner)).body
    await portal.deliver()
    const params = { request: id }
    const task = (await api.call(listProviderStatusRequests, { query: { state: 'requested' } })).body.items.at(-1)
    expect(task).toEqual({
      request: id,
      customer: owner.person.id,
      signature: owner.signature,
      seal: null,
      change: 'suspend',
      reason: 'compromised',
      state: 'requested',
      requestedAt: expect.any(String) as string,
      deadline,
      decidedAt: null,
      note: null,
    })
    const reports = await Promise.all(
      Array.from({ length: 6 }, (_, i) => api.call(reportStatusChanged, { params }, i % 2)),
    )
    expect(reports.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect((await owner.list()).reason).toBe('suspended')
    const late = await api.call(refuseStatusRequest, { params, body: { note: null } })
    expect(late.problem).toMatchObject({ code: 'state-passed', current: 'done' })
    expect((await api.call(getProviderStatusRequest, { params })).body).toMatchObject({ state: 'done' })
    const events = (await readFeed(portal, before)).flatMap((event) =>
      event.type === 'status-request.moved' ? [event.data] : [],
    )
    expect(events).toEqual([
      expect.objectContaining({ request: id, state: 'requested', signature: owner.signature, deadline }),
      expect.objectContaining({ request: id, state: 'done' }),
    ])
    const unknown = await api.call(reportStatusChanged, { params: { request: crypto.randomUUID() } })
    expect(unknown.problem.code).toBe('not-found')
  })

  test('STP-4 a refusal leaves the status, and the customer reads why', async () => {
    const owner = await makeOwner()
    const { id } = (await revoke(owner)).body
    const note = { pl: 'Zadzwoń do nas.', en: 'Please call us.' }
    expect((await api.call(refuseStatusRequest, { params: { request: id }, body: { note } })).body.state).toBe(
      'refused',
    )
    expect(await newest(owner)).toMatchObject({ state: 'refused', note })
    expect(await owner.list()).toMatchObject({ status: 'active', changes: ['suspend', 'revoke'], request: null })
    portal.mails.length = 0
    await portal.deliver()
    // The notice of the request is sent beside it.
    const texts = portal.mails.filter(({ to }) => to === owner.person.email).map(({ text }) => text)
    expect(texts.filter((text) => text.includes(note.pl))).toHaveLength(1)
  })

  test('STP-2 only a suspension that was requested here can be ended here', async () => {
    const owner = await makeOwner()
    const file = (status: 'good' | 'suspended') =>
      api.call(putSignature, { params: { signature: owner.signature }, body: { ...owner.body, status } })
    await file('suspended')
    expect((await owner.list()).changes).toEqual(['revoke'])
    expect((await resume(owner)).problem).toMatchObject({ code: 'state-passed', current: 'suspended' })
    await file('good')
    const { id } = (await suspend(owner)).body
    await api.call(reportStatusChanged, { params: { request: id } })
    await file('suspended')
    expect((await owner.list()).changes).toEqual(['resume', 'revoke'])
    // The provider's own suspension after it is another one.
    await file('good')
    await file('suspended')
    expect((await owner.list()).changes).toEqual(['revoke'])
  })

  test('STP-4 the operator is alarmed once while there is still time', async () => {
    const owner = await makeOwner()
    const run = async () => {
      for (const { name, run: job } of features.flatMap(({ jobs = [] }) => jobs))
        if (name === 'alarm-of-status-requests') await job(portal.portal, (error) => expect.fail(String(error)))
    }
    const alarmedAt = () =>
      portal.rows('select alarmed_at as at from status_requests where signature_id = $1', [owner.id])
    await suspend(owner)
    await portal.clock.advance(limits.statusRequest.decideWithin - limits.statusRequest.alarmBefore - 60)
    await run()
    expect(await alarmedAt()).toEqual([{ at: null }])
    await portal.clock.advance(limits.statusRequest.decideWithin - limits.statusRequest.alarmBefore + 60)
    await run()
    await expect.poll(() => portal.alarms.map(({ name }) => name)).toContain('status-request-overdue')
    const alarmed = await alarmedAt()
    expect(alarmed).toEqual([{ at: expect.any(Date) }])
    await run()
    expect(await alarmedAt()).toEqual(alarmed)
  })
})

describe('R174 R175 who may', () => {
  test('STP-3 R174 the owner of a signature, the Administrators of a seal, and nobody else', async () => {
    connect(byHttp)
    const { first, second, user, seal } = await makeAdministrators()
    const stranger = await makeOwner()
    await stepUps(stranger.person, first.id)
    const owner = await makeOwner()
    await stepUps(stranger.person, owner.id)
    for (const caller of [user, ...[first, owner].map(({ id }) => ({ browser: stranger.browser, id }))]) {
      for (const answer of [await suspend(caller), await resume(caller), await revoke(caller)])
        expect([answer.status, answer.problem.code]).toEqual([404, 'not-found'])
      expect((await caller.browser.call(readStatusRequest, { params: { id: caller.id } })).status).toBe(404)
    }
    expect((await suspend(second)).status).toBe(200)
    await portal.deliver()
    const listed = async ({ browser }: Caller) => (await browser.call(listSeals)).body.items[0]
    expect(await listed(first)).toMatchObject({ id: seal.id, reason: 'suspended', changes: ['resume', 'revoke'] })
    expect(await listed(user)).toMatchObject({ id: seal.id, reason: 'suspended', changes: [] })
    // Whose access has ended, cannot end the suspension.
    await portal.owner.query(
      `update seal_users set status = 'deleted', deleted_at = portal_now() where seal_id = $1
       and account_id = (select id from accounts where login = $2)`,
      [seal.id, second.person.login],
    )
    expect((await resume(second)).status).toBe(404)
    expect((await resume(first)).status).toBe(200)
    await portal.deliver()
    expect(await listed(first)).toMatchObject({ status: 'active' })
  })

  test('STP-1 R175 each change needs its own fresh second factor; a revocation is typed', async () => {
    connect(byHttp)
    const owner = await makeOwner()
    const all: Record<StatusChange, () => Promise<{ problem: Problem }>> = {
      suspend: () => suspend(owner),
      resume: () => resume(owner),
      revoke: () => revoke(owner),
    }
    const clear = () => portal.owner.query('delete from step_ups where object = $1', [owner.id])
    for (const change of purposes) {
      await clear()
      for (const other of purposes) if (other !== change) await insertStepUp(portal, owner.person, other, owner.id)
      await insertStepUp(portal, owner.person, change, crypto.randomUUID())
      expect((await all[change]()).problem.code).toBe('step-up-required')
      await insertStepUp(portal, owner.person, change, owner.id)
      await portal.owner.query(
        `update step_ups set confirmed_at = confirmed_at - interval '301 seconds' where object = $1 and purpose = $2`,
        [owner.id, change],
      )
      expect((await all[change]()).problem.code).toBe('step-up-required')
    }
    await clear()
    await stepUps(owner.person, owner.id)
    for (const confirmation of ['', 'tak', 'unieważnia', 'REVOKED', 'x'.repeat(65)]) {
      const body = { reason: 'not-needed', confirmation } as const
      const { status, problem } = await owner.browser.call(requestRevocation, { params: { id: owner.id }, body })
      expect([status, problem.fields?.map(({ name }) => name)]).toEqual([400, ['confirmation']])
    }
  })

  test('R179 requests for one certificate are limited, and suspensions never delay a revocation', async () => {
    connect(undefined)
    const owner = await makeOwner()
    const { limit } = limits.statusRequest.changes
    for (let i = 0; i < limit; i += 1) {
      const { body, status } = await (i % 2 ? resume(owner) : suspend(owner))
      expect(status).toBe(200)
      await api.call(reportStatusChanged, { params: { request: body.id } })
    }
    const refused = await suspend(owner)
    expect([refused.status, refused.problem.code]).toEqual([429, 'too-many-attempts'])
    expect(refused.problem.retryAfter).toBeGreaterThan(0)
    expect((await revoke(owner)).status).toBe(200)
  })
})

test('STP-6 the Administrators of a seal get a mail, a text message if confirmed, and an entry', async () => {
  connect(byHttp)
  const { first, second, user, seal } = await makeAdministrators()
  portal.mails.length = 0
  portal.texts.length = 0
  await revoke(first)
  await portal.deliver()
  await portal.deliver()
  const to = ({ person }: { person: Person }) => portal.mails.filter((mail) => mail.to === person.email)
  for (const caller of [first, second]) {
    expect(to(caller)).toMatchObject([
      {
        subject: expect.stringContaining('certyfikat jest unieważniony'),
        text: expect.stringContaining('Stowarzyszenie Łączność'),
      },
      { subject: expect.stringContaining('zlecono unieważnienie certyfikatu') },
    ])
    expect(portal.texts.filter((sms) => sms.to === caller.person.phone)).toMatchObject([
      { text: expect.stringContaining('zlecono uniewaznienie certyfikatu') },
    ])
    const { items } = (await caller.browser.call(listActivity)).body
    expect(items.find(({ act }) => act === 'certificate-revoked')?.object?.shown?.id).toBe(seal.id)
  }
  expect(to(user)).toEqual([])
  expect(portal.texts.filter((sms) => sms.to === user.person.phone)).toEqual([])
  const owner = await makeOwner()
  await portal.owner.query('update accounts set phone_confirmed = false where login = $1', [owner.person.login])
  portal.texts.length = 0
  await suspend(owner)
  await portal.deliver()
  expect(portal.texts).toEqual([])
})

test('STP-5 the answers of an authority: what counts as done, accepted, refused, and to be repeated', async () => {
  let status = 204
  await using service = await listenOnLoopback((_, response) => response.writeHead(status).end())
  const { change } = certificateStatusByHttp({ url: service.url, token: 'status-token-of-32-characters-000' })
  const order = {
    request: crypto.randomUUID(),
    change: 'revoke',
    reason: 'compromised',
    requestedAt: new Date().toISOString(),
    for: { signature: 's' },
    certificate: '',
  } as const
  const meanings = { done: [200, 204], accepted: [202], refused: [404, 409, 422], unreachable: [401, 500, 302] }
  for (const [meaning, statuses] of Object.entries(meanings))
    for (status of statuses) expect([status, await change(order)]).toEqual([status, meaning])
  expect(service.received[0]!.headers).toMatchObject({
    'idempotency-key': order.request,
    authorization: 'Bearer status-token-of-32-characters-000',
  })
  expect(JSON.parse(service.received[0]!.body)).toEqual(order)
})

test('STP-4 the database allows the moves of the contract, and no others', async () => {
  const owner = await makeOwner()
  for (const from of StatusRequestState.options)
    for (const to of StatusRequestState.options) {
      const id = crypto.randomUUID()
      await portal.owner.query(
        `insert into status_requests (id, account_id, signature_id, change, reason, state, deadline, decided_at)
         select $1, account_id, id, 'revoke', 'not-needed', $3, portal_now(), case when $3 <> 'requested' then portal_now() end
         from signatures where id = $2`,
        [id, owner.id, from],
      )
      const change = `update status_requests set state = $2, decided_at = case when $2 <> 'requested' then portal_now() end where id = $1`
      const isMoved = await portal.rows(change, [id, to]).then(
        () => true,
        () => false,
      )
      expect([from, to, isMoved]).toEqual([from, to, from === to || statusRequestMoves[from].includes(to)])
      await portal.owner.query('delete from status_requests where id = $1', [id])
    }
  expect(certificateMoves.revoked).toEqual([])
})
