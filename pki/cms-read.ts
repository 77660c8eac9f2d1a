import { createPublicKey, hash, verify, type KeyObject } from 'node:crypto'
import {
  ContentInfo,
  id_contentType,
  id_messageDigest,
  id_signedData,
  SignedData,
  type SignerIdentifier,
  type SignerInfo,
} from '@peculiar/asn1-cms'
import { OctetString } from '@peculiar/asn1-schema'
import { id_ce_subjectKeyIdentifier, SubjectKeyIdentifier, type Certificate } from '@peculiar/asn1-x509'
import { derIdentifier, derSet, readDer, writeDer } from './der.ts'

/** Bytes that are no message with one valid signature over what it carries. */
export class CmsError extends Error {
  override name = 'CmsError'
}

/** A content and the certificate, in DER, whose key has signed it. Whether that certificate is to be believed is not judged here. */
export type SignedContent = { content: Uint8Array; certificate: Uint8Array }

/** Reads a SignedData (RFC 5652 §5) of one signer that carries its content and the signer's certificate; throws CmsError. */
export function readSignedContent(der: Uint8Array): SignedContent {
  try {
    const { contentType, content: message } = readDer(der, ContentInfo)
    demand(contentType === id_signedData, 'The message is not signed')
    const { encapContentInfo, certificates = [], signerInfos } = readDer(new Uint8Array(message), SignedData)
    const content = encapContentInfo.eContent?.single
    const [signer, second] = signerInfos
    demand(content && signer && !second, 'The message does not carry its content, or not one signature')
    const carried = certificates.flatMap(({ certificate }) => certificate ?? [])
    const certificate = carried.find((one) => isNamed(signer.sid, one))
    demand(certificate, 'The message does not carry the certificate of its signer')
    const bytes = new Uint8Array(content.buffer)
    verifySigner(signer, encapContentInfo.eContentType, bytes, certificate)
    return { content: bytes, certificate: writeDer(certificate) }
  } catch (cause) {
    throw cause instanceof CmsError ? cause : new CmsError('The message cannot be read', { cause })
  }
}

function demand(condition: unknown, message: string): asserts condition {
  if (!condition) throw new CmsError(message)
}

function isNamed({ issuerAndSerialNumber, subjectKeyIdentifier }: SignerIdentifier, { tbsCertificate }: Certificate) {
  if (issuerAndSerialNumber) {
    const { issuer, serialNumber } = issuerAndSerialNumber
    return (
      sameBytes(serialNumber, tbsCertificate.serialNumber) &&
      sameBytes(writeDer(issuer), writeDer(tbsCertificate.issuer))
    )
  }
  const held = tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_subjectKeyIdentifier)
  if (!held || !subjectKeyIdentifier) return false
  return sameBytes(
    readDer(new Uint8Array(held.extnValue.buffer), SubjectKeyIdentifier).buffer,
    subjectKeyIdentifier.buffer,
  )
}

const sameBytes = (a: ArrayBuffer | Uint8Array, b: ArrayBuffer | Uint8Array) =>
  Buffer.compare(new Uint8Array(a), new Uint8Array(b)) === 0

/** RFC 5652 §5.4 and §5.6: the signature is over the attributes, which name the content's type and digest. */
function verifySigner(signer: SignerInfo, type: string, content: Uint8Array, { tbsCertificate }: Certificate) {
  const digest = digests.get(signer.digestAlgorithm.algorithm)
  demand(digest && signer.signedAttrs, 'There are no signed attributes, or of a weak digest')
  const valueOf = (id: string) => {
    const [attribute, again] = signer.signedAttrs!.filter((one) => one.attrType === id)
    const [value, another] = attribute?.attrValues ?? []
    demand(value && !again && !another, 'A signed attribute does not stand exactly once')
    return new Uint8Array(value)
  }
  demand(sameBytes(valueOf(id_contentType), derIdentifier(type)), 'The signature is over another type of content')
  const signedDigest = readDer(valueOf(id_messageDigest), OctetString)
  demand(sameBytes(signedDigest.buffer, hash(digest, content, 'buffer')), 'The signature is over another content')
  const info = Buffer.from(writeDer(tbsCertificate.subjectPublicKeyInfo))
  const key = createPublicKey({ key: info, format: 'der', type: 'spki' })
  demand(isStrong(key), 'The key is of an unknown kind, or too short')
  const { algorithm } = signer.signatureAlgorithm
  demand(signatureAlgorithms[`${key.asymmetricKeyType} ${digest}`]?.includes(algorithm), 'The algorithm is not known')
  // They are signed as the DER set that they are, in whatever order they were sent.
  const attributes = derSet(...signer.signedAttrs.map((one) => writeDer(one)))
  demand(verify(digest, attributes, key, new Uint8Array(signer.signature.buffer)), 'The signature is not valid')
}

const digests: ReadonlyMap<string, string> = new Map([
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
])

/** RSA is named by itself or with the digest (RFC 3370 §3.2, RFC 5754 §3.2). */
const rsaAlone = '1.2.840.113549.1.1.1'
const signatureAlgorithms: Record<string, string[]> = {
  'rsa sha256': [rsaAlone, '1.2.840.113549.1.1.11'],
  'rsa sha384': [rsaAlone, '1.2.840.113549.1.1.12'],
  'rsa sha512': [rsaAlone, '1.2.840.113549.1.1.13'],
  'ec sha256': ['1.2.840.10045.4.3.2'],
  'ec sha384': ['1.2.840.10045.4.3.3'],
  'ec sha512': ['1.2.840.10045.4.3.4'],
}

/** ETSI TS 119 312 §6.2; of curves, those of 256 bits and more are the ones that certificates come with. */
function isStrong({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject) {
  if (asymmetricKeyType === 'rsa') return (details?.modulusLength ?? 0) >= 2048
  return ['prime256v1', 'secp384r1', 'secp521r1'].includes(details?.namedCurve ?? '')
}
