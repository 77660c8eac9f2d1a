import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestPortal } from '../server/testing/portal-nodes.ts'
import { freePort } from '../server/testing/free-port.ts'
import { pause } from './acknowledged-load.ts'
import { atMost, type Figure, progress } from '../bench/figures.ts'
import { freezeDatabase, killDatabase, retried, startAgain, startMigrated } from './killable-database.ts'
import { countsOf, isReady, missingWrites, openSteadyLoad, perSecond, startOperated } from './operated-nodes.ts'

const minutes = 10
const everyMs = 20_000
/** A request may still fail for this time after the database is back. */
const graceMs = 5000

type Interruption = { from: number; to: number }

/**
 * R91: for ten minutes the database is restarted every 20 seconds under two nodes, alternately by an orderly stop, by kill -9 and
 * by ending every connection, and once frozen for half a minute. Requests may fail during an interruption and five seconds after
 * it, no node ends, each reports meanwhile that it is not ready, and nothing that was answered is lost.
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
  const interruptions: Interruption[] = []
  let unnoticed = 0

  const ready = async () => (await Promise.all(origins.map(isReady))).filter(Boolean).length

  const faults = [
    async () => {
      await server.stop()
      if ((await ready()) > 0) unnoticed++
      server = await startAgain(directory, settings)
    },
    async () => {
      killDatabase(directory)
      if ((await ready()) > 0) unnoticed++
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
    const cycles = (minutes * 60_000) / everyMs
    for (let cycle = 0; cycle < cycles; cycle++) {
      await pause(everyMs)
      const from = performance.now()
      if (cycle === Math.floor(cycles / 2)) {
        const thaw = freezeDatabase(directory)
        await pause(25_000)
        if ((await ready()) > 0) unnoticed++
        await pause(5000)
        thaw()
      } else await faults[cycle % faults.length]!()
      interruptions.push({ from, to: performance.now() })
      if (cycle % 6 === 5) progress(`${cycle + 1} restarted, ${load.summary()}`)
    }
    await pause(graceMs)
    const { sent, failed, put } = await load.stop()
    const beyond = failed.filter(
      (failure) => !interruptions.some(({ from, to }) => failure.to >= from && failure.from <= to + graceMs),
    )
    const stillReady = await ready()
    return [
      {
        what: `${minutes} minutes of restarts at ${perSecond} requests a second: failed beyond the interruptions`,
        value: beyond.length,
        unit: 'requests',
        limit: atMost(0),
        detail: `of ${sent}; in the interruptions ${countsOf(failed)}`,
      },
      await missingWrites(put, portal.owner),
      {
        what: 'interruptions in which a node reported that it is ready',
        value: unnoticed,
        limit: atMost(0),
        detail: `of ${interruptions.length}`,
      },
      {
        what: 'nodes that ended, or are not ready at the end',
        value: nodes.filter(({ exitCode }) => exitCode !== null).length + nodes.length - stillReady,
        limit: atMost(0),
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
