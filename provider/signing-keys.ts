import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  privateEncrypt,
  randomBytes,
} from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { createFile, replaceFile } from './atomic-file.ts'

/** A key of a subscriber's, by the provider's own id of the signature that it belongs to. */
export type SigningKey = {
  id: string
  /** The provider's own id of the customer. */
  owner: string
  /** From the subscriber's upwards, DER; none until one is issued. */
  certificates: Uint8Array[]
  /** Whether the service asks for a code of its own, besides what its client has proved. */
  otp: boolean
}

const Stored = z.strictObject({
  owner: z.string(),
  certificates: z.array(z.base64()),
  otp: z.boolean(),
  /** PKCS #8, sealed by AES-256-GCM under the folder's master key for this id. */
  key: z.base64(),
})
type Stored = z.infer<typeof Stored>

/** RFC 8017 §9.2, note 1: what stands before a SHA-256 in the encoding that is signed. */
const digestInfo = Buffer.from('3031300d060960864801650304020105000420', 'hex')

/**
 * The keys of cloud signatures: `master.key` and `<id>.json` in a folder that only the owner may read. They are opened for
 * one signature and forgotten. RSA, because node:crypto signs a hash that was made elsewhere with no other kind.
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
    // It becomes the name of a file.
    if (!/^[\w-]{1,64}$/.test(id)) throw new RangeError('A key has no such id')
    await replaceFile(join(directory, `${id}.json`), JSON.stringify(stored, null, 1))
    known.set(id, stored)
  }

  const openKey = (id: string, { key }: Stored) =>
    createPrivateKey({ key: unseal(master, id, Buffer.from(key, 'base64')), format: 'der', type: 'pkcs8' })

  const shown = (id: string, { owner, certificates, otp }: Stored): SigningKey => ({
    id,
    owner,
    otp,
    certificates: certificates.map((one) => new Uint8Array(Buffer.from(one, 'base64'))),
  })

  return {
    /** The public key to be certified; what is there already stays, so that a renewed certificate has the same one. */
    async make(id: string, owner: string, { otp = false } = {}) {
      const held = known.get(id)
      if (held) return createPublicKey(openKey(id, held))
      const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 3072 })
      const key = seal(master, id, privateKey.export({ format: 'der', type: 'pkcs8' })).toString('base64')
      await put(id, { owner, certificates: [], otp, key })
      return publicKey
    },
    async certify(id: string, certificates: readonly Uint8Array[]) {
      const held = known.get(id)
      if (!held) throw new RangeError('There is no such key')
      await put(id, { ...held, certificates: certificates.map((one) => Buffer.from(one).toString('base64')) })
    },
    find(id: string): SigningKey | undefined {
      const held = known.get(id)
      return held && shown(id, held)
    },
    ofOwner: (owner: string): SigningKey[] =>
      [...known].filter(([, held]) => held.owner === owner).map(([id, held]) => shown(id, held)),
    /** RSASSA-PKCS1-v1_5 over a SHA-256 digest. */
    sign(id: string, digest: Uint8Array): Uint8Array {
      const key = openKey(id, known.get(id)!)
      return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat([digestInfo, digest]))
    },
  }
}

function seal(master: Buffer, id: string, plain: Buffer) {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', master, nonce).setAAD(Buffer.from(id))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

function unseal(master: Buffer, id: string, sealed: Buffer) {
  const cipher = createDecipheriv('aes-256-gcm', master, sealed.subarray(0, 12))
    .setAAD(Buffer.from(id))
    .setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([cipher.update(sealed.subarray(28)), cipher.final()])
}
