import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentsOnDisk } from '../server/ports/documents-disk.ts'
import { openTestPortal } from '../server/testing/portal-nodes.ts'
import { fuzz } from '../server/testing/fuzz.ts'
import { openProcess, reachedThrough } from '../server/testing/processes.ts'
import type { Figure } from './figures.ts'
import { withTestPostgres } from './testing/postgres.ts'

const requests = 100_000
/** From here on the node has met every kind of request, and what it holds should stay. */
const warm = 20_000

/** Spoiled requests as each actor of R34 against a node that is a process: no fault, nothing outside the contract, how long others wait, and how far the node grows. */
export const measureFuzz = (): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const folder = mkdtempSync(join(tmpdir(), 'sygnet-bench-fuzz-'))
    const settings = { sends: { perNumber: 1_000_000, perAddress: 1_000_000 } }
    const portal = await openTestPortal({ postgres, settings, ports: { documents: documentsOnDisk(folder) } })
    try {
      const node = await openProcess(portal, { documents: folder })
      const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${node.pid}/status`, 'utf8'))![1]) / 1000
      let before = 0
      const began = performance.now()
      const { findings, statuses } = await fuzz(reachedThrough(portal, [node]), {
        requests,
        seed: Date.now() % 1_000_000,
        onGeneration(sent) {
          if (sent === warm) before = resident()
          process.stderr.write(`  ${sent} sent, ${Math.round(resident())} MB\n`)
        },
      })
      const seconds = (performance.now() - began) / 1000
      for (const finding of findings.slice(0, 50)) process.stderr.write(`  ${finding}\n`)
      const shares = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
      const grown = resident() - before
      const [delay, cpu] = [await node.ask('loop-delay'), await node.ask('loop-cpu')]
      await node.close()
      return [
        {
          what: `wrong answers to ${requests} spoiled requests`,
          value: findings.length,
          unit: 'wrong',
          limit: { at: 'most', value: 0 },
          detail: shares.join(', '),
        },
        {
          what: 'longest delay of the event loop by the node’s own work',
          value: cpu,
          unit: 'ms',
          limit: { at: 'most', value: 200 },
          detail: `${Math.round(delay)} ms by the clock, other programs’ work included`,
        },
        {
          what: `resident size after ${requests} beside ${warm}`,
          value: grown,
          unit: 'MB more',
          limit: { at: 'most', value: 50 },
          detail: `${Math.round(requests / seconds)} a second`,
        },
      ]
    } finally {
      await portal.close()
      rmSync(folder, { recursive: true })
    }
  })
