/** After this many consecutive calls without an answer, the circuit opens … */
const failuresInARow = 3
/** … for this long. Then one call tries again, and the others still fail at once until it is answered. */
const pauseMs = 15_000

/**
 * A circuit breaker: if a service is down, customers and connections must not all wait for its timeout (ERR-5). Each node has its
 * own. It uses the monotonic clock, because the other may jump (R94).
 */
export function openCircuit(now: () => number = () => performance.now()) {
  let failures = 0
  let retryAt = 0
  let trying = false

  /** The same call, which returns `unreachable` at once while the circuit is open. */
  return <A extends unknown[], R>(call: (...args: A) => Promise<R>): ((...args: A) => Promise<R | 'unreachable'>) =>
    async (...args) => {
      const open = failures >= failuresInARow
      if (open && (trying || now() < retryAt)) return 'unreachable'
      trying = open
      let answered = false
      try {
        const answer = await call(...args)
        answered = answer !== 'unreachable'
        return answer
      } finally {
        failures = answered ? 0 : failures + 1
        retryAt = now() + pauseMs
        if (open) trying = false
      }
    }
}
