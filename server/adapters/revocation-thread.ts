import { closeHttpClients } from '../platform/http-clients.ts'
import { lowerPriority } from '../platform/jobs/background-priority.ts'

closeHttpClients()

// On a busy machine requests take precedence.
lowerPriority()

export { findLinks, isProven, judge } from './revocation-judging.ts'
