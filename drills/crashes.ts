import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestPortal } from '../server/testing/portal-nodes.ts'
import { openProcess } from '../server/testing/processes.ts'
import { openLoad, pause, type Outcome } from './acknowledged-load.ts'
import type { Figure } from './figures.ts'
import { killDatabase, retried, startAgain, startMigrated } from './killable-database.ts'

/** A node or the database is killed this long after the load goes on, at the most. */
const longestMs = 250

type Victim = 'node' | 'database'

/**
 * R90: a node, or PostgreSQL with all its processes, is killed in the middle of a mixed load, `cycles` times each. Every act that
 * was answered must be there once, and the audit trail whole. The control run lets the database answer before it has
 * written (`synchronous_commit=off`), and must lose: otherwise the drill would see nothing.
 */
export async function measureCrashes(cycles = 100): Promise<Figure[]> {
  const node = await drill('node', 'on', cycles)
  const database = await drill('database', 'on', cycles)
  const control = await drill('database', 'off', cycles)
  const most = (value: number) => ({ at: 'most' as const, value })
  const told = (who: string, { acknowledged, lost, doubled, findings }: Outcome): Figure[] => [
    {
      what: `${cycles} × kill -9 of ${who}: answered and lost`,
      value: lost,
      unit: 'acts',
      limit: most(0),
      detail: `of ${acknowledged}`,
    },
    { what: `${cycles} × kill -9 of ${who}: done twice`, value: doubled, unit: 'acts', limit: most(0) },
    { what: `${cycles} × kill -9 of ${who}: findings in the audit trail`, value: findings, unit: '', limit: most(0) },
  ]
  return [
    ...told('a node', node),
    ...told('the database', database),
    {
      what: 'control run, not written before it is answered: lost',
      value: control.lost,
      unit: 'acts',
      limit: { at: 'least', value: 1 },
      detail: `of ${control.acknowledged}`,
    },
  ]
}

async function drill(victim: Victim, commit: 'on' | 'off', cycles: number): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-crashes-'))
  // A killed process leaves what it wrote with the kernel, so fsync is not what is tried here. A slow writer of the log makes the control lose more.
  const settings = {
    fsync: 'off',
    synchronous_commit: commit,
    max_connections: '200',
    ...(commit === 'off' ? { wal_writer_delay: '1000ms' } : {}),
  }
  let server = await startMigrated(directory, settings)
  const portal = await openTestPortal({ postgres: server.url })
  try {
    const nodes = await Promise.all([openProcess(portal), openProcess(portal)])
    const load = await openLoad(portal, nodes)
    const finish = load.run()
    for (let cycle = 0; cycle < cycles; cycle++) {
      await load.goesOn()
      await pause(Math.random() * longestMs)
      if (victim === 'node') {
        const which = cycle % 2
        await nodes[which]!.kill()
        nodes[which] = await openProcess(portal)
        load.reach(nodes)
      } else {
        killDatabase(directory)
        server = await startAgain(directory, settings)
      }
      // What an entry has paid that was killed stays paid, and would end the load.
      await retried(() => portal.owner.query('delete from budgets'))
      if (cycle % 20 === 19) process.stderr.write(`  ${victim}, commit ${commit}: ${cycle + 1} killed\n`)
    }
    await load.goesOn()
    await finish()
    const outcome = await load.judge(portal)
    await Promise.all(nodes.map((node) => node.close()))
    return outcome
  } finally {
    await portal.close().catch(() => {})
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
