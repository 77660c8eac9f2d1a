import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import type { CaseStatus, VoucherCase, VoucherProcess } from '../../contract/vouchers.ts'
import { isoOf, type Db, type Tx } from '../db.ts'
import type { Keys } from '../keys.ts'
import { openVoucherCode } from '../voucher-codes.ts'

export type CasePlace = { createdAt: string; id: string }

type Row = Omit<VoucherCase, 'code'> & { codeId: string; code: Buffer }

const columns = sql`
  c.id, c.number, v.id as "codeId", v.code, v.process, c.status, c.provider_status as "providerStatus", c.note,
  c.created_at::text as "createdAt", c.updated_at::text as "updatedAt"`
const from = sql`voucher_cases c join voucher_codes v on v.id = c.code_id`

const caseOf = (keys: Keys, { codeId, code, createdAt, updatedAt, ...rest }: Row): VoucherCase => ({
  ...rest,
  code: openVoucherCode(keys, codeId, code),
  createdAt: isoOf(createdAt),
  updatedAt: isoOf(updatedAt),
})

/** The newest first; `next` is where a following page begins. */
export async function listCases(
  db: Db,
  keys: Keys,
  owner: string,
  { after, size, status }: { after: CasePlace | undefined; size: number; status: CaseStatus | undefined },
): Promise<{ items: VoucherCase[]; next: CasePlace | undefined }> {
  const beyond = after ? sql`(c.created_at, c.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)` : sql`true`
  const { rows } = await sql<Row>`
    select ${columns} from ${from}
    where c.account_id = ${owner} and ${beyond} and ${status ? sql`c.status = ${status}` : sql`true`}
    order by c.created_at desc, c.id desc limit ${size + 1}`.execute(db)
  const last = rows.length > size ? rows[size - 1] : undefined
  return { items: rows.slice(0, size).map((row) => caseOf(keys, row)), next: last }
}

/** The case that a code has opened for this customer; anyone else's is as absent as none (R30). */
export async function findCaseOfCode(
  tx: Tx,
  keys: Keys,
  owner: string,
  code: string,
): Promise<VoucherCase | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from ${from} where c.code_id = ${code} and c.account_id = ${owner}`.execute(tx)
  return rows[0] && caseOf(keys, rows[0])
}

/** Opens the case of a code that was just spent; answers with whom to tell. */
export async function openCase(
  tx: Tx,
  opened: { code: string; owner: string; number: string },
): Promise<{ id: string; email: string; locale: Locale; process: VoucherProcess }> {
  const { rows } = await sql<{ id: string; email: string; locale: Locale; process: VoucherProcess }>`
    with opened as (
      insert into voucher_cases (number, code_id, account_id) values (${opened.number}, ${opened.code}, ${opened.owner})
      returning id, code_id, account_id
    )
    select opened.id, a.email, a.locale, v.process
    from opened join accounts a on a.id = opened.account_id join voucher_codes v on v.id = opened.code_id`.execute(tx)
  return rows[0]!
}
