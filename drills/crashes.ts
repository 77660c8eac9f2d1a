import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, progress } from '../bench/figures.ts'
import { openTestPortal } from '../server/testing/portal-nodes.ts'
import { openProcess } from '../server/testing/processes.ts'
import { figureOfControl, figuresOfOutcome, openLoad, pause, type Outcome } from './acknowledged-load.ts'
import { killDatabase, retry, startAgain, startMigrated } from './killable-database.ts'

/** Longest time from when the load is answered again until a node or the database is killed. */
const maxMs = 250

type Victim = 'node' | 'database'

/**
 * Measures R90: a node, or PostgreSQL with all its processes, is killed in the middle of a mixed load, `cycles` times each. Every change
 * that was acknowledged must be stored once, and the audit trail must be intact. The control run lets the database answer before it has
 * written (`synchronous_commit=off`).
 */
export async function measureCrashes(cycles = 100): Promise<Figure[]> {
  const node = await drill('node', 'on', cycles)
  const database = await drill('database', 'on', cycles)
  const control = await drill('database', 'off', cycles)
  return [
    ...figuresOfOutcome(`${cycles} × kill -9 of a node`, node),
    ...figuresOfOutcome(`${cycles} × kill -9 of the database`, database),
    figureOfControl('not written before it is answered', control),
  ]
}

async function drill(victim: Victim, commit: 'on' | 'off', cycles: number): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-crashes-'))
  // What a killed process has written stays with the kernel, so fsync is not tested here. A slow writer of the log
  // makes the control lose more.
  const settings = {
    fsync: 'off',
    synchronous_commit: commit,
    max_connections: '200',
    ...(commit === 'off' && { wal_writer_delay: '1000ms' }),
  }
  let server = await startMigrated(directory, settings)
  const portal = await openTestPortal({ postgres: server.url })
  try {
    const nodes = await Promise.all([openProcess(portal), openProcess(portal)])
    const load = await openLoad(portal, nodes)
    // The control run must lose answers, not the accounts and keys that the load uses.
    await portal.owner.query('checkpoint')
    const finish = load.run()
    for (let cycle = 0; cycle < cycles; cycle++) {
      await load.untilAnswered()
      await pause(Math.random() * maxMs)
      if (victim === 'node') {
        const which = cycle % 2
        await nodes[which]!.kill()
        nodes[which] = await openProcess(portal)
        load.reach(nodes)
      } else {
        killDatabase(directory)
        server = await startAgain(directory, settings)
      }
      // Attempts that were charged by a killed node are not refunded, and would end the load.
      await retry(() => portal.owner.query('delete from rate_limits'))
      if (cycle % 20 === 19) progress(`${victim}, commit ${commit}: ${cycle + 1} killed`)
    }
    await load.untilAnswered()
    await finish()
    const outcome = await load.verify(portal)
    await Promise.all(nodes.map((node) => node.close()))
    return outcome
  } finally {
    await portal.close().catch(() => {})
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
