import { sql } from 'kysely'
import type { Text } from '../../contract/enums.ts'
import { processText, type CaseStatus } from '../../contract/vouchers.ts'
import { labels, ofTable, reasons, type ExportedList } from '../platform/exported-data.ts'
import type { ServerFeature } from '../platform/portal.ts'
import {
  putVoucherCodes,
  getVoucherCode,
  listProviderCases,
  getProviderCase,
  putCaseStatus,
} from './provider-vouchers.ts'
import { redeemVoucher, readVoucherLimit, listVoucherCases } from './vouchers.ts'

const inCase = ofTable('voucher_cases')

const caseText: Record<CaseStatus, Text> = {
  'in-progress': { pl: 'w\u00a0toku', en: 'in progress' },
  'finished-successfully': { pl: 'zakończona', en: 'completed' },
  'finished-unsuccessfully': { pl: 'niezrealizowana', en: 'unsuccessful' },
}

/**
 * The codes in the copy of all data, with the cases that they have opened. The text of an unused code is left out: it is as good as money.
 */
const exportedVouchers: ExportedList = {
  key: 'vouchers',
  table: 'voucher_codes',
  join: sql`left join voucher_cases on code_id = voucher_codes.id`,
  columns: `provider_id kind code process signature_id=signature expires_at used_at created_at=storedAt
    ${inCase('number status provider_status note reported_at created_at updated_at')}`,
  omitted: {
    id: reasons.internal,
    code_mac: reasons.secret,
    [inCase('code_id')]: reasons.joined,
    [inCase('id status_known')]: reasons.internal,
  },
  where: (id) => sql`voucher_codes.account_id = ${id} or voucher_cases.account_id = ${id}`,
  order: 'voucher_cases.created_at id',
  complete: (voucher) => ({ ...voucher, code: voucher['usedAt'] && voucher['code'] }),
  title: { pl: 'Kody voucher i\u00a0sprawy', en: 'Voucher codes and cases' },
  name: ['process', { ...processText, null: { pl: 'Kod odnowienia', en: 'Renewal code' } }],
  rows: [
    [{ pl: 'Kod', en: 'Code' }, 'code'],
    [{ pl: 'Użyty', en: 'Used' }, 'usedAt'],
    [{ pl: 'Ważny do', en: 'Valid until' }, 'expiresAt'],
    [{ pl: 'Numer sprawy', en: 'Case number' }, 'number'],
    [labels.status, ['status', caseText]],
    [labels.note, 'note'],
  ],
}

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
  historyObjects: {
    'voucher-case': {
      details: ['voucherCase'],
      find: (accountId, idIn) => sql`
        select jsonb_build_object('id', id, 'name', number) from voucher_cases
        where id = ${idIn('voucherCase')} and account_id = ${accountId}`,
    },
  },
  exportData: [exportedVouchers],
  erasure: {
    inUse: (id) => [sql`exists (select from voucher_cases where account_id = ${id} and status = 'in-progress')`],
    evidenceConditions: (id) => [sql`exists (select from voucher_cases where account_id = ${id})`],
    remove: (id) => [sql`delete from voucher_codes where account_id = ${id} and used_at is null`],
  },
}
