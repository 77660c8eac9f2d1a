import { generateKeyPairSync, type KeyObject, createPublicKey } from 'node:crypto'
import { BasicConstraints, id_ce_basicConstraints, id_ce_keyUsage, KeyUsage, KeyUsageFlags } from '@peculiar/asn1-x509'
import { dayMs } from '../../../contract/rules/warsaw-time.ts'
import { extension, writeCertificate } from '../../../pki/asn1/certificate-write.ts'
import { writeName, type AttributeName } from '../../../pki/asn1/certificate.ts'
import { writeDer, derIdentifier, derValue } from '../../../pki/asn1/der.ts'
import {
  idQcStatements,
  qcStatementIds,
  QcStatement,
  QcStatements,
  QcType,
  qcTypeIds,
} from '../../../pki/asn1/qc-statements.ts'
import { authorityRights, cn, holder } from '../../../pki/testing/pades-authorities.ts'

// Certificates that no authority should issue, one part of each chosen by a test.

export type CraftedParts = {
  subject: Partial<Record<AttributeName, string>>
  usage: number
  /** The qualified types; none for a certificate that is not qualified. */
  types: (keyof typeof qcTypeIds)[]
  compliance: boolean
  device: boolean
  authority: boolean
  notBefore: Date
  notAfter: Date
  /** The bits of an RSA key, instead of one on P-256. */
  rsa: number
  /** The key that signs the certificate instead of that of the issuing authority. */
  signedBy: KeyObject
}

export const ofPerson = { C: 'PL', SN: 'Nowak', GN: 'Anna', serialNumber: 'PNOPL-44051401458', CN: 'Anna Nowak' }
export const ofOrganisation = {
  C: 'PL',
  O: 'Znak S.A.',
  organizationIdentifier: 'VATPL-1234563218',
  CN: 'Znak – pieczęć',
}

const curve = { namedCurve: 'P-256' }
const nameOf = (attributes: CraftedParts['subject']) =>
  writeName(Object.entries(attributes).map(([name, value]) => ({ name: name as AttributeName, value })))
const base64 = (der: Uint8Array) => Buffer.from(der).toString('base64')

/** Creates an authority for a test: `draw` issues a certificate, and `chain` leads to its root. */
export function craftAuthority(commonName: string, { issuingIsAuthority = true } = {}) {
  const [root, issuing] = [generateKeyPairSync('ec', curve), generateKeyPairSync('ec', curve)]
  const [rootName, issuingName] = [`${commonName} Root`, commonName].map((CN) => nameOf({ C: 'PL', CN }))
  const validity = { notBefore: new Date(Date.now() - 900 * dayMs), notAfter: new Date(Date.now() + 900 * dayMs) }
  let serial = 0
  const serialNumber = () => Uint8Array.of(1, ++serial >> 8, serial & 255)
  const rights = (isAuthority: boolean) => [
    ...(isAuthority ? [extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }), true)] : []),
    extension(
      id_ce_keyUsage,
      new KeyUsage(isAuthority ? KeyUsageFlags.keyCertSign : KeyUsageFlags.digitalSignature),
      true,
    ),
  ]
  const write = (
    subject: typeof rootName,
    publicKey: KeyObject,
    extensions: ReturnType<typeof rights>,
    by: KeyObject,
  ) =>
    writeCertificate(
      { serialNumber: serialNumber(), issuer: rootName!, subject: subject!, publicKey, extensions, ...validity },
      by,
    )
  const chain = [
    write(issuingName, issuing.publicKey, rights(issuingIsAuthority), root.privateKey),
    write(rootName, root.publicKey, rights(true), root.privateKey),
  ].map(base64)

  function draw({
    subject = ofPerson,
    types = ['esign'],
    compliance = true,
    device = true,
    ...parts
  }: Partial<CraftedParts> = {}) {
    const { publicKey } = parts.rsa
      ? generateKeyPairSync('rsa', { modulusLength: parts.rsa })
      : generateKeyPairSync('ec', curve)
    const statement = (statementId: string, info?: object) =>
      Object.assign(new QcStatement(), { statementId, ...(info && { statementInfo: writeDer(info).buffer }) })
    const statements = [
      ...(compliance ? [statement(qcStatementIds.compliance)] : []),
      ...(device ? [statement(qcStatementIds.device)] : []),
      ...(types.length ? [statement(qcStatementIds.type, new QcType(types.map((type) => qcTypeIds[type])))] : []),
    ]
    return base64(
      writeCertificate(
        {
          serialNumber: serialNumber(),
          issuer: issuingName!,
          subject: nameOf(subject),
          notBefore: parts.notBefore ?? new Date(Date.now() - 30 * dayMs),
          notAfter: parts.notAfter ?? new Date(Date.now() + 335 * dayMs),
          publicKey,
          extensions: [
            ...(parts.authority ? [extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }), true)] : []),
            extension(id_ce_keyUsage, new KeyUsage(parts.usage ?? KeyUsageFlags.nonRepudiation), true),
            ...(statements.length ? [extension(idQcStatements, new QcStatements(statements))] : []),
          ],
        },
        parts.signedBy ?? issuing.privateKey,
      ),
    )
  }

  return { draw, chain }
}

const name = cn('One name for all')
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-521' })

/**
 * Creates chains of eight certificates that certify each other: one name for all, two certificates for each key, so that each has several
 * valid issuers and none leads to an anchor.
 */
export function tangledChains(count = 8): Uint8Array[][] {
  const layers = Array.from({ length: 5 }, newKeys)
  return Array.from({ length: count }, () =>
    layers.slice(0, 4).flatMap((keys, layer) => {
      const issuer = { ...holder({ name, extensions: [], keys }), privateKey: layers[layer + 1]!.privateKey }
      return [1, 2].map(() => holder({ name, extensions: authorityRights(), keys }, issuer).certificate)
    }),
  )
}

/**
 * Creates a certificate with an RSA key of 16,384 bits and an exponent of 64 bits. Nothing checks that its modulus is not a product of
 * primes.
 */
export function hugeKeyCertificate(): Uint8Array {
  const odd = (bytes: number) => derValue(0x02, new Uint8Array(bytes).fill(0x7f))
  const key = derValue(0x03, Uint8Array.of(0), derValue(0x30, odd(2048), odd(8)))
  const spki = derValue(0x30, derValue(0x30, derIdentifier('1.2.840.113549.1.1.1'), derValue(0x05)), key)
  const publicKey = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  return holder({ name, extensions: authorityRights(), keys: { publicKey, privateKey: newKeys().privateKey } })
    .certificate
}

/** Returns bytes that are the most expensive for the parsers of certificates, CMS and CBOR, each within 12 kB. */
export function hostileBytes(): [string, Uint8Array][] {
  const nested = (tag: number, depth: number) => {
    let value: Uint8Array = derValue(0x05)
    for (let i = 0; i < depth; i++) value = derValue(tag, value)
    return value
  }
  return [
    ['a certificate with a huge key', hugeKeyCertificate()],
    ['a tangled certificate', tangledChains(1)[0]![0]!],
    ['nested DER', nested(0x30, 3000)],
    ['DER of many values', derValue(0x30, ...Array.from({ length: 5000 }, () => derValue(0x05)))],
    ['BER of indefinite length', new Uint8Array(12_000).map((_, i) => (i % 2 ? 0x80 : 0x30))],
    ['a long object identifier', derValue(0x30, derValue(0x06, new Uint8Array(11_000).fill(0xff)))],
    ['nested CBOR', new Uint8Array(12_000).fill(0x81)],
    [
      'a CBOR map of many keys',
      Uint8Array.of(
        0xb9,
        0x17,
        0x70,
        ...Array.from({ length: 6000 }, (_, i) => [0x19, i >> 8, i & 255, 0])
          .flat()
          .slice(0, 11_900),
      ),
    ],
  ]
}
