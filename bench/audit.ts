import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { signHead, readHead } from '../server/platform/audit/audit-head.ts'
import { connect, type Db } from '../server/platform/database/database.ts'
import { startPostgres } from '../server/platform/database/embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrate.ts'
import { entryContent, entryMac } from '../server/platform/encryption/audit-chain.ts'
import { deriveKeys } from '../server/platform/encryption/keys.ts'
import { collectFindings } from '../server/testing/audit-entries.ts'
import { atMost, type Figure } from './figures.ts'

const chains = 20
const batch = 10_000
const length = 50_000

/** Measures the verification of a million records, chained and signed as by the portal, on a durable PostgreSQL (R85). */
export async function measureAudit(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-bench-postgres-'))
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-bench-audit-'))
  const postgres = await startPostgres(directory)
  const keys = deriveKeys(randomBytes(32))
  const { db, close } = connect(postgres.url, { connections: 1, auditKey: keys.audit })
  try {
    await migrate(postgres.url)
    for (let chain = 0; chain < chains; chain++) await fill(db, keys.audit)
    await signHead(db, keys, folder)
    const head = readHead(keys, folder)!
    const started = performance.now()
    const now = () => readHead(keys, folder)
    const { findings, records } = await collectFindings(db, keys.audit, { known: [head], now })
    const seconds = (performance.now() - started) / 1000
    if (findings.length || records !== chains * length + 1)
      throw new Error(`The trail should be whole: ${records} records, ${findings.length} findings`)
    return [
      { what: 'verifying a million audit records', value: seconds, unit: 's', limit: atMost(60) },
      { what: 'records verified per second', value: records / seconds, unit: '/s' },
    ]
  } finally {
    await close()
    await postgres.stop()
    for (const path of [directory, folder]) rmSync(path, { recursive: true, force: true })
  }
}

/** Writes one chain, with thousands of records per statement: through the portal it would take many minutes. */
async function fill(db: Db, key: Buffer) {
  const chain = crypto.randomUUID()
  let last: Buffer = Buffer.alloc(0)
  for (let first = 1; first <= length; first += batch) {
    const { rows: numbers } = await sql<{ id: string }>`
      select nextval('audit_id_seq') as id from generate_series(1, ${batch}::int)`.execute(db)
    const records = sql`
      select ${chain}::uuid as chain, seq, id, timestamptz '2026-01-01' + id * interval '1 s' as at, 'code-sent' as act,
        '3f0c2c38-4b7e-4f53-9f6e-6f5f0f6b8f11'::uuid as account_id, 'customer' as actor, '198.51.100.7' as address,
        jsonb_build_object('code', 'c6d1c0b2-6f0e-4e56-8f7e-0a7c1e1d5b11', 'purpose', 'sign-in', 'ordinal', 1) as details
      from unnest(${numbers.map(({ id }) => id)}::bigint[]) with ordinality numbered (id, n), lateral (select ${first - 1}::bigint + n as seq) placed`
    const { rows } = await sql<{ seq: string; text: string }>`
      select seq, ${entryContent} as text from (${records}) entry order by seq`.execute(db)
    const macs = [last]
    for (const { seq, text } of rows) macs.push(entryMac(key, { chain, seq: Number(seq) }, macs.at(-1)!, text))
    last = macs.at(-1)!
    await sql`
      insert into audit (chain, seq, id, at, act, account_id, actor, address, details, previous, mac) overriding system value
      select entry.*, previous, mac from (${records}) entry
      join unnest(${macs.slice(0, -1)}::bytea[], ${macs.slice(1)}::bytea[]) with ordinality chained (previous, mac, n)
        on entry.seq = ${first - 1}::bigint + n`.execute(db)
  }
}
