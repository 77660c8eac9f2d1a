import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../server/db.ts'
import { documentKeyOf } from '../server/document-files.ts'
import { startPostgres } from '../server/embedded-postgres.ts'
import { openKeys } from '../server/open-keys.ts'
import { documentsOnDisk } from '../server/ports/documents-disk.ts'
import { sealedDocuments } from '../server/sealed-documents.ts'
import { openTestPortal, type TestPortal } from '../server/testing/portal-nodes.ts'
import { makeCustomer } from '../server/testing/browser.ts'
import { giveDocument } from '../server/testing/sample-documents.ts'
import { openProcess, reachedThrough } from '../server/testing/processes.ts'
import { openLoad } from './acknowledged-load.ts'
import { giveToServer, takeBaseCopy, writeForServer } from './base-copy.ts'
import type { Figure } from './figures.ts'
import { killDatabase, startMigrated } from './killable-database.ts'

/**
 * R97: a base backup is taken under load (PostgreSQL's low-level way) while its log is archived; more is answered after it; then the
 * server is killed, and its folder and that of the documents are gone. What is restored elsewhere from backup and archive must have
 * everything that was answered, once, and an audit trail without a finding; and every document that was filed opens from the copy
 * of the documents, which is later than that of the database.
 */
export async function measureRestore(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-restore-'))
  const place = (name: string) => {
    const path = join(folder, name)
    mkdirSync(path)
    return giveToServer(path)
  }
  giveToServer(folder)
  const [first, backup, archive, second, documents] = ['first', 'backup', 'archive', 'second', 'documents'].map(
    place,
  ) as [string, string, string, string, string]
  const copied = join(folder, 'copied')
  // A file never changes, so a later copy adds what has come.
  const copyDocuments = () => spawnSync('cp', ['-a', '--no-clobber', `${documents}/.`, copied])
  const settings = { fsync: 'off', max_connections: '200' }
  const archiving = { ...settings, archive_mode: 'on', archive_command: `cp %p ${archive}/%f` }
  const server = await startMigrated(first, archiving)
  const portal = await openTestPortal({ postgres: server.url, ports: { documents: documentsOnDisk(documents) } })
  const nodes = await Promise.all([openProcess(portal, { documents }), openProcess(portal, { documents })])
  const load = await openLoad(portal, nodes)
  const finish = load.run()
  const finishFiling = fileDocuments(reachedThrough(portal, nodes), (await makeCustomer(portal)).id)
  const more = async (times: number) => {
    for (let i = 0; i < times; i++) await load.goesOn()
  }
  await more(10)

  await takeBaseCopy(server.url, first, backup)
  copyDocuments()

  await more(20)
  await finish()
  const filed = await finishFiling()
  await archived(server.url)
  copyDocuments()
  killDatabase(first)
  for (const gone of [join(first, 'data'), documents]) rmSync(gone, { recursive: true })

  const began = performance.now()
  spawnSync('cp', ['-a', join(backup, 'data'), join(first, 'password'), second])
  writeForServer(join(second, 'data/recovery.signal'), '')
  // It answers when it has replayed the whole log, and not from where it is consistent on.
  const recovering = { hot_standby: 'off', restore_command: `cp ${archive}/%f %p` }
  const restored = await startPostgres(second, { ...settings, ...recovering })
  const seconds = (performance.now() - began) / 1000
  const url = new URL(restored.url)
  url.pathname = new URL(portal.databaseUrl).pathname
  const owner = new pg.Pool({ connectionString: url.href, max: 2 })
  // Its connections may still be closing when the server stops.
  owner.on('error', () => {})
  try {
    const there = { ...portal, owner, databaseUrl: url.href }
    const { acknowledged, lost, doubled, findings } = await load.judge(there)
    const closed = await closedDocuments(there, copied, filed)
    const most = (value: number) => ({ at: 'most' as const, value })
    return [
      {
        what: 'restored from backup and archive: answered and lost',
        value: lost,
        unit: 'acts',
        limit: most(0),
        detail: `of ${acknowledged}`,
      },
      {
        what: 'restored from backup and copy: documents that do not open',
        value: closed,
        unit: 'files',
        limit: most(0),
        detail: `of ${filed.length}`,
      },
      { what: 'restored from backup and archive: done twice', value: doubled, unit: 'acts', limit: most(0) },
      { what: 'restored from backup and archive: findings in the trail', value: findings, unit: '', limit: most(0) },
      { what: 'restored from backup and archive: until it answers', value: seconds, unit: 's', limit: most(900) },
    ]
  } finally {
    await owner.end()
    await restored.stop()
    await Promise.all(nodes.map((node) => node.kill()))
    await portal.close().catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Files documents for a customer, one after another, until it is told to stop; answers then with the cases that were answered. */
function fileDocuments(portal: TestPortal, customer: string) {
  const filed: string[] = []
  let over = false
  const filing = (async () => {
    while (!over) filed.push((await giveDocument(portal, customer)).documentCase)
  })()
  return async () => {
    over = true
    await filing
    return filed
  }
}

/** How many of these cases have no document that opens in the folder, and is the one that was filed. */
async function closedDocuments(
  { owner, databaseUrl, masterKey }: Pick<TestPortal, 'owner' | 'databaseUrl' | 'masterKey'>,
  folder: string,
  filed: readonly string[],
): Promise<number> {
  const keys = await openKeys(databaseUrl, [masterKey])
  const { db, close } = openDatabase(databaseUrl)
  const store = sealedDocuments(db, keys, documentsOnDisk(folder))
  const { rows } = await owner.query<{ id: string; caseId: string; sha256: string }>(
    `select id, case_id as "caseId", sha256 from document_files where kind = 'document'`,
  )
  const fileOf = new Map(rows.map((row) => [row.caseId, row]))
  let closed = 0
  for (const one of filed) {
    const file = fileOf.get(one)
    const hash = createHash('sha256')
    try {
      const opened = file && (await store.read(documentKeyOf(file.id)))
      if (opened) for await (const part of opened.content) hash.update(part as Uint8Array)
      if (!opened || hash.digest('hex') !== file.sha256) closed++
    } catch {
      closed++
    }
  }
  await close()
  return closed
}

/** Waits until the segment that holds the last answer is in the archive. */
async function archived(url: string): Promise<void> {
  const session = new pg.Client({ connectionString: url })
  await session.connect()
  const { rows } = await session.query<{ last: string }>('select pg_walfile_name(pg_switch_wal()) as last')
  for (;;) {
    const told = await session.query<{ done: boolean }>(
      'select coalesce(last_archived_wal >= $1, false) as done from pg_stat_archiver',
      [rows[0]!.last],
    )
    if (told.rows[0]!.done) return session.end()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
