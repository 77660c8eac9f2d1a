/** After so many calls in a row without an answer, nobody is sent to wait for the next one … */
const failuresInARow = 3
/** … for so long; then one call tries anew, and the others go on being told at once until it is answered. */
const pauseMs = 15_000

/**
 * A counterpart that is down must not make every customer wait for its time-out, nor every one of our connections
 * (ERR-5). Each node finds out by itself. The monotonic clock counts, for the other may jump (R94).
 */
export function openCircuit(now: () => number = () => performance.now()) {
  let failures = 0
  let closedFrom = 0
  let trying = false

  /** The same call, which answers `unreachable` without asking while the counterpart is held for down. */
  return <A extends unknown[], R>(ask: (...args: A) => Promise<R>): ((...args: A) => Promise<R | 'unreachable'>) =>
    async (...args) => {
      const open = failures >= failuresInARow
      if (open && (trying || now() < closedFrom)) return 'unreachable'
      trying = open
      let answered = false
      try {
        const answer = await ask(...args)
        answered = answer !== 'unreachable'
        return answer
      } finally {
        failures = answered ? 0 : failures + 1
        closedFrom = now() + pauseMs
        if (open) trying = false
      }
    }
}
