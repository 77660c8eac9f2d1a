import type { Mutant } from '../mutants.ts'

const mutant =
  (test: string) =>
  (title: string, file: string, find: string, replace: string, row = 'R87') =>
    ({ row, file, find, replace, test, title }) satisfies Mutant
const exports = mutant('server/data-export/data-export.test.ts')
const columns = mutant('server/data-export/own-data-columns.test.ts')
const erasures = mutant('server/provider-api/erasure.test.ts')
const retention = mutant('server/retention.test.ts')

const day = 'DAT-6 R87 to the second after 24 hours'
const all = 'DAT-6 R87 every column of every table'
const erased = 'R87 erased, its names'
const inUse = 'R87 an account of which any one service'

export const mutants: Mutant[] = [
  exports(
    day,
    'server/data-exports.ts',
    'coalesce(e.made_at, e.requested_at) > portal',
    'coalesce(e.made_at, e.requested_at) >= portal',
  ),
  exports(day, 'server/data-exports.ts', '    for (const file of files) await ports.documents.remove(file)\n', ''),
  exports(
    'DAT-6 R34 R41 nobody fetches',
    'server/data-exports.ts',
    'from data_exports e where e.account_id = ${accountId} and ${isLive}`.execute',
    'from data_exports e where ${isLive} order by (e.account_id = ${accountId}) desc`.execute',
    'R34',
  ),
  exports(
    'DAT-6 one is made at a time',
    'server/data-export/data-export.ts',
    "      if (!paid.ok) throw fail('too-many-attempts', { retryAfter: paid.retryAfter })\n",
    '',
    'DAT-6',
  ),
  exports(
    'DAT-6 AUT-7 it is asked for',
    'contract/data-export.ts',
    "  stepUp: 'export-data',\n  errors: ['state-passed'],\n",
    "  errors: ['state-passed'],\n",
    'AUT-7',
  ),
  // The name of a file is known only when it is whole.
  exports(
    'DAT-6 R92 R53 killed after rename',
    'server/data-exports.ts',
    'set files = files || ${Object.values(files)}::text[] from',
    'set files = files || ${[] as string[]}::text[] from',
    'R53',
  ),
  exports(
    'DAT-6 R87 R92 what could not be made',
    'server/data-exports.ts',
    '      if (!made) await enqueue(',
    '      if (made) await enqueue(',
    'R92',
  ),
  columns(all, 'server/own-data.ts', '    earlyReminders: row.early_reminders,\n', '', 'DAT-6'),
  columns(
    all,
    'server/own-cases.ts',
    'where v.account_id = ${accountId} or c.account_id = ${accountId} order',
    'where c.account_id = ${accountId} order',
    'DAT-6',
  ),
  columns(
    all,
    'server/own-data.ts',
    "    .orderBy('consents.id')\n",
    "    .orderBy('consents.id')\n    .where('given', '=', false)\n",
    'DAT-6',
  ),
  erasures(
    inUse,
    'server/erasure.ts',
    '  or exists (select from timestamp_accounts where account_id = ${id} and active)\n',
    '',
  ),
  erasures(
    inUse,
    'server/erasure.ts',
    "  or exists (select from voucher_cases where account_id = ${id} and status = 'in-progress')\n",
    '',
  ),
  erasures(erased, 'server/erasure.ts', '  await discardFiles(tx, filesForgotten(id))\n', ''),
  erasures(erased, 'server/erasure.ts', '  sql`delete from passkeys where account_id = ${id}`,\n', ''),
  erasures(erased, 'server/erasure.ts', '  sql`delete from personal_data where account_id = ${id}`,\n', ''),
  erasures(erased, 'server/erasure.ts', '  await sql`select forget_marketing(${id})`.execute(tx)\n', ''),
  erasures(erased, 'server/erasure.ts', '      await discardFiles(tx, filesHeld(id))\n', ''),
  erasures(
    erased,
    'server/erasure.ts',
    'from erasures where at <= portal_now()',
    'from erasures where at < portal_now()',
  ),
  // Evidence goes with the rest.
  erasures(
    erased,
    'server/erasure.ts',
    'delete from accounts where id = ${id} and not (${isHeld(id)})',
    'delete from accounts where id = ${id}',
  ),
  erasures(
    'R87 a file that could not be removed',
    'server/discarded-files.ts',
    '    await documents.remove(file)\n',
    '    await documents.remove(file).catch(() => {})\n',
  ),
  retention('R87 what has run out', 'server/housekeeping.ts', "outcome in ('sent', 'expired')", "outcome = 'sent'"),
  retention('R87 what has run out', 'server/housekeeping.ts', "outcome = 'dead' and", "outcome = 'none' and"),
  retention(
    'R87 what has run out',
    'server/housekeeping.ts',
    'from devices where expires_at < portal_now()',
    "from devices where expires_at < portal_now() - interval '1 day'",
  ),
]
