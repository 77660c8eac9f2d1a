import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as x509 from '@peculiar/asn1-x509'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { validatePdf } from '../pades/pades-validate.ts'
import { damagedBytes } from '../testing/damaged-bytes.ts'
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
import { has, run, testFile, testFolder } from '../testing/peer-programs.ts'
import { writeCertificate, extension, type CertificateParts } from './certificate-write.ts'
import { CertificateError, derToPem, pemToDer, readCertificate, writeName } from './certificate.ts'
import { derIdentifier, derValue } from './der.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const name = writeName([
  { name: 'CN', value: 'Łucja Żółć "A, B" + <x>' },
  { name: 'E', value: 'lucja@example.com' },
])

const made = (changes: Partial<CertificateParts> = {}) =>
  writeCertificate(
    {
      serialNumber: Uint8Array.of(0, 0xca, 0xfe),
      issuer: name,
      subject: name,
      notBefore: new Date('2026-01-02T03:04:05Z'),
      notAfter: new Date('2051-01-02T03:04:05Z'),
      publicKey,
      extensions: [],
      ...changes,
    },
    privateKey,
  )

const keyUsage = (flags: number) => extension(x509.id_ce_keyUsage, new x509.KeyUsage(flags), true)

test('SIG-5 a plain certificate is read, with nothing claimed that it does not say', () => {
  expect(readCertificate(made())).toMatchObject({
    subject: [
      { name: 'CN', value: 'Łucja Żółć "A, B" + <x>' },
      { name: 'E', value: 'lucja@example.com' },
    ],
    serialNumber: 'CAFE',
    notBefore: new Date('2026-01-02T03:04:05Z'),
    notAfter: new Date('2051-01-02T03:04:05Z'),
    keyUsage: [],
    publicKey: { kind: 'RSA', bits: 2048 },
    policies: [],
    qualified: { compliance: false, device: false, types: [], disclosures: [] },
    ocspUrls: [],
    issuerUrls: [],
    crlUrls: [],
  })
})

test.each([
  [x509.KeyUsageFlags.nonRepudiation, ['nonRepudiation']],
  [x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, ['keyCertSign', 'cRLSign']],
  [x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.decipherOnly, ['digitalSignature', 'decipherOnly']],
])('SIG-5 key usage %i has the names of RFC 5280, in their order', (flags, names) => {
  expect(readCertificate(made({ extensions: [keyUsage(flags)] })).keyUsage).toEqual(names)
})

test.each([
  ['P-256', { kind: 'EC', bits: 256 }],
  ['P-384', { kind: 'EC', bits: 384 }],
])('SIG-5 a key on %s has its size', (namedCurve, expected) => {
  const key = generateKeyPairSync('ec', { namedCurve }).publicKey
  expect(readCertificate(made({ publicKey: key })).publicKey).toEqual(expected)
})

test('SIG-5 a key of another kind is named without a size', () => {
  const { publicKey: edwards } = generateKeyPairSync('ed25519')
  expect(readCertificate(made({ publicKey: edwards })).publicKey).toEqual({ kind: 'ED25519', bits: undefined })
})

test.skipIf(!has('openssl'))(
  'SIG-5 openssl (skipped where it is missing) reads the same fingerprint, number and dates',
  async () => {
    const file = testFile(derToPem(made()))
    const { output } = await run('openssl', `x509 -in ${file} -noout -fingerprint -sha256 -serial -dates`)
    const { fingerprint, serialNumber } = readCertificate(made())
    expect(output.replaceAll(':', '')).toContain(`Fingerprint=${fingerprint}`)
    expect(output).toContain(`serial=${serialNumber}`)
    expect(output).toContain('notAfter=Jan  2 03:04:05 2051 GMT')
  },
)

test.skipIf(!has('openssl'))(
  'SIG-5 a certificate by openssl (skipped without it), with unknown attributes, is read',
  async () => {
    const folder = testFolder()
    const [key, pem] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const subject = '/C=PL/2.5.4.65=Pseudo/generationQualifier=III/CN=Zo\u00eb+serialNumber=12'
    const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -utf8 -multivalue-rdn -days 2'.split(
      ' ',
    )
    const { code } = await run('openssl', [...request, '-subj', subject, '-keyout', key, '-out', pem])
    expect(code).toBe(0)
    const [der] = pemToDer(readFileSync(pem, 'utf8'))
    const names = readCertificate(der!).subject.map((attribute) => `${attribute.name}=${attribute.value}`)
    expect(new Set(names)).toEqual(new Set(['C=PL', 'pseudonym=Pseudo', '2.5.4.44=III', 'CN=Zoë', 'serialNumber=12']))
  },
)

const utf8 = (text: string) => [0x0c, Buffer.byteLength(text), ...Buffer.from(text)]
const sequence = (...parts: number[][]) => [0x30, parts.flat().length, ...parts.flat()]
/** Encodes the payment role 0.4.0.19495.1.`number` with an arbitrary name: the number decides. */
const role = (number: number) =>
  sequence([0x06, 0x07, 0x04, 0x00, 0x81, 0x98, 0x27, 0x01, number], utf8(`name ${number}`))
const psd2Statement = (info: number[]) =>
  extension(
    '1.3.6.1.5.5.7.1.3',
    Uint8Array.from(sequence(sequence([0x06, 0x06, 0x04, 0x00, 0x81, 0x98, 0x27, 0x02], info))),
  )
const psd2Of = (info: number[]) => readCertificate(made({ extensions: [psd2Statement(info)] })).qualified.psd2

test('SEA-8 roles of payment service providers are read by identifier, others are left out', () => {
  const authority = [utf8('Urząd'), utf8('PL-PFSA')]
  const named = { name: 'Urząd', id: 'PL-PFSA' }
  expect(psd2Of(sequence(sequence(role(4), role(2), role(1), role(3)), ...authority))).toEqual({
    roles: ['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC'],
    authority: named,
  })
  // 0 is "unspecified", and 51 is a role outside of PSD2.
  expect(psd2Of(sequence(sequence(role(0), role(51)), ...authority))).toEqual({ roles: [], authority: named })
})

test.each([
  ['no authority', sequence(sequence(role(1)))],
  ['an empty name of the authority', sequence(sequence(role(1)), utf8(''), utf8('PL-PFSA'))],
  ['a text instead of the roles', sequence(utf8('PSP_AS'), utf8('Urząd'), utf8('PL-PFSA'))],
])('SEA-8 a PSD2 statement with %s makes the certificate unreadable', (_, info) => {
  expect(() => psd2Of(info)).toThrow(CertificateError)
})

test('SIG-5 PEM and DER give the same result for one certificate or several, with any line ends', () => {
  const [first, second] = [made(), made({ serialNumber: Uint8Array.of(5) })]
  expect(pemToDer(derToPem(first))).toEqual([first])
  const chain = `Bag attributes\n${derToPem(first)}\n${derToPem(second)}`.replaceAll('\n', '\r\n')
  expect(pemToDer(chain)).toEqual([first, second])
  expect(
    derToPem(first)
      .split('\n')
      .every((line) => line.length <= 64),
  ).toBe(true)
})

test.each([
  ['no certificate', 'hello'],
  ['a key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'],
  ['an open end', derToPem(Uint8Array.of(1, 2, 3)).replace(/-----END[^]*/, '')],
  ['an empty body', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n'],
  ['foreign letters', '-----BEGIN CERTIFICATE-----\nżółć\n-----END CERTIFICATE-----\n'],
])('SIG-5 PEM with %s is refused', (_, pem) => {
  expect(() => pemToDer(pem)).toThrow(CertificateError)
})

test('SIG-5 anything but one whole certificate is refused', () => {
  const whole = made()
  const indefinite = Uint8Array.of(0x30, 0x80, ...whole.subarray(4), 0, 0)
  const nested = Buffer.concat(Array.from({ length: 5000 }, (_, i) => nestedHeader((5000 - i) * 4)))
  const refused = [
    new Uint8Array(),
    whole.slice(0, -1),
    Uint8Array.of(...whole, 0),
    indefinite,
    nested,
    new Uint8Array(70_000),
  ]
  for (const bytes of refused) expect(() => readCertificate(bytes)).toThrow(CertificateError)
  expect(() => readCertificate(Buffer.from(derToPem(whole)))).toThrow(CertificateError)
})

/** Encodes the header of a sequence whose content is the next sequence. */
function nestedHeader(content: number) {
  const length = Math.max(content - 4, 0)
  return Buffer.from([0x30, 0x82, length >> 8, length & 0xff])
}

test('SIG-5 a certificate with one extension twice is refused', () => {
  const constraints = extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: true }))
  expect(() => readCertificate(made({ extensions: [constraints, constraints] }))).toThrow(CertificateError)
})

function outcomeOf(bytes: Uint8Array) {
  try {
    readCertificate(bytes)
    return 'read'
  } catch (error) {
    return error instanceof Error ? error.name : error
  }
}

test('SIG-5 any bytes give a certificate or a CertificateError', () => {
  const whole = made({ extensions: [keyUsage(x509.KeyUsageFlags.nonRepudiation)] })
  fc.assert(
    fc.property(fc.oneof(damagedBytes(whole, 5), fc.uint8Array({ maxLength: 300 })), (bytes) => {
      expect(['read', 'CertificateError']).toContain(outcomeOf(bytes))
    }),
    { numRuns: 300 },
  )
})

const anyPolicy = '2.5.29.32.0'
const qualifiedPolicy = '0.4.0.194112.1.2'
const policies = (...ids: string[]) =>
  extension(x509.id_ce_certificatePolicies, derValue(0x30, ...ids.map((id) => derValue(0x30, derIdentifier(id)))))
const requireExplicit = (after: number) =>
  extension(x509.id_ce_policyConstraints, derValue(0x30, derValue(0x80, Uint8Array.of(after))), true)
const inhibitAny = (after: number) => extension(x509.id_ce_inhibitAnyPolicy, derValue(0x02, Uint8Array.of(after)), true)
type Extensions = ReturnType<typeof extension>[]

/** Returns the verdict on a signature whose path is root, authority, person, and the codes of its refusals. */
async function verdictOn(authority: Extensions, signer: Extensions) {
  const issuer = holder({ name: cn('Issuing'), extensions: [...authorityRights(0), ...authority] }, root)
  const subject = { name: person('Anna Nowak', 'PNOPL-90010112345'), extensions: [...personRights(), ...signer] }
  const file = signPdf(contractPdf(), { by: holder(subject, issuer) })
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
  expect(await verdictOn(authority, signer)).toEqual(['accepted'])
})

test.each<[string, Extensions, Extensions]>([
  ['the signer has none', [requireExplicit(0), policies(qualifiedPolicy)], []],
  ['the signer has another', [requireExplicit(0), policies(qualifiedPolicy)], [policies('1.2.3')]],
  ['the authority has none', [requireExplicit(0)], [policies(qualifiedPolicy)]],
  ['any policy is forbidden', [requireExplicit(0), inhibitAny(0), policies(anyPolicy)], [policies(anyPolicy)]],
  ['the signer requires one of itself', [], [requireExplicit(0)]],
])('R100 a required certificate policy is missing: %s', async (_, authority, signer) => {
  expect(await verdictOn(authority, signer)).toEqual(['refused', 'path-constrained'])
})
