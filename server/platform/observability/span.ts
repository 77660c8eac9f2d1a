/** A span of a trace, as in OpenTelemetry. Attributes are constants, hosts and numbers: no paths, values or personal data (R86). */
export type Span = {
  traceId: string
  id: string
  parentId: string | undefined
  isSampled: boolean
  kind: 'internal' | 'server' | 'client'
  name: string
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
  attributes: Record<string, string | number>
  isFailed: boolean
}

/** Sends spans to the collector; rejects if it did not accept them. */
export type SendSpans = (spans: readonly Span[]) => Promise<void>
