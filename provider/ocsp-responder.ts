import { createHash } from 'node:crypto'
import { OctetString } from '@peculiar/asn1-schema'
import {
  BasicOCSPResponse,
  CertID,
  CertStatus,
  id_pkix_ocsp_archive_cutoff,
  id_pkix_ocsp_basic,
  id_pkix_ocsp_nonce,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  ResponderID,
  ResponseBytes,
  ResponseData,
  RevokedInfo,
  SingleResponse,
  Version,
} from '@peculiar/asn1-ocsp'
import { Certificate, type Extension } from '@peculiar/asn1-x509'
import { extension, generalizedTime, publicKeyBits, publicKeyInfo, wholeSeconds } from '../pki/certificate-write.ts'
import { DerError, readDer, writeDer } from '../pki/der.ts'
import { signatureAlgorithm, signBytes } from '../pki/signature-algorithm.ts'
import type { CertificateHolder } from './certificate-holder.ts'
import { crlReason, type Revocation } from './revocation-list.ts'

/** What is known of a serial number (hexadecimal, upper case): issued, revoked, or neither. */
export type KnownStatus = 'good' | Revocation | undefined

export type Responder = {
  issuer: CertificateHolder
  /** The delegate that signs the answers (RFC 6960 §4.2.2.2). */
  delegate: CertificateHolder
  statusOf: (serialNumber: string) => KnownStatus
  /** Since when statuses are kept beyond expiry (§4.4.4). */
  since: Date
}

/** The digests that a request may name the issuer by; SHA-1 serves only to look it up and is what most clients send. */
const digests: Record<string, string> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

const mostQuestions = 20
const answerLifeMs = 60 * 60 * 1000

/** Answers one request (RFC 6960), both in DER; what cannot be answered gets an error status, never an exception. */
export function answerOcsp(responder: Responder, request: Uint8Array, now: Date) {
  try {
    const { questions, nonce } = readRequest(request)
    if (!questions.every((question) => isIssuer(responder.issuer, question))) return refusal('unauthorized')
    return writeDer(response(responder, questions, nonce, wholeSeconds(now)))
  } catch (error) {
    return refusal(error instanceof DerError ? 'malformedRequest' : 'internalError')
  }
}

export function refusal(status: 'malformedRequest' | 'internalError' | 'unauthorized') {
  return writeDer(new OCSPResponse({ responseStatus: OCSPResponseStatus[status] }))
}

function readRequest(der: Uint8Array) {
  const { version, requestList, requestExtensions = [] } = readDer(der, OCSPRequest).tbsRequest
  const extensions = [...requestExtensions, ...requestList.flatMap((one) => [...(one.singleRequestExtensions ?? [])])]
  if (version !== Version.v1 || requestList.length === 0 || requestList.length > mostQuestions)
    throw new DerError('Not a request of version 1 with a sensible number of questions')
  if (extensions.some(({ extnID, critical }) => critical && extnID !== id_pkix_ocsp_nonce))
    throw new DerError('A critical extension is not known here')
  const nonces = requestExtensions.filter(({ extnID }) => extnID === id_pkix_ocsp_nonce)
  if (nonces.length > 1) throw new DerError('There are several nonces')
  return { questions: requestList.map(({ reqCert }) => reqCert), nonce: nonces.map(checkedNonce) }
}

/** RFC 9654 §2.1: 1 to 128 octets, or the request is malformed. */
function checkedNonce({ extnValue }: Extension) {
  const der = new Uint8Array(extnValue.buffer)
  const { byteLength } = readDer(der, OctetString)
  if (byteLength < 1 || byteLength > 128) throw new DerError('The nonce is too short or too long')
  return extension(id_pkix_ocsp_nonce, der)
}

function isIssuer(issuer: CertificateHolder, { hashAlgorithm, issuerNameHash, issuerKeyHash }: CertID) {
  const digest = digests[hashAlgorithm.algorithm]
  if (digest === undefined) return false
  const equals = (given: OctetString, bytes: Uint8Array) =>
    createHash(digest).update(bytes).digest().equals(Buffer.from(given.buffer))
  return (
    equals(issuerNameHash, writeDer(issuer.name)) &&
    equals(issuerKeyHash, publicKeyBits(publicKeyInfo(issuer.publicKey)))
  )
}

function response({ delegate, statusOf, since }: Responder, questions: CertID[], nonce: Extension[], producedAt: Date) {
  const tbsResponseData = new ResponseData({
    responderID: new ResponderID({ byName: delegate.name }),
    producedAt,
    responses: questions.map((certID) => {
      const serialNumber = Buffer.from(certID.serialNumber).toString('hex').toUpperCase()
      return new SingleResponse({
        certID,
        certStatus: certStatus(statusOf(serialNumber)),
        thisUpdate: producedAt,
        nextUpdate: new Date(producedAt.getTime() + answerLifeMs),
        singleExtensions: [extension(id_pkix_ocsp_archive_cutoff, generalizedTime(since))],
      })
    }),
    ...(nonce.length > 0 && { responseExtensions: nonce }),
  })
  const basic = new BasicOCSPResponse({
    tbsResponseData,
    signatureAlgorithm: signatureAlgorithm(delegate.privateKey),
    signature: signBytes(delegate.privateKey, writeDer(tbsResponseData)).buffer,
    certs: [readDer(delegate.certificate, Certificate)],
  })
  return new OCSPResponse({
    responseStatus: OCSPResponseStatus.successful,
    responseBytes: new ResponseBytes({ responseType: id_pkix_ocsp_basic, response: new OctetString(writeDer(basic)) }),
  })
}

function certStatus(known: KnownStatus) {
  if (known === undefined) return new CertStatus({ unknown: null })
  if (known === 'good') return new CertStatus({ good: null })
  const revocationTime = wholeSeconds(known.at)
  // RFC 5280 §5.3.1, which §4.2.1 takes over: an unspecified reason is left out.
  if (known.reason === 'unspecified') return new CertStatus({ revoked: new RevokedInfo({ revocationTime }) })
  return new CertStatus({ revoked: new RevokedInfo({ revocationTime, revocationReason: crlReason(known.reason) }) })
}
