import * as x509 from '@peculiar/asn1-x509'
import * as z from 'zod/mini'
import { extension, signBytes } from '../../pki/asn1/certificate-write.ts'
import { writeDer, generalizedTime, wholeSeconds } from '../../pki/asn1/der.ts'
import { signatureAlgorithm } from '../../pki/asn1/signature-algorithm.ts'
import type { CertificateHolder } from './authority-keys.ts'
import { authorityKeyId } from './certificate-profiles.ts'

/** Reason why a certificate was revoked (RFC 5280 §5.3.1); certificateHold is a suspension, which can be lifted. */
export const RevocationReason = z.enum([
  'unspecified',
  'keyCompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  'privilegeWithdrawn',
])
export type RevocationReason = z.infer<typeof RevocationReason>

export type Revocation = { at: Date; reason: RevocationReason }

/** X.509 §9.5.2.8; the library does not define it. */
const idExpiredCertsOnCrl = '2.5.29.60'

/** Writes a complete list (RFC 5280 §5) of an authority for one kind of certificates; serial numbers are hexadecimal. */
export function writeRevocationList(list: {
  issuer: CertificateHolder
  number: number
  contains: 'authorities' | 'subscribers'
  thisUpdate: Date
  nextUpdate: Date
  /** Date since when revoked certificates remain on the list beyond their expiry (EN 319 411-2 §6.3.10). */
  since: Date
  revocations: Iterable<[string, Revocation]>
}) {
  const signature = signatureAlgorithm(list.issuer.privateKey)
  const entries = Array.from(list.revocations, revokedCertificate)
  const tbsCertList = new x509.TBSCertList({
    version: x509.Version.v2,
    signature,
    issuer: list.issuer.name,
    thisUpdate: new x509.Time(list.thisUpdate),
    nextUpdate: new x509.Time(list.nextUpdate),
    // §5.1.2.6: absent, not empty.
    ...(entries.length > 0 && { revokedCertificates: entries }),
    crlExtensions: [
      authorityKeyId(list.issuer.publicKey),
      extension(x509.id_ce_cRLNumber, new x509.CRLNumber(list.number)),
      extension(x509.id_ce_issuingDistributionPoint, scope(list.contains), true),
      extension(idExpiredCertsOnCrl, generalizedTime(list.since)),
    ],
  })
  const signatureValue = signBytes(list.issuer.privateKey, writeDer(tbsCertList)).buffer
  return writeDer(new x509.CertificateList({ tbsCertList, signatureAlgorithm: signature, signature: signatureValue }))
}

/** Returns the scope of a list, without an address, so that the list also applies to certificates with an earlier base URL. */
function scope(contains: 'authorities' | 'subscribers') {
  return new x509.IssuingDistributionPoint({
    onlyContainsCACerts: contains === 'authorities',
    onlyContainsUserCerts: contains === 'subscribers',
  })
}

function revokedCertificate([serialNumber, { at, reason }]: [string, Revocation]) {
  const revoked = { userCertificate: serialBytes(serialNumber).buffer, revocationDate: new x509.Time(wholeSeconds(at)) }
  // §5.3.1: an unspecified reason is left out.
  if (reason === 'unspecified') return new x509.RevokedCertificate(revoked)
  const crlEntryExtensions = [extension(x509.id_ce_cRLReasons, crlReason(reason))]
  return new x509.RevokedCertificate({ ...revoked, crlEntryExtensions })
}

export const crlReason = (reason: RevocationReason) => new x509.CRLReason(x509.CRLReasons[reason])

const serialBytes = (serialNumber: string) => new Uint8Array(Buffer.from(serialNumber, 'hex'))
