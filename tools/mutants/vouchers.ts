import type { Mutant } from '../mutants.ts'

export const mutants: Mutant[] = [
  {
    row: 'R30',
    file: 'server/voucher-codes.ts',
    find: ' and used_at is null and expires_at > portal_now()`',
    replace: '`',
    test: 'server/vouchers/vouchers.test.ts',
    title: 'VCH-1 R30 unknown, used, expired and foreign codes',
  },
  {
    row: 'R30',
    file: 'server/vouchers/voucher-queries.ts',
    find: 'where c.code_id = ${code} and c.account_id = ${owner}',
    replace: 'where c.code_id = ${code} and ${owner}::uuid is not null',
    test: 'server/vouchers/vouchers.test.ts',
    title: 'VCH-1 R30 unknown, used, expired and foreign codes',
  },
  {
    row: 'R31',
    file: 'server/vouchers/vouchers.ts',
    find: "      if (code.kind === 'renewal') {\n",
    replace: "      if (code.kind === 'renewal' && (await spendCodeOfProvider(tx, code.id))) {\n",
    test: 'server/vouchers/vouchers.test.ts',
    title: 'VCH-1 R31 a renewal code is told as one',
  },
  {
    row: 'R55',
    file: 'server/provider-api/provider-voucher-queries.ts',
    find: '\n      and (c.reported_at is null or c.reported_at < ${report.at}::timestamptz)',
    replace: '',
    test: 'server/provider-api/provider-vouchers.test.ts',
    title: 'VCH-4 R55 the latest word stands',
  },
  {
    row: 'VCH-4',
    file: 'server/provider-api/provider-vouchers.ts',
    find: 'if (isMoved && known === undefined) raiseAlarm',
    replace: 'if (isMoved && known === null) raiseAlarm',
    test: 'server/provider-api/provider-vouchers.test.ts',
    title: 'VCH-4 an unknown word shows',
  },
]
