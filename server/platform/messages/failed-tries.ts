import { DeliveryFailed } from '../ports.ts'
import type { LoggedTry } from '../observability/log.ts'
import type { FailedTry } from './outbox.ts'

/** In milliseconds. */
const pause = 60_000
const mostCauses = 100

/**
 * Logs failed tries, each cause of a channel at most once a minute: while a mail server is down, thousands of messages may try each
 * minute. Permanent failures are always logged, because an operator has to look at each.
 */
export function openFailedTries(
  warn: (logged: LoggedTry, problem: string) => void,
  now: () => number = () => performance.now(),
) {
  const causes = new Map<string, { loggedAt: number; skipped: number }>()
  return ({ id, channel, tries, isPermanent }: FailedTry, error: unknown) => {
    const problem = error instanceof DeliveryFailed ? error.message : 'an unexpected error'
    const cause = `${channel} ${problem}`
    const before = causes.get(cause)
    if (before && !isPermanent && now() - before.loggedAt < pause) {
      before.skipped++
      return
    }
    causes.delete(cause)
    causes.set(cause, { loggedAt: now(), skipped: 0 })
    const [oldest] = causes.keys()
    if (causes.size > mostCauses && oldest !== undefined) causes.delete(oldest)
    warn({ id, channel, tries, isPermanent, skipped: before?.skipped ?? 0 }, problem)
  }
}
