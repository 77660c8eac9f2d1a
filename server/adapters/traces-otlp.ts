import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { SendSpans } from '../platform/observability/traces.ts'
import { callOut } from './outgoing.ts'

/** Sends traces by OTLP over HTTP in JSON, and only to the operator's collector (R81). */
export const tracesByOtlp =
  (url: string): SendSpans =>
  async (spans) => {
    const { status } = await callOut({
      url: new URL(url),
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JsonTraceSerializer.serializeRequest(spans)!,
      timeoutMs: 5000,
    })
    if (status !== 200) throw new Error(`the collector answered ${status}`)
  }
