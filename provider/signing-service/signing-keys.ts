import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import type { SigningAlgorithm } from '../../pki/asn1/signature-algorithm.ts'
import { createFile, replaceFile } from '../atomic-file.ts'
import { signDigest } from './sign-digest.ts'

const Settings = z.object({
  type: z.enum(['RSA', 'P-256', 'P-384', 'P-521']),
  /** CSC API §11.5: who collects the customer's codes or confirmation. */
  mode: z.enum(['explicit', 'implicit', 'oauth2code']),
  /** `sent` by SMS, or `generated` by the customer's device (RFC 6238). */
  otp: z.enum(['none', 'sent', 'generated']),
  pin: z.boolean(),
  /** 2: an activation is for certain hashes only (EN 419 241-1). */
  scal: z.union([z.literal(1), z.literal(2)]),
})

/** The type of a key, and what its customer has to give for a signature. */
export type KeySettings = z.infer<typeof Settings>

/** Secrets that only the customer and the service know; the secret of a generated OTP is in base64. */
export type KeyFactors = { pin?: string | undefined; otpSecret?: string | undefined }

/** Usual settings of a key: only the client authenticates the customer, and it names the content to sign. */
export const usualSettings: KeySettings = { type: 'RSA', mode: 'explicit', otp: 'none', pin: false, scal: 2 }

/** A subscriber's key, with the provider's id of its signature. */
export type SigningKey = KeySettings & {
  id: string
  /** The provider's id of the customer. */
  owner: string
  /** The subscriber's certificate and its issuers, DER; empty until issued. */
  certificates: Uint8Array[]
}

const Factors = z.object({ pin: z.optional(z.string()), otpSecret: z.optional(z.string()) })

/** Secrets are encrypted by AES-256-GCM with the folder's master key and bound to this id: PKCS #8 and the factors. */
const Stored = z.object({
  owner: z.string(),
  certificates: z.array(z.base64()),
  settings: z.optional(Settings),
  key: z.base64(),
  factors: z.optional(z.base64()),
})
type Stored = z.infer<typeof Stored>

/**
 * The keys of cloud signatures: `master.key` and `<id>.json` in a folder that only the owner may read. They are decrypted for
 * one signature only.
 */
export type SigningKeys = Awaited<ReturnType<typeof openSigningKeys>>

export async function openSigningKeys(directory: string) {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const masterFile = join(directory, 'master.key')
  await createFile(masterFile, randomBytes(32))
  const master = await readFile(masterFile)
  const known = new Map<string, Stored>()
  for (const name of await readdir(directory))
    if (name.endsWith('.json'))
      known.set(name.slice(0, -'.json'.length), Stored.parse(JSON.parse(await readFile(join(directory, name), 'utf8'))))

  async function put(id: string, stored: Stored) {
    // The id becomes a file name.
    if (!/^[\w-]{1,64}$/.test(id)) throw new RangeError('The id is not valid')
    await replaceFile(join(directory, `${id}.json`), JSON.stringify(stored, null, 1))
    known.set(id, stored)
  }

  const decryptKey = (id: string, { key }: Stored) =>
    createPrivateKey({ key: decrypt(master, id, Buffer.from(key, 'base64')), format: 'der', type: 'pkcs8' })

  const signingKey = (id: string, { owner, certificates, settings }: Stored): SigningKey => ({
    id,
    owner,
    ...(settings ?? usualSettings),
    certificates: certificates.map((certificate) => new Uint8Array(Buffer.from(certificate, 'base64'))),
  })

  function storedKey(id: string) {
    const stored = known.get(id)
    if (!stored) throw new RangeError('There is no such key')
    return stored
  }

  function factorsOf(id: string): KeyFactors {
    const { factors } = storedKey(id)
    return factors ? Factors.parse(JSON.parse(decrypt(master, id, Buffer.from(factors, 'base64')).toString())) : {}
  }

  return {
    /** Returns the public key to be certified, of a new key or the existing one, so that a renewed certificate has the same key. */
    async make(id: string, owner: string, settings: Partial<KeySettings> = {}, factors: KeyFactors = {}) {
      const stored = known.get(id)
      if (stored) return createPublicKey(decryptKey(id, stored))
      const all = { ...usualSettings, ...settings }
      const { publicKey, privateKey } = await generate(all.type)
      const encrypted = (plain: Uint8Array) => encrypt(master, id, plain).toString('base64')
      await put(id, {
        owner,
        certificates: [],
        settings: all,
        key: encrypted(privateKey.export({ format: 'der', type: 'pkcs8' })),
        factors: encrypted(Buffer.from(JSON.stringify(factors))),
      })
      return publicKey
    },
    async certify(id: string, certificates: readonly Uint8Array[]) {
      const encoded = certificates.map((certificate) => Buffer.from(certificate).toString('base64'))
      await put(id, { ...storedKey(id), certificates: encoded })
    },
    find(id: string): SigningKey | undefined {
      const stored = known.get(id)
      return stored && signingKey(id, stored)
    },
    ofOwner: (owner: string): SigningKey[] =>
      [...known].filter(([, stored]) => stored.owner === owner).map(([id, stored]) => signingKey(id, stored)),
    factors: factorsOf,
    /** Replaces the secret, in base64, from which the customer's app generates codes; nothing if there is no such key. */
    async shareOtpSecret(id: string, otpSecret: string) {
      const stored = known.get(id)
      if (!stored) return
      const factors = Buffer.from(JSON.stringify({ ...factorsOf(id), otpSecret }))
      await put(id, { ...stored, factors: encrypt(master, id, factors).toString('base64') })
    },
    /** Signs a digest, which was made as the algorithm says; the algorithm fits the key. */
    sign: (id: string, digest: Uint8Array, algorithm: SigningAlgorithm): Uint8Array =>
      signDigest(decryptKey(id, storedKey(id)), digest, algorithm),
  }
}

function generate(type: KeySettings['type']): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  const make = promisify(generateKeyPair)
  return type === 'RSA' ? make('rsa', { modulusLength: 3072 }) : make('ec', { namedCurve: type })
}

function encrypt(master: Buffer, id: string, plain: Uint8Array) {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', master, nonce).setAAD(Buffer.from(id))
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

function decrypt(master: Buffer, id: string, encrypted: Buffer) {
  const cipher = createDecipheriv('aes-256-gcm', master, encrypted.subarray(0, 12))
    .setAAD(Buffer.from(id))
    .setAuthTag(encrypted.subarray(12, 28))
  return Buffer.concat([cipher.update(encrypted.subarray(28)), cipher.final()])
}
