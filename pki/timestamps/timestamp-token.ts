import { id_kp_timeStamping } from '@peculiar/asn1-x509'
import { CmsError, readCarried, type CarriedSignature } from './cms-read.ts'
import { DerError, readDer } from './der.ts'
import { sameBytes } from './pdf-bytes.ts'
import { digestNames } from './signature-check.ts'
import { idTstInfo, TstInfo } from './timestamp-structures.ts'

/** A token that says when something existed; whether its authority is to be believed is not judged here. */
export type VerifiedTimestamp = CarriedSignature & { at: Date; policy: string }

/**
 * Verifies a timestamp token (RFC 3161 §2.4.2) in DER over a content, whose digest `digestOf` gives by a name of
 * node:crypto. Throws CmsError: `cms-digest` for a token over something else, `cms-attributes` for a signer whose
 * certificate is for something else, or whom no signed attribute names.
 */
export function verifyTimestamp(der: Uint8Array, digestOf: (digest: string) => Uint8Array): VerifiedTimestamp {
  const token = readCarried(der, idTstInfo)
  const info = readInfo(token.content)
  const digest = digestNames.get(info.messageImprint.hashAlgorithm.algorithm)
  if (digest === undefined) throw new CmsError('cms-algorithm', 'The timestamp is over a weak digest')
  if (!sameBytes(new Uint8Array(info.messageImprint.hashedMessage.buffer), digestOf(digest)))
    throw new CmsError('cms-digest', 'The timestamp is over something else')
  // §2.3 and §2.4.1: the authority's key serves nothing else, and the token names its certificate.
  const purpose = token.certificate.extendedKeyUsage
  if (!purpose?.critical || purpose.purposes.length !== 1 || purpose.purposes[0] !== id_kp_timeStamping)
    throw new CmsError('cms-attributes', 'The timestamp is signed by a key for something else')
  if (token.signingCertificate === undefined)
    throw new CmsError('cms-attributes', 'The timestamp does not name the certificate of its authority')
  return { ...token, at: info.genTime, policy: info.policy }
}

function readInfo(content: Uint8Array) {
  try {
    const info = readDer(content, TstInfo)
    if (info.version !== 1) throw new DerError('The timestamp is of another version')
    return info
  } catch (cause) {
    throw new CmsError('cms-unreadable', 'The timestamp cannot be read', { cause })
  }
}
