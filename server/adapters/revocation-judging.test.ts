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
import { hugeKeyCertificate } from '../testing/samples/hostile-certificates.ts'
import { findLinks } from './revocation-judging.ts'

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
const others = Array.from({ length: 6 }, () => holder({ name, extensions: authorityRights() }, root))
const named = extension(
  id_ce_authorityKeyIdentifier,
  new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(identifier) }),
)

test.each([
  // Seven for a chain, and one for the issuer itself, which all chains share: 8, 15, 22, and no fourth one.
  ['of which 24 are verified for three of eight chains', [], { length: 4, isTrusted: false }],
  ['of which the one that is named by its key is tried first', [named], { length: 9, isTrusted: true }],
] as const)('R264 the issuers of one name, %s', (_, extensions, { length, isTrusted }) => {
  const at = new Date('2026-11-20')
  const chains = Array.from({ length: 8 }, (_none, i) => {
    const signer = holder({ name: cn(`Signer ${i}`), extensions: [...personRights(), ...extensions] }, issuer)
    return { path: [signer, ...others, issuer].map(({ certificate }) => certificate), at }
  })
  const found = findLinks({ chains, anchors: [{ certificate: root.certificate }], pool: [] })
  expect([found.links.length, found.isTrusted]).toEqual([length, isTrusted])
})

test('R264 a certificate with a huge key is not read', () => {
  expect(certificatePool([hugeKeyCertificate()])).toEqual([])
})
