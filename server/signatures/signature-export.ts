import { sql } from 'kysely'
import type { IdentifierType, Locale, Period, Text } from '../../contract/enums.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'
import { decryptCertificates, decryptIdentifier } from '../platform/encrypted-data/encrypted-fields.ts'
import { productText } from '../../contract/product-text.ts'
import {
  exportedList,
  identifierText,
  joined,
  labels,
  type ExportData,
  type ExportSource,
} from '../platform/exported-data.ts'

/** The signatures in the copy of all data. The JSON contains the certificates, but not the secret of a paired app. */
export const exportSignatures: ExportData = async (source) =>
  exportedList('signatures', { pl: 'Podpisy', en: 'Signatures' }, await readSignatures(source), (signature) => ({
    name: signature.name,
    rows: [
      [{ pl: 'Rodzaj', en: 'Type' }, productText[signature.product]],
      [identifierText[signature.identifier.type], joined(signature.identifier.country, signature.identifier.value)],
      [labels.organisation, signature.organisation],
      [labels.validFrom, signature.validFrom],
      [labels.validTo, signature.validTo],
      [labels.status, certificateText[signature.status]],
      [{ pl: 'Skrót umowy (SHA-256)', en: 'Hash of the agreement (SHA-256)' }, signature.agreement.sha256],
      [labels.paired, signature.pairedAt],
    ],
  }))

type Row = {
  id: string
  providerId: string
  product: SignatureProduct
  name: string
  organisation: string | null
  identifierType: IdentifierType
  identifierCountry: string | null
  identifierValue: Buffer
  period: Period
  validFrom: Date
  validTo: Date
  status: 'good' | 'suspended' | 'revoked'
  certificates: Buffer
  agreementLanguage: Locale
  agreementBytes: number | null
  agreementSha256: string | null
  createdAt: Date
  pairedAt: Date | null
}

async function readSignatures({ db, keys, accountId }: ExportSource) {
  const { rows } = await sql<Row>`
    select s.*, s.period, p.confirmed_at as paired_at from signatures s left join pairings p on p.signature_id = s.id
    where s.account_id = ${accountId} order by s.valid_from, s.id`.execute(db)
  const reminders = await sql<{ signature: string; step: number; validTo: Date; at: Date }>`
    select signature_id as signature, step, valid_to, at from signature_reminders
    where signature_id = any(${rows.map(({ id }) => id)}::uuid[]) order by at`.execute(db)
  return rows.map(({ id, providerId, product, name, organisation, period, validFrom, validTo, status, ...row }) => ({
    id,
    providerId,
    product,
    name,
    organisation,
    identifier: {
      type: row.identifierType,
      country: row.identifierCountry,
      value: decryptIdentifier(keys, id, row.identifierValue),
    },
    period,
    validFrom,
    validTo,
    status,
    agreement: { language: row.agreementLanguage, bytes: row.agreementBytes, sha256: row.agreementSha256 },
    pairedAt: row.pairedAt,
    /** Days before the end. */
    reminders: reminders.rows
      .filter(({ signature }) => signature === id)
      .map(({ signature: _, ...reminder }) => reminder),
    storedAt: row.createdAt,
    /** The DER of the certificate and its chain, in base64. */
    ...decryptCertificates(keys, id, row.certificates),
  }))
}

const certificateText: Record<'good' | 'suspended' | 'revoked', Text> = {
  good: { pl: 'nieodwołany', en: 'not revoked' },
  suspended: { pl: 'zawieszony', en: 'suspended' },
  revoked: { pl: 'unieważniony', en: 'revoked' },
}
