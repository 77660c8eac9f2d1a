import { hash, verify, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { writeTimestampRequest } from '../../../pki/timestamps/timestamp-token.ts'
import { findFirstCredential, openSigningAlone, signingReturn } from '../../testing/signing.ts'
import { listenOnLoopback } from '../loopback/loopback-server.ts'
import { timestampsByHttp } from '../timestamps-http.ts'
import type { CscService } from './csc-connection.ts'
import { remoteSigningByCsc } from './remote-signing-csc.ts'

const { signing, close } = await openSigningAlone()
beforeAll(async () => {
  await signing.giveKey('key-1', 'c-1')
  await signing.giveKey('key-2', 'c-2')
  for (const key of ['odd-1', 'odd-2']) await signing.giveKey(key, 'c-odd')
})
beforeEach(signing.reset)
afterAll(close)

const skipped: Record<string, number>[] = []
const open = (over: Partial<CscService> = {}) =>
  remoteSigningByCsc({ ...signing.service, reportSkipped: (reasons) => skipped.push(reasons), ...over })

const alter = (method: string, change: (answer: Record<string, object>) => object) =>
  signing.tamperBy((path, answer) => {
    if (path !== method) return undefined
    const before = JSON.parse(answer)
    return { status: 200, body: JSON.stringify({ ...before, ...change(before) }) }
  })

describe('SGN-1 a service is checked before it is used', () => {
  test('SGN-1 the embedded service is suitable, and a service that does not answer is unreachable', async () => {
    expect(await open().check()).toBe('suitable')
    signing.tamperBy(() => 'cut')
    expect(await open().check()).toBe('unreachable')
  })

  const methods = ['credentials/list', 'credentials/info', 'credentials/authorize', 'signatures/signHash']
  test.each([
    ['of version 1', { specs: '1.0.4.0' }, 'implements version 1.0.4.0 of the CSC API, not 2'],
    ['without signHash', { methods: methods.slice(0, 3) }, 'does not have signatures/signHash'],
    [
      'that authorises nothing',
      { methods: methods.toSpliced(2, 1), authType: ['oauth2client'] },
      'has neither credentials/authorize nor oauth2/authorize',
    ],
    [
      'for persons only',
      { authType: ['oauth2code', 'basic'] },
      'does not grant tokens to clients (oauth2client), only oauth2code, basic',
    ],
    [
      'with SHA-1 and MD5 only',
      { signAlgorithms: { algos: ['1.2.840.113549.1.1.5', '1.2.840.113549.1.1.4'] } },
      'has no algorithm that the portal accepts, only 1.2.840.113549.1.1.5, 1.2.840.113549.1.1.4',
    ],
    [
      'whose page is not protected',
      { oauth2: 'ftp://sign.example' },
      'names an address that is not https: ftp://sign.example/oauth2/token',
    ],
  ])('SGN-1 a service %s is not used, and the reason is named', async (_, info, unsuitable) => {
    alter('info', () => info)
    expect(await open().check()).toEqual({ unsuitable })
    expect(await open().listCredentials('c-1')).toBe('unreachable')
    expect(signing.requests.filter(({ path }) => path.startsWith('credentials'))).toEqual([])
  })

  test('SGN-1 a service that does not know the portal, or has none of its algorithms, is unsuitable', async () => {
    expect(await open({ clientSecret: 'guessed' }).check()).toEqual({
      unsuitable: 'refuses the portal’s CSC_CLIENT_ID and CSC_CLIENT_SECRET (invalid_client)',
    })
    alter('info', () => ({ signAlgorithms: { algos: ['1.2.840.113549.1.1.11'] } }))
    const accepts = (scheme: 'rsa-pss' | 'rsa-pkcs1') => open({ algorithms: [{ scheme, digest: 'sha256' }] }).check()
    expect([await accepts('rsa-pkcs1'), await accepts('rsa-pss')]).toEqual([
      'suitable',
      { unsuitable: 'has no algorithm that the portal accepts, only 1.2.840.113549.1.1.11' },
    ])
  })

  test('SGN-1 the authorization server is found from what the service states: a base, an issuer, or the list of version 2.1', async () => {
    await using server = await listenOnLoopback(({ path, headers }, response) => {
      const own = `http://${headers.host}/tenant`
      const metadata = {
        issuer: path === '/.well-known/oauth-authorization-server/tenant' ? own : 'x',
        token_endpoint: `${signing.url}/oauth2/token`,
        authorization_endpoint: `${own}/authorise`,
        code_challenge_methods_supported: ['S256'],
      }
      response.end(JSON.stringify(metadata))
    })
    const issuer = `${server.url}/tenant`
    const pageOf = async (info: object) => {
      alter('info', ({ oauth2: _, ...rest }) => ({ oauth2: undefined, ...rest, ...info }))
      const port = open()
      const credential = await findFirstCredential(port, 'c-1')
      const order = { credential, hashes: [new Uint8Array(32)], description: '', locale: 'pl' } as const
      const back = { state: 's', codeVerifier: 'v'.repeat(43), returnTo: signingReturn }
      const page = await port.createAuthorisationPage({ ...order, ...back })
      return typeof page === 'string' ? page : page.origin + page.pathname
    }
    const own = `${signing.url}/oauth2/authorize`
    expect(await pageOf({ oauth2: signing.url })).toBe(own)
    expect(await pageOf({ oauth2Issuer: issuer })).toBe(`${issuer}/authorise`)
    expect(await pageOf({ oauth2Servers: [{ issuerIdentifier: issuer }] })).toBe(`${issuer}/authorise`)
    expect(await pageOf({ oauth2Servers: [{ baseUri: `${signing.url}/` }] })).toBe(own)
    // RFC 8414 §3.3: metadata of another issuer is not used.
    alter('info', () => ({ oauth2: undefined, oauth2Issuer: `${server.url}/other` }))
    expect(await open().check()).toEqual({ unsuitable: 'has the metadata of another issuer, x' })
  })
})

describe('SGN-1 the portal authenticates in the body or by HTTP Basic', () => {
  const secret = 'a+b/c=: %ż'
  /** Opens a token endpoint that accepts only the header, in the form of RFC 6749 §2.3.1. */
  async function openTokens(metadata: (origin: string) => object) {
    const seen: boolean[] = []
    const server = await listenOnLoopback(({ path, headers }, response) => {
      if (path.startsWith('/.well-known')) return response.end(JSON.stringify(metadata(`http://${headers.host}`)))
      const [, basic = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
      const given = new URLSearchParams(
        Buffer.from(basic, 'base64')
          .toString()
          .replace(/^([^:]*):(.*)$/, 'id=$1&secret=$2'),
      )
      seen.push(basic !== '')
      const isKnown = given.get('id') === 'the portal' && given.get('secret') === secret
      response.statusCode = isKnown ? 200 : 401
      response.end(JSON.stringify(isKnown ? { access_token: 't', expires_in: 0 } : { error: 'invalid_client' }))
    })
    return { server, seen }
  }
  const client = { clientId: 'the portal', clientSecret: secret }

  test('SGN-1 a service that accepts only the header gets it on the second try, and on the first one from then on', async () => {
    const { server, seen } = await openTokens(() => ({}))
    await using _ = server
    alter('info', () => ({ oauth2: server.url }))
    const port = open({ ...client, tokenUrl: `${server.url}/token` })
    expect(await port.check()).toBe('suitable')
    expect(seen).toEqual([false, true])
    await port.listCredentials('c-1')
    expect(seen.slice(2)).not.toContain(false)
    seen.length = 0
    expect(await open({ ...client, clientSecret: 'guessed', tokenUrl: `${server.url}/token` }).check()).toEqual({
      unsuitable: 'refuses the portal’s CSC_CLIENT_ID and CSC_CLIENT_SECRET (invalid_client)',
    })
    expect(seen).toEqual([false, true])
  })

  test('SGN-1 where the metadata names the header alone, the secret is not sent in the body', async () => {
    const { server, seen } = await openTokens((issuer) => ({
      issuer,
      token_endpoint: `${issuer}/token`,
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    }))
    await using _ = server
    alter('info', ({ oauth2: __, ...rest }) => ({ ...rest, oauth2: undefined, oauth2Issuer: server.url }))
    expect(await open(client).check()).toBe('suitable')
    expect(seen).toEqual([true])
  })
})

describe('SGN-2 the credentials of a customer', () => {
  test('SGN-2 credentials are read page by page, whether the list describes them or not', async () => {
    for (let i = 0; i < 21; i++) await signing.giveKey(`many-${i}`, 'c-many')
    const all = await open().listCredentials('c-many')
    expect(all).toHaveLength(21)
    expect(signing.requestsOf('credentials/list')).toHaveLength(2)
    expect(signing.requestsOf('credentials/info')).toEqual([])
    alter('credentials/list', () => ({ credentialInfos: undefined }))
    expect(await open().listCredentials('c-many')).toEqual(all)
  })

  test('SGN-2 an endless list is read for 50 pages, which is reported', async () => {
    skipped.length = 0
    alter('credentials/list', () => ({ nextPageToken: '0', credentialInfos: undefined, credentialIDs: [] }))
    expect(await open().listCredentials('c-1')).toEqual([])
    expect(signing.requestsOf('credentials/list')).toHaveLength(50)
    expect(skipped).toEqual([{ 'more than 50 pages': 1 }])
  })

  /** Lists the customer's only credential, with changes to its description. */
  async function described(change: (info: Record<string, Record<string, unknown>>) => object) {
    skipped.length = 0
    alter('credentials/list', ({ credentialInfos }) => {
      const [info] = credentialInfos as unknown as Record<string, Record<string, unknown>>[]
      return { credentialInfos: [{ ...info, ...change(info!) }] }
    })
    const found = await open().listCredentials('c-1')
    return found === 'unreachable' ? found : found.map(({ authorisation }) => authorisation)
  }
  const factor = (type: string, id: string, generator?: string) => ({ type, id, ...(generator && { generator }) })
  const explicit = (objects: object[], expression?: string) => () => ({
    auth: { mode: 'explicit', objects, ...(expression && { expression }) },
  })
  const signsBy =
    (...algo: string[]) =>
    ({ key }: Record<string, object>) => ({ key: { ...key, algo } })
  const pin = factor('Password', 'PIN')
  const sms = factor('ChallengeResponse', 'SMS')
  const app = factor('Password', 'APP', 'totp')

  test.each([
    ['nothing', explicit([]), { kind: 'none' }],
    ['the service’s own means', () => ({ auth: { mode: 'implicit' } }), { kind: 'elsewhere' }],
    ['the service’s page', () => ({ auth: { mode: 'oauth2code' } }), { kind: 'redirect' }],
    ['an OTP that is sent', explicit([sms]), { kind: 'codes', otp: 'sent', pin: false }],
    ['an OTP of a device', explicit([app]), { kind: 'codes', otp: 'generated', pin: false }],
    ['an OTP by sendOTP', explicit([factor('Password', 'OTP')]), { kind: 'codes', otp: 'sent', pin: false }],
    ['a PIN', explicit([pin]), { kind: 'codes', otp: 'none', pin: true }],
    ['all factors, without an expression', explicit([pin, sms]), { kind: 'codes', otp: 'sent', pin: true }],
    ['PIN and OTP', explicit([pin, app], 'PIN AND APP'), { kind: 'codes', otp: 'generated', pin: true }],
    [
      'the simpler alternative',
      explicit([pin, sms, app], '(PIN AND APP) OR SMS'),
      { kind: 'codes', otp: 'sent', pin: false },
    ],
    ['one of two', explicit([sms, app], 'APP XOR SMS'), { kind: 'codes', otp: 'sent', pin: false }],
    ['AND before OR', explicit([pin, sms], 'PIN AND SMS OR PIN AND PIN'), { kind: 'codes', otp: 'none', pin: true }],
    ['the service’s app', explicit([factor('ChallengeResponseOOB', 'PUSH')]), { kind: 'elsewhere' }],
    [
      'an alternative to a factor that is unknown',
      explicit([factor('Fingerprint', 'F'), pin], 'F OR PIN'),
      { kind: 'codes', otp: 'none', pin: true },
    ],
  ])('SGN-2 a credential that requires %s can be used', async (_, change, authorisation) => {
    expect(await described(change)).toEqual([authorisation])
    expect(skipped).toEqual([])
  })

  test.each([
    ['of another mode', () => ({ auth: { mode: 'hologram' } }), 'mode hologram'],
    ['with a factor that is unknown', explicit([factor('Fingerprint', 'F')]), 'factors Fingerprint'],
    ['with two PINs', explicit([pin, factor('Password', 'PIN2')]), 'factors Password, Password'],
    ['with a question', explicit([factor('ChallengeResponse', 'Q', 'memory')]), 'factors ChallengeResponse'],
    ['with an unreadable expression', explicit([pin], '(PIN'), 'factors Password'],
    ['with brackets left over', explicit([pin], 'PIN)'), 'factors Password'],
    ['with SHA-1 only', signsBy('1.2.840.113549.1.1.5'), 'algorithms'],
    ['with MD5 only', signsBy('1.2.840.113549.1.1.4'), 'algorithms'],
    ['of RSA, with an algorithm of a curve', signsBy('1.2.840.10045.4.3.2'), 'algorithms'],
    ['with an unreadable certificate', () => ({ cert: { certificates: ['AAAA'] } }), 'unreadable certificate'],
  ])('SGN-2 a credential %s is passed over, and that is counted', async (_, change, reason) => {
    expect(await described(change as never)).toEqual([])
    expect(skipped).toEqual([{ [reason]: 1 }])
  })

  const nine = Array.from({ length: 9 }, (_, i) => factor('Password', `${i}`))
  test.each([
    ['that has no certificate yet', { status: 200, change: { cert: {} } }, 'no certificate'],
    ['with an empty list of certificates', { status: 200, change: { cert: { certificates: [] } } }, 'no certificate'],
    ['with nine factors', { status: 200, change: explicit(nine)() }, 'unusable description'],
    ['whose description is not found', { status: 404, change: {} }, 'unusable description'],
    ['whose description is refused', { status: 400, change: { error: 'invalid_request' } }, 'refused'],
  ])('SGN-2 a credential %s does not hide the others, and is counted', async (_, { status, change }, reason) => {
    skipped.length = 0
    let calls = 0
    signing.tamperBy((path, answer) => {
      const before = JSON.parse(answer)
      if (path === 'credentials/list')
        return { status: 200, body: JSON.stringify({ ...before, credentialInfos: undefined }) }
      if (path !== 'credentials/info' || calls++) return undefined
      return { status, body: JSON.stringify({ ...before, ...change }) }
    })
    expect(await open().listCredentials('c-odd')).toHaveLength(1)
    expect(skipped).toEqual([{ [reason]: 1 }])
  })

  test.each([
    ...[401, 408, 429, 500, 503].map((status) => ({ status, body: '{"error":"x"}' })),
    { status: 200, body: '<html>' },
  ])('SGN-2 with $status $body for one credential the list is unreachable', async (answered) => {
    signing.tamperBy((path, answer) => {
      if (path === 'credentials/list')
        return { status: 200, body: JSON.stringify({ ...JSON.parse(answer), credentialInfos: undefined }) }
      return path === 'credentials/info' ? answered : undefined
    })
    expect(await open().listCredentials('c-1')).toBe('unreachable')
  })

  test('SGN-2 a credential that is disabled or not valid is skipped, and that is not reported', async () => {
    expect(await described(({ key }) => ({ key: { ...key, status: 'disabled' } }))).toEqual([])
    expect(await described(({ cert }) => ({ cert: { ...cert, status: 'revoked' } }))).toEqual([])
    expect(skipped).toEqual([])
  })
})

const content = Buffer.from('signed attributes')
const order = { hashes: [hash('sha256', content, 'buffer')], description: 'W/2026/1 U-1' }

const credentialOf = (customer: string) => findFirstCredential(signing.ports.remoteSigning, customer)

describe('DOC-9 the client of the CSC API', () => {
  test('DOC-9 the calls in order: info, a token, the customer’s keys, and the signature of one hash', async () => {
    const port = open()
    const credential = await findFirstCredential(port, 'c-1')
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
    expect(await port.listCredentials('nobody')).toEqual([])
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
    const credential = await findFirstCredential(port, 'c-1')
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
