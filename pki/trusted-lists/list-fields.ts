import { readPathCertificate } from '../asn1/path-certificate.ts'
import { allAt, textOf, TrustedListError } from './xml.ts'

export const tsl = 'http://uri.etsi.org/02231/v2#'

/** A time (XML Schema dateTime with its time zone; ETSI TS 119 612 §5.1.4 wants UTC, which not every list keeps). */
export function timeOf(element: Element | undefined): Date {
  const text = textOf(element)
  const time = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time.getTime()))
    throw new TrustedListError('not-a-list', 'a time is not a dateTime with its zone')
  return time
}

/** The certificates (DER) of a digital identity. One that cannot be read identifies nobody, and does not spoil the list. */
export const certificatesOf = (identity: Element | undefined): Uint8Array[] =>
  allAt(identity, tsl, 'DigitalId', 'X509Certificate')
    .map((element) => new Uint8Array(Buffer.from(textOf(element), 'base64')))
    .filter(isCertificate)

function isCertificate(der: Uint8Array): boolean {
  try {
    readPathCertificate(der)
    return true
  } catch {
    return false
  }
}
