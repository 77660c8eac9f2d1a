import { PortalRefused } from './portal-client.ts'

type Task<T> = { waiting: () => Promise<T[]>; act: (one: T) => Promise<unknown> }

/**
 * Deals with everything that waits. What the customer or another desk has moved meanwhile is left as it is; one that fails
 * leaves no other lying, and is told of at the end.
 */
export async function workThrough<T>(tasks: readonly Task<T>[]): Promise<void> {
  const failures: unknown[] = []
  for (const { waiting, act } of tasks)
    for (const one of await waiting())
      try {
        await act(one)
      } catch (error) {
        if (!(error instanceof PortalRefused && error.status === 422)) failures.push(error)
      }
  if (failures.length) throw failures[0]
}

const everyMs = 2000

/** Lets a desk look every two seconds; what fails is told once in a row and tried again. */
export function startRounds(
  work: () => Promise<void>,
  report: (error: unknown) => void,
): { stop: () => Promise<void> } {
  let isTold = false
  let isStopped = false
  let timer: NodeJS.Timeout
  let working = Promise.resolve()
  const look = async () => {
    try {
      await work()
      isTold = false
    } catch (error) {
      if (!isTold) report(error)
      isTold = true
    }
    if (!isStopped) later()
  }
  const later = () => {
    timer = setTimeout(() => {
      working = look()
    }, everyMs)
  }
  later()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await working
    },
  }
}
