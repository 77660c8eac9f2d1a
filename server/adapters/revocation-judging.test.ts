import { generateKeyPairSync } from 'node:crypto'
import {
  AuthorityKeyIdentifier,
  id_ce_authorityKeyIdentifier,
  id_ce_subjectKeyIdentifier,
  KeyIdentifier,
  SubjectKeyIdentifier,
} from '@peculiar/asn1-x509'
import { expect, test } from 'vitest'
import { extension, keyIdentifier } from '../../pki/asn1/certificate-write.ts'
import { authorityRights, cn, holder, personRights, root } from '../../pki/testing/pades-authorities.ts'
import { certificatePool } from '../../pki/asn1/path-certificate.ts'
import { findLinks } from './revocation-judging.ts'
import { hugeKeyCertificate } from '../testing/samples/crafted-certificates.ts'

const name = cn('One of many')
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const identifier = keyIdentifier(keys.publicKey)
const issuer = holder(
  {
    name,
    keys,
    extensions: [...authorityRights(), extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(identifier))],
  },
  root,
)
/** They have the issuer's name, and keys of their own. */
const othersWith = (count: number, newKeys: () => typeof keys) =>
  Array.from({ length: count }, () => holder({ name, extensions: authorityRights(), keys: newKeys() }, root))
const strong = othersWith(3, () => generateKeyPairSync('ec', { namedCurve: 'P-256' }))
const weak = othersWith(6, () => generateKeyPairSync('ec', { namedCurve: 'P-224' }))
const named = extension(
  id_ce_authorityKeyIdentifier,
  new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(identifier) }),
)

test.each([
  // Four for a chain, and one for the issuer itself, which all chains share: 5, 9, 13, 17, 21, and no sixth one.
  ['of which 24 are verified for five of eight chains', strong, [], { length: 6, isTrusted: false }],
  ['of which the one that is named by its key is tried first', strong, [named], { length: 9, isTrusted: true }],
  ['of which those with weak keys are not verified', weak, [], { length: 9, isTrusted: true }],
] as const)('R264 the issuers of one name, %s', (_, others, extensions, { length, isTrusted }) => {
  const at = new Date('2026-11-20')
  const chains = Array.from({ length: 8 }, (_none, i) => {
    const signer = holder({ name: cn(`Signer ${i}`), extensions: [...personRights(), ...extensions] }, issuer)
    return { path: [signer, ...others, issuer].map(({ certificate }) => certificate), at }
  })
  const found = findLinks({ chains, anchors: [{ certificate: root.certificate }], pool: [] })
  expect([found.links.length, found.isTrusted]).toEqual([length, isTrusted])
})

test('R264 an anchor with a huge key is passed over', () => {
  const anchors = [hugeKeyCertificate(), root.certificate].map((certificate) => ({ certificate }))
  const chain = { path: [hugeKeyCertificate(), issuer.certificate], at: new Date('2026-11-20') }
  expect(findLinks({ chains: [chain, { ...chain, path: [issuer.certificate] }], anchors, pool: [] })).toMatchObject({
    links: [{}],
    isTrusted: false,
  })
})

test('R264 a certificate with a huge key is not read', () => {
  expect(certificatePool([hugeKeyCertificate()])).toEqual([])
})
