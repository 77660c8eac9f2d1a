import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signHead } from '../server/platform/audit/audit-head.ts'
import { connect } from '../server/platform/database/database.ts'
import { startPostgres } from '../server/platform/database/embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrate.ts'
import { deriveKeys } from '../server/platform/encryption/keys.ts'
import { clockOf, createDatabase } from '../server/testing/databases.ts'
import { atMost, median, type Figure } from './figures.ts'

const chains = 2000
const rounds = 25
const few = 7
const many = 42

/** Signing the ends of a trail with the same entries in few and in many tables (OPS-7). */
export async function measureMonths(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-bench-postgres-'))
  const postgres = await startPostgres(directory)
  const trails = []
  try {
    for (const tables of [few, many]) trails.push(await openTrail(postgres.url, tables))
    const times: number[][] = trails.map(() => [])
    // In turn, so that what else the machine does concerns both.
    for (let round = 0; round < rounds; round++)
      for (const [i, { sign }] of trails.entries()) {
        const started = performance.now()
        await sign()
        times[i]!.push(performance.now() - started)
      }
    const [ofFew, ofMany] = times.map(median)
    const what = `signing the ends of ${chains} chains`
    return [
      { what: `${what} in ${few} tables`, value: ofFew!, unit: 'ms' },
      { what: `${what} in ${many} tables`, value: ofMany!, unit: 'ms' },
      { what: `${many} tables ÷ ${few} tables`, value: ofMany! / ofFew!, limit: atMost(1.6) },
    ]
  } finally {
    for (const { close } of trails) await close()
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Chains of ten entries, one after the other over all months; no one computes their MACs. */
async function openTrail(server: string, tables: number) {
  const { url, owner, drop } = await createDatabase('template0', server)
  await migrate(url)
  const clock = clockOf(owner)
  const start = new Date()
  const monthsLater = (months: number) => new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months, 15))
  const count = async () =>
    (await owner.query<{ n: number }>(`select count(*)::int as n from pg_inherits where inhparent = 'audit'::regclass`))
      .rows[0]!.n
  let months = 0
  while ((await count()) < tables) {
    await clock.stopAt(monthsLater(++months))
    await owner.query('select make_audit_months()')
  }
  await owner.query(
    `insert into audit (chain, seq, at, act, actor, previous, mac)
     select md5('chain' || c)::uuid, seq, $1::timestamptz + ($2::timestamptz - $1) * ((c + seq / 10.0) / ${chains}), 'sign-in-finished', 'customer',
       decode(md5('' || seq), 'hex'), decode(md5(c || ' ' || seq), 'hex')
     from generate_series(0, ${chains - 2}) c, generate_series(1, 10) seq`,
    [start, monthsLater(months)],
  )
  await owner.query('vacuum analyze audit')
  const keys = deriveKeys(randomBytes(32))
  const { db, close } = connect(url, { auditKey: keys.audit, connections: 1, asOwner: true })
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-bench-heads-'))
  await signHead(db, keys, folder)
  return {
    sign: () => signHead(db, keys, folder),
    close: async () => {
      await close()
      await drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
