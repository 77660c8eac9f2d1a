import { sql } from 'kysely'
import type { ProviderSignature } from '../../contract/provider-api.ts'
import type { CertificateContent } from '../../pki/certificate.ts'
import type { Db, Tx } from '../db.ts'
import type { Keys } from '../keys.ts'
import { identifierIndex, openCertificates, sealCertificates, sealIdentifier } from '../sealed-fields.ts'

/** Creates or updates the row of the provider's id; undefined when there is no such customer or it is another one's. */
export async function storeSignature(
  tx: Tx,
  keys: Keys,
  providerId: string,
  body: ProviderSignature,
  read: CertificateContent,
) {
  // One at a time: what is sealed is sealed for the row's id, and two at once would each choose one.
  await sql`select pg_advisory_xact_lock(hashtext(${`put-signature ${providerId}`}))`.execute(tx)
  const id = (await findForAgreement(tx, providerId))?.id ?? crypto.randomUUID()
  const attribute = (name: string) => read.subject.find((one) => one.name === name)?.value ?? null
  const { country, value } = splitIdentifier(attribute('serialNumber') ?? '')
  const { rows } = await sql<{ id: string; owner: string }>`
    insert into signatures as s (id, provider_id, account_id, product, name, organisation, identifier_type, identifier_country, identifier_value,
      identifier_index, years, valid_from, valid_to, status, certificates, agreement_language)
    select ${id}::uuid, ${providerId}, a.id, ${body.product}, ${attribute('CN') ?? ''}, ${attribute('O')}, ${body.identifierType}, ${country}, ${sealIdentifier(keys, id, value)}::bytea,
      ${identifierIndex(keys, value)}::bytea, ${body.years}, ${read.notBefore}::timestamptz, ${read.notAfter}::timestamptz, ${body.status}, ${sealCertificates(keys, id, body)}::bytea, ${body.agreementLanguage}
    from accounts a where a.provider_id = ${body.customer}
    on conflict (provider_id) do update set product = excluded.product, name = excluded.name, organisation = excluded.organisation,
      identifier_type = excluded.identifier_type, identifier_country = excluded.identifier_country, identifier_value = excluded.identifier_value,
      identifier_index = excluded.identifier_index, years = excluded.years, valid_from = excluded.valid_from, valid_to = excluded.valid_to, status = excluded.status,
      certificates = excluded.certificates, agreement_language = excluded.agreement_language
      where s.account_id = excluded.account_id
    returning s.id, s.account_id as owner`.execute(tx)
  return rows[0]
}

/** ETSI EN 319 412-1 §5.1.3: `PNOPL-44051401458`; anything else is the provider's own number. */
function splitIdentifier(serialNumber: string) {
  const [, country, value] = /^[A-Z]{3}([A-Z]{2})-(.+)$/.exec(serialNumber) ?? []
  return country && value ? { country, value } : { country: null, value: serialNumber }
}

export async function findState(db: Db, keys: Keys, providerId: string) {
  const { rows } = await sql<
    Omit<ProviderSignature, 'certificate' | 'chain'> & {
      id: string
      certificates: Buffer
      agreement: 'ready' | 'generating'
      pairedAt: Date | null
    }
  >`
    select s.id, a.provider_id as customer, s.product, s.identifier_type as "identifierType", s.years, s.certificates, s.status,
      s.agreement_language as "agreementLanguage", case when s.agreement_key is null then 'generating' else 'ready' end as agreement, p.confirmed_at as "pairedAt"
    from signatures s join accounts a on a.id = s.account_id left join pairings p on p.signature_id = s.id
    where s.provider_id = ${providerId}`.execute(db)
  if (!rows[0]) return undefined
  const { id, certificates, ...row } = rows[0]
  return { ...row, ...openCertificates(keys, id, certificates), pairedAt: row.pairedAt?.toISOString() ?? null }
}

export function findForAgreement(db: Db, providerId: string) {
  return db
    .selectFrom('signatures')
    .select(['id', 'account_id as owner'])
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
}

/** Names the file of an agreement and returns the key of the one it replaces. The row's lock puts two at once in order, so each names another. */
export async function storeAgreement(
  tx: Tx,
  id: string,
  { key, bytes, sha256 }: { key: string; bytes: number; sha256: string },
): Promise<string | null> {
  const before = await tx
    .selectFrom('signatures')
    .select('agreement_key as key')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('signatures')
    .set({ agreement_key: key, agreement_bytes: bytes, agreement_sha256: sha256 })
    .where('id', '=', id)
    .execute()
  return before.key
}
