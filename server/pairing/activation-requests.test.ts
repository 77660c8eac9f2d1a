import { describe, expect, test } from 'vitest'
import { getActivation, putActivation } from '../../contract/provider/provider-activations.ts'
import { readPairing, startPairing } from '../../contract/signatures.ts'
import { startSealPairing } from '../../contract/seals.ts'
import { activationByHttp } from '../adapters/activation-http.ts'
import type { ActivationFault } from '../platform/ports.ts'
import { listenOnLoopback } from '../adapters/loopback/loopback-server.ts'
import { auditedActions } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { manySends } from '../testing/open-portal.ts'
import { openPortalWithProvider } from '../testing/open-provider.ts'
import { makeOwnerToPair } from '../testing/samples/sample-signatures.ts'
import { makeUserToPair } from '../testing/samples/sample-seals.ts'

/** The service's next answer; a status alone has no body. */
let answer: { status: number; body?: unknown } = { status: 503 }
const service = await listenOnLoopback((_, response) => {
  response.writeHead(answer.status, { 'content-type': 'application/json' })
  response.end(answer.body === undefined ? '' : JSON.stringify(answer.body))
})
const faults: ActivationFault[] = []
const report = (fault: ActivationFault) => void faults.push(fault)
const { portal, provider } = await openPortalWithProvider({
  settings: manySends,
  ports: { appActivation: activationByHttp({ url: service.url, token: 'service-token-of-32-characters-00', report }) },
})
portal.cleanup.defer(() => service[Symbol.asyncDispose]())

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const content = (over = {}) => ({
  content: `signapp://activate?c=${crypto.randomUUID()}`,
  code: null,
  expiresAt: inMinutes(10),
  ...over,
})

async function makeOwner() {
  const { browser, ...owner } = await makeOwnerToPair(portal, provider)
  const params = { id: owner.id }
  return {
    ...owner,
    show: () => browser.call(startPairing, { params }),
    state: async () => (await browser.call(readPairing, { params })).body.state,
  }
}

/** Delivers the messages that are due. */
const deliver = () => portal.deliver()
const calls = () => service.received.splice(0)

describe('APP-3 the provider’s signing service', () => {
  test('APP-3 is called once with customer, object, certificate and an id that stays the same, and its answer is shown', async () => {
    const owner = await makeOwner()
    calls()
    answer = { status: 503 }
    expect((await owner.show()).body).toEqual({ kind: 'requested' })
    await deliver()
    // Nothing is lost: the service is called again with the same id.
    expect(await owner.state()).toBe('delayed')
    await portal.clock.advance(3)
    const given = content({ code: 'ABCD-1234' })
    answer = { status: 200, body: given }
    await deliver()
    const [first, second, ...more] = calls()
    expect(more).toEqual([])
    expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key'])
    expect(second!.headers.authorization).toBe('Bearer service-token-of-32-characters-00')
    const { rows } = await portal.owner.query<{ id: string }>('select id from accounts where provider_id = $1', [
      owner.person.id,
    ])
    expect(JSON.parse(second!.body)).toEqual({
      request: first!.headers['idempotency-key'],
      customer: owner.person.id,
      account: rows[0]!.id,
      for: { signature: owner.signature },
      certificate: expect.stringMatching(/^MII/) as string,
      locale: 'pl',
    })
    expect(await owner.state()).toBe('ready')
    expect((await owner.show()).body).toMatchObject({ kind: 'content', content: given.content, code: given.code })
    expect((await auditedActions(portal, { details: { signature: owner.id } })).slice(-3)).toEqual([
      'pairing-requested',
      'activation-stored',
      'pairing-started',
    ])
    await portal.clock.advance(0)
  })

  test('APP-3 SEA-1 is called for the user of a seal, too', async () => {
    const { browser, seal } = await makeUserToPair(portal, provider)
    calls()
    answer = { status: 200, body: content() }
    await browser.call(startSealPairing, { params: { id: seal.id } })
    await deliver()
    const [call] = calls()
    const { for: target, certificate } = JSON.parse(call!.body) as { for: unknown; certificate: string }
    expect(target).toEqual({ seal: seal.providerId, user: seal.users[0]!.providerId })
    expect(certificate).toMatch(/^MII/)
    expect((await browser.call(startSealPairing, { params: { id: seal.id } })).body.kind).toBe('content')
  })

  test('APP-3 can answer 202 and give the content by the provider API later', async () => {
    const owner = await makeOwner()
    answer = { status: 202 }
    await owner.show()
    await deliver()
    expect(await owner.state()).toBe('requested')
    const given = content()
    const put = await openBrowser(portal).call(putActivation, { params: { signature: owner.signature }, body: given })
    expect(put.body.state).toBe('ready')
    expect((await owner.show()).body).toMatchObject({ content: given.content })
  })

  test('APP-3 R130 its refusal, or an unusable answer, is shown at once, and the customer can request again', async () => {
    const malformed = ['its answer is not content as in docs/guides/provider.md']
    const expired = ['its content has expired already, or stays for more than 90 days']
    const wrong = [
      [{ status: 422 }, []],
      [{ status: 200, body: content({ content: 'javascript:alert(1)' }) }, malformed],
      [{ status: 200, body: content({ content: `signapp://${'x'.repeat(600)}` }) }, malformed],
      [{ status: 200, body: content({ expiresAt: inMinutes(-1) }) }, expired],
      [{ status: 200, body: content({ expiresAt: inMinutes(200 * 24 * 60) }) }, expired],
      [{ status: 200, body: { content: 'signapp://a' } }, malformed],
      [{ status: 200 }, malformed],
    ] as const
    const owner = await makeOwner()
    for (const [reply, logged] of wrong) {
      answer = reply
      faults.length = 0
      expect((await owner.show()).body).toEqual({ kind: 'requested' })
      await deliver()
      expect([reply, await owner.state(), faults]).toEqual([reply, 'refused', logged])
    }
    answer = { status: 200, body: content() }
    await owner.show()
    await deliver()
    expect(await owner.state()).toBe('ready')
  })

  test('APP-3 R127 content that was shown before is not an answer: the customer sees a refusal at once, and the log names the reason', async () => {
    const owner = await makeOwner()
    answer = { status: 200, body: content() }
    await owner.show()
    await deliver()
    expect((await owner.show()).body.kind).toBe('content')
    faults.length = 0
    expect((await owner.show()).body).toEqual({ kind: 'requested' })
    await deliver()
    expect(await owner.state()).toBe('refused')
    expect(faults).toEqual(['its content was shown before'])
    answer = { status: 200, body: content() }
    await owner.show()
    await deliver()
    expect((await owner.show()).body.kind).toBe('content')
  })

  test('APP-3 an answer to an earlier request does not replace newer content', async () => {
    const owner = await makeOwner()
    answer = { status: 202 }
    await owner.show()
    const given = content()
    await openBrowser(portal).call(putActivation, { params: { signature: owner.signature }, body: given })
    calls()
    answer = { status: 200, body: content() }
    await deliver()
    expect(calls()).toEqual([])
    expect((await owner.show()).body).toMatchObject({ content: given.content })
    const { body } = await openBrowser(portal).call(getActivation, { params: { signature: owner.signature } })
    expect(body.state).toBe('shown')
  })

  test.each([302, 401, 403, 429, 500])(
    'APP-3 R81 %i is a failure that can be retried, and no redirect is followed',
    async (status) => {
      await using trap = await listenOnLoopback((_, response) => response.writeHead(200).end())
      await using redirecting = await listenOnLoopback((_, response) =>
        response.writeHead(status, { location: trap.url }).end(),
      )
      faults.length = 0
      const { request } = activationByHttp({ url: redirecting.url, token: 'x', report })
      const order = {
        request: 'r',
        customer: null,
        account: 'a',
        for: { signature: 's' },
        certificate: '',
        locale: 'pl',
      } as const
      expect(await request(order)).toBe('unreachable')
      expect(faults).toEqual(status === 401 || status === 403 ? ['it refuses the token'] : [])
      expect(trap.connections()).toBe(0)
    },
  )
})
