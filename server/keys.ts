import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * The secrets of the portal, all derived from one master key (32 bytes or more) by HKDF (RFC 5869), so that
 * an operator guards one thing and no secret serves two purposes.
 */
export type Keys = {
  code: Buffer
  budget: Buffer
  cursor: Buffer
  seal: Buffer
  botCheck: Buffer
  audit: Buffer
  auditHead: Buffer
}

export function deriveKeys(master: Buffer): Keys {
  if (master.length < 32) throw new Error('The master key must have at least 32 bytes.')
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, '', `sygnet ${purpose} v1`, 32))
  return {
    code: derive('code'),
    budget: derive('budget'),
    cursor: derive('cursor'),
    seal: derive('seal'),
    botCheck: derive('bot check'),
    audit: derive('audit'),
    auditHead: derive('audit head'),
  }
}

/** HMAC-SHA-256 over parts, each with its length before it, so that no two lists of parts give the same input. */
export function mac(key: Buffer, ...parts: string[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`)
  return hmac.digest()
}

export const sameBytes = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)

/** AES-256-GCM under the seal key: nonce, ciphertext, tag. `place` is bound in, so a row's value opens nowhere else (R83). */
export function seal(keys: Keys, place: string, plain: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keys.seal, nonce).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Opens what `seal` made for the same place; throws when a byte of it, the key or the place differs. */
export function unseal(keys: Keys, place: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keys.seal, sealed.subarray(0, 12))
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8')
}
