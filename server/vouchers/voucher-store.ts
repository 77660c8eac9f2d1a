import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { AccessCode } from '../../contract/rules/access-code.ts'
import { processText, type CaseStatus, type VoucherCase, type VoucherProcess } from '../../contract/vouchers.ts'
import { isoInstant, type Db, type Tx, query } from '../platform/database/database.ts'
import { wordsCondition, type Searched } from '../platform/database/text-search.ts'
import { encryptionOf } from '../platform/encrypted-data/encrypted-columns.ts'
import { type Keys, mac } from '../platform/encryption/keys.ts'

export type VoucherCasePosition = { urgency: number; createdAt: string; id: string }

type VoucherCaseRow = Omit<VoucherCase, 'code'> & { codeId: string; code: Buffer }

const columns = sql`
  c.id, c.number, v.id as code_id, v.code, v.process, c.status, c.provider_status, c.note,
  c.created_at::text, c.updated_at::text`
const caseTables = sql`voucher_cases c join voucher_codes v on v.id = c.code_id`

/** A code that the customer who entered it may use. */
export type UsableCode = { id: string; usedAt: Date | null } & (
  | { kind: 'voucher'; process: VoucherProcess; signatureId: null }
  | { kind: 'renewal'; process: null; signatureId: string }
)

export const voucherCodeMac = (keys: Keys, code: string): Buffer => mac(keys.code, 'voucher', code)

export const { encrypt: encryptVoucherCode, decrypt: decryptVoucherCode } = encryptionOf('voucher_codes', 'code')

/**
 * Finds a code that the customer may enter; undefined if it is unknown, expired or somebody else's. A used code is found too, since its
 * user returns to what it opened.
 */
export async function findUsableCode(
  db: Db,
  keys: Keys,
  accountId: string,
  code: string,
): Promise<UsableCode | undefined> {
  return query(db).first(sql<UsableCode>`
    select id, kind, process, signature_id, used_at from voucher_codes
    where code_mac = ${voucherCodeMac(keys, code)} and (account_id is null or account_id = ${accountId})
      and (used_at is not null or expires_at > portal_now())`)
}

/** Marks a code as used, in the transaction of what it opens; false if another request was first, or the code has expired (R30). */
export async function markCodeUsed(tx: Tx, id: string): Promise<boolean> {
  // A code that is being withdrawn is locked: the next statement is later than that, and sees it as expired (R260).
  await query(tx).run(sql`select from voucher_codes where id = ${id} for update`)
  return query(tx).changesOne(sql`
    update voucher_codes set used_at = portal_now()
    where id = ${id} and used_at is null and expires_at > portal_now()`)
}

export const voucherCaseOf = (
  keys: Keys,
  { codeId, code, createdAt, updatedAt, ...rest }: VoucherCaseRow,
): VoucherCase => ({
  ...rest,
  code: decryptVoucherCode(keys, codeId, code),
  createdAt: isoInstant(createdAt),
  updatedAt: isoInstant(updatedAt),
})

type CaseFilters = {
  after: VoucherCasePosition | undefined
  size: number
  status?: CaseStatus | undefined
} & Searched

/** Sort key that puts cases in progress first (VCH-5); an index contains it. */
const urgency = sql`(case c.status when 'in-progress' then 1 else 0 end)`

const processNames = JSON.stringify(
  Object.fromEntries(Object.entries(processText).map(([process, { pl, en }]) => [process, `${pl} ${en}`])),
)

/** Searches by the name of the case, its number, or the whole voucher code, of which only a keyed hash can be found. */
function searchedCondition(keys: Keys, search: string | undefined) {
  const code = AccessCode.safeParse(search).data
  return sql`(${wordsCondition(sql`c.number || ' ' || (${processNames}::jsonb ->> v.process)`, search)}
    or ${code ? sql`v.code_mac = ${voucherCodeMac(keys, code)}` : sql`false`})`
}

/** Returns a page of cases, the most urgent first; one more than `size` if there is a next page. */
export async function listOwnVoucherCases(
  db: Db,
  keys: Keys,
  accountId: string,
  { after, size, status, search, id }: CaseFilters,
): Promise<(VoucherCaseRow & { urgency: number })[]> {
  const beyond = after
    ? sql`(${urgency}, c.created_at, c.id) < (${after.urgency}::int, ${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : sql`true`
  return query(db).all(sql<VoucherCaseRow & { urgency: number }>`
    select ${columns}, ${urgency} as urgency from ${caseTables}
    where c.account_id = ${accountId} and ${beyond} and ${status ? sql`c.status = ${status}` : sql`true`}
      and ${searchedCondition(keys, search)} and ${id ? sql`c.id = ${id}` : sql`true`}
    order by ${urgency} desc, c.created_at desc, c.id desc limit ${size + 1}`)
}

/** Finds the case that a code opened for this customer; undefined for another customer's case too (R30). */
export async function findCaseOfCode(
  tx: Tx,
  keys: Keys,
  accountId: string,
  codeId: string,
): Promise<VoucherCase | undefined> {
  const row = await query(tx).first(sql<VoucherCaseRow>`
    select ${columns} from ${caseTables} where c.code_id = ${codeId} and c.account_id = ${accountId}`)
  return row && voucherCaseOf(keys, row)
}

type CreatedCase = { id: string; email: string; locale: Locale; process: VoucherProcess }

/** Opens the case of a code that was just used; returns what its mail needs. */
export async function addVoucherCase(
  tx: Tx,
  opened: { codeId: string; accountId: string; number: string },
): Promise<CreatedCase> {
  return query(tx).one(sql<CreatedCase>`
    with opened as (
      insert into voucher_cases (number, code_id, account_id) values (${opened.number}, ${opened.codeId}, ${opened.accountId})
      returning id, code_id, account_id
    )
    select opened.id, a.email, a.locale, v.process
    from opened join accounts a on a.id = opened.account_id join voucher_codes v on v.id = opened.code_id`)
}
