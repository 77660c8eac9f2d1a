import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestPortal } from '../server/testing/portal-nodes.ts'
import { freePort } from '../tools/demonstration-run.ts'
import { pause } from './acknowledged-load.ts'
import type { Figure } from './figures.ts'
import { freezeDatabase, killDatabase, retried, startAgain, startMigrated } from './killable-database.ts'
import { countsOf, isReady, notThere, openSteadyLoad, perSecond, startOperated } from './operated-nodes.ts'

const minutes = 10
const everyMs = 20_000
/** So long after the database is back a request may still fail. */
const graceMs = 5000

type Gap = { from: number; to: number }

/**
 * R91: for ten minutes the database is restarted every 20 seconds under two nodes, by turns in good order, by kill -9, by ending
 * every connection, and once frozen for half a minute. Requests fail in the gaps and five seconds after them at most, no node
 * ends, each says meanwhile that it is not ready, and nothing that was answered is lost.
 */
export async function measureDatabaseRestarts(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-restarts-'))
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-restarted-'))
  const settings = { fsync: 'off', max_connections: '200' }
  let server = await startMigrated(directory, settings)
  const portal = await openTestPortal({ postgres: server.url })
  const ports = [await freePort(), await freePort()]
  const nodes = await Promise.all(ports.map((port) => startOperated({ ...portal, folder, port })))
  const origins = ports.map((port) => `http://127.0.0.1:${port}`)
  const load = openSteadyLoad({ origins }, portal.clientKey)
  const gaps: Gap[] = []
  let unseen = 0

  const ready = async () => (await Promise.all(origins.map(isReady))).filter(Boolean).length

  const faults = [
    async () => {
      await server.stop()
      if ((await ready()) > 0) unseen++
      server = await startAgain(directory, settings)
    },
    async () => {
      killDatabase(directory)
      if ((await ready()) > 0) unseen++
      server = await startAgain(directory, settings)
    },
    async () => {
      await retried(() =>
        portal.owner.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        ),
      )
    },
  ]
  try {
    const turns = (minutes * 60_000) / everyMs
    for (let turn = 0; turn < turns; turn++) {
      await pause(everyMs)
      const from = performance.now()
      if (turn === Math.floor(turns / 2)) {
        const thaw = freezeDatabase(directory)
        await pause(25_000)
        if ((await ready()) > 0) unseen++
        await pause(5000)
        thaw()
      } else await faults[turn % faults.length]!()
      gaps.push({ from, to: performance.now() })
      if (turn % 6 === 5) process.stderr.write(`  ${turn + 1} restarted, ${load.told()}\n`)
    }
    await pause(graceMs)
    const { sent, failed, put } = await load.stop()
    const beyond = failed.filter((one) => !gaps.some(({ from, to }) => one.to >= from && one.from <= to + graceMs))
    const most = (value: number) => ({ at: 'most' as const, value })
    const left = await ready()
    return [
      {
        what: `${minutes} minutes of restarts at ${perSecond} requests a second: failed beyond the gaps`,
        value: beyond.length,
        unit: 'requests',
        limit: most(0),
        detail: `of ${sent}; in the gaps ${countsOf(failed)}`,
      },
      await notThere(put, portal.owner),
      {
        what: 'gaps in which a node said that it is ready',
        value: unseen,
        unit: '',
        limit: most(0),
        detail: `of ${gaps.length}`,
      },
      {
        what: 'nodes that ended, or are not ready at the end',
        value: nodes.filter(({ exitCode }) => exitCode !== null).length + nodes.length - left,
        unit: '',
        limit: most(0),
      },
    ]
  } finally {
    for (const node of nodes) node.kill('SIGKILL')
    await portal.close().catch(() => {})
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}
