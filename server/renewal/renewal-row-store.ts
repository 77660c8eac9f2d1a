import { sql, type RawBuilder } from 'kysely'
import type { IdentifierType, Locale } from '../../contract/enums.ts'
import type { Identification, IdentityDocument } from '../../contract/personal-data.ts'
import type { RenewalParameters, RenewalState } from '../../contract/renewal.ts'
import type { ProviderTerms } from '../../contract/provider/provider-renewals.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import type { Db } from '../platform/database/database.ts'
import { encrypt, decrypt, type Keys } from '../platform/encryption/keys.ts'
import { readPersonalData, readPersonalDataOf } from '../personal-data/personal-data-store.ts'
import { isBeingStopped } from '../signing/cloud-certificate-store.ts'
import { decryptCertificates, decryptIdentifier, decryptPhone } from '../platform/encrypted-data/encrypted-fields.ts'

/** The terms as they are stored and hashed: a renewal is for whole years. */
export type AgreedTerms = Omit<ProviderTerms, 'period'> & { years: RenewalParameters['years'] }

/** A renewal with its decrypted parts, for the customer's calls, the provider API and the signing. */
export type RenewalRow = {
  id: string
  owner: string
  state: RenewalState
  version: number
  now: Date
  openedAt: Date
  endsAt: Date
  updatedAt: Date
  codeId: string
  parameters: RenewalParameters | null
  /** Null until step 1 is completed. */
  parametersSha256: string | null
  shortenedTo: Date | null
  identity: { state: 'asked' | 'confirmed' | 'refused'; document: IdentityDocument } | null
  terms: AgreedTerms | null
  termsSha256: string | null
  agreement: StoredPdf | null
  signed: StoredPdf | null
  signedAt: Date | null
  signingFailed: boolean
  note: { pl: string; en: string } | null
  /** The renewed signature and its certificate. */
  signature: {
    id: string
    providerId: string
    status: 'good' | 'suspended' | 'revoked'
    /** Its suspension or revocation is requested (STP-8). */
    isBeingStopped: boolean
    name: string
    identifier: { type: IdentifierType; country: string | null; value: string }
    validFrom: Date
    validTo: Date
    /** DER. */
    certificate: Buffer
    /** By the names of pki/asn1/distinguished-name.ts. */
    subject: { [name: string]: string }
  }
  issued: {
    id: string
    providerId: string
    validFrom: Date
    validTo: Date
    status: string
    isBeingStopped: boolean
    pairedAt: Date | null
  } | null
  person: {
    customer: string
    firstName: string
    secondName: string | null
    surname: string
    email: string
    phone: string
    locale: Locale
    identification: Identification | undefined
  }
}

export type StoredPdf = { key: string; bytes: number; sha256: string }

/** A renewal with its agreement, which was made from fixed terms. */
export type AgreedRow = RenewalRow & { agreement: StoredPdf; termsSha256: string }

export const hasAgreement = (row: RenewalRow): row is AgreedRow => row.agreement !== null && row.termsSha256 !== null

/** The parts that are encrypted JSON. */
type Parts = { parameters: RenewalParameters; identity: IdentityDocument; terms: AgreedTerms }

type EncryptedRow = Omit<
  RenewalRow,
  'parameters' | 'identity' | 'terms' | 'agreement' | 'signed' | 'signature' | 'issued' | 'person'
> & {
  parameters: Buffer | null
  identity: Buffer | null
  identityState: 'asked' | 'confirmed' | 'refused' | null
  terms: Buffer | null
  agreementKey: string | null
  agreementBytes: number
  agreementSha256: string
  signedKey: string | null
  signedBytes: number
  signedSha256: string
  signatureId: string
  signatureProviderId: string
  status: 'good' | 'suspended' | 'revoked'
  isBeingStopped: boolean
  name: string
  identifierType: IdentifierType
  identifierCountry: string | null
  identifierValue: Buffer
  validFrom: Date
  validTo: Date
  certificates: Buffer
  issuedId: string | null
  issuedProviderId: string
  issuedFrom: Date
  issuedTo: Date
  issuedStatus: string
  isIssuedBeingStopped: boolean
  pairedAt: Date | null
  customer: string
  firstName: string
  secondName: string | null
  surname: string
  email: string
  phone: Buffer
  locale: Locale
}

/** The customer has signed the agreement. A condition on `renewals r`. */
export const isSigned = sql`r.state in ('authorised', 'signed', 'issued', 'finished')`

/**
 * The draft is kept for 14 days. A condition on `renewals r`. The states are part of the text: from a parameter the planner could not
 * tell that they are those of the partial index `renewals_by_signature`.
 */
export const isOpen = sql`r.state in ('parameters', 'personal-data', 'signing')`

/** An open renewal past its end has expired, even if its row does not say so yet. */
const state = sql`case when ${isOpen} and r.ends_at <= portal_now() then 'expired' else r.state end`

const columns = sql`
  r.id, r.account_id as owner, ${state} as state, r.version, portal_now() as now, r.opened_at, r.ends_at,
  r.updated_at, r.code_id, r.parameters, r.parameters_sha256, r.shortened_to,
  r.identity, r.identity_state, r.terms, r.terms_sha256,
  r.agreement_key, r.agreement_bytes, r.agreement_sha256,
  r.signed_key, r.signed_bytes, r.signed_sha256, r.signed_at,
  r.signing_failed, r.note,
  s.id as signature_id, s.provider_id as signature_provider_id, s.status, ${isBeingStopped(sql`s.id`)} as is_being_stopped, s.name, s.identifier_type,
  s.identifier_country, s.identifier_value, s.valid_from, s.valid_to, s.certificates,
  n.id as issued_id, n.provider_id as issued_provider_id, n.valid_from as issued_from, n.valid_to as issued_to, n.status as issued_status,
  ${isBeingStopped(sql`n.id`)} as is_issued_being_stopped, p.confirmed_at as paired_at,
  a.provider_id as customer, a.first_name, a.second_name, a.surname, a.email, a.phone, a.locale`

const from = sql`
  renewals r join signatures s on s.id = r.signature_id join accounts a on a.id = r.account_id
    left join signatures n on n.id = r.issued_signature left join pairings p on p.signature_id = n.id`

const context = (part: keyof Parts, id: string) => `renewals.${part} ${id}`

export const encryptRenewalPart = (keys: Keys, part: keyof Parts, id: string, text: string): Buffer =>
  encrypt(keys, context(part, id), text)

const decryptRenewalPart = <Part extends keyof Parts>(
  keys: Keys,
  part: Part,
  id: string,
  encrypted: Buffer | null,
): Parts[Part] | null => encrypted && (JSON.parse(decrypt(keys, context(part, id), encrypted)) as Parts[Part])

function decryptRow(keys: Keys, row: EncryptedRow, identification: Identification | undefined): RenewalRow {
  const { id, owner } = row
  const { certificate } = decryptCertificates(keys, row.signatureId, row.certificates)
  const der = Buffer.from(certificate, 'base64')
  let subject: RenewalRow['signature']['subject'] | undefined
  const document = decryptRenewalPart(keys, 'identity', id, row.identity)
  return {
    id,
    owner,
    state: row.state,
    version: row.version,
    now: row.now,
    openedAt: row.openedAt,
    endsAt: row.endsAt,
    updatedAt: row.updatedAt,
    codeId: row.codeId,
    parameters: decryptRenewalPart(keys, 'parameters', id, row.parameters),
    parametersSha256: row.parametersSha256,
    shortenedTo: row.shortenedTo,
    identity: document && row.identityState && { state: row.identityState, document },
    terms: decryptRenewalPart(keys, 'terms', id, row.terms),
    termsSha256: row.termsSha256,
    agreement: row.agreementKey
      ? { key: row.agreementKey, bytes: row.agreementBytes, sha256: row.agreementSha256 }
      : null,
    signed: row.signedKey ? { key: row.signedKey, bytes: row.signedBytes, sha256: row.signedSha256 } : null,
    signedAt: row.signedAt,
    signingFailed: row.signingFailed,
    note: row.note,
    signature: {
      id: row.signatureId,
      providerId: row.signatureProviderId,
      status: row.status,
      isBeingStopped: row.isBeingStopped,
      name: row.name,
      identifier: {
        type: row.identifierType,
        country: row.identifierCountry,
        value: decryptIdentifier(keys, row.signatureId, row.identifierValue),
      },
      validFrom: row.validFrom,
      validTo: row.validTo,
      certificate: der,
      // Read on first use: most calls do not need it, and parsing a certificate takes longer than the rest of this function.
      get subject() {
        return (subject ??= Object.fromEntries(readCertificate(der).subject.map(({ name, value }) => [name, value])))
      },
    },
    issued: row.issuedId
      ? {
          id: row.issuedId,
          providerId: row.issuedProviderId,
          validFrom: row.issuedFrom,
          validTo: row.issuedTo,
          status: row.issuedStatus,
          isBeingStopped: row.isIssuedBeingStopped,
          pairedAt: row.pairedAt,
        }
      : null,
    person: {
      customer: row.customer,
      firstName: row.firstName,
      secondName: row.secondName,
      surname: row.surname,
      email: row.email,
      phone: decryptPhone(keys, owner, row.phone),
      locale: row.locale,
      identification,
    },
  }
}

async function findWhere(db: Db, keys: Keys, where: RawBuilder<unknown>): Promise<RenewalRow | undefined> {
  const { rows } = await sql<EncryptedRow>`select ${columns} from ${from} where ${where}`.execute(db)
  const [row] = rows
  return row && decryptRow(keys, row, await readPersonalData(db, keys, row.owner))
}

/** The owner's renewal; another customer's renewal is not found (R34). */
export const findRenewal = (db: Db, keys: Keys, owner: string, id: string): Promise<RenewalRow | undefined> =>
  findWhere(db, keys, sql`r.id = ${id} and r.account_id = ${owner}`)

/** Any customer's renewal: for the provider, the jobs and the outbox. */
export const findAnyRenewal = (db: Db, keys: Keys, id: string): Promise<RenewalRow | undefined> =>
  findWhere(db, keys, sql`r.id = ${id}`)

/** The provider's tasks: make an agreement, judge an identity document, issue a certificate. */
export const tasks = {
  agreement: sql`r.state = 'signing' and r.agreement_key is null and r.ends_at > portal_now()`,
  identity: sql`r.identity_state = 'asked' and ${isOpen} and r.ends_at > portal_now()`,
  issue: sql`r.state = 'signed'`,
}
export type RenewalTask = keyof typeof tasks

/** By id, so that a renewal that changes its state between two calls changes no page. */
export async function listForProvider(
  db: Db,
  keys: Keys,
  { task, after, size }: { task: RenewalTask | undefined; after: string | undefined; size: number },
): Promise<RenewalRow[]> {
  const { rows } = await sql<EncryptedRow>`
    select ${columns} from ${from}
    where ${task ? tasks[task] : sql`true`} and ${after ? sql`r.id > ${after}::uuid` : sql`true`}
    order by r.id limit ${size + 1}`.execute(db)
  const known = await readPersonalDataOf(
    db,
    keys,
    rows.map(({ owner }) => owner),
  )
  return rows.map((row) => decryptRow(keys, row, known.get(row.owner)))
}
