import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { TestPortal } from './test-app.ts'
import type { SkewedNode } from './test-skewed-node.ts'

/** One more node on the portal's database, in a thread of its own whose clock is wrong by `skewMs` (R24, R94). */
export async function openSkewedNode(portal: TestPortal, skewMs: number) {
  const { hosts: _, ...settings } = portal.portal.settings
  const handed: SkewedNode = {
    skewMs,
    databaseUrl: portal.owner.options.connectionString!,
    masterKey: portal.masterKey,
    settings,
  }
  const worker = new Worker(new URL('./test-skewed-node.ts', import.meta.url), { workerData: handed })
  const [{ origin, clock }] = (await once(worker, 'message')) as [{ origin: string; clock: number }]
  return {
    origin,
    /** Milliseconds by which the node's clock is off. */
    skew: clock - Date.now(),
    async close() {
      worker.postMessage('close')
      await once(worker, 'exit')
    },
  }
}
