import { AsnGeneralizedTimeConverter } from '@peculiar/asn1-schema'

/** Certificates, revocation lists and OCSP responses have no fractions of a second (RFC 5280 §4.1.2.5). */
export function wholeSeconds(at: Date) {
  return new Date(Math.floor(at.getTime() / 1000) * 1000)
}

export function generalizedTime(at: Date) {
  return new Uint8Array(AsnGeneralizedTimeConverter.toASN(wholeSeconds(at)).toBER())
}

/** In milliseconds: clocks of authorities differ by minutes. */
const clockTolerance = 300_000

export const isFuture = (at: Date, now: Date) => at.getTime() - now.getTime() > clockTolerance
