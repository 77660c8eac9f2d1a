import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  type KeyObject,
} from 'node:crypto'

// JWE in compact form (RFC 7516) in one combination: RSA-OAEP-256 wraps the content key (RFC 7518 §4.3), and A256GCM encrypts the
// content (§5.3).

const algorithms = { alg: 'RSA-OAEP-256', enc: 'A256GCM' } as const
const wrapping = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const
const leastBits = 2048
const ivBytes = 12
const tagBytes = 16

/** A public key to encrypt to; `kid` names it in the header. */
export type JweKey = { key: KeyObject; kid: string | undefined }

/** Reads a JWK (RFC 7517). Throws with the reason if it is not a public RSA key that can be used. */
export function readJweKey(json: string): JweKey {
  const jwk = JSON.parse(json) as { [name: string]: unknown }
  if (typeof jwk !== 'object' || jwk === null || jwk['kty'] !== 'RSA') throw new Error('it is not an RSA key as JWK')
  if ('d' in jwk) throw new Error('it is a private key: only the provider may have that')
  if (jwk['use'] !== undefined && jwk['use'] !== 'enc') throw new Error('its use is not enc')
  if (jwk['alg'] !== undefined && jwk['alg'] !== algorithms.alg) throw new Error(`its alg is not ${algorithms.alg}`)
  const key = createPublicKey({ key: { kty: 'RSA', n: jwk['n'], e: jwk['e'] } as object, format: 'jwk' })
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < leastBits) throw new Error(`it has less than ${leastBits} bits`)
  return { key, kid: typeof jwk['kid'] === 'string' ? jwk['kid'] : undefined }
}

export function encryptJwe({ key, kid }: JweKey, content: string): string {
  const header = base64url(JSON.stringify({ ...algorithms, ...(kid !== undefined && { kid }) }))
  const contentKey = randomBytes(32)
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', contentKey, iv).setAAD(Buffer.from(header))
  const encrypted = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()])
  const wrapped = publicEncrypt({ key, ...wrapping }, contentKey)
  return [header, ...[wrapped, iv, encrypted, cipher.getAuthTag()].map(base64url)].join('.')
}

/** Decrypts a JWE with a private key. Throws for anything that is not a JWE or was changed. */
export function decryptJwe(key: KeyObject, jwe: string): string {
  const parts = jwe.split('.')
  if (parts.length !== 5) throw new Error('not a JWE')
  const [header = '', ...binary] = parts
  const { alg, enc } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>
  if (alg !== algorithms.alg || enc !== algorithms.enc) throw new Error('not an algorithm that is accepted here')
  const [wrapped, iv, encrypted, tag] = binary.map((part) => Buffer.from(part, 'base64url')) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  if (tag.length !== tagBytes) throw new Error('not a JWE')
  const decipher = createDecipheriv('aes-256-gcm', privateDecrypt({ key, ...wrapping }, wrapped), iv)
  decipher.setAAD(Buffer.from(header)).setAuthTag(tag)
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
}

const base64url = (content: string | Buffer) => Buffer.from(content).toString('base64url')
