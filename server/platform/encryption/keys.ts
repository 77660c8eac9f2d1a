import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * The secrets of the portal. Master keys encrypt data at rest and can be rotated. The keys of all other purposes are derived from the
 * database's root key, which is itself encrypted, so a rotation invalidates no code, no count and no chain (decision 0033).
 */
export type Keys = {
  code: Buffer
  rateLimit: Buffer
  cursor: Buffer
  botCheck: Buffer
  audit: Buffer
  auditHead: Buffer
  index: Buffer
  passkey: Buffer
  signing: Buffer
  /** Key for password hashes (decision 0083). */
  pepper: Buffer
  /** The master key that encrypts, then older ones that only decrypt. */
  masters: readonly Master[]
}

type Master = { id: Buffer; secret: Buffer }

/** Derives a key for one purpose from a secret by HKDF (RFC 5869), so that no key has two purposes. */
const derive = (secret: Buffer, purpose: string, bytes = 32) =>
  Buffer.from(hkdfSync('sha256', secret, '', `sygnet ${purpose}`, bytes))

export function deriveKeys(root: Buffer, masters: readonly Buffer[] = [root]): Keys {
  if (masters.some((master) => master.length < 32)) throw new Error('A master key must have at least 32 bytes.')
  return {
    code: derive(root, 'code v1'),
    rateLimit: derive(root, 'rate-limit v1'),
    cursor: derive(root, 'cursor v1'),
    botCheck: derive(root, 'bot check v1'),
    audit: derive(root, 'audit v1'),
    auditHead: derive(root, 'audit head v1'),
    index: derive(root, 'index v1'),
    passkey: derive(root, 'passkey v1'),
    signing: derive(root, 'signing v1'),
    pepper: derive(root, 'pepper v1'),
    masters: masters.map((master) => ({ id: derive(master, 'key id v2', idBytes), secret: derive(master, 'seal v2') })),
  }
}

/** Returns the master key that encrypts: the first one. */
export function currentMaster({ masters: [current] }: Pick<Keys, 'masters'>): Master {
  if (!current) throw new Error('There is no master key.')
  return current
}

/** Computes the HMAC-SHA-256 over parts. Each follows its length, so two lists of parts never give the same input. */
export function mac(key: Buffer, ...parts: string[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`)
  return hmac.digest()
}

export const sameBytes = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)

const idBytes = 8
const saltBytes = 24
const tagBytes = 16

/** Returns the id of the master key with which a value is encrypted. */
export const keyIdOf = (encrypted: Buffer): Buffer => encrypted.subarray(0, idBytes)

/** Derives a key and a nonce for a single value: one block of HKDF-Expand (RFC 5869 §2.3) over 192 random bits. */
function valueKey({ secret }: Master, salt: Buffer): { key: Buffer; nonce: Buffer } {
  const block = createHmac('sha512', secret).update(salt).update('\u0001').digest()
  return { key: block.subarray(0, 32), nonce: block.subarray(32, 44) }
}

/** Binds a value to its row. */
const associatedData = (context: string) => Buffer.from(context)

/**
 * Encrypts a value by AES-256-GCM with a key of its own. Returns the id of the master key, the salt, the ciphertext and the tag. `context`
 * names the row and is authenticated, so the value cannot be decrypted in another row (R83).
 */
export function encrypt(keys: Keys, context: string, plain: string): Buffer {
  const master = currentMaster(keys)
  const salt = randomBytes(saltBytes)
  const { key, nonce } = valueKey(master, salt)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData(context))
  return Buffer.concat([master.id, salt, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts a value of `encrypt` for the same context, with any of the master keys. Throws if a byte or the context differs. */
export function decrypt(keys: Keys, context: string, encrypted: Buffer): string {
  const id = keyIdOf(encrypted)
  const master = keys.masters.find((key) => key.id.equals(id))
  if (!master) throw new UnknownMasterKeyError(id)
  const start = idBytes + saltBytes
  // The cipher would accept a shorter tag, which is weaker.
  if (encrypted.length < start + tagBytes) throw new Error('The encrypted value is too short.')
  const { key, nonce } = valueKey(master, encrypted.subarray(idBytes, start))
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    .setAAD(associatedData(context))
    .setAuthTag(encrypted.subarray(-tagBytes))
  return Buffer.concat([decipher.update(encrypted.subarray(start, -tagBytes)), decipher.final()]).toString('utf8')
}

/** The error of a value that is encrypted with a master key that is not configured. */
export class UnknownMasterKeyError extends Error {
  override name = 'UnknownMaster'
  constructor(id: Buffer) {
    super(`Encrypted with the master key ${id.toString('hex')}, which is not configured.`)
  }
}
