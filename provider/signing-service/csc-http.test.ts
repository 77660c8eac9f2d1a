import { constants, hash, publicDecrypt, randomBytes, type KeyObject } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { anna, holder, issuing, person, personRights } from '../../pki/testing/pades-authorities.ts'
import { fileFolder, testFolder } from '../../pki/testing/peer-programs.ts'
import { serveCsc } from './csc-http.ts'
import { openSigningKeys } from './signing-keys.ts'
import type { SigningService } from './signing-service.ts'

const minute = 60_000
const folder = fileFolder()
let clock = 0
const otps: string[] = []
const secret = randomBytes(32).toString('base64url')
const app = Fastify()
let publicKey: KeyObject
let status: 'valid' | 'suspended' = 'valid'
let token = ''

async function filledKeys(directory: string) {
  const keys = await openSigningKeys(directory)
  for (const [id, owner, otp] of [
    ['key-1', 'c-1', 'none'],
    ['key-otp', 'c-1', 'sent'],
    ['key-2', 'c-2', 'none'],
  ] as const) {
    publicKey = await keys.make(id, owner, { otp })
    const { certificate } = holder(
      {
        name: person('Anna Nowak', 'PNOPL-90010112345'),
        extensions: personRights(),
        keys: { publicKey, privateKey: anna.privateKey },
      },
      issuing,
    )
    await keys.certify(id, [certificate, issuing.certificate])
  }
  await keys.make('key-bare', 'c-1')
  return keys
}

beforeAll(async () => {
  const service: SigningService = {
    keys: await filledKeys(folder),
    url: 'https://sign.example/csc/v2',
    client: { id: 'portal', secret, redirectUris: [] },
    statusOf: () => status,
    loginsOf: () => [],
    sendOtp: async (_, otp) => void otps.push(otp),
    hasConfirmed: () => true,
    now: () => new Date(clock),
  }
  await app.register(async (scope) => serveCsc(scope, service), { prefix: '/csc/v2' })
  await renewToken()
})

const renewToken = async () => (token = (await grant({})).json<{ access_token: string }>().access_token)

const grant = (over: Record<string, string>) =>
  app.inject({
    method: 'POST',
    url: '/csc/v2/oauth2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'portal',
      client_secret: secret,
      ...over,
    }).toString(),
  })

async function post(method: string, body: unknown, bearer = token) {
  const answer = await app.inject({
    method: 'POST',
    url: `/csc/v2/${method}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return {
    status: answer.statusCode,
    body: answer.body ? answer.json<{ [name: string]: never }>() : ({} as { [name: string]: never }),
  }
}

const digest = (text: string) => hash('sha256', text, 'base64')
const documentHash = digest('one')
const authorize = (over: object = {}) =>
  post('credentials/authorize', { credentialID: 'key-1', numSignatures: 1, hashes: [documentHash], ...over })
const sign = (SAD: string, over: object = {}) =>
  post('signatures/signHash', {
    credentialID: 'key-1',
    SAD,
    hashes: [documentHash],
    signAlgo: '1.2.840.113549.1.1.11',
    ...over,
  })
const firstSignature = (body: { [name: string]: never }) =>
  Buffer.from((body['signatures'] as unknown as string[])[0]!, 'base64')
/** Recovers the hash from a PKCS #1 v1.5 signature. */
const hashSignedBy = (key: KeyObject, signature: Uint8Array) =>
  publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature).subarray(-32).toString('base64')
const sadOf = async (over: object = {}) => (await authorize(over)).body['SAD']! as string
const invalid = { status: 400, body: { error: 'invalid_request' } }

test('DOC-9 the service describes itself to anyone, and answers no other call without a token', async () => {
  const info = await app.inject({ method: 'POST', url: '/csc/v2/info', payload: {} })
  expect(info.json()).toMatchObject({ specs: '2.0.0.2', authType: ['oauth2client', 'oauth2code'] })
  for (const bearer of ['', 'x', randomBytes(32).toString('base64url')])
    expect(await post('credentials/list', { userID: 'c-1' }, bearer)).toMatchObject({
      status: 401,
      body: { error: 'access_denied' },
    })
  const wrong = await grant({ client_secret: `${secret}x` })
  expect([wrong.statusCode, wrong.json()]).toMatchObject([401, { error: 'invalid_client' }])
  expect((await grant({ grant_type: 'password' })).json()).toMatchObject({ error: 'unsupported_grant_type' })
})

test('DOC-9 a customer’s keys are listed and described as the specification says, and none without a certificate', async () => {
  const { body } = await post('credentials/list', {
    userID: 'c-1',
    credentialInfo: true,
    certificates: 'chain',
    authInfo: true,
  })
  expect(body['credentialIDs']).toEqual(['key-1', 'key-otp'])
  expect(body['credentialInfos']).toMatchObject([
    {
      credentialID: 'key-1',
      key: { status: 'enabled', len: 3072 },
      cert: { status: 'valid', certificates: [expect.any(String), expect.any(String)] },
      auth: { mode: 'explicit', objects: [] },
      SCAL: '2',
    },
    { credentialID: 'key-otp', auth: { objects: [{ type: 'ChallengeResponse', id: 'OTP' }] } },
  ])
  expect((await post('credentials/list', { userID: 'nobody' })).body['credentialIDs']).toEqual([])
  expect(await post('credentials/info', { credentialID: 'key-bare' })).toMatchObject(invalid)
  expect(await post('credentials/info', { credentialID: '../master' })).toMatchObject(invalid)
})

test('R33 activation data opens one key for the hashes that it was given for, once', async () => {
  const SAD = await sadOf()
  const { body } = await sign(SAD)
  const signature = firstSignature(body)
  // The newest key is another one; the certificate names the key that signs.
  expect(signature).toHaveLength(384)
  expect(await sign(SAD)).toMatchObject(invalid)
  expect(await sign(await sadOf(), { hashes: [digest('two')] })).toMatchObject(invalid)
  expect(await sign(await sadOf(), { hashes: [documentHash, digest('two')] })).toMatchObject(invalid)
  expect(await sign(await sadOf(), { credentialID: 'key-2' })).toMatchObject(invalid)
  expect(await sign(await sadOf(), { signAlgo: '1.2.840.113549.1.1.10' })).toMatchObject(invalid)
  // A failed attempt with another hash uses the activation data up.
  const tried = await sadOf()
  await sign(tried, { hashes: [digest('two')] })
  expect(await sign(tried)).toMatchObject(invalid)
  const late = await sadOf()
  clock += minute
  expect(await sign(late)).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', error_description: 'SAD expired' },
  })
})

test('R33 the signature is PKCS #1 v1.5 over the very hash that was sent', async () => {
  const SAD = await sadOf({ credentialID: 'key-2' })
  const { body } = await sign(SAD, { credentialID: 'key-2' })
  const signature = firstSignature(body)
  expect(hashSignedBy(publicKey, signature)).toBe(documentHash)
})

test('DOC-9 what is no JSON is an invalid request, and so is a challenge where none is', async () => {
  expect(await post('credentials/authorize', '{')).toMatchObject(invalid)
  expect(await post('credentials/getChallenge', { credentialID: 'key-1', authObjectID: 'OTP' })).toMatchObject(invalid)
})

test.each([
  ['no key', { credentialID: undefined }],
  ['a key of nobody', { credentialID: 'key-9' }],
  ['no hash', { hashes: [] }],
  ['more signatures than hashes', { numSignatures: 2 }],
  ['too many signatures', { numSignatures: 21, hashes: Array(21).fill(documentHash) }],
  ['a hash that is not base64', { hashes: ['%%'] }],
  ['a hash of another length', { hashes: ['AAAA'] }],
  ['another hash algorithm', { hashAlgorithmOID: '1.3.14.3.2.26' }],
])('DOC-9 an authorisation of %s is an invalid request, and the service lives', async (_, over) => {
  expect(await authorize(over)).toMatchObject(invalid)
})

test('DOC-9 asynchronous signing is an invalid request', async () => {
  expect(await sign('x', { signAlgo: '1', operationMode: 'A' })).toMatchObject(invalid)
})

test('DOC-9 a suspended certificate gets neither a code nor activation data', async () => {
  const SAD = await sadOf()
  status = 'suspended'
  expect([
    await authorize(),
    await sign(SAD),
    await post('credentials/getChallenge', { credentialID: 'key-otp', authObjectID: 'OTP' }),
  ]).toMatchObject([invalid, invalid, invalid])
  status = 'valid'
})

test('R21 the service’s own code is accepted once, within five minutes, and five wrong ones lock the key', async () => {
  const challenge = async () =>
    (await post('credentials/getChallenge', { credentialID: 'key-otp', authObjectID: 'OTP' })).status
  const enter = (value: string) => authorize({ credentialID: 'key-otp', authData: [{ id: 'OTP', value }] })
  expect([await challenge(), await challenge()]).toEqual([204, 400])
  const first = otps.at(-1)!
  expect((await enter(first)).status).toBe(200)
  expect(await enter(first)).toMatchObject({ status: 400, body: { error: 'invalid_otp' } })
  clock += minute
  await challenge()
  const late = otps.at(-1)!
  clock += 5 * minute
  expect((await enter(late)).body['error']).toBe('invalid_otp')
  await challenge()
  const right = otps.at(-1)!
  const wrong = right === '000000' ? '000001' : '000000'
  for (let i = 0; i < 3; i++) expect((await enter(wrong)).body['error']).toBe('invalid_otp')
  expect(await enter(right)).toMatchObject({ status: 400, body: { error_description: 'Credential locked' } })
  clock += minute
  expect(await challenge()).toBe(400)
  clock += 15 * minute
  expect(await challenge()).toBe(401)
  await renewToken()
  expect(await challenge()).toBe(204)
  expect((await enter(otps.at(-1)!)).status).toBe(200)
})

test('R83 keys are encrypted for their id, and can be used again after a restart', async () => {
  const keyFolder = testFolder()
  const keys = await openSigningKeys(keyFolder)
  const made = await keys.make('key-1', 'c-1')
  for (const name of readdirSync(keyFolder))
    expect(readFileSync(join(keyFolder, name), 'latin1')).not.toContain('PRIVATE KEY')
  const again = await openSigningKeys(keyFolder)
  expect((await again.make('key-1', 'c-1')).equals(made)).toBe(true)
  const signature = again.sign('key-1', Buffer.from(documentHash, 'base64'), { scheme: 'rsa-pkcs1', digest: 'sha256' })
  expect(hashSignedBy(made, signature)).toBe(documentHash)
  await expect(keys.make('../key', 'c-1')).rejects.toThrow(RangeError)
})
