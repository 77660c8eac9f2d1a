import { sql, type RawBuilder } from 'kysely'
import type { Signature, SignatureSort } from '../../contract/signatures.ts'
import { limits } from '../../contract/limits.ts'
import { isoOf, type Db, type Tx } from '../db.ts'
import type { Keys } from '../keys.ts'
import { isOpen, isSigned } from '../renewals.ts'
import { openCertificates, openIdentifier } from '../sealed-fields.ts'

/** A signature of the owner's as the screens need it. */
export type SignatureRow = {
  id: string
  product: Signature['product']
  name: string
  organisation: string | null
  identifierType: Signature['identifier']['type']
  identifierCountry: string | null
  identifierValue: string
  years: number
  /** Instants as the contract has them, which sort and compare as they are written. */
  validFrom: string
  validTo: string
  status: 'good' | 'suspended' | 'revoked'
  hasAgreement: boolean
  pairedAt: string | null
  renewal: Signature['renewal']
}

/** As the database tells it: the identifier sealed, and null where it is that of the row before. */
type Sealed<Row> = Omit<Row, 'identifierValue'> & { identifierValue: string | null }

/** Where in its order a row of a list stands. */
export type Position = { rank: number; place: number | string; id: string }

const active = sql`(s.status = 'good' and s.valid_from <= t.now and s.valid_to > t.now)`
// Not extract(): its numeric costs several times as much.
const ending = sql`date_part('epoch', s.valid_to)`
// A bare 0 in ORDER BY would be the number of a column.
const none = sql`0::int`

/** What each order goes by, most significant first; the id decides where these are equal. Polish order for names. */
const orders: Record<
  SignatureSort,
  { rank: RawBuilder<unknown>; place: RawBuilder<unknown>; type: RawBuilder<unknown> }
> = {
  urgency: {
    rank: sql`(case when ${active} then 0 else 1 end)`,
    place: sql`(${ending} * case when ${active} then 1 else -1 end)`,
    type: sql`float8`,
  },
  'ends-first': { rank: none, place: ending, type: sql`float8` },
  'ends-last': { rank: none, place: sql`(- ${ending})`, type: sql`float8` },
  newest: { rank: none, place: sql`(- date_part('epoch', s.valid_from))`, type: sql`float8` },
  name: { rank: none, place: sql`(s.name collate "pl-x-icu")`, type: sql`text collate "pl-x-icu"` },
}

const columnsBy = (order: RawBuilder<unknown>) => sql`
  s.id, s.product, s.name, s.organisation, s.identifier_type as "identifierType", s.identifier_country as "identifierCountry",
  case when lag(s.identifier_index) over (order by ${order}) is distinct from s.identifier_index
    then encode(s.identifier_value, 'base64') end as "identifierValue", s.years, s.valid_from::text as "validFrom", s.valid_to::text as "validTo", s.status,
  s.agreement_key is not null as "hasAgreement",
  (select confirmed_at::text from pairings where signature_id = s.id) as "pairedAt",
  (select case when ${isSigned} then 'signed' else 'begun' end from renewals r
    where r.signature_id = s.id and (${isSigned} or (${isOpen} and r.ends_at > portal_now()))) as renewal`
/** The same instant decides in the statement and in what is made of its rows: that of the request's session. */
const at = (now: Date) => sql`(select ${now.toISOString()}::timestamptz as now) t`
/** Rows with their instants as the contract has them, and their identifiers opened: a customer's one number once, not once a row. */
function opened<Row extends SignatureRow>(keys: Keys, rows: Sealed<Row>[]): Row[] {
  let last = ''
  for (const row of rows) {
    if (row.identifierValue !== null) last = openIdentifier(keys, row.id, Buffer.from(row.identifierValue, 'base64'))
    row.identifierValue = last
    row.validFrom = isoOf(row.validFrom)
    row.validTo = isoOf(row.validTo)
    row.pairedAt &&= isoOf(row.pairedAt)
  }
  return rows as unknown as Row[]
}

const byEnd = sql`s.valid_to, s.id`

/** People type names without the marks of their letters. */
const folded = (text: RawBuilder<unknown>) => sql`translate(lower(${text}), 'ąćęłńóśźż', 'acelnoszz')`

export type ListWish = {
  sort: SignatureSort
  after: Position | undefined
  size: number
  status: 'active' | 'inactive' | undefined
  search: string | undefined
}

/** One page and, as its last row, the first of the next one when there is a next one. */
export async function listPage(
  db: Db,
  keys: Keys,
  owner: string,
  now: Date,
  { sort, after, size, status, search }: ListWish,
): Promise<(SignatureRow & Position)[]> {
  const { rank, place, type } = orders[sort]
  const order = sql`${rank}, ${place}, s.id`
  const { rows } = await sql<Sealed<SignatureRow & Position>>`
    select ${columnsBy(order)}, ${rank} as rank, ${place} as place from signatures s, ${at(now)}
    where s.account_id = ${owner}
      and ${after ? sql`(${rank}, ${place}, s.id) > (${after.rank}::int, ${after.place}::${type}, ${after.id}::uuid)` : sql`true`}
      and ${status ? sql`${active} = ${status === 'active'}` : sql`true`}
      and ${search ? sql`strpos(${folded(sql`s.name || ' ' || coalesce(s.organisation, '')`)}, ${folded(sql`${search}::text`)}) > 0` : sql`true`}
    order by ${order} limit ${size + 1}`.execute(db)
  return opened(keys, rows)
}

const days = (count: number) => sql`make_interval(hours => ${count * 24}::int)`

/** It ends soon and is not renewed yet, is suspended, has expired of late with nothing in its place, or is new and in no app yet (ux.md §8.2). */
const needsAttention = sql`(
  (${active} and s.valid_to <= t.now + ${days(limits.badge.amberDays)}
    and not exists (select from renewals r where r.signature_id = s.id and ${isSigned}))
  or (s.status = 'suspended' and s.valid_to > t.now)
  or (s.status = 'good' and s.valid_to <= t.now and s.valid_to > t.now - ${days(limits.home.overDays)} and not exists (
    select from signatures n where n.account_id = s.account_id and n.product = s.product and n.organisation is not distinct from s.organisation
      and n.status = 'good' and n.valid_to > t.now))
  or (${active} and s.product = 'app' and s.valid_from > t.now - ${days(limits.home.newDays)}
    and not exists (select from pairings p where p.signature_id = s.id and p.confirmed_at is not null)))`

/** Counts, twenty of those that need attention, nearest end first, how many more there are, and the one that ends first of those that are valid. */
export async function summarise(
  db: Db,
  keys: Keys,
  owner: string,
  now: Date,
): Promise<{
  active: number
  inactive: number
  attention: SignatureRow[]
  further: number
  nearest: SignatureRow | undefined
}> {
  const counts = await sql<{ active: number; inactive: number }>`
    select count(*) filter (where ${active})::int as active, count(*) filter (where not ${active})::int as inactive
    from signatures s, ${at(now)} where s.account_id = ${owner}`.execute(db)
  const { rows } = await sql<Sealed<SignatureRow & { waits: boolean; waiting: number; isActive: boolean }>>`
    select ${columnsBy(byEnd)}, ${needsAttention} as waits, count(*) filter (where ${needsAttention}) over ()::int as waiting, ${active} as "isActive" from signatures s, ${at(now)}
    where s.account_id = ${owner} and (${needsAttention}
      or s.id = (select s.id from signatures s where s.account_id = ${owner} and ${active} order by ${byEnd} limit 1))
    order by ${byEnd} limit 21`.execute(db)
  const known = opened(keys, rows)
  const attention = known.filter(({ waits }) => waits)
  return {
    ...counts.rows[0]!,
    attention,
    further: (known[0]?.waiting ?? 0) - attention.length,
    nearest: known.find(({ isActive }) => isActive),
  }
}

/** The owner's signature; anyone else's is as absent as none (R34). */
export async function findSignature(db: Db, keys: Keys, owner: string, id: string): Promise<SignatureRow | undefined> {
  const { rows } = await sql<
    Sealed<SignatureRow>
  >`select ${columnsBy(byEnd)} from signatures s where s.id = ${id} and s.account_id = ${owner}`.execute(db)
  return opened(keys, rows)[0]
}

/** The DER of the certificate and of those above it. */
export async function findCertificate(
  db: Db,
  keys: Keys,
  owner: string,
  id: string,
): Promise<{ certificate: Buffer; chain: Buffer[] } | undefined> {
  const row = await db
    .selectFrom('signatures')
    .select('certificates')
    .where('id', '=', id)
    .where('account_id', '=', owner)
    .executeTakeFirst()
  if (!row) return undefined
  const { certificate, chain } = openCertificates(keys, id, row.certificates)
  return { certificate: Buffer.from(certificate, 'base64'), chain: chain.map((der) => Buffer.from(der, 'base64')) }
}

export function findAgreement(db: Db, owner: string, id: string) {
  return db
    .selectFrom('signatures')
    .select(['agreement_key as key', 'agreement_sha256 as sha256', 'agreement_language as language', 'product'])
    .where('id', '=', id)
    .where('account_id', '=', owner)
    .executeTakeFirst()
}

export async function storePairing(tx: Tx, signatureId: string, secret: Buffer): Promise<void> {
  await sql`
    insert into pairings (signature_id, secret) values (${signatureId}, ${secret})
    on conflict (signature_id) do update set secret = excluded.secret, created_at = portal_now(), last_step = 0, confirmed_at = null`.execute(
    tx,
  )
}

export function findPairing(db: Db, signatureId: string) {
  return db
    .selectFrom('pairings')
    .select(['secret', 'last_step as lastStep'])
    .where('signature_id', '=', signatureId)
    .executeTakeFirst()
}

/** Takes a time step for the secret it was checked with; false when it, or a newer one, was taken before. */
export async function confirmStep(tx: Tx, signatureId: string, secret: Buffer, step: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update pairings set last_step = ${step}, confirmed_at = portal_now()
    where signature_id = ${signatureId} and secret = ${secret} and last_step < ${step}`.execute(tx)
  return numAffectedRows === 1n
}
