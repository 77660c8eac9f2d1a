import type { FastifyBaseLogger } from 'fastify'
import { ConfigurationError } from '../configuration/startup-error.ts'
import type { RemoteSigningPort } from '../ports.ts'
import type { Readiness } from './readiness.ts'

export const signingServiceJob = 'signing-service'

/** For the operator. */
export const unsuitableText = ({ unsuitable }: { unsuitable: string }) =>
  `CSC_URL cannot be used: the signing service ${unsuitable}.`

/**
 * SGN-1: whether the operator's signing service can be used, at the start and each minute from then on. At the start an unsuitable
 * one is an error of the configuration; one that does not answer may come back, so it is only a warning and a detail of `/readyz`.
 */
export async function watchSigningService(service: RemoteSigningPort, readiness: Readiness, log: FastifyBaseLogger) {
  let last = 'suitable'
  async function check() {
    const result = await service.check()
    const problem = typeof result === 'string' ? result : result.unsuitable
    readiness.note('signing-service', problem === 'suitable')
    if (problem !== last && problem === 'suitable') log.info('the signing service answers again')
    else if (problem !== last) log.warn({ problem }, 'the signing service cannot be used')
    last = problem
    return result
  }
  const first = await check()
  if (typeof first === 'object') throw new ConfigurationError(unsuitableText(first))
  return { name: signingServiceJob, everySeconds: 60, run: check }
}
