import { id_pkix_ocsp_archive_cutoff, id_pkix_ocsp_nocheck } from '@peculiar/asn1-ocsp'
import * as x509 from '@peculiar/asn1-x509'
import { expect, test } from 'vitest'
import {
  anna,
  appointedResponder,
  revocationAddresses,
  holder,
  issuing,
  ocspAnswer,
  person,
  personRights,
  revocationList,
  signedAt,
  type Holder,
  type HolderOrder,
} from '../testing/pades-authorities.ts'
import { extension } from './certificate-write.ts'
import { generalizedTime } from './der.ts'
import { readPathCertificate } from './path-certificate.ts'
import { needsNewerEvidence, revocationStatus } from './revocation-status.ts'

const before = new Date(signedAt.getTime() - 60_000)

const janWith = (changes: Partial<HolderOrder> = {}) =>
  holder({ name: person('Jan', 'PNOPL-90010112345'), extensions: personRights(), ...changes }, issuing)

/** Returns the status of a certificate of the issuing authority at the signing time. */
function statusOf(subject: Holder, { ocsps = [], crls = [] }: { ocsps?: Uint8Array[]; crls?: Uint8Array[] }) {
  const [certificate, issuer] = [subject.certificate, issuing.certificate].map(readPathCertificate)
  return revocationStatus(certificate!, issuer!, signedAt, { ocsps, crls }).status
}

const firstPart = 'http://crl.example/part-1.crl'
const secondPart = 'http://crl.example/part-2.crl'

/** Creates a revocation list for only the certificates that name its address. */
function partialList(address: string, revoked: Holder[] = []) {
  const fullName = [new x509.GeneralName({ uniformResourceIdentifier: address })]
  const scope = new x509.IssuingDistributionPoint({ distributionPoint: new x509.DistributionPointName({ fullName }) })
  return revocationList({
    issuer: issuing,
    revoked: revoked.map((about) => ({ about, at: before })),
    extensions: [extension(x509.id_ce_issuingDistributionPoint, scope, true)],
  })
}

test('R104 a list of another partition says nothing of a certificate (RFC 5280 §6.3.3)', () => {
  const signer = janWith({ extensions: [...personRights(), ...revocationAddresses({ crl: [secondPart] })] })
  expect(statusOf(signer, { crls: [partialList(firstPart)] })).toBe('unknown')
  expect(statusOf(signer, { crls: [partialList(secondPart)] })).toBe('good')
  expect(statusOf(signer, { crls: [partialList(firstPart), partialList(secondPart, [signer])] })).toBe('revoked')
  // A list of all certificates is about those that name no address, too; a partition is not.
  const silent = janWith()
  expect(statusOf(silent, { crls: [partialList(firstPart)] })).toBe('unknown')
  expect(statusOf(silent, { crls: [revocationList({ issuer: issuing })] })).toBe('good')
})

test('R104 an appointed responder that was revoked proves nothing (RFC 6960 §4.2.2.2.1)', () => {
  const signer = janWith()
  const named = appointedResponder(...revocationAddresses({ crl: [firstPart] }))
  const answer = [ocspAnswer(signer, { by: named })]
  expect(statusOf(signer, { ocsps: answer })).toBe('unknown')
  expect(statusOf(signer, { ocsps: answer, crls: [partialList(firstPart)] })).toBe('good')
  expect(statusOf(signer, { ocsps: answer, crls: [partialList(firstPart, [named])] })).toBe('unknown')
  // Its authority has said that nobody need ask about it.
  const unasked = appointedResponder(
    ...revocationAddresses({ crl: [firstPart] }),
    extension(id_pkix_ocsp_nocheck, Uint8Array.of(5, 0)),
  )
  expect(statusOf(signer, { ocsps: [ocspAnswer(signer, { by: unasked })] })).toBe('good')
  // Nothing in its certificate says where to ask.
  expect(statusOf(signer, { ocsps: [ocspAnswer(signer, { by: appointedResponder() })] })).toBe('good')
})

test('R262 what an authority says of a certificate after its expiry proves nothing, unless it states that it keeps it', () => {
  const days = (count: number) => new Date(signedAt.getTime() + count * 86_400_000)
  const signer = janWith({ notAfter: days(10) })
  const list = (at: Date, more: Partial<Parameters<typeof revocationList>[0]> = {}) => ({
    crls: [revocationList({ issuer: issuing, at, ...more })],
  })
  const answer = (at: Date, extensions: x509.Extension[] = []) => ({ ocsps: [ocspAnswer(signer, { at, extensions })] })
  expect(statusOf(signer, list(days(5)))).toBe('good')
  expect(statusOf(signer, list(days(40)))).toBe('unknown')
  expect(statusOf(signer, answer(days(5)))).toBe('good')
  expect(statusOf(signer, answer(days(40)))).toBe('unknown')
  // It is still on the list: revoked before the signature, or only after it.
  expect(statusOf(signer, list(days(40), { revoked: [{ about: signer, at: before }] }))).toBe('revoked')
  expect(statusOf(signer, list(days(40), { revoked: [{ about: signer, at: days(5) }] }))).toBe('good')
  // expiredCertsOnCRL (X.509) and archiveCutoff (RFC 6960 §4.4.4).
  const since = (id: string, at: Date) => [extension(id, generalizedTime(at))]
  expect(statusOf(signer, list(days(40), { extensions: since('2.5.29.60', days(9)) }))).toBe('good')
  expect(statusOf(signer, list(days(40), { extensions: since('2.5.29.60', days(11)) }))).toBe('unknown')
  expect(statusOf(signer, answer(days(40), since(id_pkix_ocsp_archive_cutoff, days(9))))).toBe('good')
  expect(statusOf(signer, answer(days(40), since(id_pkix_ocsp_archive_cutoff, days(11))))).toBe('unknown')
})

test('CHK-13 R256 a suspension from before the signature counts until something newer says that it has ended', () => {
  const minutes = (count: number) => new Date(signedAt.getTime() + count * 60_000)
  const [certificate, issuer] = [anna, issuing].map((each) => readPathCertificate(each.certificate))
  const list = (at: number, how: { reason?: x509.CRLReasons }) =>
    revocationList({ issuer: issuing, at: minutes(at), revoked: [{ about: anna, at: minutes(-30), ...how }] })
  const hold = (at: number) => list(at, { reason: x509.CRLReasons.certificateHold })
  const held = (at: number) =>
    ocspAnswer(anna, {
      at: minutes(at),
      status: { revokedAt: minutes(-30), reason: x509.CRLReasons.certificateHold },
      nextUpdate: minutes(60),
    })
  const good = (at: number) => ocspAnswer(anna, { at: minutes(at), nextUpdate: minutes(60) })
  const by = (ocsps: Uint8Array[], crls: Uint8Array[] = []) => {
    const status = revocationStatus(certificate!, issuer!, signedAt, { ocsps, crls })
    return [status.status, needsNewerEvidence(status)]
  }
  // Without anything newer the authority is asked.
  expect(by([], [hold(-20)])).toEqual(['revoked', true])
  expect(by([held(-20)])).toEqual(['revoked', true])
  expect(by([good(-25)], [hold(-20)])).toEqual(['revoked', true])
  expect(by([good(-20)], [hold(-20)])).toEqual(['revoked', true])
  // Resumed, and then signed.
  expect(by([good(5)], [hold(-20)])).toEqual(['good', false])
  expect(by([good(-10)], [hold(-20)])).toEqual(['good', true])
  expect(by([held(-20), good(5)])).toEqual(['good', false])
  // Signed while it was suspended, as the authority says since.
  expect(by([good(10)], [hold(5)])).toEqual(['revoked', false])
  expect(by([good(10), held(5)], [hold(-20)])).toEqual(['revoked', false])
  // A revocation is final.
  for (const how of [{}, { reason: x509.CRLReasons.keyCompromise }])
    expect(by([good(10)], [list(-20, how)])).toEqual(['revoked', false])
})
