import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BasicConstraints, id_ce_basicConstraints, id_ce_keyUsage, KeyUsage, KeyUsageFlags } from '@peculiar/asn1-x509'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeCertificate, extension, type CertificateParts } from './certificate-write.ts'
import { CertificateError, derToPem, pemToDer, readCertificate } from './certificate.ts'
import { writeName } from './distinguished-name.ts'
import { has, run, testFolder } from './peer-programs.ts'

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

const keyUsage = (flags: number) => extension(id_ce_keyUsage, new KeyUsage(flags), true)

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
  [KeyUsageFlags.nonRepudiation, ['nonRepudiation']],
  [KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, ['keyCertSign', 'cRLSign']],
  [KeyUsageFlags.digitalSignature | KeyUsageFlags.decipherOnly, ['digitalSignature', 'decipherOnly']],
])('SIG-5 key usage %i is told in the words of RFC 5280, in their order', (flags, words) => {
  expect(readCertificate(made({ extensions: [keyUsage(flags)] })).keyUsage).toEqual(words)
})

test.each([
  ['P-256', { kind: 'EC', bits: 256 }],
  ['P-384', { kind: 'EC', bits: 384 }],
])('SIG-5 a key on %s is told with its size', (namedCurve, expected) => {
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
    const file = join(testFolder(), 'certificate.pem')
    writeFileSync(file, derToPem(made()))
    const { output } = await run('openssl', [
      'x509',
      '-in',
      file,
      '-noout',
      '-fingerprint',
      '-sha256',
      '-serial',
      '-dates',
    ])
    const { fingerprint, serialNumber } = readCertificate(made())
    expect(output.replaceAll(':', '')).toContain(`Fingerprint=${fingerprint}`)
    expect(output).toContain(`serial=${serialNumber}`)
    expect(output).toContain('notAfter=Jan  2 03:04:05 2051 GMT')
  },
)

test.skipIf(!has('openssl'))(
  'SIG-5 a certificate by openssl (skipped where it is missing), with unknown attributes, is read',
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

test('SIG-5 PEM and DER tell the same, one certificate or several, whatever the line ends', () => {
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

test('SIG-5 what is not one whole certificate is refused', () => {
  const whole = made()
  const indefinite = Uint8Array.of(0x30, 0x80, ...whole.subarray(4), 0, 0)
  const nested = Buffer.concat(Array.from({ length: 5000 }, (_, i) => nestedHeader((5000 - i) * 4)))
  const others = [
    new Uint8Array(),
    whole.slice(0, -1),
    Uint8Array.of(...whole, 0),
    indefinite,
    nested,
    new Uint8Array(70_000),
  ]
  for (const bytes of others) expect(() => readCertificate(bytes)).toThrow(CertificateError)
  expect(() => readCertificate(Buffer.from(derToPem(whole)))).toThrow(CertificateError)
})

/** A sequence whose content is the next one. */
function nestedHeader(content: number) {
  const length = Math.max(content - 4, 0)
  return Buffer.from([0x30, 0x82, length >> 8, length & 0xff])
}

test('SIG-5 a certificate with one extension twice is refused', () => {
  const constraints = extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }))
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
  const whole = made({ extensions: [keyUsage(KeyUsageFlags.nonRepudiation)] })
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(damage, (changes) => {
      const bytes = whole.slice()
      for (const [index, byte] of changes) bytes[index] = byte
      expect(['read', 'CertificateError']).toContain(outcomeOf(bytes))
    }),
    { numRuns: 1000 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(outcomeOf(bytes)).toBe('CertificateError')
    }),
    { numRuns: 300 },
  )
})
