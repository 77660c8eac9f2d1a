import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { atMost, type Figure } from '../bench/figures.ts'
import { documentsOnDisk } from '../server/adapters/documents-disk.ts'
import { documentKeyOf } from '../server/documents/document-files.ts'
import { connect } from '../server/platform/database/database.ts'
import { startPostgres } from '../server/platform/database/embedded-postgres.ts'
import { loadKeys } from '../server/platform/encrypted-data/open-keys.ts'
import { encryptedDocuments } from '../server/platform/files/encrypted-documents.ts'
import { openTestPortal, type TestPortal } from '../server/testing/portal-nodes.ts'
import { openProcess, reachedThrough } from '../server/testing/processes.ts'
import { giveDocument } from '../server/testing/samples/sample-documents.ts'
import { makeCustomer } from '../server/testing/test-customers.ts'
import { figuresOfOutcome, openLoad } from './acknowledged-load.ts'
import { killDatabase, startMigrated, giveToServer, takeBaseCopy, writeForServer } from './killable-database.ts'

const settings = { fsync: 'off', max_connections: '200' }

/**
 * Measures R97: a base backup is taken under load (with PostgreSQL's low-level API) while the log is archived; more is answered after it;
 * then the server is killed, and its folder and that of the documents are removed. The database restored elsewhere from backup and archive
 * must have everything that was answered, once, and an audit trail without a finding; and every document must be readable from the copy of
 * the documents, which is later than that of the database.
 */
export async function measureRestore(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-restore-'))
  const makeFolder = (name: string) => {
    const path = join(folder, name)
    mkdirSync(path)
    return giveToServer(path)
  }
  giveToServer(folder)
  const [first, second] = [makeFolder('first'), makeFolder('second')]
  const [backup, archive, documents] = [makeFolder('backup'), makeFolder('archive'), makeFolder('documents')]
  const copied = join(folder, 'copied')
  // A file never changes, so a later copy only adds new ones.
  const copyDocuments = () => spawnSync('cp', ['-a', '--no-clobber', `${documents}/.`, copied])
  const archiving = { ...settings, archive_mode: 'on', archive_command: `cp %p ${archive}/%f` }
  const server = await startMigrated(first, archiving)
  const portal = await openTestPortal({ postgres: server.url, ports: { documents: documentsOnDisk(documents) } })
  const nodes = await Promise.all([openProcess(portal, { documents }), openProcess(portal, { documents })])
  const load = await openLoad(portal, nodes)
  const finish = load.run()
  const finishFiling = fileDocuments(reachedThrough(portal, nodes), (await makeCustomer(portal)).id)
  const untilAnswered = async (times: number) => {
    for (let i = 0; i < times; i++) await load.untilAnswered()
  }
  await untilAnswered(10)

  await takeBaseCopy(server.url, first, backup)
  copyDocuments()

  await untilAnswered(20)
  await finish()
  const filed = await finishFiling()
  await archived(server.url)
  copyDocuments()
  killDatabase(first)
  for (const path of [join(first, 'data'), documents]) rmSync(path, { recursive: true })

  const { restored, seconds } = await restore({ backup, archive, password: join(first, 'password'), to: second })
  const url = new URL(restored.url)
  url.pathname = new URL(portal.databaseUrl).pathname
  const owner = new pg.Pool({ connectionString: url.href, max: 2 })
  // Its connections may still be closing when the server stops.
  owner.on('error', () => {})
  try {
    const restoredPortal = { ...portal, owner, databaseUrl: url.href }
    const outcome = await load.verify(restoredPortal)
    const unreadable = await countUnreadableDocuments(restoredPortal, copied, filed)
    return [
      ...figuresOfOutcome('restored from backup and archive', outcome),
      {
        what: 'restored from backup and copy: documents that cannot be read',
        value: unreadable,
        unit: 'files',
        limit: atMost(0),
        detail: `of ${filed.length}`,
      },
      { what: 'restored from backup and archive: until it answers', value: seconds, unit: 's', limit: atMost(900) },
    ]
  } finally {
    await owner.end()
    await restored.stop()
    await Promise.all(nodes.map((node) => node.kill()))
    await portal.close().catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Restores the database from its backup and the archived log into another folder; returns the server, and the seconds until it answers. */
async function restore({ backup, archive, password, to }: Record<'backup' | 'archive' | 'password' | 'to', string>) {
  const began = performance.now()
  spawnSync('cp', ['-a', join(backup, 'data'), password, to])
  writeForServer(join(to, 'data/recovery.signal'), '')
  // With `hot_standby` off, the server answers when it has replayed the whole log, not as soon as it is consistent.
  const recovering = { hot_standby: 'off', restore_command: `cp ${archive}/%f %p` }
  const restored = await startPostgres(to, { ...settings, ...recovering })
  return { restored, seconds: (performance.now() - began) / 1000 }
}

/** Files documents for a customer, one after another, until stopped; stopping returns the cases that were answered. */
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

/** Counts the cases whose document in the folder is missing, cannot be read, or is not the one that was filed. */
async function countUnreadableDocuments(
  { owner, databaseUrl, masterKey }: Pick<TestPortal, 'owner' | 'databaseUrl' | 'masterKey'>,
  folder: string,
  filed: readonly string[],
): Promise<number> {
  const keys = await loadKeys(databaseUrl, [masterKey])
  const { db, close } = connect(databaseUrl)
  const store = encryptedDocuments(db, keys, documentsOnDisk(folder))
  const { rows } = await owner.query<{ id: string; caseId: string; sha256: string }>(
    `select id, case_id as "caseId", sha256 from document_files where kind = 'document'`,
  )
  const fileOf = new Map(rows.map((row) => [row.caseId, row]))
  let unreadable = 0
  for (const documentCase of filed) {
    const file = fileOf.get(documentCase)
    const hash = createHash('sha256')
    try {
      const stored = file && (await store.read(documentKeyOf(file.id)))
      if (stored) for await (const part of stored.content) hash.update(part as Uint8Array)
      if (!stored || hash.digest('hex') !== file.sha256) unreadable++
    } catch {
      unreadable++
    }
  }
  await close()
  return unreadable
}

/** Waits until the segment that holds the last answer is in the archive. */
async function archived(url: string): Promise<void> {
  const session = new pg.Client({ connectionString: url })
  await session.connect()
  const { rows } = await session.query<{ last: string }>('select pg_walfile_name(pg_switch_wal()) as last')
  for (;;) {
    const archiver = await session.query<{ done: boolean }>(
      'select coalesce(last_archived_wal >= $1, false) as done from pg_stat_archiver',
      [rows[0]!.last],
    )
    if (archiver.rows[0]!.done) return session.end()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
