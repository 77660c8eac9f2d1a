import { signBytes } from '../../../pki/asn1/certificate-write.ts'
import { signedAttributes } from '../../../pki/asn1/cms.ts'
import { sha256 } from '../../../pki/asn1/signature-algorithm.ts'
import { base64Of } from '../../../pki/bytes.ts'
import { anna, issuing, tokenOver, type Holder } from '../../../pki/testing/pades-authorities.ts'

/** A signer as the portal lists them. */
export const signer = {
  certificate: base64Of(anna.certificate),
  chain: [base64Of(issuing.certificate)],
  algorithm: { scheme: 'ecdsa', digest: 'sha256' } as const,
}

export function signedBy(digest: Uint8Array, by: Holder = anna) {
  const attributes = signedAttributes({ digest, certificate: by.certificate })
  const signature = signBytes(by.privateKey, attributes)
  return { signature: base64Of(signature), timestamp: base64Of(tokenOver(sha256(signature))) }
}
