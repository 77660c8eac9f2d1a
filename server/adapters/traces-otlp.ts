import type { SendSpans, Span } from '../platform/observability/span.ts'
import { callOut } from './outgoing.ts'

/** OpenTelemetry's SpanKind. */
const kinds: Record<Span['kind'], number> = { internal: 1, server: 2, client: 3 }

const attribute = ([key, value]: [string, string | number]) => ({
  key,
  value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
})

const nanoseconds = (ms: number) => `${Math.round(ms * 1000)}000`

/** OTLP 1 over HTTP in JSON: hexadecimal ids, numbers of 64 bits as texts. */
const toOtlp = ({ traceId, id, parentId, kind, name, startedAt, endedAt, attributes, isFailed }: Span) => ({
  traceId,
  spanId: id,
  ...(parentId && { parentSpanId: parentId }),
  flags: 1,
  name,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(startedAt),
  endTimeUnixNano: nanoseconds(endedAt),
  attributes: Object.entries(attributes).map(attribute),
  status: isFailed ? { code: 2 } : {},
})

/** Sends traces only to the operator's collector (R81). */
export function tracesByOtlp({ url, version }: { url: string; version: string }): SendSpans {
  const attributes = Object.entries({
    'service.name': 'sygnet',
    'service.version': version,
    'service.instance.id': crypto.randomUUID(),
  }).map(attribute)
  return async (spans) => {
    const body = {
      resourceSpans: [
        { resource: { attributes }, scopeSpans: [{ scope: { name: 'sygnet' }, spans: spans.map(toOtlp) }] },
      ],
    }
    const { status } = await callOut({
      url: new URL(url),
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      timeoutMs: 5000,
    })
    if (status !== 200) throw new Error(`the collector answered ${status}`)
  }
}
