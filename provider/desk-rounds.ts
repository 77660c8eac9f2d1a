import { PortalRefused } from './portal-client.ts'

/** What the customer or another desk has moved meanwhile is left as it is. */
export async function unlessMoved(act: Promise<unknown>): Promise<void> {
  try {
    await act
  } catch (error) {
    if (!(error instanceof PortalRefused && error.status === 422)) throw error
  }
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
