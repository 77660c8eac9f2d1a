import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * The secrets of the portal. Master keys guard what rests sealed, and can be rotated; the keys of each other purpose come
 * from the database's own root, which rests sealed itself, so that a rotation ends no code, no count and no chain
 * (decision 0033).
 */
export type Keys = {
  code: Buffer
  budget: Buffer
  cursor: Buffer
  botCheck: Buffer
  audit: Buffer
  auditHead: Buffer
  index: Buffer
  passkey: Buffer
  /** Of password hashes (decision 0083). */
  pepper: Buffer
  /** The one that seals, then older ones that still open. */
  masters: readonly Master[]
}

type Master = { id: Buffer; secret: Buffer }

/** HKDF (RFC 5869) of a secret for one purpose, so that none serves two. */
const derive = (secret: Buffer, purpose: string, bytes = 32) =>
  Buffer.from(hkdfSync('sha256', secret, '', `sygnet ${purpose}`, bytes))

export function deriveKeys(root: Buffer, masters: readonly Buffer[] = [root]): Keys {
  if (masters.some((master) => master.length < 32)) throw new Error('A master key must have at least 32 bytes.')
  return {
    code: derive(root, 'code v1'),
    budget: derive(root, 'budget v1'),
    cursor: derive(root, 'cursor v1'),
    botCheck: derive(root, 'bot check v1'),
    audit: derive(root, 'audit v1'),
    auditHead: derive(root, 'audit head v1'),
    index: derive(root, 'index v1'),
    passkey: derive(root, 'passkey v1'),
    pepper: derive(root, 'pepper v1'),
    masters: masters.map((master) => ({
      id: derive(master, 'key id v2', idBytes),
      secret: derive(master, 'seal v2'),
    })),
  }
}

/** HMAC-SHA-256 over parts, each with its length before it, so that no two lists of parts give the same input. */
export function mac(key: Buffer, ...parts: string[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`)
  return hmac.digest()
}

export const sameBytes = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)

const idBytes = 8
const saltBytes = 24
const tagBytes = 16

/** Tells under which master key something is sealed. */
export const keyIdOf = (sealed: Buffer): Buffer => sealed.subarray(0, idBytes)

/** A key and a nonce for one value alone: HKDF-Expand (RFC 5869 §2.3), one block, of 192 random bits. */
function valueKey({ secret }: Master, salt: Buffer): { key: Buffer; nonce: Buffer } {
  const block = createHmac('sha512', secret).update(salt).update('\u0001').digest()
  return { key: block.subarray(0, 32), nonce: block.subarray(32, 44) }
}

/** What a value is bound to: its record, by name. */
const boundTo = (place: string) => Buffer.from(place)

/**
 * AES-256-GCM under a key of this value's own: id of the master key, salt, ciphertext, tag. `place` names the record and
 * is bound in, so a row's value opens nowhere else (R83).
 */
export function seal(keys: Keys, place: string, plain: string): Buffer {
  const master = keys.masters[0]!
  const salt = randomBytes(saltBytes)
  const { key, nonce } = valueKey(master, salt)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(place))
  return Buffer.concat([master.id, salt, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Opens what `seal` made for the same place, under whichever master key; throws when a byte of it or the place differs. */
export function unseal(keys: Keys, place: string, sealed: Buffer): string {
  const id = keyIdOf(sealed)
  const master = keys.masters.find((one) => one.id.equals(id))
  if (!master) throw new UnknownMaster(id)
  const start = idBytes + saltBytes
  // A shorter tag would be a weaker one, and would be taken.
  if (sealed.length < start + tagBytes) throw new Error('Too short to be sealed.')
  const { key, nonce } = valueKey(master, sealed.subarray(idBytes, start))
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    .setAAD(boundTo(place))
    .setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(start, -tagBytes)), decipher.final()]).toString('utf8')
}

/** Sealed under a master key that was not given. */
export class UnknownMaster extends Error {
  override name = 'UnknownMaster'
  constructor(id: Buffer) {
    super(`Sealed under the master key ${id.toString('hex')}, which is not among those given.`)
  }
}
