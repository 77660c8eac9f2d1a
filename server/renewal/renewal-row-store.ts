import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '../contract/enums.ts'
import type { Identification, IdentityDocument } from '../contract/personal-data.ts'
import { openStates, type RenewalParameters, type RenewalState } from '../contract/renewal.ts'
import type { ProviderTerms } from '../contract/provider-renewals.ts'
import { readCertificate } from '../pki/certificate.ts'
import type { Db } from './db.ts'
import { seal, unseal, type Keys } from './keys.ts'
import { readPersonalData } from './personal-data.ts'
import { openCertificates, openIdentifier, openPhone } from './sealed-fields.ts'
import type { Tables } from './tables.ts'

/** A renewal as the customer's feature, the provider API and the signing need it, opened. */
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
  /** Once step 1 was left. */
  parametersSha256: string | null
  shortenedTo: Date | null
  identity: { state: 'asked' | 'confirmed' | 'refused'; document: IdentityDocument } | null
  terms: ProviderTerms | null
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
    name: string
    identifier: { type: Tables['signatures']['identifier_type']; country: string | null; value: string }
    years: number
    validFrom: Date
    validTo: Date
    /** DER. */
    certificate: Buffer
    /** By the names of pki/distinguished-name.ts. */
    subject: { [name: string]: string }
  }
  issued: {
    id: string
    providerId: string
    validFrom: Date
    validTo: Date
    status: string
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

type Sealed = Omit<
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
  name: string
  identifierType: Tables['signatures']['identifier_type']
  identifierCountry: string | null
  identifierValue: Buffer
  years: number
  validFrom: Date
  validTo: Date
  certificates: Buffer
  issuedId: string | null
  issuedProviderId: string
  issuedFrom: Date
  issuedTo: Date
  issuedStatus: string
  pairedAt: Date | null
  customer: string
  firstName: string
  secondName: string | null
  surname: string
  email: string
  phone: Buffer
  locale: Locale
}

/** Its customer has done all there is to do for a new certificate. Give it `renewals r`. */
export const isSigned = sql`r.state in ('authorised', 'signed', 'issued', 'finished')`

/** The 14 days run. Give it `renewals r`. */
export const isOpen = sql`r.state = any(${openStates}::text[])`

/** An open one whose time has run out has expired, whether or not anybody has written that down yet. */
const state = sql`case when ${isOpen} and r.ends_at <= portal_now() then 'expired' else r.state end`

const columns = sql`
  r.id, r.account_id as owner, ${state} as state, r.version, portal_now() as now, r.opened_at as "openedAt", r.ends_at as "endsAt",
  r.updated_at as "updatedAt", r.code_id as "codeId", r.parameters, r.parameters_sha256 as "parametersSha256", r.shortened_to as "shortenedTo",
  r.identity, r.identity_state as "identityState", r.terms, r.terms_sha256 as "termsSha256",
  r.agreement_key as "agreementKey", r.agreement_bytes as "agreementBytes", r.agreement_sha256 as "agreementSha256",
  r.signed_key as "signedKey", r.signed_bytes as "signedBytes", r.signed_sha256 as "signedSha256", r.signed_at as "signedAt",
  r.signing_failed as "signingFailed", r.note,
  s.id as "signatureId", s.provider_id as "signatureProviderId", s.status, s.name, s.identifier_type as "identifierType",
  s.identifier_country as "identifierCountry", s.identifier_value as "identifierValue", s.years, s.valid_from as "validFrom", s.valid_to as "validTo", s.certificates,
  n.id as "issuedId", n.provider_id as "issuedProviderId", n.valid_from as "issuedFrom", n.valid_to as "issuedTo", n.status as "issuedStatus", p.confirmed_at as "pairedAt",
  a.provider_id as customer, a.first_name as "firstName", a.second_name as "secondName", a.surname, a.email, a.phone, a.locale`

const from = sql`
  renewals r join signatures s on s.id = r.signature_id join accounts a on a.id = r.account_id
    left join signatures n on n.id = r.issued_signature left join pairings p on p.signature_id = n.id`

const place = (column: 'parameters' | 'identity' | 'terms', id: string) => `renewals.${column} ${id}`

export const sealOf = (keys: Keys, column: 'parameters' | 'identity' | 'terms', id: string, text: string): Buffer =>
  seal(keys, place(column, id), text)

export function openRenewalPart(
  keys: Keys,
  column: 'parameters' | 'identity' | 'terms',
  id: string,
  sealed: Buffer | null,
): unknown {
  return sealed && (JSON.parse(unseal(keys, place(column, id), sealed)) as unknown)
}

async function opened(db: Db, keys: Keys, row: Sealed): Promise<RenewalRow> {
  const { id, owner } = row
  const { certificate } = openCertificates(keys, row.signatureId, row.certificates)
  const der = Buffer.from(certificate, 'base64')
  let subject: RenewalRow['signature']['subject'] | undefined
  const document = openRenewalPart(keys, 'identity', id, row.identity) as IdentityDocument | null
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
    parameters: openRenewalPart(keys, 'parameters', id, row.parameters) as RenewalParameters | null,
    parametersSha256: row.parametersSha256,
    shortenedTo: row.shortenedTo,
    identity: document && { state: row.identityState!, document },
    terms: openRenewalPart(keys, 'terms', id, row.terms) as ProviderTerms | null,
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
      name: row.name,
      identifier: {
        type: row.identifierType,
        country: row.identifierCountry,
        value: openIdentifier(keys, row.signatureId, row.identifierValue),
      },
      years: row.years,
      validFrom: row.validFrom,
      validTo: row.validTo,
      certificate: der,
      // A call that is refused never asks for it, and to read a certificate takes longer than all else here.
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
          pairedAt: row.pairedAt,
        }
      : null,
    person: {
      customer: row.customer,
      firstName: row.firstName,
      secondName: row.secondName,
      surname: row.surname,
      email: row.email,
      phone: openPhone(keys, owner, row.phone),
      locale: row.locale,
      identification: await readPersonalData(db, keys, owner),
    },
  }
}

async function findOne(db: Db, keys: Keys, where: RawBuilder<unknown>): Promise<RenewalRow | undefined> {
  const { rows } = await sql<Sealed>`select ${columns} from ${from} where ${where}`.execute(db)
  return rows[0] && opened(db, keys, rows[0])
}

/** The owner's renewal; anyone else's is as absent as none (R34). */
export const findRenewal = (db: Db, keys: Keys, owner: string, id: string): Promise<RenewalRow | undefined> =>
  findOne(db, keys, sql`r.id = ${id} and r.account_id = ${owner}`)

/** Whoever's it is: for the provider and for what goes on by itself. */
export const findAnyRenewal = (db: Db, keys: Keys, id: string): Promise<RenewalRow | undefined> =>
  findOne(db, keys, sql`r.id = ${id}`)

/** What waits for the provider: an agreement to be made, an identity document to be looked at, a certificate to be issued. */
export const tasks = {
  agreement: sql`r.state = 'signing' and r.agreement_key is null and r.ends_at > portal_now()`,
  identity: sql`r.identity_state = 'asked' and ${isOpen} and r.ends_at > portal_now()`,
  issue: sql`r.state = 'signed'`,
}
export type RenewalTask = keyof typeof tasks

/** By id, so that one that moves meanwhile changes no page. */
export async function listForProvider(
  db: Db,
  keys: Keys,
  { task, after, size }: { task: RenewalTask | undefined; after: string | undefined; size: number },
): Promise<RenewalRow[]> {
  const { rows } = await sql<Sealed>`
    select ${columns} from ${from}
    where ${task ? tasks[task] : sql`true`} and ${after ? sql`r.id > ${after}::uuid` : sql`true`}
    order by r.id limit ${size + 1}`.execute(db)
  return Promise.all(rows.map((row) => opened(db, keys, row)))
}
