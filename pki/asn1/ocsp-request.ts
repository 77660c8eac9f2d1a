import { digest } from '#runtime'
import { CertID, OCSPRequest, Request, TBSRequest } from '@peculiar/asn1-ocsp'
import { OctetString } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'
import { writeDer } from './der.ts'
import type { PathCertificate } from './path-certificate.ts'

/**
 * A request for one certificate (RFC 6960 §4.1.1) in the profile of RFC 5019: with SHA-1, which only identifies the issuer,
 * and without a nonce, so that responses can be cached until they expire.
 */
export function writeOcspRequest(certificate: PathCertificate, issuer: PathCertificate): Uint8Array<ArrayBuffer> {
  const digestOf = (bytes: Uint8Array) => new OctetString(digest('sha1', bytes))
  const reqCert = new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: '1.3.14.3.2.26', parameters: null }),
    issuerNameHash: digestOf(issuer.subject),
    issuerKeyHash: digestOf(issuer.keyBits),
    serialNumber: new Uint8Array(certificate.serialNumber).buffer,
  })
  return writeDer(new OCSPRequest({ tbsRequest: new TBSRequest({ requestList: [new Request({ reqCert })] }) }))
}
