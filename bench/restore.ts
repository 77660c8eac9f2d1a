import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../server/embedded-postgres.ts'
import { openTestPortal } from '../server/test-app.ts'
import { openProcess } from '../server/test-processes.ts'
import { openLoad } from './acknowledged-load.ts'
import { giveToServer, takeBaseCopy, writeForServer } from './base-copy.ts'
import type { Figure } from './figures.ts'
import { killDatabase, startMigrated } from './killable-database.ts'

/**
 * R97: a base backup is taken under load (PostgreSQL's low-level way) while its log is archived; more is answered after it; then the
 * server is killed and its folder is gone. What is restored elsewhere from backup and archive must have everything that was
 * answered, once, and an audit trail without a finding.
 */
export async function measureRestore(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-restore-'))
  const place = (name: string) => {
    const path = join(folder, name)
    mkdirSync(path)
    return giveToServer(path)
  }
  giveToServer(folder)
  const [first, backup, archive, second] = ['first', 'backup', 'archive', 'second'].map(place) as [
    string,
    string,
    string,
    string,
  ]
  const settings = { fsync: 'off', max_connections: '200' }
  const archiving = { ...settings, archive_mode: 'on', archive_command: `cp %p ${archive}/%f` }
  const server = await startMigrated(first, archiving)
  const portal = await openTestPortal({ postgres: server.url })
  const nodes = await Promise.all([openProcess(portal), openProcess(portal)])
  const load = await openLoad(portal, nodes)
  const finish = load.run()
  const more = async (times: number) => {
    for (let i = 0; i < times; i++) await load.goesOn()
  }
  await more(10)

  await takeBaseCopy(server.url, first, backup)

  await more(20)
  await finish()
  await archived(server.url)
  killDatabase(first)
  rmSync(join(first, 'data'), { recursive: true })

  const began = performance.now()
  spawnSync('cp', ['-a', join(backup, 'data'), join(first, 'password'), second])
  writeForServer(join(second, 'data/recovery.signal'), '')
  const restored = await startPostgres(second, { ...settings, restore_command: `cp ${archive}/%f %p` })
  const seconds = (performance.now() - began) / 1000
  const url = new URL(restored.url)
  url.pathname = new URL(portal.databaseUrl).pathname
  const owner = new pg.Pool({ connectionString: url.href, max: 2 })
  try {
    const { acknowledged, lost, doubled, findings } = await load.judge({ ...portal, owner, databaseUrl: url.href })
    const most = (value: number) => ({ at: 'most' as const, value })
    return [
      {
        what: 'restored from backup and archive: answered and lost',
        value: lost,
        unit: 'acts',
        limit: most(0),
        detail: `of ${acknowledged}`,
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
