import type { KeyObject } from 'node:crypto'
import { id_pkix_ocsp_nocheck } from '@peculiar/asn1-ocsp'
import * as x509 from '@peculiar/asn1-x509'
import { extension, keyIdentifier } from '../../pki/asn1/certificate-write.ts'
import { writeName } from '../../pki/asn1/certificate.ts'
import { policyOf, qcStatements, type CertificateOrder } from './subscriber.ts'

/** id-tsl-kp-tslSigning. */
const idTrustedListSigning = '0.4.0.2231.3.0'

/** The names of the two authorities in the addresses below. */
export type AuthorityName = 'root' | 'issuing'

export const organisation = { name: 'Sygnet TEST', identifier: 'VATPL-1234563218', country: 'PL' } as const

export function authorityName(commonName: string) {
  return writeName([
    { name: 'C', value: organisation.country },
    { name: 'O', value: organisation.name },
    { name: 'organizationIdentifier', value: organisation.identifier },
    { name: 'CN', value: commonName },
  ])
}

export const rootExtensions = (publicKey: KeyObject) => [...authorityRights(), subjectKeyId(publicKey)]

export function issuingExtensions(publicKey: KeyObject, issuerKey: KeyObject, baseUrl: string) {
  return [
    ...authorityRights(0),
    subjectKeyId(publicKey),
    authorityKeyId(issuerKey),
    policies(x509.id_ce_certificatePolicies_anyPolicy),
    revocationListAt(baseUrl, 'root'),
    accessAt(access(x509.id_ad_caIssuers, `${baseUrl}/ca/root.cer`)),
  ]
}

/**
 * Returns the extensions of an OCSP responder. The issuer trusts it for the life of its certificate, so its status is not checked (RFC 6960
 * §4.2.2.2).
 */
export function responderExtensions(publicKey: KeyObject, issuerKey: KeyObject, baseUrl: string) {
  return [
    keyUsage(x509.KeyUsageFlags.digitalSignature),
    extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_OCSPSigning])),
    extension(id_pkix_ocsp_nocheck, derNull),
    subjectKeyId(publicKey),
    authorityKeyId(issuerKey),
    accessAt(access(x509.id_ad_caIssuers, `${baseUrl}/ca/issuing.cer`)),
  ]
}

/** Returns the extensions of a list operator, whose key signs only trusted lists (ETSI TS 119 612 §5.7.1). */
export function listOperatorExtensions(publicKey: KeyObject) {
  return [
    keyUsage(x509.KeyUsageFlags.digitalSignature),
    extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([idTrustedListSigning])),
    subjectKeyId(publicKey),
  ]
}

/** Best practice time stamps, ETSI EN 319 421 §5.2. */
export const timestampPolicy = '0.4.0.2023.1.1'

/** Returns the extensions of a timestamping certificate: its key has this purpose only, in a critical extension (RFC 3161 §2.3). */
export function timestampExtensions(publicKey: KeyObject, issuerKey: KeyObject, baseUrl: string) {
  return [
    keyUsage(x509.KeyUsageFlags.digitalSignature),
    extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_timeStamping]), true),
    subjectKeyId(publicKey),
    authorityKeyId(issuerKey),
    policies(timestampPolicy),
    revocationListAt(baseUrl, 'issuing'),
    accessAt(access(x509.id_ad_ocsp, `${baseUrl}/ocsp`), access(x509.id_ad_caIssuers, `${baseUrl}/ca/issuing.cer`)),
  ]
}

/**
 * Returns the extensions of a subscriber's certificate (ETSI EN 319 412-2 §4.3 and 412-3 §4.3); its only key usage is nonRepudiation, type
 * A of 412-2 §4.3.2.
 */
export function subscriberExtensions(order: CertificateOrder, issuerKey: KeyObject, baseUrl: string) {
  return [
    keyUsage(x509.KeyUsageFlags.nonRepudiation),
    subjectKeyId(order.publicKey),
    authorityKeyId(issuerKey),
    policies(policyOf(order)),
    revocationListAt(baseUrl, 'issuing'),
    accessAt(access(x509.id_ad_ocsp, `${baseUrl}/ocsp`), access(x509.id_ad_caIssuers, `${baseUrl}/ca/issuing.cer`)),
    qcStatements(order, baseUrl),
  ]
}

const derNull = Uint8Array.of(5, 0)

function authorityRights(pathLenConstraint?: number): x509.Extension[] {
  const constraints = pathLenConstraint === undefined ? { cA: true } : { cA: true, pathLenConstraint }
  return [
    extension(x509.id_ce_basicConstraints, new x509.BasicConstraints(constraints), true),
    keyUsage(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign),
  ]
}

const keyUsage = (flags: number) => extension(x509.id_ce_keyUsage, new x509.KeyUsage(flags), true)

const subjectKeyId = (publicKey: KeyObject) =>
  extension(x509.id_ce_subjectKeyIdentifier, new x509.SubjectKeyIdentifier(keyIdentifier(publicKey)))

export function authorityKeyId(issuerKey: KeyObject) {
  const id = new x509.KeyIdentifier(keyIdentifier(issuerKey))
  return extension(x509.id_ce_authorityKeyIdentifier, new x509.AuthorityKeyIdentifier({ keyIdentifier: id }))
}

function policies(policyIdentifier: string) {
  const policy = new x509.PolicyInformation({ policyIdentifier })
  return extension(x509.id_ce_certificatePolicies, new x509.CertificatePolicies([policy]))
}

function revocationListAt(baseUrl: string, authority: AuthorityName) {
  const fullName = [new x509.GeneralName({ uniformResourceIdentifier: `${baseUrl}/crl/${authority}.crl` })]
  const point = new x509.DistributionPoint({ distributionPoint: new x509.DistributionPointName({ fullName }) })
  return extension(x509.id_ce_cRLDistributionPoints, new x509.CRLDistributionPoints([point]))
}

function access(accessMethod: string, url: string) {
  return new x509.AccessDescription({
    accessMethod,
    accessLocation: new x509.GeneralName({ uniformResourceIdentifier: url }),
  })
}

const accessAt = (...descriptions: x509.AccessDescription[]) =>
  extension(x509.id_pe_authorityInfoAccess, new x509.AuthorityInfoAccessSyntax(descriptions))
