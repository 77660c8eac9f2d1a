import { useEffect, useState } from 'react'
import type { Counted, CountRequest, DrawnPage, DrawRequest, OpenRequest } from './page-worker.ts'

/** Drawing fails after this time, because a hostile file may never end (R46). */
const drawnWithinMs = 15_000

/** A document in a worker of its own, which answers one question after the other until it is closed. */
export type OpenPages = ReturnType<typeof openPages>

export function openPages(request: OpenRequest) {
  let opened: ReturnType<typeof startWorker> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let isOver = false
  const stop = () => {
    opened?.stop()
    opened = undefined
  }
  const close = () => {
    isOver = true
    stop()
  }

  const ask = <T>(asked: DrawRequest | CountRequest) =>
    new Promise<T | { failed: 'unreadable' }>((resolve) => {
      // Never answered once it is closed, as nobody waits then.
      if (isOver) return
      // One page may be hostile and the next one not, so after a failure a fresh worker is asked.
      const { worker, port } = (opened ??= startWorker(request))
      const stopListening = new AbortController()
      const { signal } = stopListening
      const answer = (given: T | { failed: 'unreadable' }) => {
        clearTimeout(timer)
        stopListening.abort()
        if (!isOver) resolve(given)
      }
      const fail = () => {
        stop()
        answer({ failed: 'unreadable' })
      }
      const timer = setTimeout(fail, drawnWithinMs)
      port.addEventListener('message', ({ data }: MessageEvent<T>) => answer(data), { signal })
      worker.addEventListener('error', fail, { signal })
      port.postMessage(asked)
    })

  /** Sends the request after the previous one is answered, unless it was aborted while it waited. */
  function enqueue<T>(asked: DrawRequest | CountRequest, signal?: AbortSignal) {
    const answer = last.then(() => (signal?.aborted ? { failed: 'unreadable' as const } : ask<T>(asked)))
    last = answer
    return answer
  }
  return {
    draw: (asked: DrawRequest, signal?: AbortSignal) => enqueue<DrawnPage>(asked, signal),
    count: (asked: CountRequest) => enqueue<Counted>(asked),
    close,
  }
}

function startWorker(request: OpenRequest) {
  const worker = new Worker(new URL('page-worker.ts', import.meta.url), { type: 'module' })
  const { port1: port, port2 } = new MessageChannel()
  worker.postMessage(request, [port2])
  port.start()
  const stop = () => {
    worker.terminate()
    port.close()
  }
  return { worker, port, stop }
}

/** Draws the first page in a worker; a signal stops it without an answer. */
async function drawFirstPage(request: OpenRequest, signal?: AbortSignal): Promise<DrawnPage> {
  const pages = openPages(request)
  signal?.addEventListener('abort', pages.close)
  const drawn = await pages.draw({ page: 1 })
  pages.close()
  return drawn
}

/** Draws the first page of a file, once there is one; `unlock` tries a code on a locked file and returns whether it was right. */
export function useFirstPage(file: Blob | undefined) {
  const [drawn, setDrawn] = useState<DrawnPage>()

  useEffect(() => {
    setDrawn(undefined)
    if (!file) return
    const stopping = new AbortController()
    void drawFirstPage({ file }, stopping.signal).then(setDrawn)
    return () => stopping.abort()
  }, [file])

  async function unlock(code: string) {
    const tried = await drawFirstPage({ file: file!, code })
    const isRightCode = !('failed' in tried && tried.failed === 'locked')
    if (isRightCode) setDrawn(tried)
    return isRightCode
  }
  return { drawn, unlock }
}

/** Shows the picture on the canvas, which consumes it. */
export function paintPicture(canvas: HTMLCanvasElement, picture: ImageBitmap) {
  const { width, height } = picture
  Object.assign(canvas, { width, height })
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(picture)
}
