import { hash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { Assertion } from '../../contract/passkey-sign-in.ts'
import * as passkeys from '../../contract/passkeys.ts'
import type { StepUpAction } from '../../contract/step-up.ts'
import type { TestBrowser } from './browser.ts'
import type { TestPortal } from './portal-nodes.ts'
import { stepUp, type Person } from './test-customers.ts'

/** The values that a manipulated device sends instead of the correct ones. */
type Manipulation = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** Whether the user was present but not verified. */
  unverified?: true
  counter?: number
  /** Returns the attestation object (WebAuthn §6.5), in CBOR. */
  attest?: (made: Made) => Uint8Array
}

export type Made = { publicKey: KeyObject; privateKey: KeyObject; authData: Buffer; clientDataHash: Buffer }

type Challenge = Pick<passkeys.AssertionOptions, 'challenge' | 'rpId'>

/** A device of WebAuthn §6 with one key and a signature counter. */
export type TestDevice = ReturnType<typeof openDevice>

export function openDevice({ counts = true, credential = randomBytes(32) } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = credential.toString('base64url')
  let counter = 0

  const clientData = (type: string, challenge: string, over: Manipulation) =>
    Buffer.from(
      JSON.stringify({
        type: over.type ?? type,
        challenge: over.challenge ?? challenge,
        origin: over.origin ?? 'https://portal.example',
        crossOrigin: false,
      }),
    )

  /** Returns the authenticator data (WebAuthn §6.1): hash of the RP id, flags and counter. */
  function authenticatorData(rpId: string, over: Manipulation, attested?: Buffer) {
    if (counts) counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(over.counter ?? counter)
    const flags = 1 | (over.unverified ? 0 : 4) | (attested ? 64 : 0)
    const rpIdHash = hash('sha256', over.rpId ?? rpId, 'buffer')
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count, attested ?? Buffer.alloc(0)])
  }

  function create(options: passkeys.CreationOptions, over: Manipulation = {}): passkeys.NewCredential {
    const { x, y } = publicKey.export({ format: 'jwk' })
    // RFC 9052 §7: kty EC2, alg ES256, crv P-256, x, y.
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credential.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, credential, cose])
    const authData = authenticatorData(options.rp.id, over, attested)
    const size = Buffer.alloc(2)
    size.writeUInt16BE(authData.length)
    // { fmt: 'none', attStmt: {}, authData: … } in CBOR.
    const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex')
    const client = clientData('webauthn.create', options.challenge, over)
    const clientDataHash = hash('sha256', client, 'buffer')
    const attestation = over.attest?.({ publicKey, privateKey, authData, clientDataHash })
    return {
      id,
      clientDataJSON: client.toString('base64url'),
      attestationObject: Buffer.from(attestation ?? Buffer.concat([head, size, authData])).toString('base64url'),
      transports: ['internal'],
    }
  }

  function assert(options: Challenge, over: Manipulation = {}): Assertion {
    const data = authenticatorData(options.rpId, over)
    const client = clientData('webauthn.get', options.challenge, over)
    const signed = Buffer.concat([data, hash('sha256', client, 'buffer')])
    return {
      id,
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, privateKey).toString('base64url'),
    }
  }
  return { id, credential, create, assert }
}

/** Well-formed, but of no customer. */
export const sampleAssertion: Assertion = {
  id: 'x'.repeat(43),
  clientDataJSON: 'e30',
  authenticatorData: 'AAAA',
  signature: 'AAAA',
}
export const sampleCredential: passkeys.NewCredential = {
  id: 'x'.repeat(43),
  clientDataJSON: 'e30',
  attestationObject: 'oA',
  transports: [],
}

/** Assertions that must be refused, by what is wrong with them; each uses up its challenge. */
export const wrongAnswers: Record<string, (device: TestDevice, options: Challenge) => Assertion> = {
  'another origin': (device, options) => device.assert(options, { origin: 'https://portal.example.evil.example' }),
  'no TLS': (device, options) => device.assert(options, { origin: 'http://portal.example' }),
  'another relying party': (device, options) => device.assert(options, { rpId: 'evil.example' }),
  'a registration': (device, options) => device.assert(options, { type: 'webauthn.create' }),
  'an unverified user': (device, options) => device.assert(options, { unverified: true }),
  'a key of another device': (device, options) => openDevice({ credential: device.credential }).assert(options),
  'an unknown key': (_, options) => openDevice().assert(options),
  'a byte changed': (device, options) => ({ ...device.assert(options), signature: 'MEUCIQ' }),
}

/** Adds a passkey as a customer does, after a step-up. */
export async function givePasskey(
  portal: TestPortal,
  browser: TestBrowser,
  person: Person,
  { device = openDevice(), name = 'Telefon' } = {},
) {
  await stepUp(portal, browser, person, 'add-passkey')
  const { body: options } = await browser.call(passkeys.startPasskey)
  const { body } = await browser.call(passkeys.addPasskey, { body: { name, credential: device.create(options) } })
  return { device, id: body.id }
}

export async function confirmByPasskey(browser: TestBrowser, device: TestDevice, action: StepUpAction) {
  const { body: options } = await browser.call(passkeys.startStepUpPasskey, { body: action })
  return browser.call(passkeys.enterStepUpPasskey, { body: { ...action, assertion: device.assert(options) } })
}

/** Inserts a session of the customer on another device; returns its id. */
export async function signInAgain({ owner }: TestPortal, { login }: Person): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into sessions (token_hash, account_id, stage, ends_at, absolute_ends_at, address, browser, system)
     select $2, id, 'signed-in', portal_now() + interval '15 minutes', portal_now() + interval '8 hours', '192.0.2.44', 'firefox', 'linux'
     from accounts where login = $1 returning id`,
    [login, randomBytes(32)],
  )
  return rows[0]!.id
}
