import { setPriority } from 'node:os'
import { closeHttpClients } from '../platform/http-clients.ts'

closeHttpClients()

// On a busy machine requests take precedence. Only on Linux does a priority belong to one thread.
if (process.platform === 'linux') setPriority(10)

export { findLinks, isProven, judge } from './revocation-judging.ts'
