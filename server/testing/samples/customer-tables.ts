import type pg from 'pg'
import { features } from '../../features.ts'
import { camelCase } from '../../platform/database/described-rows.ts'
import { columnsIn, type ExportedRows } from '../../platform/exported-data.ts'

/** Tables that are not exported, by the reason. */
export const omittedTables = new Set(
  Object.values({
    'about no customer': 'migrations software documents_store nodes',
    'the provider’s': 'provider_keys webhooks webhook_secrets',
    'keys of the portal': 'secrets document_keys',
    'counters under a MAC, which hides the customer; they expire within days': 'rate_limits',
    'messages in delivery, whose content is removed when they are sent': 'outbox',
    'answers of one day, whose data is stored elsewhere': 'idempotency',
    'hashes of codes, which are in the history': 'codes',
    'hashes of links, which are in the history': 'links',
    'confirmations of five minutes, which are in the history': 'step_ups',
    'random numbers of five minutes': 'passkey_challenges',
    'hashes of an unfinished signing, which is in the history': 'service_authorisations document_signings',
    'digests and signatures of a day, which are in the history': 'file_signings',
    'this file itself': 'data_exports',
    'places of the audit trail': 'detached_chains',
    'names of files to be removed': 'discarded_files',
    'about accounts that nobody can sign in to': 'erasures',
    'ids and states of actions that are in the history': 'events',
    'a counter of the portal': 'event_feed',
    'of public authorities': 'trusted_lists',
    'a time of a job': 'trusted_list_rounds',
    'of the provider’s staff': 'staff_sessions staff_logouts',
    'changes that nobody has made yet; they expire in a day, and those that are made are in the history':
      'desk_proposals',
  }).flatMap((names) => names.split(' ')),
)

const lists = features.flatMap(({ exportData = [] }) => exportData)
const history: ExportedRows = {
  table: 'audit',
  columns: 'id at act actor address details',
  omitted: { 'chain seq previous mac': 'a counter or flag of the portal' },
  order: 'id',
}

/** Returns each column as often as it is exported or omitted. */
export function describedColumns(): string[] {
  const inner = lists.flatMap((list) => Object.values(list.lists ?? {}))
  const described = [history, ...lists, ...inner].flatMap(({ table, columns, omitted = {} }) =>
    namesIn(table, columns, ...Object.keys(omitted)),
  )
  return [...described, ...new Set(inner.flatMap(({ table, parent }) => namesIn(table, parent)))].toSorted()
}

const namesIn = (table: string, ...columns: string[]) =>
  columnsIn(table, columns.join(' ')).map((each) => `${each.table}.${each.column}`)

/** Returns the names of the lists in a copy of all data, with those inside their rows: all, or those that have rows in `data`. */
export const listNames = (data?: Record<string, unknown>): string[] =>
  lists.flatMap(({ table, key = camelCase(table), lists: inner = {} }) => {
    const rows = data && ([data[key] ?? []].flat() as Record<string, unknown[]>[])
    const names = Object.keys(inner).filter((name) => !rows || rows.some((row) => row[name]!.length))
    return rows?.length === 0 ? [] : [key, ...names.map((name) => `${key}.${name}`)]
  })

export async function readStoredColumns(owner: pg.Pool) {
  const { rows } = await owner.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and table_name not in (select relname from pg_class where relispartition)`,
  )
  return rows
}

/** Gives an account that has one object of every kind a row of each other table that is exported. */
export async function fillTables(owner: pg.Pool, account: string) {
  await owner.query(`insert into wordings values ('w', '{"title":"Zgoda"}') on conflict do nothing`)
  for (const statement of [
    `insert into consents (account_id, kind, given, version, locale, wording_sha256)
     select $1, kind, true, '1', 'pl', 'w' from unnest(array['terms', 'privacy', 'marketing']) kind`,
    `insert into phone_changes (session_id, account_id) select id, $1 from sessions where account_id = $1 limit 1`,
    `insert into signature_reminders (signature_id, step, valid_to) select id, 30, valid_to from signatures where account_id = $1`,
    `insert into seal_reminders (seal_user_id, step, valid_to) select u.id, 30, s.valid_to from seal_users u join seals s on s.id = u.seal_id where u.account_id = $1`,
    `insert into seal_recipients (seal_id, email, email_key, locale, token_hash, expires_at)
     select u.seal_id, a.email, a.email_key, 'pl', a.id::text::bytea, now() from seal_users u join accounts a on a.id = u.account_id where a.id = $1 limit 1`,
    `insert into pairings (signature_id, secret, confirmed_at) select id, 'x', now() from signatures where account_id = $1
     on conflict (signature_id) do update set confirmed_at = now()`,
    `insert into seal_pairings (seal_user_id, secret, confirmed_at) select id, 'x', now() from seal_users where account_id = $1`,
    `insert into timestamp_usage (timestamp_account_id, day, spent) select id, '2026-06-01', 7 from timestamp_accounts where account_id = $1`,
    `insert into timestamp_notices (package_id, notice, about) select p.id, 'low', p.starts_at from timestamp_packages p
     join timestamp_accounts a on a.id = p.timestamp_account_id where a.account_id = $1`,
  ])
    await owner.query(statement, [account])
}
