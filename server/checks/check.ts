import { AsyncLocalStorage } from 'node:async_hooks'
import { faultOf, requireCallable } from '../adapters/outgoing.ts'
import { serviceFault } from '../adapters/service-fault.ts'
import { outgoingCalls } from '../platform/observability/events.ts'
import { errorMessage } from '../platform/observability/skipped-causes.ts'

/** The result of a check. */
export type CheckFinding = {
  status: 'ok' | 'warning' | 'failed' | 'not tested'
  /** A sentence for the operator; if something is wrong, with what to do. */
  text: string
}

/** A test of something that is configured, which leaves nothing behind. */
export type Check = { name: string; run: () => Promise<CheckFinding> }

export const ok = (text: string): CheckFinding => ({ status: 'ok', text })
export const warning = (text: string): CheckFinding => ({ status: 'warning', text })
export const failed = (text: string): CheckFinding => ({ status: 'failed', text })
export const notTested = (text: string): CheckFinding => ({ status: 'not tested', text })

/** An HTTP service that is configured. */
type Service = {
  /** What the service is, for the operator. */
  name: string
  /** The setting with the address. */
  address: string
  /** The settings with the credentials. */
  credentials?: string
}

/** Runs a check and returns its finding. An unknown fault is a failure, so that it does not hide the other checks. */
export const runCheck = ({ run }: Check): Promise<CheckFinding> =>
  run().catch((error: unknown) => failed(errorMessage(error)))

/** Returns the finding for a service that has no call without an effect: only the address is tested. `text` says how to test the rest. */
export async function checkAddress(key: string, url: string, text: string): Promise<CheckFinding> {
  try {
    await requireCallable(new URL(url))
    return notTested(text)
  } catch (error) {
    return failed(serviceFault(`the service of ${key}`, faultOf(error), key))
  }
}

/** Tells the calls of a check from those that a running portal makes meanwhile. */
const checking = new AsyncLocalStorage<object>()

/** Calls a service whose port says only that it failed, and returns the cause in addition: what its last call met. */
export async function withCause<T>({ name, address, credentials }: Service, call: () => Promise<T>) {
  let cause = `${name} did not give a usable answer: check ${address}.`
  const own = {}
  const unfollow = outgoingCalls.follow({
    end: ({ error, result }) => {
      if (checking.getStore() !== own) return
      if (error !== undefined) cause = serviceFault(name, faultOf(error), address)
      else if (result) cause = causeOf(result.status)
    },
  })
  const causeOf = (status: number) => {
    if (credentials && (status === 401 || status === 403)) return `HTTP ${status} from ${name}: check ${credentials}.`
    return `HTTP ${status} from ${name}, without a usable answer: check ${address}.`
  }
  try {
    return { answer: await checking.run(own, call), cause: capitalised(cause) }
  } finally {
    unfollow()
  }
}

const capitalised = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
