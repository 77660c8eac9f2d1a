import { hash, verify, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { firstCredential, openSigningAlone } from '../../testing/signing.ts'
import { listenOnLoopback } from '../loopback/loopback-server.ts'
import { remoteSigningByCsc } from './remote-signing-csc.ts'
import { timestampsByHttp } from '../timestamps-http.ts'
import { writeTimestampRequest } from '../../../pki/timestamps/timestamp-token.ts'

const { signing, close } = await openSigningAlone()
beforeAll(async () => {
  await signing.giveKey('key-1', 'c-1')
  await signing.giveKey('key-2', 'c-2')
})
beforeEach(signing.reset)
afterAll(close)

const content = Buffer.from('signed attributes')
const order = { hashes: [hash('sha256', content, 'buffer')], description: 'W/2026/1 U-1' }
const open = () => remoteSigningByCsc(signing.service)

const credentialOf = (customer: string) => firstCredential(signing.ports.remoteSigning, customer)

describe('DOC-9 the client of the CSC API', () => {
  test('DOC-9 the calls in order: info, a token, the customer’s keys, and the signature of one hash', async () => {
    const port = open()
    const credential = await firstCredential(port, 'c-1')
    expect(credential).toMatchObject({ id: 'key-1', authorisation: { kind: 'none' } })
    expect(credential.chain).toHaveLength(2)
    const signed = await port.sign({ credential, ...order, proof: {} })
    if (typeof signed === 'string') throw new Error(signed)
    const { publicKey } = new X509Certificate(credential.certificate)
    expect(verify('sha256', content, publicKey, signed.signatures[0]!)).toBe(true)
    expect(signing.requests.map(({ path }) => path)).toEqual([
      'info',
      'oauth2/token',
      'credentials/list',
      'credentials/info',
      'credentials/authorize',
      'signatures/signHash',
    ])
    expect(await port.credentials('nobody')).toEqual([])
  })

  test('SGN-25 one authorisation signs many hashes, in their order, and none beyond what the key allows', async () => {
    const port = open()
    const credential = await credentialOf('c-1')
    expect(credential.mostSignatures).toBe(20)
    const contents = Array.from({ length: 20 }, (_, i) => Buffer.from(`signed attributes ${i}`))
    const hashes = contents.map((each) => hash('sha256', each, 'buffer'))
    signing.requests.length = 0
    const signed = await port.sign({ credential, hashes, description: order.description, proof: {} })
    if (typeof signed === 'string') throw new Error(signed)
    const { publicKey } = new X509Certificate(credential.certificate)
    expect(contents.map((each, i) => verify('sha256', each, publicKey, signed.signatures[i]!))).toEqual(
      contents.map(() => true),
    )
    expect(signing.requests.map(({ path }) => path).slice(-2)).toEqual(['credentials/authorize', 'signatures/signHash'])
    const [{ body } = {}] = signing.requestsOf('credentials/authorize')
    expect(body).toMatchObject({ numSignatures: 20, hashes: hashes.map((each) => each.toString('base64')) })
    signing.requests.length = 0
    const tooMany = [...hashes, ...order.hashes]
    expect(await port.sign({ credential, hashes: tooMany, description: '', proof: {} })).toBe('refused')
    expect(signing.requestsOf('credentials/authorize')).toEqual([])
  })

  test('SGN-25 fewer signatures than hashes are no answer', async () => {
    const credential = await credentialOf('c-1')
    signing.tamperBy((path, answer) =>
      path === 'signatures/signHash'
        ? { status: 200, body: JSON.stringify({ signatures: JSON.parse(answer).signatures.slice(1) }) }
        : undefined,
    )
    const hashes = [order.hashes[0]!, hash('sha256', 'another', 'buffer')]
    expect(await open().sign({ credential, hashes, description: '', proof: {} })).toBe('unreachable')
  })

  test('DOC-9 an expired token is replaced', async () => {
    const port = open()
    const credential = await firstCredential(port, 'c-1')
    signing.advance(11 * 60_000)
    expect(await port.sign({ credential, ...order, proof: {} })).toHaveProperty('signatures')
    expect(signing.requestsOf('oauth2/token')).toHaveLength(2)
  })

  test('DOC-9 a key whose certificate has changed does not sign', async () => {
    const credential = await credentialOf('c-1')
    const replaced = { ...credential, certificate: (await credentialOf('c-2')).certificate }
    expect(await open().sign({ credential: replaced, ...order, proof: {} })).toBe('refused')
    expect(signing.requestsOf('credentials/authorize')).toEqual([])
  })

  const megabyte = JSON.stringify({ SAD: 'x'.repeat(1 << 20), signatures: [''] })
  const wrongs: [string, 'cut' | { status: number; body: string }, 'refused' | 'unreachable'][] = [
    ['an error of its own', { status: 500, body: '{"error":"server_error"}' }, 'unreachable'],
    ['too many calls', { status: 429, body: '' }, 'unreachable'],
    ['an address elsewhere', { status: 302, body: '' }, 'unreachable'],
    ['no JSON', { status: 200, body: '<html>' }, 'unreachable'],
    ['JSON of another kind', { status: 200, body: '{"signatures":[1]}' }, 'unreachable'],
    ['nothing', { status: 200, body: '' }, 'unreachable'],
    ['a megabyte', { status: 200, body: megabyte }, 'unreachable'],
    ['a break', 'cut', 'unreachable'],
    ['a refusal', { status: 400, body: '{"error":"invalid_request"}' }, 'refused'],
    ['a refusal without words', { status: 400, body: 'no' }, 'unreachable'],
  ]
  test.each(wrongs)('DOC-9 %s instead of an answer, at any step, gives no signature', async (_, wrong, expected) => {
    const credential = await credentialOf('c-1')
    for (const step of ['credentials/info', 'credentials/authorize', 'signatures/signHash']) {
      signing.tamperBy((path) => (path === step ? wrong : undefined))
      expect(await open().sign({ credential, ...order, proof: {} })).toBe(expected)
    }
  })
})

describe('DOC-9 timestamps of what is signed', () => {
  test('DOC-9 TSP-4 a token over the digest, and none for a wrong password', async () => {
    const { timestamps } = signing.ports
    expect((await timestamps.stamp(order.hashes[0]!)).length).toBeGreaterThan(1000)
    const stranger = timestampsByHttp({ ...signing.tsa, password: 'x' })
    expect(await stranger.stamp(order.hashes[0]!)).toBe('unreachable')
  })

  test('DOC-9 a token over something else, for another request, or a missing token is refused', async () => {
    const { url, login, password } = signing.tsa
    const stampOf = async (digest: Uint8Array, nonce: number) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/timestamp-query',
          authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
        },
        body: writeTimestampRequest(new Uint8Array(digest), Uint8Array.of(nonce)),
      })
      return Buffer.from(await answer.arrayBuffer())
    }
    const bodies = [
      await stampOf(order.hashes[0]!, 7),
      await stampOf(hash('sha256', 'else', 'buffer'), 7),
      Buffer.from('30053003020102', 'hex'),
      Buffer.from('x'),
      Buffer.alloc(0),
    ]
    const stampAt = (at: string, more = {}) =>
      timestampsByHttp({ url: at, login: '', password: '', ...more }).stamp(order.hashes[0]!)
    for (const body of bodies) {
      await using server = await listenOnLoopback((_, response) => response.end(body))
      expect(await stampAt(server.url)).toBe('unreachable')
    }
    await using silent = await listenOnLoopback(() => {})
    expect(await stampAt(silent.url, { timeoutMs: 200 })).toBe('unreachable')
  })
})
