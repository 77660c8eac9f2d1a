import { randomUUIDv7 } from 'node:crypto'
import type pg from 'pg'
import { encryptSigner } from '../server/documents/document-case-store.ts'
import type { Keys } from '../server/platform/encryption/keys.ts'

/** Rows for each account: what customers have after some years. */
const perAccount = { signatures: 4, audit: 10 }
/** Number of accounts inserted at once, so that a statement takes seconds. */
const accountsPerStatement = 50_000

/** Returns the SQL of a deterministic id, so that rows can refer to each other without a join. */
const idOfChain = (number: string) => `md5('chain' || ${number})::uuid`
/** Returns the SQL of a time-ordered id (RFC 9562 §5.7) for the time `milliseconds`. */
const timedId = (milliseconds: string, rest: string) =>
  `overlay(overlay(lpad(to_hex((${milliseconds})::bigint), 12, '0') || left(md5((${rest})::text), 20) placing '7' from 13) placing '8' from 17)::uuid`
const idOfAccount = (number: string) => timedId(number, number)
const account = idOfAccount('n')
const idOfSignature = (number: string, of: string) =>
  timedId(`${number} * ${perAccount.signatures} + ${of}`, `${number} || '-' || ${of}`)

/** Returns the SQL of an encrypted column's bytes, as many as in a real value; only rows that are read have real values. */
const encryptedBytesSql = (length: number) => {
  const rest = Math.max(0, length - 16)
  return `(decode(md5(n || 'x' || random()), 'hex')${rest ? ` || decode('${'5e'.repeat(rest)}', 'hex')` : ''})`
}

const ago = (days: number) => `portal_now() - random() * interval '${days} days'`
/**
 * Time after which rows expire, so that none expires by itself during a run: a cleanup removes as much from a large database as from a
 * small one.
 */
const longAfterTheRun = `interval '8 hours'`

/** Each for the accounts `n` of one step: a certificate for each, and renewals for any of the accounts so far. */
const statements = [
  `insert into accounts (id, provider_id, login, login_key, email, email_key, phone, phone_index, first_name, surname, locale, password_hash, created_at)
   select ${account}, 'many-' || n, 'many' || n, 'many' || n, n || '@many.example', n || '@many.example', ${encryptedBytesSql(45)}, ${encryptedBytesSql(16)}, 'Małgorzata',
     'Wiśniewska', 'pl', '$argon2id$v=19$m=19456,t=2,p=1$' || md5(n::text) || md5(n::text), ${ago(1000)} from numbers`,
  `insert into personal_data (account_id, encrypted, identifier_index) select ${account}, ${encryptedBytesSql(300)}, ${encryptedBytesSql(16)} from numbers`,
  `insert into consents (account_id, kind, given, version, locale, wording_sha256, at)
   select ${account}, kind, true, '1', 'pl', 'many', ${ago(1000)} from numbers, unnest(array['terms', 'privacy']) kind`,
  `insert into signatures (id, provider_id, account_id, product, name, identifier_type, identifier_country, identifier_value, identifier_index, period,
     valid_from, valid_to, status, certificates, certificate_index, serial_index, agreement_language, created_at)
   select ${idOfSignature('n', 'o')}, 'many-' || n || '-' || o, ${idOfAccount('owner')}, 'app', 'Małgorzata Wiśniewska', 'PNO', 'PL', ${encryptedBytesSql(39)}, ${encryptedBytesSql(16)}, '2_year',
     ends - interval '2 years', ends, case when n % 50 = 0 then 'revoked' else 'good' end, ${encryptedBytesSql(1200)}, ${encryptedBytesSql(16)}, ${encryptedBytesSql(16)}, 'pl', ends - interval '2 years'
   from numbers, generate_series(1, ${perAccount.signatures}) o, lateral (select portal_now() + (random() * 2000 - 1300 + 0 * o) * interval '1 day' as ends,
     case when o = 1 then n else 1 + floor(random() * n)::bigint end as owner) filed`,
  `insert into renewals (account_id, signature_id, code_id, state, opened_at, ends_at, updated_at)
   select ${account}, ${idOfSignature('n', '1')}, gen_random_uuid(), case when n % 10 = 0 then 'parameters' else 'expired' end, at, at + interval '14 days', at
   from numbers, lateral (select ${ago(1000)} as at) t`,
  `insert into timestamp_accounts (provider_id, account_id, login, authentication, server_url, active)
   select 'many-' || n, ${account}, n, 'basic', 'https://tsa.example', true from numbers where n % 10 = 0`,
  `insert into devices (token_hash, account_id, expires_at) select ${encryptedBytesSql(32)}, ${account}, portal_now() + ${longAfterTheRun} + random() * interval '180 days' from numbers`,
  `insert into sessions (token_hash, account_id, stage, started_at, ends_at, absolute_ends_at)
   select ${encryptedBytesSql(32)}, ${account}, 'signed-in', now, now + interval '20 min', now + interval '8 hours' from numbers,
     lateral (select ${ago(0.5)} as now) t where n % 5 = 0`,
  `insert into outbox (channel, message, outcome, created_at, next_try_at, sent_at)
   select 'sms', '', 'sent', at, at, at from numbers, generate_series(1, 2) o, lateral (select ${ago(6)} + 0 * o * interval '1 s' as at) t`,
  `insert into idempotency (caller, key, request_hash, created_at) select gen_random_uuid(), n, ${encryptedBytesSql(32)}, ${ago(0.5)} from numbers where n % 5 = 0`,
  `insert into rate_limits (name, key, spent, forget_at) select 'sign-in', ${encryptedBytesSql(32)}, array[portal_now()], portal_now() + ${longAfterTheRun} + random() * interval '1 day' from numbers`,
]

/** Returns the statement that inserts entries of earlier days, in chronological order; nothing computes their MACs. */
const auditEntries = (total: number) => `
  insert into audit (chain, seq, id, at, act, account_id, actor, address, details, previous, mac) overriding system value
  select ${idOfChain('(n / 100000)')}, n % 100000 + 1, nextval('audit_id_seq'), portal_now() - interval '1000 days' + n * (interval '999 days' / ${total}), 'sign-in-finished',
    ${idOfAccount(`(1 + (n::bigint * 7919) % ${total / perAccount.audit})`)}, 'customer', '198.51.100.7', '{"browser": "firefox", "system": "linux", "factor": "sms"}', ${encryptedBytesSql(32)}, ${encryptedBytesSql(32)}
  from numbers`

/** Adds a document case for each account, with an encrypted signer, which the provider's lists decrypt. */
function addCases(client: pg.PoolClient, keys: Keys, first: number, last: number) {
  const ids = Array.from({ length: last - first + 1 }, () => randomUUIDv7())
  return client.query(
    `insert into document_cases (id, provider_id, account_id, application, document, process, signer, status, version, created_at, updated_at)
     select id, 'many-' || n, ${account}, n, n, '{"name": {"pl": "a", "en": "a"}}', signer, 'finished', 5, ${ago(1000)}, ${ago(900)}
     from unnest($1::uuid[], $2::bytea[], $3::int[]) given (id, signer, n)`,
    [ids, ids.map((id) => encryptSigner(keys, id, 'PNOPL-44051401458')), ids.map((_, i) => first + i)],
  )
}

/** Drops the indexes that are not of constraints, because building them afterwards is faster; returns what builds them. */
async function dropIndexes(client: pg.PoolClient) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'public' and not exists (select from pg_constraint where conname = indexname)`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of rows) await client.query(definition)
  }
}

/** Fills a database with this many accounts and all that belongs to them. */
export async function fillDatabase(owner: pg.Pool, keys: Keys, accounts: number, report: (done: number) => void) {
  await owner.query(`insert into wordings values ('many', 'many')`)
  const client = await owner.connect()
  try {
    await fill(client, keys, accounts, report)
  } finally {
    client.release(true)
  }
}

async function fill(client: pg.PoolClient, keys: Keys, accounts: number, report: (done: number) => void) {
  // The rows refer to each other by construction: no trigger needs to check them.
  await client.query('set session_replication_role = replica')
  const rebuildIndexes = await dropIndexes(client)
  const run = (statement: string, first: number, last: number) =>
    client.query(`with numbers as (select n from generate_series(${first}, ${last}) n) ${statement}`)
  for (let first = 1; first <= accounts; first += accountsPerStatement) {
    const last = Math.min(accounts, first + accountsPerStatement - 1)
    for (const statement of statements) await run(statement, first, last)
    await addCases(client, keys, first, last)
    for (let part = 0; part < perAccount.audit; part++) {
      const size = last - first + 1
      const from = (first - 1) * perAccount.audit + part * size
      await run(auditEntries(accounts * perAccount.audit), from, from + size - 1)
    }
    report(last)
  }
  await rebuildIndexes()
  await client.query('vacuum analyze')
}
