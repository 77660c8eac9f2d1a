import { hash, randomBytes, verify, X509Certificate } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test, beforeAll } from 'vitest'
import type { SigningAlgorithm } from '../../../pki/asn1/signature-algorithm.ts'
import { coveredDigest, prepareSignature } from '../../../pki/pades/pades-sign.ts'
import { validatePdf } from '../../../pki/pades/pades-validate.ts'
import { contractPdf } from '../../../pki/testing/pades-authorities.ts'
import { totp } from '../../../pki/totp.ts'
import type { KeySettings } from '../../../provider/signing-service/signing-keys.ts'
import { attributesOf, hashesToSign, signPrepared } from '../../platform/pdf/remote-signing.ts'
import type { RemoteSigningPort, SigningCredential, SigningProof } from '../../platform/ports.ts'
import { findFirstCredential, openSigningAlone, signingReturn } from '../../testing/signing.ts'
import { remoteSigningByCsc } from './remote-signing-csc.ts'

const { authority, signing, close } = await openSigningAlone()
beforeAll(async () => {
  for (const type of ['RSA', 'P-256', 'P-384', 'P-521'] as const)
    await signing.giveKey(`key-${type}`, `customer-${type}`, { settings: { type } })
})
const port: RemoteSigningPort = remoteSigningByCsc({
  ...signing.service,
  confirmation: { forMs: 60_000, everyMs: 5 },
})
beforeEach(() => {
  signing.reset()
  signing.confirm(true)
})
afterAll(close)

const content = Buffer.from('signed attributes')
const order = { hashes: [hash('sha256', content, 'buffer')], description: 'W/2026/1 U-1' }
const otherHash = hash('sha256', 'something else', 'buffer')
const otpSecret = randomBytes(20)
const factors = { pin: '4711', otpSecret: otpSecret.toString('base64') }

let made = 0
async function credentialWith(settings: Partial<KeySettings>): Promise<SigningCredential> {
  const owner = `customer-${++made}`
  await signing.giveKey(`key-${made}`, owner, { settings, factors })
  return findFirstCredential(port, owner)
}
const ownerOf = ({ id }: SigningCredential) => id.replace('key', 'customer')

function isSigned(answer: Awaited<ReturnType<RemoteSigningPort['sign']>>, { certificate }: SigningCredential) {
  if (typeof answer === 'string') return answer
  return verify('sha256', content, new X509Certificate(certificate).publicKey, answer.signatures[0]!)
}
const sign = async (credential: SigningCredential, proof: SigningProof) =>
  isSigned(await port.sign({ credential, ...order, proof }), credential)
const sentOtp = async (credential: SigningCredential) => {
  expect(await port.sendOtp(credential)).toBe('sent')
  return signing.otps.at(-1)!
}
const wrong = (code: string) => (code === '111111' ? '222222' : '111111')

const redirect = () => ({
  state: randomBytes(32).toString('base64url'),
  codeVerifier: randomBytes(32).toString('base64url'),
  returnTo: signingReturn,
})
async function pageFor(
  credential: SigningCredential,
  returnParams: ReturnType<typeof redirect>,
  over: Partial<typeof order> = {},
) {
  const page = await port.createAuthorisationPage({ credential, ...order, ...over, ...returnParams, locale: 'pl' })
  if (page === 'unreachable') throw new Error(page)
  return page
}
/** Authorises the order, changed by `over`, as the customer at the page; returns the proof. */
async function authorised(credential: SigningCredential, over: Partial<typeof order> = {}) {
  const { state, codeVerifier, returnTo } = redirect()
  // The service sends a customer at most one OTP in half a minute.
  signing.advance(31_000)
  const page = await pageFor(credential, { state, codeVerifier, returnTo }, over)
  const back = await signing.authorise(page, ownerOf(credential))
  expect(back.searchParams.get('state')).toBe(state)
  return { code: back.searchParams.get('code') ?? '', codeVerifier, returnTo }
}

/** Makes the service answer one method like this. */
const failing = (method: string, how: 'cut' | { status: number; body: string }) =>
  signing.tamperBy((path) => (path === method ? how : undefined))

const levels = [1, 2] as const

describe.each(levels)('SGN-3 explicit, with SCAL%i', (scal) => {
  test('SGN-3 the service relies on the portal', async () => {
    const credential = await credentialWith({ scal })
    expect(credential.authorisation).toEqual({ kind: 'none' })
    expect(await sign(credential, {})).toBe(true)
    expect(await port.sendOtp(credential)).toBe('refused')
  })

  test('SGN-3 the OTP that the service has sent signs once, a wrong one does not', async () => {
    const credential = await credentialWith({ scal, otp: 'sent' })
    expect(credential.authorisation).toEqual({ kind: 'codes', otp: 'sent', pin: false })
    const otp = await sentOtp(credential)
    expect(await sign(credential, { otp: wrong(otp) })).toBe('otp-wrong')
    expect(await sign(credential, {})).toBe('otp-wrong')
    expect(await sign(credential, { otp })).toBe(true)
    expect(await sign(credential, { otp })).toBe('otp-wrong')
  })

  test('SGN-3 PIN and OTP: each is checked, and a wrong PIN leaves the OTP valid', async () => {
    const credential = await credentialWith({ scal, otp: 'sent', pin: true })
    expect(credential.authorisation).toEqual({ kind: 'codes', otp: 'sent', pin: true })
    const otp = await sentOtp(credential)
    expect(await sign(credential, { otp, pin: '0000' })).toBe('pin-wrong')
    expect(await sign(credential, { otp: wrong(otp), pin: '4711' })).toBe('otp-wrong')
    expect(await sign(credential, { otp, pin: '4711' })).toBe(true)
  })

  test('SGN-3 PIN and the code of the customer’s device, which works once', async () => {
    const credential = await credentialWith({ scal, otp: 'generated', pin: true })
    expect(credential.authorisation).toEqual({ kind: 'codes', otp: 'generated', pin: true })
    expect(await port.sendOtp(credential)).toBe('refused')
    const otp = totp(otpSecret, signing.now())
    expect(await sign(credential, { otp, pin: '4711' })).toBe(true)
    expect(await sign(credential, { otp, pin: '4711' })).toBe('otp-wrong')
  })

  test('SGN-3 a PIN alone', async () => {
    const credential = await credentialWith({ scal, pin: true })
    expect(await sign(credential, { pin: '4712' })).toBe('pin-wrong')
    expect(await sign(credential, { pin: '4711' })).toBe(true)
  })
})

describe('SGN-3 the service’s answers about codes', () => {
  const refusing = (error: string, error_description = '') =>
    failing('credentials/authorize', { status: 400, body: JSON.stringify({ error, error_description }) })

  test('SGN-3 the error of version 2, which is the same for both, is distinguished by its description', async () => {
    const both = await credentialWith({ otp: 'sent', pin: true })
    const [pin, none] = [await credentialWith({ pin: true }), await credentialWith({})]
    refusing('invalid_authentication_data', 'The authentication data is invalid')
    const codes = { otp: '123456', pin: '4711' }
    const answers = [await sign(both, codes), await sign(pin, codes), await sign(none, {})]
    expect(answers).toEqual(['otp-wrong', 'pin-wrong', 'refused'])
    refusing('invalid_authentication_data', 'Invalid PIN')
    expect(await sign(both, codes)).toBe('pin-wrong')
    refusing('invalid_request', 'Credential locked')
    expect(await sign(both, codes)).toBe('refused')
    // A missing code is not an attempt.
    signing.requests.length = 0
    expect([await sign(both, {}), await sign(both, { pin: '4711' })]).toEqual(['pin-wrong', 'otp-wrong'])
    expect(signing.requestsOf('credentials/authorize')).toEqual([])
  })

  test('SGN-3 a service without getChallenge sends the OTP by sendOTP; a question is not an OTP', async () => {
    const credential = await credentialWith({ otp: 'sent' })
    failing('credentials/getChallenge', { status: 200, body: '{"challenge":"Which colour?"}' })
    expect(await port.sendOtp(credential)).toBe('refused')
    signing.tamperBy((path, answer) =>
      path === 'info' ? { status: 200, body: answer.replace('"credentials/getChallenge",', '') } : undefined,
    )
    signing.advance(60_000)
    expect(await remoteSigningByCsc(signing.service).sendOtp(credential)).toBe('sent')
    const body = { credentialID: credential.id }
    expect(signing.requests.at(-1)).toMatchObject({ path: 'credentials/sendOTP', body })
  })
})

describe.each(levels)('SGN-4 implicit, with SCAL%i', (scal) => {
  test('SGN-4 the customer confirms by the service’s own means, and the portal waits for the confirmation', async () => {
    const credential = await credentialWith({ scal, mode: 'implicit' })
    expect(credential.authorisation).toEqual({ kind: 'elsewhere' })
    signing.confirm(false)
    let checks = 0
    signing.tamperBy((path) => {
      if (path === 'credentials/authorizeCheck' && ++checks === 3) signing.confirm(true)
      return undefined
    })
    expect(await sign(credential, {})).toBe(true)
    expect(checks).toBeGreaterThan(3)
  })
})

describe('SGN-4 a customer is asked once', () => {
  const asked = () => signing.requestsOf('credentials/authorize').length
  const error = (status: number) => ({ status, body: '{"error":"server_error"}' })

  test.each<[string, string, Parameters<typeof failing>[1], string]>([
    ['breaks the connection', 'credentials/authorize', 'cut', 'refused'],
    ['is behind a gateway that does not wait', 'credentials/authorize', error(504), 'refused'],
    ['has failed when it is to sign', 'signatures/signHash', error(503), 'refused'],
    ['has too many calls', 'credentials/authorize', error(429), 'unreachable'],
    ['has an error of its own', 'credentials/authorize', error(500), 'unreachable'],
    ['is closed', 'credentials/authorize', error(503), 'unreachable'],
  ])('SGN-4 the customer is asked once by a service that %s', async (_, method, how, outcome) => {
    const credential = await credentialWith({ mode: 'implicit' })
    failing(method, how)
    expect(await sign(credential, {})).toBe(outcome)
    // One that has asked nobody is called again, later.
    expect(asked()).toBe(1)
  })

  test('SGN-4 without a confirmation nothing is signed', async () => {
    const credential = await credentialWith({ mode: 'implicit' })
    signing.confirm(false)
    const hasty = remoteSigningByCsc({ ...signing.service, confirmation: { forMs: 20, everyMs: 5 } })
    expect(await hasty.sign({ credential, ...order, proof: {} })).toBe('refused')
    expect(signing.requestsOf('signatures/signHash')).toEqual([])
  })

  test('SGN-4 a check that is not answered is followed by another one', async () => {
    const credential = await credentialWith({ mode: 'implicit' })
    signing.confirm(false)
    let checks = 0
    signing.tamperBy((path) => {
      if (path !== 'credentials/authorizeCheck' || ++checks === 3) return undefined
      signing.confirm(checks === 2)
      return error(503)
    })
    expect(await sign(credential, {})).toBe(true)
    expect([checks, asked()]).toEqual([3, 1])
  })

  test('SGN-4 a service that asks nobody is called again', async () => {
    const credential = await credentialWith({})
    failing('credentials/authorize', 'cut')
    expect(await sign(credential, {})).toBe('unreachable')
  })
})

describe.each(levels)('SGN-5 oauth2code, with SCAL%i', (scal) => {
  test('SGN-5 the customer authorises at the service’s page and returns with a code that signs once', async () => {
    const credential = await credentialWith({ scal, mode: 'oauth2code' })
    expect(credential.authorisation).toEqual({ kind: 'redirect' })
    const returnParams = redirect()
    const page = await pageFor(credential, returnParams)
    expect(page.pathname).toBe('/csc/v2/oauth2/authorize')
    expect(Object.fromEntries(page.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'portal',
      redirect_uri: signingReturn.href,
      scope: 'credential',
      state: returnParams.state,
      code_challenge: hash('sha256', returnParams.codeVerifier, 'base64url'),
      code_challenge_method: 'S256',
      credentialID: credential.id,
      numSignatures: '1',
      hashes: order.hashes[0]!.toString('base64url'),
      hashAlgorithmOID: '2.16.840.1.101.3.4.2.1',
      description: order.description,
      lang: 'pl',
    })
    expect(page.href).not.toContain(returnParams.codeVerifier)
    const proof = await authorised(credential)
    expect(await sign(credential, proof)).toBe(true)
    expect(await sign(credential, proof)).toBe('refused')
  })
})

describe('R132 what the customer has authorised, and nothing else, is signed', () => {
  test('R132 with SCAL2 the service refuses another hash than the one on its page', async () => {
    const credential = await credentialWith({ mode: 'oauth2code', scal: 2 })
    expect(await sign(credential, await authorised(credential, { hashes: [otherHash] }))).toBe('refused')
    const level1 = await credentialWith({ mode: 'oauth2code', scal: 1 })
    expect(await sign(level1, await authorised(level1, { hashes: [otherHash] }))).toBe(true)
  })

  test('R132 a token for another credential is not used', async () => {
    const [mine, other] = [await credentialWith({ mode: 'oauth2code' }), await credentialWith({ mode: 'oauth2code' })]
    expect(await sign(mine, await authorised(other))).toBe('refused')
    expect(signing.requestsOf('signatures/signHash')).toEqual([])
  })

  test('R132 a credential that asks for a page does not sign by codes, nor the reverse', async () => {
    const byCodes = await credentialWith({ otp: 'sent' })
    expect(await sign(byCodes, await authorised(await credentialWith({ mode: 'oauth2code' })))).toBe('refused')
  })
})

const file = contractPdf()

async function credentialOf(type: KeySettings['type'], algorithms?: readonly SigningAlgorithm[]) {
  const remoteSigning = remoteSigningByCsc({ ...signing.service, algorithms })
  return { remoteSigning, credential: await findFirstCredential(remoteSigning, `customer-${type}`) }
}

function prepared() {
  const field = { field: 'Podpis', signer: 'Małgorzata Wiśniewska', reason: 'Umowa', at: new Date() }
  const open = prepareSignature(file, field)
  return { ...open, sha256: hash('sha256', file), digest: coveredDigest(open) }
}

async function signedWith(type: KeySettings['type'], algorithm: SigningAlgorithm) {
  const { remoteSigning, credential } = await credentialOf(type, [algorithm])
  expect(credential.algorithm).toEqual(algorithm)
  const ports = { remoteSigning, timestamps: signing.ports.timestamps } as Parameters<typeof signPrepared>[0]
  const signed = await signPrepared(ports, prepared(), { credential, description: '' })
  if (typeof signed === 'string') throw new Error(signed)
  return signed
}

const schemes: [KeySettings['type'], SigningAlgorithm['scheme']][] = [
  ['RSA', 'rsa-pkcs1'],
  ['RSA', 'rsa-pss'],
  ['P-256', 'ecdsa'],
  ['P-384', 'ecdsa'],
  ['P-521', 'ecdsa'],
]
const digests = ['sha256', 'sha384', 'sha512'] as const
const all = schemes.flatMap(([type, scheme]) => digests.map((digest) => [type, { scheme, digest }] as const))

test.each(all)('SGN-6 a document that a key %s signs by %o is valid', async (type, algorithm) => {
  const signed = await signedWith(type, algorithm)
  const { signatures } = await validatePdf(signed, {
    anchors: [{ certificate: authority.certificates.root }],
    intermediates: [authority.certificates.issuing],
    crls: await Promise.all([authority.readRevocationList('root'), authority.readRevocationList('issuing')]),
    receivedAt: new Date(),
    revocation: 'required',
    signingCertificate: 'v2',
    qualified: true,
  })
  expect(signatures).toMatchObject([{ intact: true, trusted: true, coversWholeDocument: true, level: 'B-T' }])
  expect(signatures[0]!.problems.filter(({ severity }) => severity === 'refuse')).toEqual([])
})

test('SGN-6 the usual algorithm of a key fits its curve, and the operator’s order decides where there is one', async () => {
  const usual = async (type: KeySettings['type']) => (await credentialOf(type)).credential.algorithm
  expect(await usual('RSA')).toEqual({ scheme: 'rsa-pkcs1', digest: 'sha256' })
  for (const [type, digest] of [
    ['P-256', 'sha256'],
    ['P-384', 'sha384'],
    ['P-521', 'sha512'],
  ] as const)
    expect([type, await usual(type)]).toEqual([type, { scheme: 'ecdsa', digest }])
  const accepted: SigningAlgorithm[] = [
    { scheme: 'rsa-pss', digest: 'sha512' },
    { scheme: 'ecdsa', digest: 'sha512' },
  ]
  expect((await credentialOf('RSA', accepted)).credential.algorithm).toEqual(accepted[0])
  expect((await credentialOf('P-256', accepted)).credential.algorithm).toEqual(accepted[1])
  const pssAlone = remoteSigningByCsc({ ...signing.service, algorithms: accepted.slice(0, 1) })
  expect(await pssAlone.listCredentials('customer-P-256')).toEqual([])
})

test('SGN-6 R132 a signature by another algorithm than the requested one is refused', async () => {
  const pss = await credentialOf('RSA', [{ scheme: 'rsa-pss', digest: 'sha256' }])
  const { credential } = pss
  const field = prepared()
  const answer = (algorithm: SigningAlgorithm) => {
    const [asked] = hashesToSign({ attributes: [attributesOf(field, credential)], credential })
    const signature = signing.keys.sign(credential.id, asked!, algorithm)
    const remoteSigning = { ...pss.remoteSigning, sign: async () => ({ signatures: [signature] }) }
    const ports = { ...signing.ports, remoteSigning } as unknown as Parameters<typeof signPrepared>[0]
    return signPrepared(ports, field, { credential, description: '' })
  }
  expect(await answer({ scheme: 'rsa-pss', digest: 'sha256' })).toBeInstanceOf(Uint8Array)
  expect(await answer({ scheme: 'rsa-pkcs1', digest: 'sha256' })).toBe('refused')
})
