import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { Signature, SignatureSort } from '../../contract/signatures.ts'
import {
  byUrgency,
  countCertificates,
  days,
  endsSoonCondition,
  recentlyExpiredCondition,
  activeCondition,
  suspendedCondition,
  filterCondition,
  type CertificateFilters,
} from '../certificates/certificate-conditions.ts'
import type { CertificateFiles } from '../certificates/certificate-files.ts'
import { isoInstant, type Db, query } from '../platform/database/database.ts'
import { searchCondition } from '../platform/database/text-search.ts'
import { decryptCertificates, decryptIdentifier } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { openCondition, signedCondition } from '../renewal/renewal-store.ts'

export type SignatureRow = {
  id: string
  product: Signature['product']
  name: string
  organisation: string | null
  identifierType: Signature['identifier']['type']
  identifierCountry: string | null
  identifierValue: string
  period: Signature['period']
  /** The beginning, as the contract has it: such texts sort and compare like the instants. */
  validFrom: string
  /** The end, as the contract has it. */
  validTo: string
  status: 'good' | 'suspended' | 'revoked'
  ownSuspension: boolean
  request: Signature['request']
  /** Whether the open request is the report of a lost phone, which nothing replaces (R224). */
  phoneLost: boolean
  hasAgreement: boolean
  pairedAt: string | null
  renewal: Signature['renewal']
  renewedFrom: string | null
}

export type Position = { rank: number; sortKey: number | string; id: string }

/** Expired or revoked: its end is no longer ahead. */
const overCondition = sql`(s.status = 'revoked' or s.valid_to <= t.now)`
// Not extract(): its numeric costs several times as much.
const ending = sql`date_part('epoch', s.valid_to)`
// A bare 0 in ORDER BY would be the number of a column.
const none = sql`0::int`

/** The sort keys of each order, most significant first; equal keys are ordered by id. Names are in Polish order. */
const orders: Record<
  SignatureSort,
  { rank: RawBuilder<unknown>; sortKey: RawBuilder<unknown>; type: RawBuilder<unknown> }
> = {
  urgency: { ...byUrgency, type: sql`float8` },
  'ends-first': {
    rank: sql`(case when ${overCondition} then 1 else 0 end)`,
    sortKey: sql`(${ending} * case when ${overCondition} then -1 else 1 end)`,
    type: sql`float8`,
  },
  'ends-last': { rank: none, sortKey: sql`(- ${ending})`, type: sql`float8` },
  newest: { rank: none, sortKey: sql`(- date_part('epoch', s.valid_from))`, type: sql`float8` },
  name: { rank: none, sortKey: sql`(s.name collate "pl-x-icu")`, type: sql`text collate "pl-x-icu"` },
}

/**
 * Returns the SQL time from which another signature continues `s`, without a gap: of the same product, organisation and identifier, from
 * when `s` can be renewed or later (SIG-10). Null without one.
 */
export const continuedFrom = (now: RawBuilder<unknown>) => sql`(
  select min(n.valid_from) from signatures n
  where n.account_id = s.account_id and n.valid_to > greatest(s.valid_to, ${now}) and n.status = 'good'
    and n.valid_from > s.valid_from
    and n.valid_from between s.valid_to - ${days(limits.renewal.windowDays)} and s.valid_to + ${days(1)}
    and n.product = s.product and n.organisation is not distinct from s.organisation
    and n.identifier_index = s.identifier_index)`

const columnsBy = (order: RawBuilder<unknown>) => sql`
  s.id, s.product, s.name, s.organisation, s.identifier_type, s.identifier_country,
  case when lag(s.identifier_index) over (order by ${order}) is distinct from s.identifier_index
    then encode(s.identifier_value, 'base64') else '' end as identifier_value, s.period, s.valid_from::text as valid_from, s.valid_to::text as valid_to, s.status, s.own_suspension,
  (select jsonb_build_object('change', q.change, 'deadline', q.deadline::text) from status_requests q
    where q.signature_id = s.id and q.state = 'requested') as request,
  exists (select from status_requests q
    where q.signature_id = s.id and q.state = 'requested' and q.reason = 'phone-lost') as phone_lost,
  s.agreement_key is not null as has_agreement,
  (select confirmed_at::text from pairings where signature_id = s.id) as paired_at,
  (select case when ${signedCondition} then 'signed' else 'begun' end from renewals r
    where r.signature_id = s.id and (${signedCondition} or (${openCondition} and r.ends_at > portal_now()))) as renewal,
  coalesce(
    (select n.valid_from from renewals r join signatures n on n.id = r.issued_signature
      where r.signature_id = s.id and ${signedCondition}),
    ${continuedFrom(sql`t.now`)})::text as renewed_from`
/**
 * Returns the instant of the request's session as an SQL source, so that the statement and the code that reads its rows use the same
 * instant.
 */
const sessionInstant = (now: Date) => sql`(select ${now.toISOString()}::timestamptz as now) t`
/** Puts instants into the contract's form and decrypts identifiers; an identifier is empty in the row if it equals the one before. */
function decryptRows<Row extends SignatureRow>(keys: Keys, rows: Row[]): Row[] {
  let last = ''
  for (const row of rows) {
    if (row.identifierValue) last = decryptIdentifier(keys, row.id, Buffer.from(row.identifierValue, 'base64'))
    row.identifierValue = last
    row.validFrom = isoInstant(row.validFrom)
    row.validTo = isoInstant(row.validTo)
    row.pairedAt &&= isoInstant(row.pairedAt)
    row.renewedFrom &&= isoInstant(row.renewedFrom)
    if (row.request) row.request.deadline = isoInstant(row.request.deadline)
  }
  return rows
}

const byEnd = sql`s.valid_to, s.id`

type ListFilters = CertificateFilters<Signature['product']> & { sort: SignatureSort; after: Position | undefined }

/** Lists one page of signatures, with the first row of the next page if there is one. */
export async function listPage(
  db: Db,
  keys: Keys,
  accountId: string,
  now: Date,
  { sort, after, size, ...filters }: ListFilters,
): Promise<(SignatureRow & Position)[]> {
  const { rank, sortKey, type } = orders[sort]
  const order = sql`${rank}, ${sortKey}, s.id`
  const rows = await query(db).all(sql<SignatureRow & Position>`
    select ${columnsBy(order)}, ${rank} as rank, ${sortKey} as sort_key from signatures s, ${sessionInstant(now)}
    where s.account_id = ${accountId}
      and ${after ? sql`(${rank}, ${sortKey}, s.id) > (${after.rank}::int, ${after.sortKey}::${type}, ${after.id}::uuid)` : sql`true`}
      and ${filterCondition(filters)}
      and ${searchCondition(filters, sql`s.id`, sql`s.name || ' ' || coalesce(s.organisation, '')`)}
    order by ${order} limit ${size + 1}`)
  return decryptRows(keys, rows)
}

/** Lists the organisations of all the owner's signatures, in Polish order. */
export async function listOrganisations(db: Db, accountId: string): Promise<string[]> {
  const rows = await query(db).all(sql<{ organisation: string }>`
    select organisation from signatures where account_id = ${accountId} and organisation is not null
    group by organisation order by organisation collate "pl-x-icu" limit ${limits.list.organisations}`)
  return rows.map(({ organisation }) => organisation)
}

/**
 * Whether a signature ends soon and is not renewed or continued yet, is suspended, has expired recently without a replacement, or is new
 * and not paired yet.
 */
const attentionCondition = sql`(
  (${endsSoonCondition}
    and not exists (select from renewals r where r.signature_id = s.id and ${signedCondition})
    and ${continuedFrom(sql`t.now`)} is null)
  or ${suspendedCondition}
  or (${recentlyExpiredCondition} and not exists (
    select from signatures n where n.account_id = s.account_id and n.product = s.product and n.organisation is not distinct from s.organisation
      and n.status = 'good' and n.valid_to > t.now))
  or (${activeCondition} and s.product = 'app' and s.valid_from > t.now - ${days(limits.home.newDays)}
    and not exists (select from pairings p where p.signature_id = s.id and p.confirmed_at is not null)))`

/**
 * Returns the counts, twenty signatures that need attention by nearest end, how many more there are, the valid
 * signature that ends first, and when the next one begins.
 */
export async function summariseOwnSignatures(db: Db, keys: Keys, accountId: string, now: Date) {
  const rows = await query(db).all(sql<SignatureRow & { needsAttention: boolean; total: number; isActive: boolean }>`
    select ${columnsBy(byEnd)}, ${attentionCondition} as needs_attention, count(*) filter (where ${attentionCondition}) over ()::int as total, ${activeCondition} as is_active from signatures s, ${sessionInstant(now)}
    where s.account_id = ${accountId} and (${attentionCondition}
      or s.id = (select s.id from signatures s where s.account_id = ${accountId} and ${activeCondition} order by ${byEnd} limit 1))
    order by ${byEnd} limit 21`)
  const known = decryptRows(keys, rows)
  const attention = known.filter((row) => row.needsAttention)
  return {
    ...(await countCertificates(db, sql`from signatures s, ${sessionInstant(now)} where s.account_id = ${accountId}`)),
    attention,
    further: (known[0]?.total ?? 0) - attention.length,
    nearest: known.find((row) => row.isActive),
  }
}

/** Finds the owner's signature; another customer's signature is not found (R34). */
export async function findOwnSignature(
  db: Db,
  keys: Keys,
  accountId: string,
  id: string,
): Promise<SignatureRow | undefined> {
  const rows = await query(db).all(sql<SignatureRow>`
    select ${columnsBy(byEnd)} from signatures s, (select portal_now() as now) t
    where s.id = ${id} and s.account_id = ${accountId}`)
  return decryptRows(keys, rows)[0]
}

/** Finds the certificate of a signature and its chain, in DER. */
export async function findCertificate(
  db: Db,
  keys: Keys,
  accountId: string,
  id: string,
): Promise<CertificateFiles | undefined> {
  const row = await query(db).first(sql<{ certificates: Buffer }>`
    select certificates from signatures where id = ${id} and account_id = ${accountId}`)
  if (!row) return undefined
  const { certificate, chain } = decryptCertificates(keys, id, row.certificates)
  return { certificate: Buffer.from(certificate, 'base64'), chain: chain.map((der) => Buffer.from(der, 'base64')) }
}

export const findAgreement = (db: Db, accountId: string, id: string) =>
  query(db).first(sql<{ key: string | null; language: Locale }>`
    select agreement_key as key, agreement_language as language
    from signatures where id = ${id} and account_id = ${accountId}`)
