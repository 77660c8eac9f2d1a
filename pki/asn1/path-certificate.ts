import * as x509 from '@peculiar/asn1-x509'
import { readPublicKey } from '#public-keys'
import { hexOf, sameBytes } from '../bytes.ts'
import type { PublicKey } from '../runtime/public-key.ts'
import { berChildren, DerError, derValue, readDer, writeDer } from './der.ts'
import { idQcStatements } from './qc-statements.ts'

/** The parts of a certificate that path building and validation need (RFC 5280); names are in DER. */
export type PathCertificate = {
  der: Uint8Array
  subject: Uint8Array
  issuer: Uint8Array
  serialNumber: Uint8Array
  notBefore: Date
  notAfter: Date
  key: PublicKey
  /** The input of issuer key hashes. */
  keyBits: Uint8Array
  keyIdentifier: Uint8Array | undefined
  /** The signed part, and its signature. */
  tbs: Uint8Array
  algorithm: x509.AlgorithmIdentifier
  signature: Uint8Array
  isAuthority: boolean
  pathLength: number
  /** The permitted uses of the key; undefined if the certificate does not restrict them. */
  keyUsage: number | undefined
  extendedKeyUsage: { purposes: string[]; isCritical: boolean } | undefined
  /** The object identifiers of unsupported critical extensions. */
  unknownCritical: string[]
  extensions: ReadonlyMap<string, Uint8Array>
}

/** Supported extensions, and those without a restriction. Name constraints are not supported. */
const known = new Set([
  x509.id_ce_authorityKeyIdentifier,
  x509.id_ce_basicConstraints,
  x509.id_ce_certificatePolicies,
  x509.id_ce_cRLDistributionPoints,
  x509.id_ce_extKeyUsage,
  x509.id_ce_inhibitAnyPolicy,
  x509.id_ce_keyUsage,
  x509.id_ce_policyConstraints,
  x509.id_ce_subjectAltName,
  x509.id_ce_subjectKeyIdentifier,
  idQcStatements,
])

/** Throws DerError for bytes that are not a certificate, another error for a key that cannot be read. */
export const readPathCertificate = (der: Uint8Array): PathCertificate => pathCertificate(readDer(der, x509.Certificate))

/** Reads a certificate from inside a message; its DER is rebuilt from the signed bytes. */
export function pathCertificate({
  tbsCertificate: tbs,
  tbsCertificateRaw,
  signatureAlgorithm,
  signatureValue,
}: x509.Certificate): PathCertificate {
  if (!tbsCertificateRaw) throw new DerError('The certificate was not read from its DER')
  const signed = new Uint8Array(tbsCertificateRaw)
  const signature = new Uint8Array(signatureValue)
  const list = tbs.extensions ?? []
  const extensions = new Map(list.map(({ extnID, extnValue }) => [extnID, new Uint8Array(extnValue.buffer)]))
  const extension = <T>(id: string, type: new () => T) => {
    const value = extensions.get(id)
    return value && readDer(value, type)
  }
  const info = writeDer(tbs.subjectPublicKeyInfo)
  const constraints = extension(x509.id_ce_basicConstraints, x509.BasicConstraints)
  const purposes = extension(x509.id_ce_extKeyUsage, x509.ExtendedKeyUsage)
  const keyIdentifier = extension(x509.id_ce_subjectKeyIdentifier, x509.SubjectKeyIdentifier)
  return {
    der: derValue(0x30, signed, writeDer(signatureAlgorithm), derValue(0x03, Uint8Array.of(0), signature)),
    subject: writeDer(tbs.subject),
    issuer: writeDer(tbs.issuer),
    serialNumber: new Uint8Array(tbs.serialNumber),
    notBefore: tbs.validity.notBefore.getTime(),
    notAfter: tbs.validity.notAfter.getTime(),
    key: readPublicKey(info),
    keyBits: new Uint8Array(tbs.subjectPublicKeyInfo.subjectPublicKey),
    keyIdentifier: keyIdentifier && new Uint8Array(keyIdentifier.buffer),
    tbs: signed,
    algorithm: signatureAlgorithm,
    signature,
    isAuthority: constraints?.cA ?? false,
    pathLength: constraints?.pathLenConstraint ?? Infinity,
    keyUsage: extension(x509.id_ce_keyUsage, x509.KeyUsage)?.toNumber(),
    extendedKeyUsage: purposes && {
      purposes: [...purposes],
      isCritical: list.some(({ extnID, critical }) => extnID === x509.id_ce_extKeyUsage && critical),
    },
    unknownCritical: list.flatMap(({ extnID, critical }) => (critical && !known.has(extnID) ? [extnID] : [])),
    extensions,
  }
}

/** Reads only the names of a certificate, which takes a hundredth of the time; undefined for other bytes. */
export function namesIn(der: Uint8Array): { issuer: Uint8Array; subject: Uint8Array } | undefined {
  try {
    const [tbs] = berChildren(der)
    const parts = tbs ? berChildren(tbs) : []
    // Only the version, which comes first, has a tag of its own.
    const [issuer, subject] = parts[0]?.[0] === 0xa0 ? [parts[3], parts[5]] : [parts[2], parts[4]]
    return issuer && subject && { issuer, subject }
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

/** Checks whether a key may be used in this way: key usages restrict the key to those listed (RFC 5280 §4.2.1.3). */
export const allowsKeyUsage = ({ keyUsage }: PathCertificate, usage: keyof typeof x509.KeyUsageFlags) =>
  keyUsage === undefined || (keyUsage & x509.KeyUsageFlags[usage]) !== 0

export const isValidAt = ({ notBefore, notAfter }: PathCertificate, at: Date) => notBefore <= at && at <= notAfter

/** Checks whether two certificates have the same subject and key, regardless of their issuer. */
export const isSameHolder = (a: PathCertificate, b: PathCertificate) =>
  sameBytes(a.subject, b.subject) && sameBytes(a.keyBits, b.keyBits)

/** Reads the certificates without duplicates; unreadable ones are ignored, because they prove nothing. */
export function certificatePool(ders: Iterable<Uint8Array>): PathCertificate[] {
  const pool = new Map<string, PathCertificate>()
  for (const der of ders) {
    try {
      pool.set(hexOf(der), readPathCertificate(der))
    } catch {
      continue
    }
  }
  return [...pool.values()]
}
