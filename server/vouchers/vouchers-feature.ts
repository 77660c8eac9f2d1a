import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import {
  putVoucherCodes,
  getVoucherCode,
  listProviderCases,
  getProviderCase,
  putCaseStatus,
} from './provider-vouchers.ts'
import { exportedVouchers } from './voucher-export.ts'
import { redeemVoucher, readVoucherLimit, listVoucherCases } from './vouchers.ts'

export const vouchersFeature: ServerFeature = {
  calls: [
    redeemVoucher,
    readVoucherLimit,
    listVoucherCases,
    putVoucherCodes,
    getVoucherCode,
    listProviderCases,
    getProviderCase,
    putCaseStatus,
  ],
  exportData: [exportedVouchers],
  erasure: {
    inUse: (id) => [sql`exists (select from voucher_cases where account_id = ${id} and status = 'in-progress')`],
    isEvidence: (id) => [sql`exists (select from voucher_cases where account_id = ${id})`],
    remove: (id) => [sql`delete from voucher_codes where account_id = ${id} and used_at is null`],
  },
}
