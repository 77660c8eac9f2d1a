import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BasicOCSPResponse, OCSPResponse } from '@peculiar/asn1-ocsp'
import { AsnConvert } from '@peculiar/asn1-schema'
import { CRLReasons } from '@peculiar/asn1-x509'
import { readPathCertificate } from '../../pki/asn1/path-certificate.ts'
import { writeOcspRequest } from '../../pki/asn1/revocation-status.ts'
import { zip } from '../../pki/zip.ts'
import { openAuthority, type Authority, type AuthorityOptions } from '../authority/authority.ts'
import type { PersonSubject } from '../authority/subscriber.ts'

/** The files that hold an authority's own keys and certificates. */
const keyFiles = ['authority.json', 'timestamping.json']
/** Their texts, by the base URL in the certificates. */
const known = new Map<string, string[]>()
const hourMs = 3_600_000

/**
 * Opens an authority in an empty folder that reuses the keys of the previous one in this process, because generating four large RSA keys
 * takes a second. Its issued and revoked certificates are separate.
 */
export async function openTestAuthority(options: AuthorityOptions): Promise<Authority> {
  const { directory, baseUrl, now } = options
  const paths = keyFiles.map((name) => join(directory, name))
  // Timestamp certificates begin when they are made, so only current ones are reused.
  const isReusable = Math.abs(now().getTime() - Date.now()) < hourMs && !paths.some((path) => existsSync(path))
  const texts = isReusable ? known.get(baseUrl) : undefined
  for (const [path, text] of zip(paths, texts ?? [])) writeFileSync(path, text, { mode: 0o600 })
  const authority = await openAuthority(options)
  if (isReusable && !texts)
    known.set(
      baseUrl,
      paths.map((path) => readFileSync(path, 'utf8')),
    )
  return authority
}

export const testPerson: PersonSubject = {
  kind: 'person',
  givenName: 'Jan',
  surname: 'Kos',
  serialNumber: 'PNOPL-44051401458',
  country: 'PL',
}

/** Returns an OCSP responder's status of a certificate (DER): `good`, `unknown`, or the reason of a revocation. */
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
