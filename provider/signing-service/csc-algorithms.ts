import {
  digestBytes,
  digestIds,
  pssParameters,
  signatureIds,
  type SigningAlgorithm,
  type SigningDigest,
} from '../../pki/asn1/signature-algorithm.ts'
import { idRsaPss } from '../../pki/runtime/pss-parameters.ts'
import { CscError } from './csc-activation.ts'

export const digests: readonly SigningDigest[] = ['sha256', 'sha384', 'sha512']

/** RSA with a digest that `hashAlgorithmOID` names (CSC API §11.10). */
const rsa = '1.2.840.113549.1.1.1'

/** The algorithms of a kind of key, as `key/algo` names them (§11.5). */
export const algorithmIds = {
  RSA: [...Object.values(signatureIds['rsa-pkcs1']), rsa, idRsaPss],
  EC: Object.values(signatureIds.ecdsa),
}

type Named = { signAlgo: string; signAlgoParams?: string | undefined; hashAlgorithmOID?: string | undefined }

/** The algorithm that a request names. Values that it gives twice must be equal; digests weaker than SHA-256 are not supported. */
export function algorithmOf({ signAlgo, signAlgoParams, hashAlgorithmOID }: Named): SigningAlgorithm {
  const digest = digests.find(
    (name) =>
      signAlgo === signatureIds['rsa-pkcs1'][name] ||
      signAlgo === signatureIds.ecdsa[name] ||
      (signAlgo === rsa && hashAlgorithmOID === digestIds[name]) ||
      (signAlgo === idRsaPss && signAlgoParams === Buffer.from(pssParameters(name)).toString('base64')),
  )
  if (!digest) throw new CscError('invalid_request', 'Invalid parameter signAlgo')
  if (hashAlgorithmOID && hashAlgorithmOID !== digestIds[digest])
    throw new CscError('invalid_request', 'String parameter hashAlgorithmOID contradicts with signAlgo parameter')
  if (signAlgo === idRsaPss) return { scheme: 'rsa-pss', digest }
  return { scheme: signAlgo === signatureIds.ecdsa[digest] ? 'ecdsa' : 'rsa-pkcs1', digest }
}

/** Requires canonical base64, so that each digest has one text, and the length of the digest. */
export function requireDigests(hashes: readonly string[], hashAlgorithmOID = digestIds.sha256) {
  const digest = digests.find((name) => digestIds[name] === hashAlgorithmOID)
  if (!digest) throw new CscError('invalid_request', 'Invalid parameter hashAlgorithmOID')
  for (const hash of hashes) {
    const bytes = Buffer.from(hash, 'base64')
    if (bytes.toString('base64') !== hash) throw new CscError('invalid_request', 'Invalid Base64 hash string parameter')
    if (bytes.length !== digestBytes[digest]) throw new CscError('invalid_request', 'Invalid digest value length')
  }
}
