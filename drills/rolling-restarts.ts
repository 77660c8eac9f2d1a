import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestPortal } from '../server/testing/portal-nodes.ts'
import { freePort } from '../tools/demonstration-run.ts'
import { startNginx } from '../tools/nginx-run.ts'
import { pause } from './acknowledged-load.ts'
import type { Figure } from './figures.ts'
import { countsOf, notThere, openSteadyLoad, perSecond, startOperated } from './operated-nodes.ts'
import { withTestPostgres } from './testing/postgres.ts'

/**
 * R95: two nodes as an operator runs them, behind the example's nginx, of which one after the other is told to stop (SIGTERM) and
 * started again while requests keep coming. Every request must be answered, and every one that writes must have written once.
 */
export const measureRollingRestarts = (): Promise<Figure[]> =>
  inTurn({
    signal: 'SIGTERM',
    times: 50,
    // As the guide says: nginx has a node back a second after it had none of it.
    restMs: 2000,
    told: '50 rolling restarts',
    share: 0,
  })

/** R96: the same with nodes that are killed, of which each takes with it what it had in hand. */
export const measureNodeKills = (): Promise<Figure[]> =>
  inTurn({ signal: 'SIGKILL', times: 10, restMs: 10_000, told: '10 nodes killed in turn', share: 0.001 })

type Turn = { signal: 'SIGTERM' | 'SIGKILL'; times: number; restMs: number; told: string; share: number }

const inTurn = ({ signal, times, restMs, told, share }: Turn): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const folder = mkdtempSync(join(tmpdir(), 'sygnet-rolling-'))
    const portal = await openTestPortal({ postgres })
    const ports = [await freePort(), await freePort()] as const
    const start = (which: 0 | 1) => startOperated({ ...portal, folder, port: ports[which] })
    const nodes = [await start(0), await start(1)]
    await using nginx = await startNginx([`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`])
    const load = openSteadyLoad({ origins: [nginx.origin], tls: nginx.tls }, portal.clientKey)
    try {
      for (let i = 0; i < times; i++) {
        const which = (i % 2) as 0 | 1
        nodes[which]!.kill(signal)
        await once(nodes[which]!, 'exit')
        nodes[which] = await start(which)
        await pause(restMs)
        if (i % 10 === 9) process.stderr.write(`  ${i + 1} restarted, ${load.told()}\n`)
      }
      const { sent, failed, put } = await load.stop()
      return [
        {
          what: `${told} at ${perSecond} requests a second: failed`,
          value: failed.length,
          unit: 'requests',
          limit: { at: 'most', value: Math.floor(sent * share) },
          detail: `of ${sent} ${countsOf(failed)}`,
        },
        await notThere(put, portal.owner),
      ]
    } finally {
      for (const node of nodes) node.kill('SIGKILL')
      await portal.close()
      rmSync(folder, { recursive: true })
    }
  })
