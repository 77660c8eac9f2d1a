import * as ocsp from '@peculiar/asn1-ocsp'
import { OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import { digest as digestOf } from '#runtime'
import { sameBytes } from '../bytes.ts'
import { largeDer, readDer, writeDer, isFuture, wholeSeconds } from './der.ts'
import {
  isSameHolder,
  isValidAt,
  allowsKeyUsage,
  pathCertificate,
  readPathCertificate,
  type PathCertificate,
} from './path-certificate.ts'
import { readRevocationList, revokedEntry } from './revocation-list-read.ts'
import { checkSignature } from './signature-check.ts'
import { isSuspended } from './suspended-status.ts'

/**
 * An OCSP response or a revocation list, and when it was issued. `isEarlier`: that was before the time that is asked about, so the
 * certificate may have been revoked in between.
 */
export type RevocationSource = { kind: 'ocsp' | 'crl'; issuedAt: Date; isEarlier: boolean }

/** The status of a certificate at a time. `unknown`: there is no trustworthy evidence. A short-lived certificate needs no source. */
export type RevocationStatus =
  | { status: 'unknown' }
  | { status: 'good'; source?: RevocationSource }
  | { status: 'revoked'; at: Date; reason: string | undefined; source: RevocationSource }

/**
 * OCSP responses and revocation lists in DER, and responders that the configuration trusts in addition. `now`: what is “good” in the future
 * proves nothing.
 */
export type RevocationEvidence = { ocsps: Uint8Array[]; crls: Uint8Array[]; responders?: Uint8Array[]; now?: Date }

/** ETSI EN 319 412-1 §5.2: a certificate too short-lived to be revoked. */
const idValidityAssured = '0.4.0.194121.2.1'

/**
 * Determines by all the evidence whether a certificate was revoked at the time `at`: one "revoked" outweighs all other answers. Evidence
 * counts if it was issued after that time or valid at it (ETSI EN 319 102-1 §5.2.5); of earlier evidence only the newest counts. That
 * includes a suspension, which may have ended before that time.
 */
export function revocationStatus(
  certificate: PathCertificate,
  issuer: PathCertificate,
  at: Date,
  { ocsps, crls, responders = [], now }: RevocationEvidence,
): RevocationStatus {
  if (certificate.extensions.has(idValidityAssured)) return { status: 'good' }
  const found = [
    ...ocsps.map((der) => attempt(() => ocspStatus(der, certificate, issuer, at, { crls, responders }))),
    ...crls.map((der) => attempt(() => crlStatus(der, certificate, issuer, at))),
  ]
    .flatMap((evidence) => evidence ?? [])
    .filter(({ status, source }) => status === 'revoked' || !now || !isFuture(source.issuedAt, now))
  const revoked = found.find((evidence) => evidence.status === 'revoked' && !needsNewerEvidence(evidence))
  const others = found.toSorted(byIssue)
  return revoked ?? others.find(({ source }) => !source.isEarlier) ?? others.at(-1) ?? { status: 'unknown' }
}

/** Sorts evidence by the time of issue; at the same instant a suspension comes last, so that it counts. */
const byIssue = (a: Proof, b: Proof) =>
  a.source.issuedAt.getTime() - b.source.issuedAt.getTime() || Number(isSuspended(a)) - Number(isSuspended(b))

/** Checks whether the authority has to be asked: nothing is known, or the certificate may have been revoked or resumed since. */
export const needsNewerEvidence = (status: RevocationStatus) =>
  status.status === 'unknown' ||
  ((status.status === 'good' || isSuspended(status)) && status.source?.isEarlier === true)

/**
 * Checks whether a status is the proof that PAdES B-LT needs. For the certificate of a signer or timestamp the evidence must have been
 * issued since; for authorities older evidence is enough, because lists about them are published seldom.
 */
export const satisfiesLongTerm = (status: RevocationStatus, { isAuthority }: Pick<PathCertificate, 'isAuthority'>) =>
  status.status === 'good' && (isAuthority || !needsNewerEvidence(status))

/** Ignores unreadable evidence, so that it cannot hide other evidence. */
function attempt<T>(read: () => T) {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Caches parsed evidence, which is used for every certificate of every path. */
function readOnce<T>(read: (der: Uint8Array) => T) {
  const known = new WeakMap<Uint8Array, { value: T | undefined }>()
  return (der: Uint8Array) => {
    const parsed = known.get(der) ?? { value: attempt(() => read(der)) }
    known.set(der, parsed)
    return parsed.value
  }
}

const readResponse = readOnce((der) => {
  const { responseStatus, responseBytes } = readDer(der, ocsp.OCSPResponse, largeDer)
  if (responseStatus !== ocsp.OCSPResponseStatus.successful || responseBytes?.responseType !== ocsp.id_pkix_ocsp_basic)
    return undefined
  const basic = readDer(new Uint8Array(responseBytes.response.buffer), ocsp.BasicOCSPResponse, largeDer)
  return { basic, carried: (basic.certs ?? []).slice(0, 10).map(pathCertificate) }
})

const readList = readOnce(readRevocationList)

const isRelevant = (at: Date, thisUpdate: Date, nextUpdate: Date | undefined) =>
  thisUpdate >= wholeSeconds(at) || (nextUpdate !== undefined && nextUpdate >= at)

function sourceOf(kind: RevocationSource['kind'], issuedAt: Date, at: Date): RevocationSource {
  return { kind, issuedAt, isEarlier: issuedAt < wholeSeconds(at) }
}

type Proof = { status: 'good'; source: RevocationSource } | Extract<RevocationStatus, { status: 'revoked' }>

const revokedAt = (at: Date, since: Date, reason: string | undefined, source: RevocationSource): Proof =>
  since <= at ? { status: 'revoked', at: since, reason, source } : { status: 'good', source }

/** Returns the status by an OCSP response (RFC 6960 §3.2); undefined if the response does not count. */
function ocspStatus(
  der: Uint8Array,
  certificate: PathCertificate,
  issuer: PathCertificate,
  at: Date,
  trust: ResponderTrust,
): Proof | undefined {
  const read = readResponse(der)
  const answer = read?.basic.tbsResponseData.responses.find((response) => isAbout(response, certificate, issuer))
  if (!read || !answer || !isSignedByResponder(read, issuer, trust)) return undefined
  if (!isRelevant(at, answer.thisUpdate, answer.nextUpdate)) return undefined
  const { good, revoked } = answer.certStatus
  const source = sourceOf('ocsp', answer.thisUpdate, at)
  if (revoked) {
    const reason = revoked.revocationReason
    return revokedAt(at, revoked.revocationTime, reason && x509.CRLReasons[reason.reason], source)
  }
  if (good === undefined || mayBeForgotten(certificate, answer.thisUpdate, cutoffIn(answer.singleExtensions)))
    return undefined
  return { status: 'good', source }
}

/** X.509 §9.5.2.8: the list keeps certificates that expired since then. */
const idExpiredCertsOnCrl = '2.5.29.60'

/** Returns the date since which an OCSP response (RFC 6960 §4.4.4) or a list keeps the certificates that expire. */
function cutoffIn(extensions: readonly x509.Extension[] = []) {
  const found = extensions.find(
    ({ extnID }) => extnID === ocsp.id_pkix_ocsp_archive_cutoff || extnID === idExpiredCertsOnCrl,
  )
  return found && readDer(new Uint8Array(found.extnValue.buffer), x509.Time).getTime()
}

/**
 * Checks whether evidence was issued when its authority may have forgotten the certificate (ETSI EN 319 102-1 §5.2.5). Authorities forget
 * expired certificates (RFC 5280 §3.3), so later evidence without such a certificate means nothing, unless it states that they are kept.
 */
const mayBeForgotten = ({ notAfter }: PathCertificate, issuedAt: Date, cutoff: Date | undefined) =>
  issuedAt > notAfter && !(cutoff && cutoff <= notAfter)

/** The digests that may identify the issuer in OCSP messages; SHA-1 is not a signature here. */
export const ocspDigests: Record<string, string> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

function isAbout({ certID }: ocsp.SingleResponse, certificate: PathCertificate, issuer: PathCertificate) {
  const digest = ocspDigests[certID.hashAlgorithm.algorithm]
  if (digest === undefined) return false
  const isDigest = (given: { buffer: ArrayBuffer }, bytes: Uint8Array) =>
    sameBytes(new Uint8Array(given.buffer), digestOf(digest, bytes))
  return (
    sameBytes(new Uint8Array(certID.serialNumber), certificate.serialNumber) &&
    isDigest(certID.issuerNameHash, issuer.subject) &&
    isDigest(certID.issuerKeyHash, issuer.keyBits)
  )
}

/** The evidence for trusting a responder. */
type ResponderTrust = Required<Pick<RevocationEvidence, 'crls' | 'responders'>>

/**
 * Checks whether a response is signed by the issuer, by a responder that it has delegated, or by one that the configuration trusts (RFC
 * 6960 §4.2.2.2).
 */
function isSignedByResponder(
  { basic, carried }: NonNullable<ReturnType<typeof readResponse>>,
  issuer: PathCertificate,
  { crls, responders }: ResponderTrust,
) {
  const { responderID, producedAt } = basic.tbsResponseData
  const data = new Uint8Array(basic.tbsResponseDataRaw ?? new ArrayBuffer())
  const trusted = responders.map(readPathCertificate)
  const isNamed = ({ subject, keyBits }: PathCertificate) =>
    responderID.byName
      ? sameBytes(writeDer(responderID.byName), subject)
      : sameBytes(new Uint8Array(responderID.byKey?.buffer ?? new ArrayBuffer()), digestOf('sha1', keyBits))
  const isAuthorized = (signer: PathCertificate) =>
    isSameHolder(signer, issuer) ||
    trusted.some((responder) => isSameHolder(responder, signer)) ||
    (signer.extendedKeyUsage?.purposes.includes(x509.id_kp_OCSPSigning) === true &&
      signer.unknownCritical.length === 0 &&
      isValidAt(signer, producedAt) &&
      sameBytes(signer.issuer, issuer.subject) &&
      checkSignature(signer.algorithm, issuer.key, signer.tbs, signer.signature) === 'valid' &&
      isNotRevoked(signer, issuer, producedAt, crls))
  return [issuer, ...trusted, ...carried].some(
    (signer) =>
      isNamed(signer) &&
      isAuthorized(signer) &&
      checkSignature(basic.signatureAlgorithm, signer.key, data, new Uint8Array(basic.signature)) === 'valid',
  )
}

/**
 * Checks that a delegated responder was not revoked, which is possible for one without `nocheck` (RFC 6960 §4.2.2.2.1). If its certificate
 * names a revocation list or a responder, a list in the evidence must show that it was good.
 */
function isNotRevoked(responder: PathCertificate, issuer: PathCertificate, at: Date, crls: Uint8Array[]) {
  if (responder.extensions.has(ocsp.id_pkix_ocsp_nocheck)) return true
  const found = crls.map((der) => attempt(() => crlStatus(der, responder, issuer, at))?.status)
  if (found.includes('revoked')) return false
  return found.includes('good') || !revocationPointers.some((id) => responder.extensions.has(id))
}

const revocationPointers = [x509.id_ce_cRLDistributionPoints, x509.id_pe_authorityInfoAccess]

const supportedListExtensions = new Set([
  x509.id_ce_authorityKeyIdentifier,
  x509.id_ce_cRLNumber,
  x509.id_ce_issuingDistributionPoint,
  idExpiredCertsOnCrl,
])

/**
 * Returns the status by a complete list of the issuer itself whose scope includes the certificate (RFC 5280 §6.3); undefined for any other
 * list.
 */
function crlStatus(
  der: Uint8Array,
  certificate: PathCertificate,
  issuer: PathCertificate,
  at: Date,
): Proof | undefined {
  const list = readList(der)
  if (!list || !sameBytes(list.issuer, issuer.subject)) return undefined
  if (!allowsKeyUsage(issuer, 'cRLSign')) return undefined
  if (list.extensions.some(({ extnID, critical }) => critical && !supportedListExtensions.has(extnID))) return undefined
  const scope = list.extensions.find(({ extnID }) => extnID === x509.id_ce_issuingDistributionPoint)
  if (scope && !isInScope(readDer(new Uint8Array(scope.extnValue.buffer), x509.IssuingDistributionPoint), certificate))
    return undefined
  if (!isRelevant(at, list.thisUpdate, list.nextUpdate)) return undefined
  if (checkSignature(list.algorithm, issuer.key, list.tbs, list.signature) !== 'valid') return undefined
  const entry = revokedEntry(list, certificate.serialNumber)
  const source = sourceOf('crl', list.thisUpdate, at)
  if (!entry)
    return mayBeForgotten(certificate, list.thisUpdate, cutoffIn(list.extensions))
      ? undefined
      : { status: 'good', source }
  const reason = entry.extensions.find(({ extnID }) => extnID === x509.id_ce_cRLReasons)
  const code = reason && readDer(new Uint8Array(reason.extnValue.buffer), x509.CRLReason).reason
  return revokedAt(at, entry.at, code === undefined ? undefined : x509.CRLReasons[code], source)
}

function isInScope(scope: x509.IssuingDistributionPoint, certificate: PathCertificate) {
  const { isAuthority } = certificate
  if (scope.indirectCRL || scope.onlyContainsAttributeCerts || scope.onlySomeReasons) return false
  if (scope.distributionPoint && !sharesDistributionPoint(scope.distributionPoint, certificate)) return false
  return isAuthority ? !scope.onlyContainsUserCerts : !scope.onlyContainsCACerts
}

/** Checks whether a partial list shares a distribution point name with the certificate (RFC 5280 §6.3.3 (b)(2)(i)). */
function sharesDistributionPoint({ fullName = [] }: x509.DistributionPointName, { extensions }: PathCertificate) {
  const named = extensions.get(x509.id_ce_cRLDistributionPoints)
  if (!named) return false
  const points = [...readDer(named, x509.CRLDistributionPoints)]
  const names = points.flatMap((point) => point.distributionPoint?.fullName ?? []).map((name) => writeDer(name))
  return fullName.some((scopeName) => names.some((name) => sameBytes(name, writeDer(scopeName))))
}

/**
 * Encodes a request for one certificate (RFC 6960 §4.1.1) in the profile of RFC 5019: with SHA-1, which only identifies the issuer, and
 * without a nonce, so that responses can be cached until they expire.
 */
export function writeOcspRequest(certificate: PathCertificate, issuer: PathCertificate): Uint8Array<ArrayBuffer> {
  const sha1 = (bytes: Uint8Array) => new OctetString(digestOf('sha1', bytes))
  const reqCert = new ocsp.CertID({
    hashAlgorithm: new x509.AlgorithmIdentifier({ algorithm: '1.3.14.3.2.26', parameters: null }),
    issuerNameHash: sha1(issuer.subject),
    issuerKeyHash: sha1(issuer.keyBits),
    serialNumber: new Uint8Array(certificate.serialNumber).buffer,
  })
  return writeDer(
    new ocsp.OCSPRequest({ tbsRequest: new ocsp.TBSRequest({ requestList: [new ocsp.Request({ reqCert })] }) }),
  )
}
