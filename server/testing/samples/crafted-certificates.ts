import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { BasicConstraints, id_ce_basicConstraints, id_ce_keyUsage, KeyUsage, KeyUsageFlags } from '@peculiar/asn1-x509'
import { extension, writeCertificate } from '../../../pki/asn1/certificate-write.ts'
import { writeDer } from '../../../pki/asn1/der.ts'
import {
  idQcStatements,
  qcStatementIds,
  QcStatement,
  QcStatements,
  QcType,
  qcTypeIds,
} from '../../../pki/asn1/qc-statements.ts'
import { writeName, type AttributeName } from '../../../pki/asn1/certificate.ts'

/** Certificates that no authority should issue, one part of each chosen by a test. */

export type CraftedParts = {
  subject: Partial<Record<AttributeName, string>>
  usage: number
  /** Qualified types; none for a certificate that is not qualified. */
  types: (keyof typeof qcTypeIds)[]
  compliance: boolean
  device: boolean
  authority: boolean
  notBefore: Date
  notAfter: Date
  /** RSA with so many bits instead of P-256. */
  rsa: number
  /** Signs it instead of the issuing authority. */
  signedBy: KeyObject
}

export const ofPerson = { C: 'PL', SN: 'Nowak', GN: 'Anna', serialNumber: 'PNOPL-44051401458', CN: 'Anna Nowak' }
export const ofOrganisation = {
  C: 'PL',
  O: 'Znak S.A.',
  organizationIdentifier: 'VATPL-1234563218',
  CN: 'Znak – pieczęć',
}

const dayMs = 86_400_000
const curve = { namedCurve: 'P-256' }
const nameOf = (attributes: CraftedParts['subject']) =>
  writeName(Object.entries(attributes).map(([name, value]) => ({ name: name as AttributeName, value })))
const base64 = (der: Uint8Array) => Buffer.from(der).toString('base64')

/** An authority of a test: `draw` issues a certificate, and `chain` leads to its root. */
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
