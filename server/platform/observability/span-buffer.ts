import { backgroundFailed, spansDropped } from './events.ts'
import type { SendSpans, Span } from './span.ts'

/** Limits of the buffer; further spans are dropped and counted. */
const sendEveryMs = 2000
const waitingAtMost = 4096
const sentAtOnce = 512

/** A buffer of spans for the collector. No request waits for it; if the collector is down, only spans are lost. */
export function openBuffer(send: SendSpans) {
  let waiting: Span[] = []
  let sending = Promise.resolve()
  let isDown = false
  async function sendOnce() {
    const spans = waiting.splice(0, sentAtOnce)
    if (!spans.length) return
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
  const sendAll = () =>
    (sending = sending.then(async () => {
      do await sendOnce()
      while (waiting.length && !isDown)
    }))
  const timer = setInterval(() => void sendAll(), sendEveryMs).unref()
  return {
    add(span: Span) {
      if (waiting.length >= waitingAtMost) return spansDropped.publish({ count: 1 })
      waiting.push(span)
      if (waiting.length === sentAtOnce) void sendAll()
    },
    async close() {
      clearInterval(timer)
      await sendAll()
      spansDropped.publish({ count: waiting.length })
      waiting = []
    },
  }
}
