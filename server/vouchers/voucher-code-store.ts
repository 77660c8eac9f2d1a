import { sql } from 'kysely'
import type { VoucherProcess } from '../../contract/vouchers.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { encryptionOf } from '../platform/encrypted-data/encrypted-columns.ts'
import { mac, type Keys } from '../platform/encryption/keys.ts'
import { query } from '../platform/database/query.ts'

/** A code that the customer who entered it may use. */
export type UsableCode = { id: string; usedAt: Date | null } & (
  | { kind: 'voucher'; process: VoucherProcess; signatureId: null }
  | { kind: 'renewal'; process: null; signatureId: string }
)

export const voucherCodeMac = (keys: Keys, code: string): Buffer => mac(keys.code, 'voucher', code)

export const { encrypt: encryptVoucherCode, decrypt: decryptVoucherCode } = encryptionOf('voucher_codes', 'code')

/** Undefined if the code is unknown, expired or somebody else's. A used code is found too, since its user returns to what it opened. */
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
  await sql`select from voucher_codes where id = ${id} for update`.execute(tx)
  return query(tx).changesOne(sql`
    update voucher_codes set used_at = portal_now()
    where id = ${id} and used_at is null and expires_at > portal_now()`)
}
