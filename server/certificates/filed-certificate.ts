import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { ProblemData } from '../../contract/errors.ts'
import { dayMs } from '../../contract/rules/warsaw-time.ts'
import type { Period } from '../../contract/signatures-and-seals.ts'
import { faultInChain, type ChainFault } from '../../pki/asn1/certificate-path.ts'
import { readCertificate, type CertificateContent } from '../../pki/asn1/certificate.ts'
import { readPathCertificate, type PathCertificate } from '../../pki/asn1/path-certificate.ts'
import { isStrongKey } from '../../pki/asn1/signature-check.ts'
import { ApiError, type Refusal } from '../platform/api-error.ts'
import type { AlarmContext } from '../platform/audit/alarms.ts'
import { type Tx, query } from '../platform/database/database.ts'
import { type StoredPdf, writePdf } from '../platform/files/stored-pdfs.ts'

// Checks of the certificates that the provider files for signatures and seals (PRV-2, R139): otherwise customers would be shown, and would
// renew, something that cannot exist. Each fault names the field and describes the problem in a sentence.

type Fault = NonNullable<ProblemData['fields']>[number]
export const fault = (name: string, detail: string): Fault => ({ name, problem: 'format', detail })

type Filed = { certificate: string; chain: readonly string[]; product: string; period: Period }
type Kind = 'signature' | 'seal'

/** A certificate that the provider has filed, as it was read. */
export type FiledCertificate = {
  content: CertificateContent
  /** What is wrong with the certificate; empty if nothing is. */
  faults: Fault[]
}

/** Throws `certificate-unreadable` for a value that is not one whole certificate. */
export function readFiled(body: Filed, kind: Kind): FiledCertificate {
  const { content, path } = readOrFail(body.certificate, 'certificate')
  const chain = body.chain.map((der, i) => readOrFail(der, `chain.${i}`).path)
  return {
    content,
    faults: [
      ...faultsOfUse(content, path, kind, body.product),
      ...faultsOfPeriod(content, body.period),
      ...faultsOfChain([path, ...chain]),
    ],
  }
}

/**
 * Checks whether two filed certificates are the same. If so, the certificate is not validated again, so that a filed one can always be
 * suspended and revoked.
 */
export const isSameCertificate = (a: Filed, b: Filed): boolean =>
  a.product === b.product &&
  a.period === b.period &&
  a.certificate === b.certificate &&
  a.chain.join() === b.chain.join()

/** Refuses a certificate with these faults, if there are any. */
export const refuseFaults = (faults: readonly Fault[]): Refusal<'certificate-refused'> | undefined =>
  faults.length ? { refused: 'certificate-refused', data: { fields: [...faults] } } : undefined

function readOrFail(base64: string, name: string): { content: CertificateContent; path: PathCertificate } {
  const der = Buffer.from(base64, 'base64')
  try {
    return { content: readCertificate(der), path: readPathCertificate(der) }
  } catch {
    // Besides CertificateError there is what OpenSSL throws for a key that it cannot read.
    const detail = 'This is not the base64 of one whole X.509 certificate in DER.'
    throw new ApiError('certificate-unreadable', { fields: [fault(name, detail)] })
  }
}

export const attributeOf = ({ subject }: CertificateContent, wanted: string): string | undefined =>
  subject.find(({ name }) => name === wanted)?.value

/** Returns the faults of the subject, its key and the statements about both (ETSI EN 319 412-2, 412-3 and 412-5). */
function faultsOfUse(content: CertificateContent, path: PathCertificate, kind: Kind, product: string): Fault[] {
  const { keyUsage, qualified, notBefore, notAfter } = content
  const type = kind === 'seal' ? 'eseal' : 'esign'
  // Seals may be made for authentication towards machines too; a person's signature is a declaration of will.
  const usages = kind === 'seal' ? ['nonRepudiation', 'digitalSignature'] : ['nonRepudiation']
  const wrong: [boolean, string, string][] = [
    [path.isAuthority, 'certificate', 'The certificate is an authority’s (basicConstraints cA), not a subscriber’s.'],
    [
      !usages.some((usage) => keyUsage.includes(usage)),
      'certificate',
      `The key usage of the certificate of a ${kind} has to include ${usages.join(' or ')} (ETSI EN 319 412-2 §4.3.2).`,
    ],
    [
      // Without a type, a qualified certificate is one for electronic signatures (ETSI EN 319 412-5 §4.2.3).
      qualified.types.length ? !qualified.types.includes(type) : qualified.compliance && type !== 'esign',
      'certificate',
      `The QcType statement of the certificate of a ${kind} has to include ${type} (ETSI EN 319 412-5 §4.2.3).`,
    ],
    [
      qualified.device && product.endsWith('file'),
      'product',
      'The certificate states that its key is in a qualified device (QcSSCD), so the key cannot be in a file.',
    ],
    [!isStrongKey(path.key), 'certificate', 'The key of the certificate is too weak (ETSI TS 119 312).'],
    [notAfter <= notBefore, 'certificate', 'The validity of the certificate ends before it begins.'],
    ...(kind === 'seal' ? sealSubjectChecks(content) : faultsOfPerson(content)),
  ]
  return wrong.flatMap(([isWrong, name, detail]) => (isWrong ? [fault(name, detail)] : []))
}

/** Returns the checks of a person's subject (ETSI EN 319 412-2 §4.2.4). */
function faultsOfPerson(content: CertificateContent): [boolean, string, string][] {
  const isNamed = ['SN', 'GN', 'pseudonym'].some((name) => attributeOf(content, name))
  return [
    [!isNamed, 'certificate', 'The subject has neither surname, given name nor pseudonym, so it is not a person.'],
    [!attributeOf(content, 'CN'), 'certificate', 'The subject has no common name.'],
    [
      !attributeOf(content, 'serialNumber'),
      'certificate',
      'The subject has no serialNumber, which identifies a person.',
    ],
  ]
}

/**
 * Returns the checks of a seal's subject, which has all three attributes (ETSI EN 319 412-3 §4.2.1); a natural person's certificate is not
 * a seal's.
 */
function sealSubjectChecks(content: CertificateContent): [boolean, string, string][] {
  const needed = ['CN', 'O', 'organizationIdentifier'].filter((name) => !attributeOf(content, name))
  return [
    [needed.length > 0, 'certificate', `The subject of the certificate of a seal has to have ${needed.join(', ')}.`],
    [
      ['SN', 'GN'].some((name) => attributeOf(content, name)),
      'certificate',
      'The subject has a surname or a given name, so it is a person and the certificate is not one of a seal.',
    ],
  ]
}

const days: Record<Period, number> = { '1_day': 1, '30_days': 30, '1_year': 365, '2_year': 730, '3_year': 1095 }

/**
 * Returns the longest validity in milliseconds: the period with a tolerance of a tenth and a day, for leap days, an end at midnight, and a
 * renewal that begins before the end.
 */
export const maxValidity = (period: Period): number => (days[period] * 1.1 + 1) * dayMs

/**
 * Returns the faults of the validity. A certificate can be shorter than agreed, e.g. because of its holder's identity document, but not
 * longer (SIG-7).
 */
function faultsOfPeriod({ notBefore, notAfter }: CertificateContent, period: Period): Fault[] {
  const length = notAfter.getTime() - notBefore.getTime()
  if (length <= maxValidity(period)) return []
  const shown = Math.round(length / dayMs)
  return [fault('period', `The certificate is valid for ${shown} days, which is longer than the period ${period}.`)]
}

const chainTexts: Record<ChainFault, string> = {
  name: 'Its subject is not the issuer named in the certificate before it.',
  signature: 'The certificate before it is not signed by its key.',
  'not-authority': 'It is not an authority (basicConstraints, keyCertSign), or its path length is exceeded.',
  weak: 'Its key or its signature algorithm is too weak or not known (ETSI TS 119 312).',
}

function faultsOfChain(certificates: readonly PathCertificate[]): Fault[] {
  const found = faultInChain(certificates)
  return found ? [fault(`chain.${found.index - 1}`, chainTexts[found.fault])] : []
}

/**
 * Reads the type and the number in a subject's serialNumber (ETSI EN 319 412-1 §5.1.3); any other text is the provider's own number (ECN).
 */
export function identifierIn(serialNumber: string): { type: string; country: string | null; value: string } {
  const [, type, country, value] = /^(PNO|TIN|PAS|IDC)([A-Z]{2})-(.+)$/i.exec(serialNumber) ?? []
  return type && country && value
    ? { type: type.toUpperCase(), country: country.toUpperCase(), value }
    : { type: 'ECN', country: null, value: serialNumber }
}

/** Stores the agreement of a signature or a seal. `name` names the file in its row and returns the key of the file it replaces. */
export async function storeCertificateAgreement(
  portal: AlarmContext,
  pdf: Uint8Array,
  name: (file: StoredPdf) => Promise<string | null>,
) {
  const file = await writePdf(portal, `agreements/${crypto.randomUUID()}`, Readable.from([pdf]))
  // The file is stored before the row names it, and the replaced file is removed when no row names it any more.
  const replaced = await name(file)
  if (replaced) await portal.ports.documents.remove(replaced)
  return { sha256: file.sha256, bytes: file.bytes }
}

/** Names the file in its row. The row's lock orders concurrent calls, so that each replaces a different file. */
export async function linkAgreement(
  tx: Tx,
  table: CertificateTable,
  id: string,
  { key, bytes, sha256 }: StoredPdf,
): Promise<string | null> {
  const row = await query(tx).first(sql<{ key: string | null }>`
    select agreement_key as key from ${sql.table(table)} where id = ${id} for update`)
  await query(tx).run(sql`
    update ${sql.table(table)} set agreement_key = ${key}, agreement_bytes = ${bytes}, agreement_sha256 = ${sha256}
    where id = ${id}`)
  return row?.key ?? null
}

type CertificateTable = 'signatures' | 'seals'

/** Orders calls about one certificate and then those about one id: of two at once, one finds what the other has stored (R140). */
export async function lockFiling(tx: Tx, table: CertificateTable, providerId: string, index: Buffer): Promise<void> {
  await query(tx).run(sql`select pg_advisory_xact_lock(hashtext(${`certificate ${index.toString('hex')}`}))`)
  await query(tx).run(sql`select pg_advisory_xact_lock(hashtext(${`put-${table} ${providerId}`}))`)
}

/** Finds the provider's other id under which a certificate is filed, if there is one. */
export async function findFiledAs(tx: Tx, table: CertificateTable, providerId: string, index: Buffer) {
  const row = await query(tx).first(sql<{ providerId: string }>`
    select provider_id from ${sql.table(table)} where certificate_index = ${index} and provider_id <> ${providerId}`)
  return row?.providerId
}
