import { backgroundFailed, spansDropped } from './observed.ts'
import type { SendSpans, Span } from './traces.ts'

/** Spans wait for at most so long, and no more of them than so many; what comes on top is dropped and counted. */
const sendEveryMs = 2000
const waitingAtMost = 4096
const sentAtOnce = 512

/** Spans on their way to the collector: nobody waits for them, and a collector that is away costs spans and nothing else. */
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
      spansDropped.tell({ count: spans.length })
      // Told when it begins, not every two seconds.
      if (!isDown) backgroundFailed.tell({})
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
      if (waiting.length >= waitingAtMost) return spansDropped.tell({ count: 1 })
      waiting.push(span)
      if (waiting.length === sentAtOnce) void sendAll()
    },
    async close() {
      clearInterval(timer)
      await sendAll()
      spansDropped.tell({ count: waiting.length })
      waiting = []
    },
  }
}
