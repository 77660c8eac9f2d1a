import { cmsSigner, signedAttributes, signedData } from '../asn1/cms.ts'
import { readPathCertificate } from '../asn1/path-certificate.ts'

/** For a timestamp token with the certificates of its authority. */
export const tokenRoom = 16_384

/**
 * The bytes that a signer's CMS signature with a timestamp has at most, for `prepareSignature`. Throws TypeError for a certificate that
 * is not in canonical DER.
 */
export function signatureRoom(signer: Parameters<typeof cmsSigner>[0]): number {
  const { certificate } = signer
  // That of RSA is as long as the modulus; that of ECDSA has two numbers as long as the coordinates of the point, and up to nine bytes more.
  const signature = new Uint8Array(readPathCertificate(certificate).keyBits.length + 9)
  const attributes = signedAttributes({ digest: new Uint8Array(64), certificate })
  return signedData(cmsSigner(signer), { attributes, signature, timestamp: new Uint8Array(tokenRoom) }).length
}
