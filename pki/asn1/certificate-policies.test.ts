import { id_ce_certificatePolicies, id_ce_inhibitAnyPolicy, id_ce_policyConstraints } from '@peculiar/asn1-x509'
import { expect, test } from 'vitest'
import { extension } from './certificate-write.ts'
import { derIdentifier, derValue } from './der.ts'
import { validatePdf } from '../pades/pades-validate.ts'
import {
  authorityRights,
  cn,
  contractPdf,
  holder,
  person,
  personRights,
  policyOf,
  root,
  signPdf,
} from '../testing/pades-authorities.ts'

const anyPolicy = '2.5.29.32.0'
const qualifiedPolicy = '0.4.0.194112.1.2'
const policies = (...ids: string[]) =>
  extension(id_ce_certificatePolicies, derValue(0x30, ...ids.map((id) => derValue(0x30, derIdentifier(id)))))
const requireExplicit = (after: number) =>
  extension(id_ce_policyConstraints, derValue(0x30, derValue(0x80, Uint8Array.of(after))), true)
const inhibitAny = (after: number) => extension(id_ce_inhibitAnyPolicy, derValue(0x02, Uint8Array.of(after)), true)
type Extensions = ReturnType<typeof extension>[]

/** The verdict over a signature whose path is root, authority, person. */
async function judged(authority: Extensions, signer: Extensions) {
  const issuer = holder({ name: cn('Issuing'), extensions: [...authorityRights(0), ...authority] }, root)
  const name = person('Anna Nowak', 'PNOPL-90010112345')
  const by = holder({ name, extensions: [...personRights(), ...signer] }, issuer)
  const file = signPdf(contractPdf(), { by })
  const policy = policyOf({ intermediates: [issuer.certificate] })
  const { verdict, signatures } = await validatePdf(file, policy)
  return [verdict, ...signatures[0]!.problems.filter(({ severity }) => severity === 'refuse').map(({ code }) => code)]
}

test.each<[string, Extensions, Extensions]>([
  ['requires one that both have', [requireExplicit(0), policies(qualifiedPolicy)], [policies(qualifiedPolicy)]],
  ['requires one and has any', [requireExplicit(0), policies(anyPolicy)], [policies(qualifiedPolicy)]],
  ['requires one further below than the path goes', [requireExplicit(2), policies(qualifiedPolicy)], []],
  ['forbids any policy below itself', [inhibitAny(0), policies(anyPolicy)], [policies(anyPolicy)]],
])('R100 a path whose authority %s is accepted', async (_, authority, signer) => {
  expect(await judged(authority, signer)).toEqual(['accepted'])
})

test.each<[string, Extensions, Extensions]>([
  ['the signer has none', [requireExplicit(0), policies(qualifiedPolicy)], []],
  ['the signer has another', [requireExplicit(0), policies(qualifiedPolicy)], [policies('1.2.3')]],
  ['the authority has none', [requireExplicit(0)], [policies(qualifiedPolicy)]],
  ['any policy is forbidden', [requireExplicit(0), inhibitAny(0), policies(anyPolicy)], [policies(anyPolicy)]],
  ['the signer requires one of itself', [], [requireExplicit(0)]],
])('R100 a required certificate policy is missing: %s', async (_, authority, signer) => {
  expect(await judged(authority, signer)).toEqual(['refused', 'path-constrained'])
})
