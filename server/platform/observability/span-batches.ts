import { ExportResultCode } from '@opentelemetry/core'
import { BatchSpanProcessor, type ReadableSpan, type SpanProcessor } from '@opentelemetry/sdk-trace'
import { backgroundFailed, spansDropped } from './events.ts'

/** Sends spans to the collector; rejects if it did not accept them. */
export type SendSpans = (spans: ReadableSpan[]) => Promise<void>

/** The limit of spans that wait for the collector; further ones are dropped and counted. */
const waitingAtMost = 4096

/** Sends spans in batches. No request waits for it; if the collector is down, only spans are lost. */
export function spanBatches(send: SendSpans): SpanProcessor {
  let waiting = 0
  let isDown = false
  let sending: Promise<void> = Promise.resolve()
  async function sendBatch(spans: ReadableSpan[]) {
    waiting -= spans.length
    try {
      await send(spans)
      isDown = false
    } catch {
      spansDropped.publish({ count: spans.length })
      // Reported once per outage, not every two seconds.
      if (!isDown) backgroundFailed.publish({})
      isDown = true
    }
  }
  const batches = new BatchSpanProcessor({
    scheduledDelayMillis: 2000,
    maxQueueSize: waitingAtMost,
    exporter: {
      export(spans, done) {
        // Lost spans are a success too: after a failure the library sends several batches at the same time.
        sending = Promise.all([sending, sendBatch(spans)]).then(() => done({ code: ExportResultCode.SUCCESS }))
      },
      shutdown: () => sending,
    },
  })
  return {
    onStart() {},
    // The library does not say which spans it drops.
    onEnd(span) {
      if (waiting === waitingAtMost) return spansDropped.publish({ count: 1 })
      waiting++
      batches.onEnd(span)
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  }
}
