import { createHash } from 'node:crypto'
import * as ocsp from '@peculiar/asn1-ocsp'
import { OctetString } from '@peculiar/asn1-schema'
import { Certificate, type Extension } from '@peculiar/asn1-x509'
import { extension, publicKeyBits, publicKeyInfo, signBytes } from '../../pki/asn1/certificate-write.ts'
import { DerError, readDer, writeDer, generalizedTime, wholeSeconds } from '../../pki/asn1/der.ts'
import { ocspDigests } from '../../pki/asn1/revocation-status.ts'
import { signatureAlgorithm } from '../../pki/asn1/signature-algorithm.ts'
import type { CertificateHolder } from './authority-keys.ts'
import { crlReason, type Revocation } from './revocation-list.ts'

/** The status of a serial number (hexadecimal, upper case): issued, revoked or unknown. */
export type KnownStatus = 'good' | Revocation | undefined

export type Responder = {
  issuer: CertificateHolder
  /** The delegated responder that signs the responses (RFC 6960 §4.2.2.2). */
  delegate: CertificateHolder
  statusOf: (serialNumber: string) => KnownStatus
  /** Date since when statuses are retained beyond expiry (§4.4.4). */
  since: Date
}

const maxRequests = 20
const validityMs = 60 * 60 * 1000

/** Answers a request (RFC 6960), both in DER; invalid ones get an error status, never an exception. */
export function answerOcsp(responder: Responder, request: Uint8Array, now: Date) {
  try {
    const { certificateIds, nonce } = readRequest(request)
    if (!certificateIds.every((id) => isIssuer(responder.issuer, id))) return errorResponse('unauthorized')
    return writeDer(response(responder, certificateIds, nonce, wholeSeconds(now)))
  } catch (error) {
    return errorResponse(error instanceof DerError ? 'malformedRequest' : 'internalError')
  }
}

export const errorResponse = (status: 'malformedRequest' | 'internalError' | 'unauthorized') =>
  writeDer(new ocsp.OCSPResponse({ responseStatus: ocsp.OCSPResponseStatus[status] }))

function readRequest(der: Uint8Array) {
  const { version, requestList, requestExtensions = [] } = readDer(der, ocsp.OCSPRequest).tbsRequest
  const extensions = [
    ...requestExtensions,
    ...requestList.flatMap((request) => [...(request.singleRequestExtensions ?? [])]),
  ]
  if (version !== ocsp.Version.v1 || requestList.length === 0 || requestList.length > maxRequests)
    throw new DerError('Not a request of version 1 for a reasonable number of certificates')
  // RFC 5754 §2: parameters are absent, or NULL in older programs. The response repeats them, so they are checked here.
  if (requestList.some(({ reqCert }) => (reqCert.hashAlgorithm.parameters ?? null) !== null))
    throw new DerError('The hash algorithm has parameters')
  if (extensions.some(({ extnID, critical }) => critical && extnID !== ocsp.id_pkix_ocsp_nonce))
    throw new DerError('A critical extension is unknown')
  const nonces = requestExtensions.filter(({ extnID }) => extnID === ocsp.id_pkix_ocsp_nonce)
  if (nonces.length > 1) throw new DerError('There are several nonces')
  return { certificateIds: requestList.map(({ reqCert }) => reqCert), nonce: nonces.map(checkedNonce) }
}

/** Returns the nonce extension. A nonce has 1 to 128 octets, or the request is malformed (RFC 9654 §2.1). */
function checkedNonce({ extnValue }: Extension) {
  const der = new Uint8Array(extnValue.buffer)
  const { byteLength } = readDer(der, OctetString)
  if (byteLength < 1 || byteLength > 128) throw new DerError('The nonce is too short or too long')
  return extension(ocsp.id_pkix_ocsp_nonce, der)
}

function isIssuer(issuer: CertificateHolder, { hashAlgorithm, issuerNameHash, issuerKeyHash }: ocsp.CertID) {
  const digest = ocspDigests[hashAlgorithm.algorithm]
  if (digest === undefined) return false
  const equals = (given: OctetString, bytes: Uint8Array) =>
    createHash(digest).update(bytes).digest().equals(Buffer.from(given.buffer))
  return (
    equals(issuerNameHash, writeDer(issuer.name)) &&
    equals(issuerKeyHash, publicKeyBits(publicKeyInfo(issuer.publicKey)))
  )
}

function response(
  { delegate, statusOf, since }: Responder,
  certificateIds: ocsp.CertID[],
  nonce: Extension[],
  producedAt: Date,
) {
  const tbsResponseData = new ocsp.ResponseData({
    responderID: new ocsp.ResponderID({ byName: delegate.name }),
    producedAt,
    responses: certificateIds.map((certID) => {
      const serialNumber = Buffer.from(certID.serialNumber).toString('hex').toUpperCase()
      return new ocsp.SingleResponse({
        certID,
        certStatus: certStatus(statusOf(serialNumber)),
        thisUpdate: producedAt,
        nextUpdate: new Date(producedAt.getTime() + validityMs),
        singleExtensions: [extension(ocsp.id_pkix_ocsp_archive_cutoff, generalizedTime(since))],
      })
    }),
    ...(nonce.length > 0 && { responseExtensions: nonce }),
  })
  const basic = new ocsp.BasicOCSPResponse({
    tbsResponseData,
    signatureAlgorithm: signatureAlgorithm(delegate.privateKey),
    signature: signBytes(delegate.privateKey, writeDer(tbsResponseData)).buffer,
    certs: [readDer(delegate.certificate, Certificate)],
  })
  return new ocsp.OCSPResponse({
    responseStatus: ocsp.OCSPResponseStatus.successful,
    responseBytes: new ocsp.ResponseBytes({
      responseType: ocsp.id_pkix_ocsp_basic,
      response: new OctetString(writeDer(basic)),
    }),
  })
}

function certStatus(known: KnownStatus) {
  if (known === undefined) return new ocsp.CertStatus({ unknown: null })
  if (known === 'good') return new ocsp.CertStatus({ good: null })
  const revocationTime = wholeSeconds(known.at)
  // RFC 5280 §5.3.1, which §4.2.1 takes over: an unspecified reason is left out.
  if (known.reason === 'unspecified') return new ocsp.CertStatus({ revoked: new ocsp.RevokedInfo({ revocationTime }) })
  return new ocsp.CertStatus({
    revoked: new ocsp.RevokedInfo({ revocationTime, revocationReason: crlReason(known.reason) }),
  })
}
