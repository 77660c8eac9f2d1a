import type { FastifyBaseLogger } from 'fastify'
import { openFailedTries } from '../messages/failed-tries.ts'
import type { Report } from '../messages/outbox.ts'
import { backgroundFailed } from '../observability/events.ts'
import { serviceOf } from '../observability/failed-service.ts'
import { causeOf, type SkippedCauses } from '../observability/skipped-causes.ts'
import { DeliveryFailed } from '../ports.ts'

/** Returns what reports the errors of each work in the background. A failed delivery is a failed try and no error of ours. */
export function openReports(log: FastifyBaseLogger, skipped: SkippedCauses): (work: string) => Report {
  const logFailedTry = openFailedTries((delivery, problem) =>
    log.warn({ delivery, problem }, 'a message could not be delivered'),
  )
  return (work) => (error, failed) => {
    if (failed) logFailedTry(failed, error)
    if (failed && error instanceof DeliveryFailed) return
    backgroundFailed.publish({})
    const repeats = skipped(`${work} ${causeOf(error)}`)
    if (repeats === undefined) return
    log.error({ err: error, work, service: serviceOf(error), repeats }, 'background work failed')
  }
}
