import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestPortal } from '../server/testing/portal-nodes.ts'
import { startNginx } from '../server/testing/proxies.ts'
import { pause } from './acknowledged-load.ts'
import { atMost, type Figure, progress } from '../bench/figures.ts'
import { countsOf, missingWrites, openSteadyLoad, perSecond, startOperated } from './operated-nodes.ts'
import { withTestPostgres } from '../bench/testing/postgres.ts'
import { freePort } from '../server/testing/processes.ts'

/**
 * R95: two nodes as an operator runs them, behind nginx as in the example, are stopped in turn (SIGTERM) and started again under
 * load. Every request must be answered, and every one that writes must have written once.
 */
export const measureRollingRestarts = (): Promise<Figure[]> =>
  restartInTurn({
    signal: 'SIGTERM',
    times: 50,
    // As the guide says: nginx uses a node again a second after it refused a request.
    restMs: 2000,
    title: '50 rolling restarts',
    failedShare: 0,
  })

/** R96: the same with nodes that are killed, each with the requests that it is serving. */
export const measureNodeKills = (): Promise<Figure[]> =>
  restartInTurn({ signal: 'SIGKILL', times: 10, restMs: 10_000, title: '10 nodes killed in turn', failedShare: 0.001 })

type Restarts = { signal: 'SIGTERM' | 'SIGKILL'; times: number; restMs: number; title: string; failedShare: number }

const restartInTurn = ({ signal, times, restMs, title, failedShare }: Restarts): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const folder = mkdtempSync(join(tmpdir(), 'sygnet-rolling-'))
    const portal = await openTestPortal({ postgres })
    const ports = [await freePort(), await freePort()] as const
    const start = (which: 0 | 1) => startOperated({ ...portal, folder, port: ports[which] })
    const nodes = [await start(0), await start(1)]
    await using nginx = await startNginx([`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`])
    const load = openSteadyLoad(nginx.origin, nginx.tls, portal.clientKey)
    try {
      for (let i = 0; i < times; i++) {
        const which = (i % 2) as 0 | 1
        nodes[which]!.kill(signal)
        await once(nodes[which]!, 'exit')
        nodes[which] = await start(which)
        await pause(restMs)
        if (i % 10 === 9) progress(`${i + 1} restarted, ${load.summary()}`)
      }
      const { sent, failed, put } = await load.stop()
      return [
        {
          what: `${title} at ${perSecond} requests a second: failed`,
          value: failed.length,
          unit: 'requests',
          limit: atMost(Math.floor(sent * failedShare)),
          detail: `of ${sent} ${countsOf(failed)}`,
        },
        await missingWrites(put, portal.owner),
      ]
    } finally {
      for (const node of nodes) node.kill('SIGKILL')
      await portal.close()
      rmSync(folder, { recursive: true })
    }
  })
