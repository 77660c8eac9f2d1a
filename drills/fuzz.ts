import { atMost, type Figure, progress } from '../bench/figures.ts'
import { withTestPortal } from '../bench/measured-portal.ts'
import { residentMegabytes } from '../bench/measured-process.ts'
import { fuzz } from '../server/testing/fuzz.ts'
import { openProcess, reachedThrough } from '../server/testing/processes.ts'

const requests = 100_000
/** Number of requests after which the node has handled every kind, and its size should stay the same. */
const warm = 20_000

/**
 * Sends invalid requests as each actor of R34 to a node in its own process, and measures faults, answers outside the contract, how long
 * other requests wait, and how far the node grows.
 */
export const measureFuzz = (): Promise<Figure[]> =>
  withTestPortal({ settings: { sends: { perNumber: 1_000_000, perAddress: 1_000_000 } } }, async (portal) => {
    const node = await openProcess(portal, { documents: portal.documentsFolder })
    const resident = () => residentMegabytes(node.pid)
    let before = 0
    const began = performance.now()
    const { findings, statuses } = await fuzz(reachedThrough(portal, [node]), {
      requests,
      seed: Date.now() % 1_000_000,
      onGeneration(sent) {
        if (sent === warm) before = resident()
        progress(`${sent} sent, ${Math.round(resident())} MB`)
      },
    })
    const seconds = (performance.now() - began) / 1000
    for (const finding of findings.slice(0, 50)) progress(finding)
    const shares = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
    const grown = resident() - before
    const [delay, cpu] = [await node.request('loop-delay'), await node.request('loop-cpu')]
    await node.close()
    return [
      {
        what: `wrong answers to ${requests} invalid requests`,
        value: findings.length,
        unit: 'wrong',
        limit: atMost(0),
        detail: shares.join(', '),
      },
      {
        what: 'longest delay of the event loop by the node’s own work',
        value: cpu,
        unit: 'ms',
        limit: atMost(200),
        detail: `${Math.round(delay)} ms by the clock, work of other programs included`,
      },
      {
        what: `resident size after ${requests} compared with ${warm}`,
        value: grown,
        unit: 'MB more',
        limit: atMost(50),
        detail: `${Math.round(requests / seconds)} a second`,
      },
    ]
  })
