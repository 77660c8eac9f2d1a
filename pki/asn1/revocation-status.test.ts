import { id_pkix_ocsp_nocheck } from '@peculiar/asn1-ocsp'
import {
  DistributionPointName,
  ExtendedKeyUsage,
  GeneralName,
  id_ce_extKeyUsage,
  id_ce_issuingDistributionPoint,
  id_kp_OCSPSigning,
  IssuingDistributionPoint,
  KeyUsageFlags,
} from '@peculiar/asn1-x509'
import { expect, test } from 'vitest'
import { extension } from './certificate-write.ts'
import { readPathCertificate } from './path-certificate.ts'
import { revocationStatus } from './revocation-status.ts'
import {
  asksAt,
  cn,
  holder,
  issuing,
  ocspAnswer,
  person,
  personRights,
  revocationList,
  signedAt,
  usage,
  type Holder,
} from '../testing/pades-authorities.ts'

const before = new Date(signedAt.getTime() - 60_000)

/** The status of a certificate of the issuing authority when it signed. */
function statusOf(subject: Holder, { ocsps = [], crls = [] }: { ocsps?: Uint8Array[]; crls?: Uint8Array[] }) {
  const [certificate, issuer] = [subject.certificate, issuing.certificate].map(readPathCertificate)
  return revocationStatus(certificate!, issuer!, signedAt, { ocsps, crls }).status
}

const firstPart = 'http://crl.example/part-1.crl'
const secondPart = 'http://crl.example/part-2.crl'

/** A list of the certificates that name its address. */
function partialList(address: string, revoked: Holder[] = []) {
  const fullName = [new GeneralName({ uniformResourceIdentifier: address })]
  const scope = new IssuingDistributionPoint({ distributionPoint: new DistributionPointName({ fullName }) })
  return revocationList({
    issuer: issuing,
    revoked: revoked.map((about) => ({ about, at: before })),
    extensions: [extension(id_ce_issuingDistributionPoint, scope, true)],
  })
}

test('R104 a list of another partition says nothing of a certificate (RFC 5280 §6.3.3)', () => {
  const extensions = [...personRights(), ...asksAt({ crl: [secondPart] })]
  const signer = holder({ name: person('Jan', 'PNOPL-90010112345'), extensions }, issuing)
  expect(statusOf(signer, { crls: [partialList(firstPart)] })).toBe('unknown')
  expect(statusOf(signer, { crls: [partialList(secondPart)] })).toBe('good')
  expect(statusOf(signer, { crls: [partialList(firstPart), partialList(secondPart, [signer])] })).toBe('revoked')
  // A list of all certificates is about those that name no address, too; a partition is not.
  const silent = holder({ name: person('Jan', 'PNOPL-90010112345'), extensions: personRights() }, issuing)
  expect(statusOf(silent, { crls: [partialList(firstPart)] })).toBe('unknown')
  expect(statusOf(silent, { crls: [revocationList({ issuer: issuing })] })).toBe('good')
})

test('R104 an appointed responder that was revoked proves nothing (RFC 6960 §4.2.2.2.1)', () => {
  const signer = holder({ name: person('Jan', 'PNOPL-90010112345'), extensions: personRights() }, issuing)
  const appointed = (...more: ReturnType<typeof usage>[]) =>
    holder(
      {
        name: cn('Responder'),
        extensions: [
          usage(KeyUsageFlags.digitalSignature),
          extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_OCSPSigning])),
          ...more,
        ],
      },
      issuing,
    )
  const named = appointed(...asksAt({ crl: [firstPart] }))
  const answer = [ocspAnswer(signer, { by: named })]
  expect(statusOf(signer, { ocsps: answer })).toBe('unknown')
  expect(statusOf(signer, { ocsps: answer, crls: [partialList(firstPart)] })).toBe('good')
  expect(statusOf(signer, { ocsps: answer, crls: [partialList(firstPart, [named])] })).toBe('unknown')
  // Its authority has said that nobody need ask about it.
  const unasked = appointed(...asksAt({ crl: [firstPart] }), extension(id_pkix_ocsp_nocheck, Uint8Array.of(5, 0)))
  expect(statusOf(signer, { ocsps: [ocspAnswer(signer, { by: unasked })] })).toBe('good')
  // Nothing in its certificate says where to ask.
  expect(statusOf(signer, { ocsps: [ocspAnswer(signer, { by: appointed() })] })).toBe('good')
})
