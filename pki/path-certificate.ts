import { createPublicKey, type KeyObject } from 'node:crypto'
import {
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_certificatePolicies,
  id_ce_cRLDistributionPoints,
  id_ce_extKeyUsage,
  id_ce_inhibitAnyPolicy,
  id_ce_keyUsage,
  id_ce_policyConstraints,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  SubjectKeyIdentifier,
  type AlgorithmIdentifier,
} from '@peculiar/asn1-x509'
import { derValue, readDer, writeDer } from './der.ts'
import { hexOf, sameBytes } from './pdf-bytes.ts'
import { idQcStatements } from './qc-statements.ts'

/** What building and judging a path asks of a certificate (RFC 5280); names are their DER. */
export type PathCertificate = {
  der: Uint8Array
  subject: Uint8Array
  issuer: Uint8Array
  serialNumber: Uint8Array
  notBefore: Date
  notAfter: Date
  key: KeyObject
  /** The bits that issuer key hashes are made over. */
  keyBits: Uint8Array
  keyIdentifier: Uint8Array | undefined
  /** What its issuer has signed, and how. */
  tbs: Uint8Array
  algorithm: AlgorithmIdentifier
  signature: Uint8Array
  authority: boolean
  pathLength: number
  /** Undefined where the certificate does not restrict its key. */
  keyUsage: number | undefined
  extendedKeyUsage: { purposes: string[]; critical: boolean } | undefined
  /** Critical extensions that are not known here, by their object identifiers. */
  unknownCritical: string[]
  extensions: ReadonlyMap<string, Uint8Array>
}

/** Extensions that are judged, or that restrict nothing here. Name constraints are not judged, so they are not among these. */
const known = new Set([
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_certificatePolicies,
  id_ce_cRLDistributionPoints,
  id_ce_extKeyUsage,
  id_ce_inhibitAnyPolicy,
  id_ce_keyUsage,
  id_ce_policyConstraints,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  idQcStatements,
])

/** Throws DerError for bytes that are no certificate, TypeError or an OpenSSL error for a key that cannot be read. */
export function readPathCertificate(der: Uint8Array): PathCertificate {
  return pathCertificate(readDer(der, Certificate))
}

/** The same for a certificate inside a message; its DER is put together again of the very bytes that were signed. */
export function pathCertificate({
  tbsCertificate: tbs,
  tbsCertificateRaw,
  signatureAlgorithm,
  signatureValue,
}: Certificate): PathCertificate {
  const signed = new Uint8Array(tbsCertificateRaw!)
  const signature = new Uint8Array(signatureValue)
  const held = tbs.extensions ?? []
  const extensions = new Map(held.map(({ extnID, extnValue }) => [extnID, new Uint8Array(extnValue.buffer)]))
  const extension = <T>(id: string, type: new () => T) => {
    const value = extensions.get(id)
    return value && readDer(value, type)
  }
  const info = writeDer(tbs.subjectPublicKeyInfo)
  const constraints = extension(id_ce_basicConstraints, BasicConstraints)
  const purposes = extension(id_ce_extKeyUsage, ExtendedKeyUsage)
  const keyIdentifier = extension(id_ce_subjectKeyIdentifier, SubjectKeyIdentifier)
  return {
    der: derValue(0x30, signed, writeDer(signatureAlgorithm), derValue(0x03, Uint8Array.of(0), signature)),
    subject: writeDer(tbs.subject),
    issuer: writeDer(tbs.issuer),
    serialNumber: new Uint8Array(tbs.serialNumber),
    notBefore: tbs.validity.notBefore.getTime(),
    notAfter: tbs.validity.notAfter.getTime(),
    key: createPublicKey({ key: Buffer.from(info), format: 'der', type: 'spki' }),
    keyBits: new Uint8Array(tbs.subjectPublicKeyInfo.subjectPublicKey),
    keyIdentifier: keyIdentifier && new Uint8Array(keyIdentifier.buffer),
    tbs: signed,
    algorithm: signatureAlgorithm,
    signature,
    authority: constraints?.cA ?? false,
    pathLength: constraints?.pathLenConstraint ?? Infinity,
    keyUsage: extension(id_ce_keyUsage, KeyUsage)?.toNumber(),
    extendedKeyUsage: purposes && {
      purposes: [...purposes],
      critical: held.some(({ extnID, critical }) => extnID === id_ce_extKeyUsage && critical),
    },
    unknownCritical: held.flatMap(({ extnID, critical }) => (critical && !known.has(extnID) ? [extnID] : [])),
    extensions,
  }
}

/** RFC 5280 §4.2.1.3: a certificate that names usages is good for these alone. */
export function mayUse({ keyUsage }: PathCertificate, usage: keyof typeof KeyUsageFlags) {
  return keyUsage === undefined || (keyUsage & KeyUsageFlags[usage]) !== 0
}

export const isValidAt = ({ notBefore, notAfter }: PathCertificate, at: Date) => notBefore <= at && at <= notAfter

/** Whether two certificates speak of the same holder and key, whoever has signed them. */
export const isSameHolder = (a: PathCertificate, b: PathCertificate) =>
  sameBytes(a.subject, b.subject) && sameBytes(a.keyBits, b.keyBits)

/** Each certificate once; what cannot be read is left out, since it can prove nothing. */
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
