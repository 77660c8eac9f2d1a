import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import type { CaseStatus, VoucherCase, VoucherProcess } from '../../contract/vouchers.ts'
import { isoInstant, type Db, type Tx } from '../platform/database/database.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { decryptVoucherCode } from './voucher-code-store.ts'

export type CasePosition = { createdAt: string; id: string }

type CaseRow = Omit<VoucherCase, 'code'> & { codeId: string; code: Buffer }

const columns = sql`
  c.id, c.number, v.id as code_id, v.code, v.process, c.status, c.provider_status, c.note,
  c.created_at::text, c.updated_at::text`
const caseTables = sql`voucher_cases c join voucher_codes v on v.id = c.code_id`

export const caseOf = (keys: Keys, { codeId, code, createdAt, updatedAt, ...rest }: CaseRow): VoucherCase => ({
  ...rest,
  code: decryptVoucherCode(keys, codeId, code),
  createdAt: isoInstant(createdAt),
  updatedAt: isoInstant(updatedAt),
})

/** The newest first; one more than `size` if there is a next page. */
export async function listCases(
  db: Db,
  owner: string,
  { after, size, status }: { after: CasePosition | undefined; size: number; status: CaseStatus | undefined },
): Promise<CaseRow[]> {
  const beyond = after ? sql`(c.created_at, c.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)` : sql`true`
  const { rows } = await sql<CaseRow>`
    select ${columns} from ${caseTables}
    where c.account_id = ${owner} and ${beyond} and ${status ? sql`c.status = ${status}` : sql`true`}
    order by c.created_at desc, c.id desc limit ${size + 1}`.execute(db)
  return rows
}

/** The case that a code opened for this customer; undefined for another customer's too (R30). */
export async function findCaseOfCode(
  tx: Tx,
  keys: Keys,
  owner: string,
  code: string,
): Promise<VoucherCase | undefined> {
  const { rows } = await sql<CaseRow>`
    select ${columns} from ${caseTables} where c.code_id = ${code} and c.account_id = ${owner}`.execute(tx)
  return rows[0] && caseOf(keys, rows[0])
}

type CreatedCase = { id: string; email: string; locale: Locale; process: VoucherProcess }

/** Opens the case of a code that was just used; returns what its mail needs. */
export async function createCase(
  tx: Tx,
  opened: { code: string; owner: string; number: string },
): Promise<CreatedCase> {
  const { rows } = await sql<CreatedCase>`
    with opened as (
      insert into voucher_cases (number, code_id, account_id) values (${opened.number}, ${opened.code}, ${opened.owner})
      returning id, code_id, account_id
    )
    select opened.id, a.email, a.locale, v.process
    from opened join accounts a on a.id = opened.account_id join voucher_codes v on v.id = opened.code_id`.execute(tx)
  return rows[0]!
}
