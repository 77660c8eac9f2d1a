import { BasicOCSPResponse, OCSPResponse } from '@peculiar/asn1-ocsp'
import { CRLReasons } from '@peculiar/asn1-x509'
import { AsnConvert } from '@peculiar/asn1-schema'
import { readPathCertificate } from '../../pki/asn1/path-certificate.ts'
import { writeOcspRequest } from '../../pki/asn1/ocsp-request.ts'

/** What an OCSP responder says of a certificate (DER): `good`, `unknown`, or the reason of a revocation. */
export async function ocspStatus(url: string, certificate: Uint8Array, issuer: Uint8Array): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/ocsp-request' },
    body: new Uint8Array(writeOcspRequest(readPathCertificate(certificate), readPathCertificate(issuer))),
  })
  const { responseBytes } = AsnConvert.parse(await answer.arrayBuffer(), OCSPResponse)
  const basic = AsnConvert.parse(responseBytes!.response.buffer, BasicOCSPResponse)
  const { good, revoked } = basic.tbsResponseData.responses[0]!.certStatus
  if (revoked) return CRLReasons[revoked.revocationReason?.reason ?? CRLReasons.unspecified]
  return good === undefined ? 'unknown' : 'good'
}
