import type { AsyncLocalStorage } from 'node:async_hooks'
import { channel, tracingChannel } from 'node:diagnostics_channel'
import type { Act } from '../contract/acts.ts'

/**
 * What happens inside of a node, told to metrics and traces where the operator wants them (OPS-6). Nobody listens
 * otherwise, and telling is then one comparison. What is told are words and ids of ours, never a person's (R86).
 */
function told<T extends object>(name: string) {
  const own = channel(`sygnet:${name}`)
  return {
    tell(event: T) {
      if (own.hasSubscribers) own.publish(event)
    },
    /** Returns what ends the listening. */
    hear(listen: (event: T) => void) {
      const heard = (event: unknown) => listen(event as T)
      own.subscribe(heard)
      return () => {
        own.unsubscribe(heard)
      }
    },
  }
}

/** Work that takes its time; the same object is told of at its begin and at its end, with `error` if it failed. */
function work<T extends object>(name: string) {
  const own = tracingChannel<T>(`sygnet:${name}`)
  return {
    do: <R>(about: T, doIt: () => Promise<R>): Promise<R> =>
      own.hasSubscribers ? own.tracePromise(doIt, about) : doIt(),
    /** Returns what ends the following. */
    follow({ begin, end }: { begin?: (about: T) => void; end: (about: T & { error?: unknown }) => void }) {
      const listeners = { ...(begin && { start: begin }), asyncEnd: end }
      own.subscribe(listeners)
      return () => {
        own.unsubscribe(listeners)
      }
    },
    /** What is done within the work finds in `storage` what `open` made. */
    enter<S>(storage: AsyncLocalStorage<S>, open: (about: T) => S) {
      own.start.bindStore(storage as AsyncLocalStorage<never>, open as never)
      return () => void own.start.unbindStore(storage as AsyncLocalStorage<never>)
    },
  }
}

export const recorded = told<{ act: Act }>('recorded')
export const budgetRefused = told<{ budget: string }>('budget-refused')
export const alarmRaised = told<{ alarm: string }>('alarm-raised')
/** A browser's report of what a policy of ours has blocked. */
export const cspReported = told<{ directive: string }>('csp-reported')
export const backgroundFailed = told<object>('background-failed')
export const spansDropped = told<{ count: number }>('spans-dropped')
/** What became of one try to deliver a message. */
export const delivered = told<{ channel: string; outcome: 'sent' | 'failed' | 'dead' }>('delivered')

/** One statement of the database; its text is the code's own, without values. */
export type Statement = { text: string }
export const statements = work<Statement>('statement')

/** One call to a configured host. Who listens may add headers to it. */
export type Outgoing = { url: URL; method: string; headers: Record<string, string>; result?: { status: number } }
export const outgoingCalls = work<Outgoing>('outgoing')

export type Delivery = { channel: string }
export const deliveries = work<Delivery>('delivery')

/** What a node does by itself every few minutes. */
export const jobNames = [
  'tidy',
  'sign-audit-heads',
  'tell-of-package-ends',
  'remind-of-certificate-ends',
  'look-after-signatures',
  'renew-archives',
] as const
export type Job = { job: (typeof jobNames)[number] }
export const jobs = work<Job>('job')
