import type { AsyncLocalStorage } from 'node:async_hooks'
import { channel, tracingChannel } from 'node:diagnostics_channel'
import type { AuditAction } from '../../../contract/audit-actions.ts'

/**
 * Creates a channel for events inside a node, to which metrics and traces subscribe if the operator has configured them (OPS-6). Without
 * subscribers publishing costs one comparison. Events contain our own constants and ids, never personal data (R86).
 */
function eventChannel<T extends object>(name: string) {
  const nodeChannel = channel(`sygnet:${name}`)
  return {
    publish(event: T) {
      if (nodeChannel.hasSubscribers) nodeChannel.publish(event)
    },
    /** Returns the function that unsubscribes. */
    subscribe(listen: (event: T) => void) {
      const listener = (event: unknown) => listen(event as T)
      nodeChannel.subscribe(listener)
      return () => {
        nodeChannel.unsubscribe(listener)
      }
    },
  }
}

/** Creates a channel for work that takes time. The same object is published at its start and its end, with `error` if it failed. */
function workChannel<T extends object>(name: string) {
  const own = tracingChannel<T>(`sygnet:${name}`)
  return {
    do: <R>(about: T, work: () => Promise<R>): Promise<R> =>
      own.hasSubscribers ? own.tracePromise(work, about) : work(),
    /** Returns the function that unsubscribes. */
    follow({ begin, end }: { begin?: (about: T) => void; end: (about: T & { error?: unknown }) => void }) {
      const listeners = { ...(begin && { start: begin }), asyncEnd: end }
      own.subscribe(listeners)
      return () => {
        own.unsubscribe(listeners)
      }
    },
    /** Binds `storage` to the result of `open` during the work. */
    enter<S>(storage: AsyncLocalStorage<S>, open: (about: T) => S) {
      own.start.bindStore(storage as AsyncLocalStorage<never>, open as never)
      return () => void own.start.unbindStore(storage as AsyncLocalStorage<never>)
    },
  }
}

export const auditEntryAdded = eventChannel<{ action: AuditAction }>('audit-entry-added')
export const rateLimitExceeded = eventChannel<{ rateLimit: string }>('rate-limit-exceeded')
export const alarmRaised = eventChannel<{ alarm: string }>('alarm-raised')
/** A browser's report of a violation of our content security policy. */
export const cspReported = eventChannel<{ directive: string }>('csp-reported')
export const backgroundFailed = eventChannel<object>('background-failed')
export const spansDropped = eventChannel<{ count: number }>('spans-dropped')
export const trustedListFetched = eventChannel<{ outcome: TrustedListOutcome }>('trusted-list-fetched')
export const trustedListOutcomes = ['new', 'unchanged', 'refused', 'unreachable'] as const
export type TrustedListOutcome = (typeof trustedListOutcomes)[number]
/** The outcome of one attempt to deliver a message. */
export const delivered = eventChannel<{ channel: string; outcome: 'sent' | 'failed' | 'dead' }>('delivered')

/** An SQL statement that is executed. */
export type Statement = {
  /** The text, which comes from the code, without values. */
  text: string
}
export const statements = workChannel<Statement>('statement')

/** A call to a configured host. */
export type Outgoing = {
  url: URL
  method: string
  /** The headers, to which subscribers may add some. */
  headers: Record<string, string>
  result?: { status: number }
}
export const outgoingCalls = workChannel<Outgoing>('outgoing')

export type Delivery = { channel: string }
export const deliveries = workChannel<Delivery>('delivery')

/** A run of a job of platform/jobs. */
export const jobs = workChannel<{ job: string }>('job')
