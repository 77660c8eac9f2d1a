import { getPriority, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

const backgroundPriority = 10

/**
 * Lets requests go first on a busy machine. A process that was started with a lower priority keeps it, because only root may raise one,
 * and a system that forbids the call is no reason to end. Only on Linux does a priority belong to one thread.
 */
export function lowerPriority(): void {
  if (!isMainThread && process.platform !== 'linux') return
  try {
    if (getPriority() < backgroundPriority) setPriority(backgroundPriority)
  } catch {
    // The work takes its share of the processor as before.
  }
}
