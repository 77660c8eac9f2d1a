import { PortalError } from '../portal-client.ts'

type Task<T> = { listWaiting: () => Promise<T[]>; handle: (item: T) => Promise<unknown> }

/**
 * Processes everything that waits. An item that the customer or another process has moved meanwhile is skipped; a failure
 * does not stop the other items, and the first one is thrown at the end.
 */
export async function workThrough<T>(tasks: readonly Task<T>[]): Promise<void> {
  const failures: unknown[] = []
  for (const { listWaiting: waiting, handle } of tasks)
    for (const item of await waiting())
      try {
        await handle(item)
      } catch (error) {
        if (!(error instanceof PortalError && error.status === 422)) failures.push(error)
      }
  if (failures.length) throw failures[0]
}

export async function readAllPages<T>(
  read: (query: { cursor?: string }) => Promise<{ items: T[]; next: string | null }>,
) {
  const items: T[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read(cursor ? { cursor } : {})
    items.push(...page.items)
    cursor = page.next
  }
  return items
}

const intervalMs = 2000

/** Runs a back office every two seconds; only the first of consecutive failures is reported. */
export function startRounds(
  work: () => Promise<void>,
  report: (error: unknown) => void,
): { stop: () => Promise<void> } {
  let hasFailed = false
  let isStopped = false
  let timer: NodeJS.Timeout
  let working = Promise.resolve()
  const runRound = async () => {
    try {
      await work()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) report(error)
      hasFailed = true
    }
    if (!isStopped) scheduleNext()
  }
  const scheduleNext = () => {
    timer = setTimeout(() => {
      working = runRound()
    }, intervalMs)
  }
  scheduleNext()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await working
    },
  }
}
