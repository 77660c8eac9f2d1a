import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readSession } from '../../../contract/account.ts'
import { has } from '../../../pki/testing/peer-programs.ts'
import { collectFindings } from '../../testing/audit-entries.ts'
import { createDatabase } from '../../testing/databases.ts'
import { closingWithFile, manySends } from '../../testing/open-portal.ts'
import { openTestPortal } from '../../testing/portal-nodes.ts'
import { startPgbouncer } from '../../testing/proxies.ts'
import { makeCustomer, signInAs } from '../../testing/test-customers.ts'
import { addAuditEntry } from '../audit/audit.ts'
import { loadKeys } from '../encrypted-data/open-keys.ts'
import { connect } from './database.ts'
import { UnsupportedDatabaseError } from './migrate.ts'
import { requireMembership, connectQuery, requirePoolerSettings, requireSameDatabase } from './requests-login.ts'

/** Fewer connections than the nodes use at once. */
const size = 3

async function openPooledPortal() {
  let pooler: Awaited<ReturnType<typeof startPgbouncer>> | undefined
  const portal = await openTestPortal({
    nodes: 2,
    settings: manySends,
    isPooled: true,
    proxyDatabase: async (url) => (pooler = await startPgbouncer(url, { size })).url,
  })
  return { portal, pooler: pooler! }
}

describe.skipIf(!has('pgbouncer'))('behind PgBouncer in transaction mode (skipped where it is missing)', async () => {
  if (!has('pgbouncer')) return
  const { portal } = await closingWithFile(openPooledPortal, async (opened) => {
    await opened.portal.close()
    await opened.pooler.stop()
  })

  test('OPS-3 OPS-7 customers sign in on all nodes, under the role of requests in every connection', async () => {
    const browser = await signInAs(portal, await makeCustomer(portal))
    const reads = Array.from({ length: 20 }, (_, i) => browser.call(readSession, {}, i % 2))
    expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]))
    const roles = await Promise.all(
      reads.map(() => sql<{ role: string }>`select current_user as role, pg_sleep(0.05)`.execute(portal.db)),
    )
    expect(new Set(roles.map(({ rows }) => rows[0]!.role))).toEqual(new Set(['sygnet_app']))
  })

  test('OPS-5 R85 entries of many transactions at once leave chains without a gap', async () => {
    const entry = { action: 'signed-out', accountId: null, actor: 'system' } as const
    const add = (node: number) =>
      portal.nodes[node]!.db.transaction().execute(async (tx) => {
        await addAuditEntry(tx, entry)
        await addAuditEntry(tx, entry)
      })
    await Promise.all(Array.from({ length: 200 }, (_, i) => add(i % 2)))
    const { findings, records } = await collectFindings(portal.db, portal.portal.keys.audit)
    expect(findings).toEqual([])
    expect(records).toBeGreaterThanOrEqual(400)
  })

  test('OPS-3 R73 a pooler without the settings of the guide is refused, with the settings that it lacks', async () => {
    const bare = await startPgbouncer(portal.databaseUrl, { size, query: 'set jit to off' })
    const { db, close } = connect(bare.url, { isPooled: true })
    await expect(requirePoolerSettings(db)).rejects.toThrow(/without role = sygnet_app, .*enable_seqscan = off/)
    await close()
    await bare.stop()
    await requirePoolerSettings(portal.db)
  })

  test('R180 a pooler before the owner’s database is accepted, and one before another database is not', async () => {
    const { url, drop } = await createDatabase()
    const owner = { key: 'DATABASE_DIRECT_URL', url: portal.databaseUrl }
    const [own, foreign] = await Promise.all(
      [portal.databaseUrl, url].map((target) => startPgbouncer(target, { size })),
    )
    onTestFinished(async () => {
      await Promise.all([own!.stop(), foreign!.stop()])
      await drop()
    })
    await requireSameDatabase(owner, { key: 'DATABASE_URL', url: own!.url })
    await requireMembership(own!.url, 'nobody')
    await expect(requireSameDatabase(owner, { key: 'DATABASE_URL', url: foreign!.url })).rejects.toThrow(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.',
    )
  })
})

test('OPS-7 the guide has the settings of the pooler', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/scale.md'), 'utf8')
  expect(guide).toContain(`connect_query='${connectQuery}'`)
})

async function newDatabase(template?: string) {
  const { url, drop } = await createDatabase(template)
  onTestFinished(drop)
  return url
}

test('R180 two addresses of one database are accepted, and a restored copy of it, with the same ids and keys, is not', async () => {
  const url = await newDatabase()
  await loadKeys(url, [randomBytes(32)])
  const copy = await newDatabase(new URL(url).pathname.slice(1))
  const owner = { key: 'DATABASE_OWNER_URL', url }
  await requireSameDatabase(owner, { key: 'DATABASE_URL', url })
  await requireSameDatabase(owner, { key: 'DATABASE_URL', url: `${url}?application_name=another` })
  const refusal = await requireSameDatabase(owner, { key: 'DATABASE_URL', url: copy }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(UnsupportedDatabaseError)
  expect((refusal as Error).message).toMatch(/^DATABASE_URL and DATABASE_OWNER_URL lead to different databases\. /)
})
