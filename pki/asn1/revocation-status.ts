import { hash } from 'node:crypto'
import {
  BasicOCSPResponse,
  id_pkix_ocsp_basic,
  id_pkix_ocsp_nocheck,
  OCSPResponse,
  OCSPResponseStatus,
  type SingleResponse,
} from '@peculiar/asn1-ocsp'
import {
  CRLDistributionPoints,
  CRLReasons,
  id_ce_authorityKeyIdentifier,
  id_ce_cRLDistributionPoints,
  id_ce_cRLNumber,
  id_ce_cRLReasons,
  id_ce_issuingDistributionPoint,
  id_kp_OCSPSigning,
  id_pe_authorityInfoAccess,
  IssuingDistributionPoint,
  CRLReason,
  type DistributionPointName,
} from '@peculiar/asn1-x509'
import { wholeSeconds } from './certificate-write.ts'
import { largeDer, readDer, writeDer } from './der.ts'
import { sameBytes } from './pdf-bytes.ts'
import {
  isSameHolder,
  isValidAt,
  mayUse,
  pathCertificate,
  readPathCertificate,
  type PathCertificate,
} from './path-certificate.ts'
import { readRevocationList, revokedEntry } from './revocation-list-read.ts'
import { checkSignature } from './signature-check.ts'

/** What is known of a certificate at a time. `unknown`: nothing that can be believed says anything. */
export type RevocationStatus =
  | { status: 'good' | 'unknown' }
  | { status: 'revoked'; at: Date; reason: string | undefined }

/** Answers and lists in DER, and responders that the configuration believes besides an authority's own. */
export type RevocationEvidence = { ocsps: Uint8Array[]; crls: Uint8Array[]; responders?: Uint8Array[] }

/** ETSI EN 319 412-1 §5.2: a certificate too short-lived to be revoked. */
const idValidityAssured = '0.4.0.194121.2.1'

/**
 * Whether a certificate was revoked `at` a time, by all the evidence: one answer of "revoked" outweighs any number of
 * others. Evidence counts that was made after that time, or was in force at it (ETSI EN 319 102-1 §5.2.5).
 */
export function revocationStatus(
  certificate: PathCertificate,
  issuer: PathCertificate,
  at: Date,
  { ocsps, crls, responders = [] }: RevocationEvidence,
): RevocationStatus {
  if (certificate.extensions.has(idValidityAssured)) return { status: 'good' }
  const found = [
    ...ocsps.map((der) => attempt(() => ocspStatus(der, certificate, issuer, at, { crls, responders }))),
    ...crls.map((der) => attempt(() => crlStatus(der, certificate, issuer, at))),
  ]
  const revoked = found.find((one) => one?.status === 'revoked')
  return revoked ?? found.find((one) => one?.status === 'good') ?? { status: 'unknown' }
}

/** Evidence that cannot be read proves nothing, and must not keep other evidence from being seen. */
function attempt<T>(read: () => T) {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** One answer is asked about every certificate of every path, and is read once. */
function readOnce<T>(read: (der: Uint8Array) => T) {
  const known = new WeakMap<Uint8Array, { value: T | undefined }>()
  return (der: Uint8Array) => {
    const before = known.get(der) ?? { value: attempt(() => read(der)) }
    known.set(der, before)
    return before.value
  }
}

const readAnswer = readOnce((der) => {
  const { responseStatus, responseBytes } = readDer(der, OCSPResponse, largeDer)
  if (responseStatus !== OCSPResponseStatus.successful || responseBytes?.responseType !== id_pkix_ocsp_basic)
    return undefined
  const basic = readDer(new Uint8Array(responseBytes.response.buffer), BasicOCSPResponse, largeDer)
  return { basic, carried: (basic.certs ?? []).slice(0, 10).map(pathCertificate) }
})

const readList = readOnce(readRevocationList)

const countsFor = (at: Date, thisUpdate: Date, nextUpdate: Date | undefined) =>
  thisUpdate >= wholeSeconds(at) || (nextUpdate !== undefined && nextUpdate >= at)

function revokedAt(at: Date, since: Date, reason: string | undefined): RevocationStatus {
  return since <= at ? { status: 'revoked', at: since, reason } : { status: 'good' }
}

/** RFC 6960 §3.2. */
function ocspStatus(
  der: Uint8Array,
  certificate: PathCertificate,
  issuer: PathCertificate,
  at: Date,
  others: Responders,
) {
  const read = readAnswer(der)
  const answer = read?.basic.tbsResponseData.responses.find((one) => isAbout(one, certificate, issuer))
  if (!read || !answer || !isSignedByResponder(read, issuer, others)) return undefined
  if (!countsFor(at, answer.thisUpdate, answer.nextUpdate)) return undefined
  const { good, revoked } = answer.certStatus
  if (revoked) {
    const reason = revoked.revocationReason
    return revokedAt(at, revoked.revocationTime, reason && CRLReasons[reason.reason])
  }
  return good === undefined ? undefined : ({ status: 'good' } as const)
}

const ocspDigests: Record<string, string> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

function isAbout({ certID }: SingleResponse, certificate: PathCertificate, issuer: PathCertificate) {
  const digest = ocspDigests[certID.hashAlgorithm.algorithm]
  if (digest === undefined) return false
  const is = (given: { buffer: ArrayBuffer }, bytes: Uint8Array) =>
    sameBytes(new Uint8Array(given.buffer), hash(digest, bytes, 'buffer'))
  return (
    sameBytes(new Uint8Array(certID.serialNumber), certificate.serialNumber) &&
    is(certID.issuerNameHash, issuer.subject) &&
    is(certID.issuerKeyHash, issuer.keyBits)
  )
}

/** What tells whether a responder is to be believed. */
type Responders = Required<Pick<RevocationEvidence, 'crls' | 'responders'>>

/** §4.2.2.2: the issuer itself, whom it has appointed, or whom the configuration believes. */
function isSignedByResponder(
  { basic, carried }: NonNullable<ReturnType<typeof readAnswer>>,
  issuer: PathCertificate,
  { crls, responders }: Responders,
) {
  const { responderID, producedAt } = basic.tbsResponseData
  const data = new Uint8Array(basic.tbsResponseDataRaw!)
  const trusted = responders.map(readPathCertificate)
  const isNamed = ({ subject, keyBits }: PathCertificate) =>
    responderID.byName
      ? sameBytes(writeDer(responderID.byName), subject)
      : sameBytes(new Uint8Array(responderID.byKey!.buffer), hash('sha1', keyBits, 'buffer'))
  const isAppointed = (one: PathCertificate) =>
    isSameHolder(one, issuer) ||
    trusted.some((responder) => isSameHolder(responder, one)) ||
    (one.extendedKeyUsage?.purposes.includes(id_kp_OCSPSigning) === true &&
      one.unknownCritical.length === 0 &&
      isValidAt(one, producedAt) &&
      sameBytes(one.issuer, issuer.subject) &&
      checkSignature(one.algorithm, issuer.key, one.tbs, one.signature) === 'valid' &&
      mayStillAnswer(one, issuer, producedAt, crls))
  return [issuer, ...trusted, ...carried].some(
    (one) =>
      isNamed(one) &&
      isAppointed(one) &&
      checkSignature(basic.signatureAlgorithm, one.key, data, new Uint8Array(basic.signature)) === 'valid',
  )
}

/**
 * §4.2.2.2.1: an appointed responder that has no `nocheck` may have been revoked itself. Where its certificate names a list or
 * another responder, a list in the evidence has to show that it was good.
 */
function mayStillAnswer(responder: PathCertificate, issuer: PathCertificate, at: Date, crls: Uint8Array[]) {
  if (responder.extensions.has(id_pkix_ocsp_nocheck)) return true
  const found = crls.map((der) => attempt(() => crlStatus(der, responder, issuer, at))?.status)
  if (found.includes('revoked')) return false
  return found.includes('good') || !waysToAsk.some((id) => responder.extensions.has(id))
}

const waysToAsk = [id_ce_cRLDistributionPoints, id_pe_authorityInfoAccess]

const knownInLists = new Set([id_ce_authorityKeyIdentifier, id_ce_cRLNumber, id_ce_issuingDistributionPoint])

/** RFC 5280 §6.3: a complete list of the issuer itself, for certificates of this kind. */
function crlStatus(der: Uint8Array, certificate: PathCertificate, issuer: PathCertificate, at: Date) {
  const list = readList(der)
  if (!list || !sameBytes(list.issuer, issuer.subject)) return undefined
  if (!mayUse(issuer, 'cRLSign')) return undefined
  if (list.extensions.some(({ extnID, critical }) => critical && !knownInLists.has(extnID))) return undefined
  const scope = list.extensions.find(({ extnID }) => extnID === id_ce_issuingDistributionPoint)
  if (scope && !isInScope(readDer(new Uint8Array(scope.extnValue.buffer), IssuingDistributionPoint), certificate))
    return undefined
  if (!countsFor(at, list.thisUpdate, list.nextUpdate)) return undefined
  if (checkSignature(list.algorithm, issuer.key, list.tbs, list.signature) !== 'valid') return undefined
  const entry = revokedEntry(list, certificate.serialNumber)
  if (!entry) return { status: 'good' } as const
  const reason = entry.extensions.find(({ extnID }) => extnID === id_ce_cRLReasons)
  const said = reason && readDer(new Uint8Array(reason.extnValue.buffer), CRLReason).reason
  return revokedAt(at, entry.at, said === undefined ? undefined : CRLReasons[said])
}

function isInScope(scope: IssuingDistributionPoint, certificate: PathCertificate) {
  const { authority } = certificate
  if (scope.indirectCRL || scope.onlyContainsAttributeCerts || scope.onlySomeReasons) return false
  if (scope.distributionPoint && !isItsPoint(scope.distributionPoint, certificate)) return false
  return authority ? !scope.onlyContainsUserCerts : !scope.onlyContainsCACerts
}

/** RFC 5280 §6.3.3 (b)(2)(i): a list of some of an authority's certificates has a name in common with what the certificate names. */
function isItsPoint({ fullName = [] }: DistributionPointName, { extensions }: PathCertificate) {
  const named = extensions.get(id_ce_cRLDistributionPoints)
  if (!named) return false
  const points = [...readDer(named, CRLDistributionPoints)]
  const names = points.flatMap((point) => point.distributionPoint?.fullName ?? []).map((name) => writeDer(name))
  return fullName.some((one) => names.some((name) => sameBytes(name, writeDer(one))))
}
