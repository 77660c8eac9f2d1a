import { constants, sign, type KeyObject } from 'node:crypto'
import { usualAlgorithm, type SigningAlgorithm } from './signature-algorithm.ts'

export function signBytes(
  privateKey: KeyObject,
  bytes: Uint8Array,
  { scheme, digest }: SigningAlgorithm = usualAlgorithm(privateKey),
): Uint8Array<ArrayBuffer> {
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  return new Uint8Array(sign(digest, bytes, { key: privateKey, ...(scheme === 'rsa-pss' && pss) }))
}
