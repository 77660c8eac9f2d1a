import { sql, type RawBuilder } from 'kysely'
import type { Locale, Text } from '../../contract/enums.ts'
import type { Identification, IdentityDocument, IdentifierType } from '../../contract/identification.ts'
import { limits } from '../../contract/limits.ts'
import type { ProviderTerms } from '../../contract/provider/provider-renewals.ts'
import { openStates, type RenewalParameters, type RenewalState } from '../../contract/renewal.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { stopRequestedConditionOf } from '../certificates/certificate-conditions.ts'
import { findPersonalData, readPersonalDataOf } from '../personal-data/personal-data-store.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { column, decrypted, optional, describeRows, type RowOf } from '../platform/database/described-rows.ts'
import { encryptionOf } from '../platform/encrypted-data/encrypted-columns.ts'
import { decryptCertificates, decryptIdentifier, decryptPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'

/** The terms as they are stored and hashed: a renewal is for whole years. */
export type AgreedTerms = Omit<ProviderTerms, 'period'> & { years: RenewalParameters['years'] }

/** The parts that are encrypted JSON. */
type Parts = { parameters: RenewalParameters; identity: IdentityDocument; terms: AgreedTerms }

const partOf = (part: keyof Parts) => encryptionOf('renewals', part)

export const encryptRenewalPart = (keys: Keys, part: keyof Parts, id: string, text: string): Buffer =>
  partOf(part).encrypt(keys, id, text)

const decryptRenewalPart = <Part extends keyof Parts, Encrypted extends Buffer | null>(
  keys: Keys,
  part: Part,
  id: string,
  encrypted: Encrypted,
) => (encrypted && JSON.parse(partOf(part).decrypt(keys, id, encrypted))) as Parts[Part] | Extract<Encrypted, null>

/**
 * Decrypts a certificate. Its subject is read on first use: most calls do not need it, and parsing takes longer than
 * decrypting the row.
 */
function decryptCertificate(keys: Keys, signatureId: string, encrypted: Buffer) {
  const der = Buffer.from(decryptCertificates(keys, signatureId, encrypted).certificate, 'base64')
  let subject: { [name: string]: string } | undefined
  return {
    der,
    /** Reads the attributes of the subject, by the names of `pki/asn1/certificate.ts`. */
    get subject() {
      return (subject ??= Object.fromEntries(readCertificate(der).subject.map(({ name, value }) => [name, value])))
    },
  }
}

/** The condition on `renewals r` that the customer has signed the agreement. */
export const signedCondition = sql`r.state in ('authorised', 'signed', 'issued', 'finished')`

/**
 * The condition on `renewals r` that the draft is open, as it is for 14 days. The states are part of the text: from a parameter the planner
 * could not tell that they are those of the partial index `renewals_by_signature`.
 */
export const openCondition = sql`r.state in ('parameters', 'personal-data', 'signing')`

const renewalRows = describeRows({
  id: column<string>`r.id`,
  accountId: column<string>`r.account_id`,
  /** The state; an open renewal past its end has expired, even if its row does not say so yet. */
  state: column<RenewalState>`case when ${openCondition} and r.ends_at <= portal_now() then 'expired' else r.state end`,
  version: column<number>`r.version`,
  now: column<Date>`portal_now()`,
  openedAt: column<Date>`r.opened_at`,
  endsAt: column<Date>`r.ends_at`,
  updatedAt: column<Date>`r.updated_at`,
  codeId: column<string>`r.code_id`,
  parameters: decrypted((keys, id, part: Buffer | null) =>
    decryptRenewalPart(keys, 'parameters', id, part),
  )`r.parameters`,
  /** The hash of the parameters; null until step 1 is completed. */
  parametersSha256: column<string | null>`r.parameters_sha256`,
  shortenedTo: column<Date | null>`r.shortened_to`,
  identity: optional({
    state: column<'asked' | 'confirmed' | 'refused'>`r.identity_state`,
    document: decrypted((keys, id, part: Buffer) => decryptRenewalPart(keys, 'identity', id, part))`r.identity`,
  }),
  terms: decrypted((keys, id, part: Buffer | null) => decryptRenewalPart(keys, 'terms', id, part))`r.terms`,
  termsSha256: column<string | null>`r.terms_sha256`,
  agreement: optional({
    key: column<string>`r.agreement_key`,
    bytes: column<number>`r.agreement_bytes`,
    sha256: column<string>`r.agreement_sha256`,
  }),
  signed: optional({
    key: column<string>`r.signed_key`,
    bytes: column<number>`r.signed_bytes`,
    sha256: column<string>`r.signed_sha256`,
  }),
  signedAt: column<Date | null>`r.signed_at`,
  signingFailed: column<boolean>`r.signing_failed`,
  note: column<Text | null>`r.note`,
  /** The renewed signature and its certificate. */
  signature: {
    id: column<string>`s.id`,
    providerId: column<string>`s.provider_id`,
    status: column<'good' | 'suspended' | 'revoked'>`s.status`,
    /** Whether its suspension or revocation is requested (STP-8). */
    isBeingStopped: column<boolean>`${stopRequestedConditionOf(sql`s.id`)}`,
    name: column<string>`s.name`,
    identifier: {
      type: column<IdentifierType>`s.identifier_type`,
      country: column<string | null>`s.identifier_country`,
      value: decrypted(decryptIdentifier, 'signatureId')`s.identifier_value`,
    },
    validFrom: column<Date>`s.valid_from`,
    validTo: column<Date>`s.valid_to`,
    certificate: decrypted(decryptCertificate, 'signatureId')`s.certificates`,
  },
  issued: optional({
    id: column<string>`n.id`,
    providerId: column<string>`n.provider_id`,
    validFrom: column<Date>`n.valid_from`,
    validTo: column<Date>`n.valid_to`,
    status: column<string>`n.status`,
    isBeingStopped: column<boolean>`${stopRequestedConditionOf(sql`n.id`)}`,
    pairedAt: column<Date | null>`p.confirmed_at`,
  }),
  person: {
    customer: column<string>`a.provider_id`,
    firstName: column<string>`a.first_name`,
    secondName: column<string | null>`a.second_name`,
    surname: column<string>`a.surname`,
    email: column<string>`a.email`,
    phone: decrypted(decryptPhone, 'accountId')`a.phone`,
    locale: column<Locale>`a.locale`,
  },
})

/** A renewal with its decrypted parts, for the customer's calls, the provider API and the signing. */
export type RenewalRow = RowOf<typeof renewalRows> & { person: { identification: Identification | undefined } }

/** A renewal with its agreement, which was made from fixed terms. */
export type AgreedRow = RenewalRow & { agreement: StoredAgreement; termsSha256: string }
export type StoredAgreement = NonNullable<RenewalRow['agreement']>

export const hasAgreement = (row: RenewalRow): row is AgreedRow => row.agreement !== null && row.termsSha256 !== null

const selected = sql`
  select ${renewalRows.columns}
  from renewals r join signatures s on s.id = r.signature_id join accounts a on a.id = r.account_id
    left join signatures n on n.id = r.issued_signature left join pairings p on p.signature_id = n.id`

async function findWhere(db: Db, keys: Keys, where: RawBuilder<unknown>): Promise<RenewalRow | undefined> {
  const row = await renewalRows(db, keys).first(sql`${selected} where ${where}`)
  return row && withIdentification(row, await findPersonalData(db, keys, row.accountId))
}

const withIdentification = (row: RowOf<typeof renewalRows>, identification: Identification | undefined): RenewalRow =>
  Object.assign(row, { person: { ...row.person, identification } })

/** Finds the owner's renewal; another customer's renewal is not found (R34). */
export const findRenewal = (db: Db, keys: Keys, accountId: string, id: string): Promise<RenewalRow | undefined> =>
  findWhere(db, keys, sql`r.id = ${id} and r.account_id = ${accountId}`)

/** Finds a renewal of any customer, for the provider, the jobs and the outbox. */
export const findAnyRenewal = (db: Db, keys: Keys, id: string): Promise<RenewalRow | undefined> =>
  findWhere(db, keys, sql`r.id = ${id}`)

/** The provider's tasks: make an agreement, judge an identity document, issue a certificate. */
export const tasks = {
  agreement: sql`r.state = 'signing' and r.agreement_key is null and r.ends_at > portal_now()`,
  identity: sql`r.identity_state = 'asked' and ${openCondition} and r.ends_at > portal_now()`,
  issue: sql`r.state = 'signed'`,
}
export type RenewalTask = keyof typeof tasks

/** Lists renewals by id, so that one that changes its state between two calls changes no page. */
export async function listRenewalsAfter(
  db: Db,
  keys: Keys,
  { task, after, size }: { task: RenewalTask | undefined; after: string | undefined; size: number },
): Promise<RenewalRow[]> {
  const rows = await renewalRows(db, keys).all(sql`
    ${selected}
    where ${task ? tasks[task] : sql`true`} and ${after ? sql`r.id > ${after}::uuid` : sql`true`}
    order by r.id limit ${size + 1}`)
  const known = await readPersonalDataOf(
    db,
    keys,
    rows.map(({ accountId }) => accountId),
  )
  return rows.map((row) => withIdentification(row, known.get(row.accountId)))
}

type OpenRenewalRow = { id: string; state: RenewalState }

/** Finds the open or completed renewal of a certificate. */
export const findOfSignature = (db: Db, accountId: string, signatureId: string): Promise<OpenRenewalRow | undefined> =>
  query(db).first(sql<OpenRenewalRow>`
    select id, state from renewals
    where account_id = ${accountId} and signature_id = ${signatureId} and state not in ('expired', 'declined', 'failed')
      and not (state = any(${openStates}::text[]) and ends_at <= portal_now())`)

/** Finds the renewal that a code has opened, unless it has expired. */
export const findOfCode = (db: Db, accountId: string, codeId: string): Promise<OpenRenewalRow | undefined> =>
  query(db).first(sql<OpenRenewalRow>`
    select id, state from renewals where account_id = ${accountId} and code_id = ${codeId} and state <> 'expired'`)

/** Checks whether a code was used by a renewal that has expired: then it opens another one (defaults.md, draft). */
export const wasUsedByExpiredRenewal = (db: Db, accountId: string, codeId: string): Promise<boolean> =>
  query(db).finds(sql`
    select from renewals
    where account_id = ${accountId} and code_id = ${codeId} and state = 'expired' and parameters_sha256 is not null`)

/**
 * Opens a draft for 14 days, at most until the certificate ends; undefined if another request was first (R31), the certificate is another
 * customer's by now (R243), or the code was withdrawn (R260).
 */
export async function addRenewal(
  tx: Tx,
  { accountId, signatureId, codeId }: { accountId: string; signatureId: string; codeId: string },
): Promise<string | undefined> {
  // The statement after the locks sees a move of the certificate and a withdrawal of the code.
  await query(tx).run(sql`
    select from signatures s, voucher_codes v where s.id = ${signatureId} and v.id = ${codeId}
    for key share of s for share of v`)
  const row = await query(tx).first(sql<{ id: string }>`
    insert into renewals (account_id, signature_id, code_id, ends_at)
    select s.account_id, s.id, v.id, least(s.valid_to, portal_now() + make_interval(secs => ${limits.renewal.draft}))
    from signatures s join voucher_codes v on v.id = ${codeId} and (v.used_at is not null or v.expires_at > portal_now())
    where s.id = ${signatureId} and s.account_id = ${accountId}
    on conflict do nothing returning id`)
  return row?.id
}

/** Removes a renewal that this transaction has opened and that a rule forbids. */
export async function removeRenewal(tx: Tx, id: string): Promise<void> {
  await query(tx).run(sql`delete from renewals where id = ${id}`)
}

/** Records the message that signs the agreement, in the transaction that enqueues it. */
export async function linkSigningOrder(tx: Tx, id: string, order: string): Promise<void> {
  await query(tx).run(sql`update renewals set signing_order = ${order} where id = ${id}`)
}

export type OpenRenewal = {
  uid: string
  signature: string
  state: RenewalState
  name: string
  certificateValidTo: Date
  endsAt: Date
  issued: string | null
  validFrom: Date | null
}

type UnsignedAgreement = {
  id: string
  /** Whether no message is left that will make the signature. */
  isAbandoned: boolean
}

/** Lists agreements that were signed by code at least so many seconds ago and have no signature. */
export const listUnsigned = (db: Db, seconds: number): Promise<UnsignedAgreement[]> =>
  query(db).all(sql<UnsignedAgreement>`
    select r.id, o.id is null as is_abandoned
    from renewals r left join outbox o on o.id = r.signing_order and o.outcome is null
    where r.state = 'authorised' and r.updated_at <= portal_now() - make_interval(secs => ${seconds})
    order by r.id limit 1000`)

/** Lists the renewals that are not finished: open, being signed or issued. */
export const listUnfinishedRenewals = (db: Db, accountId: string): Promise<OpenRenewal[]> =>
  query(db).all(sql<OpenRenewal>`
    select r.id as uid, r.signature_id as signature, r.state, s.name, s.valid_to as certificate_valid_to, r.ends_at, r.issued_signature as issued, n.valid_from
    from renewals r join signatures s on s.id = r.signature_id left join signatures n on n.id = r.issued_signature
    where r.account_id = ${accountId}
      and (r.state in ('authorised', 'signed', 'issued') or (r.state = any(${openStates}::text[]) and r.ends_at > portal_now()))
    order by r.ends_at, r.id limit ${limits.list.largest}`)

export const findRenewable = (db: Db, accountId: string, id: string) =>
  query(db).first(sql<{
    product: SignatureProduct
    validTo: Date
    status: 'good' | 'suspended' | 'revoked'
    isBeingStopped: boolean
  }>`
    select s.product, s.valid_to, s.status, ${stopRequestedConditionOf(sql`s.id`)} as is_being_stopped
    from signatures s where s.id = ${id} and s.account_id = ${accountId}`)
