import { useEffect, useState } from 'react'
import type { DrawnPage, PageRequest } from './first-page-worker.ts'

/** Drawing fails after this time, because a hostile file may never end (R46). */
const drawnWithinMs = 15_000

/** Draws the first page in a worker; a signal stops it without an answer. */
export function drawFirstPage(request: PageRequest, signal?: AbortSignal): Promise<DrawnPage> {
  const worker = new Worker(new URL('first-page-worker.ts', import.meta.url), { type: 'module' })
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer)
      worker.terminate()
      port1.close()
    }
    const answer = (drawn: DrawnPage) => {
      stop()
      resolve(drawn)
    }
    const timer = setTimeout(() => answer({ failed: 'unreadable' }), drawnWithinMs)
    signal?.addEventListener('abort', stop)
    port1.addEventListener('message', ({ data }: MessageEvent<DrawnPage>) => answer(data))
    worker.addEventListener('error', () => answer({ failed: 'unreadable' }))
    port1.start()
    worker.postMessage(request, [port2])
  })
}

/** The first page of a file, as soon as there is one; `unlock` tries a code on a locked file and says whether it was right. */
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
    const right = !('failed' in tried && tried.failed === 'locked')
    if (right) setDrawn(tried)
    return right
  }
  return { drawn, unlock }
}
