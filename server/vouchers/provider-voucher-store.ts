import { sql, type RawBuilder } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import type {
  CaseReport,
  CodeOrder,
  getProviderCase,
  getVoucherCode,
} from '../../contract/provider/provider-vouchers.ts'
import type { CaseStatus, VoucherProcess } from '../../contract/vouchers.ts'
import { drawAccessCode } from '../platform/authentication/access-codes.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { decryptVoucherCode, encryptVoucherCode, voucherCodeMac } from './voucher-store.ts'

/**
 * Creates the codes that do not exist yet; of an existing code only the end changes. It is one statement in the order of the
 * ids, so that two calls at the same time create one code per id and never deadlock.
 */
export async function addCodes(tx: Tx, keys: Keys, orders: readonly CodeOrder[]): Promise<void> {
  const drawn = orders
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((order) => {
      const id = crypto.randomUUID()
      const code = drawAccessCode()
      const { process, customer } = order.kind === 'voucher' ? order : { process: null, customer: null }
      const signature = order.kind === 'renewal' ? order.signature : null
      const encrypted = encryptVoucherCode(keys, id, code)
      return { ...order, row: id, mac: voucherCodeMac(keys, code), encrypted, process, customer, signature }
    })
  await query(tx).run(sql`
    insert into voucher_codes (id, provider_id, code_mac, code, kind, process, account_id, signature_id, expires_at)
    select n.id, n.provider_id, n.code_mac, n.code, n.kind, n.process, coalesce(s.account_id, a.id), s.id, n.expires_at
    from unnest(${drawn.map(({ row }) => row)}::uuid[], ${drawn.map(({ id }) => id)}::text[], ${drawn.map(({ mac }) => mac)}::bytea[],
        ${drawn.map(({ encrypted }) => encrypted)}::bytea[], ${drawn.map(({ kind }) => kind)}::text[], ${drawn.map(({ process }) => process)}::text[],
        ${drawn.map(({ customer }) => customer)}::text[], ${drawn.map(({ signature }) => signature)}::text[],
        ${drawn.map(({ expiresAt }) => expiresAt)}::timestamptz[])
        with ordinality as n (id, provider_id, code_mac, code, kind, process, customer, signature, expires_at, ordinal)
      left join accounts a on a.provider_id = n.customer left join signatures s on s.provider_id = n.signature
    where (n.customer is null or a.id is not null) and (n.signature is null or s.id is not null)
    order by n.ordinal
    on conflict (provider_id) do update set expires_at = excluded.expires_at`)
}

type ProviderCode = Given<(typeof getVoucherCode)['reply']>
type CodeRow = Omit<ProviderCode, 'code'> & { row: string; encrypted: Buffer }

const codeStatus = sql`
  case when v.used_at is not null then 'used' when v.expires_at <= portal_now() then 'expired' else 'unused' end`
/** Conditions equivalent to `codeStatus`, written so that an index of the used codes applies. */
const statusCondition: Record<NonNullable<CodeFilters['status']>, RawBuilder<unknown>> = {
  used: sql`v.used_at is not null`,
  expired: sql`v.used_at is null and v.expires_at <= portal_now()`,
  unused: sql`v.used_at is null and v.expires_at > portal_now()`,
}
const codeColumns = sql`
  v.id as row, v.provider_id as id, v.code as encrypted, v.kind, v.process, a.provider_id as customer, s.provider_id as signature,
    v.expires_at, c.number as case, ${codeStatus} as status`
const codeTables = sql`
  voucher_codes v left join accounts a on a.id = v.account_id left join signatures s on s.id = v.signature_id
    left join voucher_cases c on c.code_id = v.id`

const decrypted = <Row extends CodeRow>(keys: Keys, { row, encrypted, ...rest }: Row) => ({
  ...rest,
  code: decryptVoucherCode(keys, row, encrypted),
})

/** Lists codes by the provider's ids, in the order of the ids. */
export async function listNamedCodes(db: Db, keys: Keys, ids: readonly string[]): Promise<ProviderCode[]> {
  const rows = await query(db).all(sql<CodeRow>`
    select ${codeColumns} from ${codeTables}
    where v.provider_id = any(${ids}::text[]) order by array_position(${ids}::text[], v.provider_id)`)
  return rows.map((row) => decrypted(keys, row))
}

export type CodeFilters = {
  /** The provider's id of who alone may redeem it, or has redeemed it. */
  customer?: string | undefined
  /** Beginning of the provider's id of the code. */
  idPrefix?: string | undefined
  status?: ProviderCode['status'] | undefined
}

/** Whether a code can be withdrawn: that of a renewal's draft is in use, although only the first step marks it as used. */
const withdrawableCondition = sql`(v.used_at is null and v.expires_at > portal_now() and not exists (
  select from renewals r where r.code_id = v.id and r.state <> 'expired' and r.ends_at > portal_now()))`

export type CodePosition = {
  /** The time to the microsecond. */
  createdAt: string
  id: string
}
export type ListedCodeRow = ProviderCode & CodePosition & { canWithdraw: boolean }

/** Order by creation time, as in the index `voucher_codes_by_time`; many codes can have the same time. */
const newestFirst = {
  order: sql`v.created_at desc, v.provider_id`,
  isAfter: ({ createdAt, id }: CodePosition) =>
    sql`v.created_at <= ${createdAt}::timestamptz and (v.created_at < ${createdAt}::timestamptz or v.provider_id > ${id})`,
}

/** Id of a code, compared as in the index `voucher_codes_by_id`. */
const idInBytes = sql`v.provider_id collate "C"`
const byId = { order: idInBytes, isAfter: ({ id }: CodePosition) => sql`${idInBytes} > ${id}` }

/** Selects texts that begin so: no character follows the last one of Unicode. */
const beginsWith = (start: string) => sql`${idInBytes} >= ${start} and ${idInBytes} < ${`${start}\u{10ffff}`}`

/** Returns a page of codes, newest first, or by id if an id prefix is given, and whether each can be withdrawn. */
export async function listCodes(
  db: Db,
  keys: Keys,
  { customer, idPrefix, status }: CodeFilters,
  { after, size }: { after: CodePosition | undefined; size: number },
): Promise<ListedCodeRow[]> {
  const owner = sql`(select id from accounts where provider_id = ${customer})`
  const list = idPrefix ? byId : newestFirst
  const rows = await query(db).all(sql<CodeRow & { canWithdraw: boolean; createdAt: string }>`
    select ${codeColumns}, v.created_at::text as created_at, ${withdrawableCondition} as can_withdraw from ${codeTables}
    where ${customer ? sql`v.id in (select id from voucher_codes where account_id = ${owner} union all select code_id from voucher_cases where account_id = ${owner})` : sql`true`}
      and ${idPrefix ? beginsWith(idPrefix) : sql`true`} and ${after ? list.isAfter(after) : sql`true`}
      and ${status ? statusCondition[status] : sql`true`}
    order by ${list.order} limit ${size + 1}`)
  return rows.map((row) => decrypted(keys, row))
}

/** Ends a code that nobody has used: false if it is used, has opened a renewal, has expired or does not exist (R260). */
export async function withdrawCode(tx: Tx, id: string): Promise<boolean> {
  // A renewal that is being opened locks its code, and is seen by the statement after the lock.
  await query(tx).run(sql`select from voucher_codes where provider_id = ${id} for update`)
  return query(tx).changesOne(sql`
    update voucher_codes v set expires_at = portal_now()
    where v.provider_id = ${id} and ${withdrawableCondition}`)
}

export type ProviderVoucherCaseRow = Given<(typeof getProviderCase)['reply']> & { id: string; owner: string }

const caseColumns = sql`
  c.id, c.account_id as owner, c.number as case, a.provider_id as customer, a.email, v.provider_id as code, v.process, c.status, c.provider_status,
  c.status_known as known, c.note, c.reported_at as at, c.created_at, c.updated_at`
const caseTables = sql`voucher_cases c join voucher_codes v on v.id = c.code_id join accounts a on a.id = c.account_id`

export async function findVoucherCase(db: Db, number: string): Promise<ProviderVoucherCaseRow | undefined> {
  return query(db).first(
    sql<ProviderVoucherCaseRow>`select ${caseColumns} from ${caseTables} where c.number = ${number}`,
  )
}

/** Lists cases by id, so that one that changes meanwhile stays on its page. */
export async function listVoucherCasesAfter(
  db: Db,
  filters: {
    customer: string | undefined
    status: CaseStatus | undefined
    known: boolean | undefined
    after: string | undefined
    size: number
  },
): Promise<ProviderVoucherCaseRow[]> {
  const { customer, status, known, after, size } = filters
  return query(db).all(sql<ProviderVoucherCaseRow>`
    select ${caseColumns} from ${caseTables}
    where ${status ? sql`c.status = ${status}` : sql`true`} and ${after ? sql`c.id > ${after}::uuid` : sql`true`}
      and ${customer ? sql`c.account_id = (select id from accounts where provider_id = ${customer})` : sql`true`}
      and ${known === undefined ? sql`true` : known ? sql`c.status_known` : sql`not c.status_known`}
    order by c.id limit ${size + 1}`)
}

type MovedCase = {
  id: string
  owner: string
  previousStatus: CaseStatus
  number: string
  email: string
  locale: Locale
  process: VoucherProcess
  note: Text | null
}

/** Stores the provider's report of a case, unless a later one is stored already: then it is undefined. */
export async function moveVoucherCase(
  tx: Tx,
  number: string,
  { status, known, report }: { status: CaseStatus; known: boolean; report: CaseReport },
): Promise<MovedCase | undefined> {
  const note = report.note && JSON.stringify(report.note)
  return query(tx).first(sql<MovedCase>`
    with previous as (select id, status from voucher_cases where number = ${number} for no key update)
    update voucher_cases c
    set status = ${status}, provider_status = ${report.status}, status_known = ${known}, note = ${note}::jsonb,
      reported_at = ${report.at}::timestamptz, updated_at = portal_now()
    from previous, accounts a, voucher_codes v
    where c.id = previous.id and a.id = c.account_id and v.id = c.code_id
      and (c.reported_at is null or c.reported_at < ${report.at}::timestamptz)
    returning c.id, a.id as owner, previous.status as previous_status, c.number, a.email, a.locale, v.process, c.note`)
}
