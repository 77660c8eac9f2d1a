import { DeliveryFailed } from '../ports.ts'
import type { LoggedTry } from '../observability/log.ts'
import { openSkippedCauses } from '../observability/skipped-causes.ts'
import type { FailedTry } from './outbox.ts'

/**
 * Logs failed tries, each cause of a channel at most once a minute: while a mail server is down, thousands of messages may try each
 * minute. Permanent failures are always logged, because an operator has to look at each.
 */
export function openFailedTries(warn: (logged: LoggedTry, problem: string) => void, now?: () => number) {
  const skippedTries = openSkippedCauses(now)
  return ({ id, channel, tries, isPermanent }: FailedTry, error: unknown) => {
    const problem = error instanceof DeliveryFailed ? error.message : 'an unexpected error'
    const skipped = skippedTries(`${channel} ${problem}`, { always: isPermanent })
    if (skipped !== undefined) warn({ id, channel, tries, isPermanent, skipped }, problem)
  }
}
