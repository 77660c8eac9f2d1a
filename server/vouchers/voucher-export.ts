import { sql } from 'kysely'
import type { Text } from '../../contract/enums.ts'
import { processText, type CaseStatus, type VoucherProcess } from '../../contract/vouchers.ts'
import { exportedList, labels, type ExportData, type ExportSource } from '../platform/exported-data.ts'
import { decryptVoucherCode } from './voucher-code-store.ts'

/** The vouchers in the copy of all data. */
export const exportVouchers: ExportData = async (source) =>
  exportedList(
    'vouchers',
    { pl: 'Kody voucher i\u00a0sprawy', en: 'Voucher codes and cases' },
    await readVouchers(source),
    (voucher) => ({
      name: voucher.process ? processText[voucher.process] : { pl: 'Kod odnowienia', en: 'Renewal code' },
      rows: [
        [{ pl: 'Kod', en: 'Code' }, voucher.code],
        [{ pl: 'Użyty', en: 'Used' }, voucher.usedAt],
        [{ pl: 'Ważny do', en: 'Valid until' }, voucher.expiresAt],
        [{ pl: 'Numer sprawy', en: 'Case number' }, voucher.number],
        [labels.status, voucher.status && caseText[voucher.status]],
        [labels.note, voucher.note],
      ],
    }),
  )

/** Codes that were used, with their cases. The text of an unused code is left out: it is as good as money. */
async function readVouchers({ db, keys, accountId }: ExportSource) {
  const { rows } = await sql<{
    id: string
    providerId: string
    kind: 'voucher' | 'renewal'
    code: Buffer
    process: VoucherProcess | null
    signature: string | null
    expiresAt: Date
    usedAt: Date | null
    storedAt: Date
    number: string | null
    status: CaseStatus | null
    providerStatus: string | null
    note: Text | null
    reportedAt: Date | null
    createdAt: Date | null
    updatedAt: Date | null
  }>`
    select v.id, v.provider_id, v.kind, v.code, v.process, v.signature_id as signature, v.expires_at, v.used_at, v.created_at as stored_at,
      c.number, c.status, c.provider_status, c.note, c.reported_at, c.created_at, c.updated_at
    from voucher_codes v left join voucher_cases c on c.code_id = v.id
    where v.account_id = ${accountId} or c.account_id = ${accountId} order by c.created_at, v.id`.execute(db)
  return rows.map(({ id, code, ...row }) => ({ ...row, code: row.usedAt && decryptVoucherCode(keys, id, code) }))
}

const caseText: Record<CaseStatus, Text> = {
  'in-progress': { pl: 'w\u00a0toku', en: 'in progress' },
  'finished-successfully': { pl: 'zakończona', en: 'completed' },
  'finished-unsuccessfully': { pl: 'niezrealizowana', en: 'unsuccessful' },
}
