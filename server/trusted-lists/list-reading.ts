import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { limits } from '../../contract/limits.ts'
import type { ExpectedList, TrustedList } from '../../pki/trusted-lists/trusted-list.ts'
import type { TrustedListProblem } from '../../pki/trusted-lists/xml.ts'

export type ListReading =
  | { list: TrustedList; problem?: undefined }
  | { problem: TrustedListProblem | 'too-costly'; detail: string }

const { memoryMegabytes, verifyTimeout } = limits.trustedLists

/**
 * Reads a list in a thread of its own, with caps on memory and time: a large list takes many seconds, and whoever sends
 * it may be hostile.
 */
export async function readInThread(
  bytes: Uint8Array,
  expected: ExpectedList,
  caps: { megabytes: number; seconds: number } = { megabytes: memoryMegabytes, seconds: verifyTimeout },
): Promise<ListReading> {
  const worker = new Worker(new URL('./list-worker.ts', import.meta.url), {
    workerData: { bytes, expected },
    resourceLimits: { maxOldGenerationSizeMb: caps.megabytes },
  })
  // A stopping node does not wait for it.
  worker.unref()
  const signal = AbortSignal.timeout(caps.seconds * 1000)
  try {
    // Rejects if the worker ends by an error, such as one of memory.
    const [reading] = (await once(worker, 'message', { signal })) as [ListReading]
    return reading
  } catch (error) {
    return { problem: 'too-costly', detail: error instanceof Error ? error.name : 'unknown' }
  } finally {
    await worker.terminate()
  }
}
