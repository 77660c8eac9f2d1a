import { sql } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import type { IdentifierType } from '../../contract/identification.ts'
import type { listProviderSignatures, ProviderSignature } from '../../contract/provider/provider-signatures.ts'
import { commonName } from '../../contract/rules/renewal-rules.ts'
import type { CertificateContent } from '../../pki/asn1/certificate.ts'
import { attributeOf, identifierIn } from '../certificates/filed-certificate.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import {
  identifierIndex,
  serialIndex,
  decryptCertificates,
  encryptCertificates,
  encryptIdentifier,
} from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { discardFiles } from '../platform/files/discarded-files.ts'
import type { PageFilters } from '../platform/http/cursor.ts'
import type { Removal } from '../platform/http/object-removal.ts'
import { lookAgain } from './reminder-store.ts'

type OwnedSignature = { id: string; owner: string }

export type Owner = { id: string; firstName: string; secondName: string | null; surname: string }

export const findOwner = (db: Db, customer: string): Promise<Owner | undefined> =>
  query(db).first(sql<Owner>`
    select id, first_name, second_name, surname from accounts where provider_id = ${customer}`)

/**
 * Creates or updates the row of the provider's id; undefined if the row is another customer's, or its certificate is revoked for good
 * and the call states anything else (PRV-1).
 */
export async function putSignatureOf(
  tx: Tx,
  keys: Keys,
  { id, owner, providerId }: OwnedSignature & { providerId: string },
  body: ProviderSignature,
  { content: read, index }: { content: CertificateContent; index: Buffer },
): Promise<OwnedSignature | undefined> {
  const { country, value } = identifierIn(attributeOf(read, 'serialNumber') ?? '')
  const row = await query(tx).first(sql<OwnedSignature>`
    insert into signatures as s (id, provider_id, account_id, product, name, organisation, identifier_type, identifier_country, identifier_value,
      identifier_index, period, valid_from, valid_to, status, certificates, certificate_index, serial_index, agreement_language)
    values (${id}::uuid, ${providerId}, ${owner}, ${body.product}, ${attributeOf(read, 'CN') ?? ''}, ${attributeOf(read, 'O') ?? null}, ${body.identifierType}, ${country}, ${encryptIdentifier(keys, id, value)}::bytea,
      ${identifierIndex(keys, value)}::bytea, ${body.period}, ${read.notBefore}::timestamptz, ${read.notAfter}::timestamptz, ${body.status}, ${encryptCertificates(keys, id, body)}::bytea,
      ${index}::bytea, ${serialIndex(keys, read.serialNumber)}::bytea, ${body.agreementLanguage})
    on conflict (provider_id) do update set product = excluded.product, name = excluded.name, organisation = excluded.organisation,
      identifier_type = excluded.identifier_type, identifier_country = excluded.identifier_country, identifier_value = excluded.identifier_value,
      identifier_index = excluded.identifier_index, period = excluded.period, valid_from = excluded.valid_from, valid_to = excluded.valid_to, status = excluded.status,
      own_suspension = s.own_suspension and excluded.status = 'suspended',
      certificates = excluded.certificates, certificate_index = excluded.certificate_index, serial_index = excluded.serial_index, agreement_language = excluded.agreement_language
      where s.account_id = excluded.account_id and (s.status <> 'revoked' or
        (excluded.status = 'revoked' and excluded.certificate_index = s.certificate_index))
    returning s.id, s.account_id as owner`)
  if (row) await lookAgain(tx, owner)
  return row
}

/** Finds a signature with its ids in the portal. */
export async function findNamedSignature(db: Db, keys: Keys, providerId: string) {
  const found = await query(db).first(sql<
    Omit<ProviderSignature, 'certificate' | 'chain'> &
      OwnedSignature & {
        certificates: Buffer
        agreement: 'ready' | 'generating'
        pairedAt: Date | null
      }
  >`
    select s.id, s.account_id as owner, a.provider_id as customer, s.product, s.identifier_type, s.period, s.certificates, s.status,
      s.agreement_language, case when s.agreement_key is null then 'generating' else 'ready' end as agreement, p.confirmed_at as paired_at
    from signatures s join accounts a on a.id = s.account_id left join pairings p on p.signature_id = s.id
    where s.provider_id = ${providerId}`)
  if (!found) return undefined
  const { certificates, ...row } = found
  return { ...row, ...decryptCertificates(keys, row.id, certificates) }
}

export async function findState(db: Db, keys: Keys, providerId: string) {
  const found = await findNamedSignature(db, keys, providerId)
  if (!found) return undefined
  const { id: _, owner: __, ...state } = found
  return state
}

export const findForAgreement = (db: Db, providerId: string): Promise<OwnedSignature | undefined> =>
  query(db).first(sql<OwnedSignature>`
    select id, account_id as owner from signatures where provider_id = ${providerId}`)

/**
 * Removes a signature with its pairing, reminders, unused renewal codes and unsigned renewals, and discards their files. A renewal that
 * the customer has signed, or that has issued it, is evidence of it.
 */
export async function removeNamedSignature(tx: Tx, providerId: string): Promise<Removal> {
  const id = sql`(select id from signatures where provider_id = ${providerId})`
  // In the order of a renewal's own calls, which lock it before its signature.
  await query(tx).run(sql`
    select from renewals where signature_id = ${id} or issued_signature = ${id} order by id for update`)
  const signature = await query(tx).first(sql<OwnedSignature>`
    select id, account_id as owner from signatures where provider_id = ${providerId} for update`)
  if (!signature) return undefined
  await discardFiles(
    tx,
    sql`select agreement_key from signatures where id = ${signature.id} union select agreement_key from renewals where signature_id = ${signature.id}`,
  )
  const isDeleted = await query(tx).changesOne(sql`
    delete from signatures where id = ${signature.id} and not exists (
      select from renewals
      where (signature_id = ${signature.id} and (signed_key is not null or state = 'authorised')) or issued_signature = ${signature.id})`)
  if (isDeleted) await lookAgain(tx, signature.owner)
  return isDeleted ? { owner: signature.owner } : { neededFor: 'renewal' }
}

type SignatureSummaryRow = Given<(typeof listProviderSignatures)['reply']>['items'][number] & { id: string }

/** Lists signatures by id, so that one that changes meanwhile stays on its page. */
export const listAllSignatures = (
  db: Db,
  { customer, status, product, period, after, size }: PageFilters<'customer' | 'status' | 'product' | 'period'>,
): Promise<SignatureSummaryRow[]> =>
  query(db).all(sql<SignatureSummaryRow>`
    select s.id, s.provider_id as signature, a.provider_id as customer, s.product, s.period, s.name, s.status, s.valid_from, s.valid_to,
      case when s.agreement_key is null then 'generating' else 'ready' end as agreement
    from signatures s join accounts a on a.id = s.account_id
    where a.provider_id is not null and ${customer ? sql`s.account_id = (select id from accounts where provider_id = ${customer})` : sql`true`}
      and ${status ? sql`s.status = ${status}` : sql`true`} and ${product ? sql`s.product = ${product}` : sql`true`}
      and ${period ? sql`s.period = ${period}` : sql`true`}
      and ${after ? sql`s.id > ${after}::uuid` : sql`true`}
    order by s.id limit ${size + 1}`)

/** Reads whom a certificate states, for the rule that says whose it is (PRV-2). */
export function holderOf(content: CertificateContent, type: IdentifierType) {
  const [name, givenName, surname] = ['CN', 'GN', 'SN'].map((wanted) => attributeOf(content, wanted) ?? '')
  const identifier = { ...identifierIn(attributeOf(content, 'serialNumber') ?? ''), type }
  return { identifier, names: [name!, commonName({ givenName: givenName!, surname: surname! })] }
}
