import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPages } from './page-drawing.ts'
import type { CountRequest, DrawRequest, OpenRequest } from './page-worker.ts'

const file = new Blob(['%PDF'])
const limitMs = 15_000

/** A worker that answers at once, but never about one page. */
class FakeWorker extends EventTarget {
  isRunning = true
  asked: (DrawRequest | CountRequest)[] = []
  opened: OpenRequest | undefined
  constructor() {
    super()
    workers.push(this)
  }
  postMessage(request: OpenRequest, [port]: [MessagePort]) {
    this.opened = request
    port.addEventListener('message', ({ data }: MessageEvent<DrawRequest | CountRequest>) => {
      this.asked.push(data)
      if (data.page !== endless) port.postMessage('count' in data ? { found: 1 } : { pages: data.page })
    })
    port.start()
  }
  terminate() {
    this.isRunning = false
  }
}
const endless = 13
let workers: FakeWorker[] = []
const running = () => workers.filter(({ isRunning }) => isRunning).length

beforeEach(() => {
  workers = []
  vi.stubGlobal('Worker', FakeWorker)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Waits with real time until a worker has got the question. */
const untilAsked = (count: number) => vi.waitUntil(() => workers.flatMap(({ asked }) => asked).length === count)

test.each([
  ['a page', 'draw', { page: endless }],
  ['a search', 'count', { page: endless, count: 'a' }],
] as const)('R46 DOC-12 after %s that never ends, the next page is drawn by a fresh worker', async (_, how, asked) => {
  const pages = openPages({ file, code: 'x' })
  const first = how === 'draw' ? pages.draw(asked) : pages.count(asked)
  const next = pages.draw({ page: 2 })
  await untilAsked(1)
  vi.advanceTimersByTime(limitMs)
  expect(await first).toEqual({ failed: 'unreadable' })
  expect(await next).toEqual({ pages: 2 })
  expect(workers.map(({ isRunning }) => isRunning)).toEqual([false, true])
  expect(workers[1]!.opened).toEqual({ file, code: 'x' })
  pages.close()
  expect(running()).toBe(0)
})

test('R46 DOC-12 after an error of the worker the next page is drawn by a fresh one', async () => {
  const pages = openPages({ file })
  const first = pages.draw({ page: endless })
  await untilAsked(1)
  workers[0]!.dispatchEvent(new Event('error'))
  expect(await first).toEqual({ failed: 'unreadable' })
  expect(await pages.draw({ page: 2 })).toEqual({ pages: 2 })
  expect(workers).toHaveLength(2)
  pages.close()
})

test('R46 DOC-12 one worker draws all pages of a document, and none answers or begins once it is closed', async () => {
  const pages = openPages({ file })
  for (const page of [1, 2]) expect(await pages.draw({ page })).toEqual({ pages: page })
  expect(workers).toHaveLength(1)
  const answered = vi.fn<() => void>()
  void pages.draw({ page: endless }).then(answered)
  void pages.draw({ page: 3 }).then(answered)
  await untilAsked(3)
  pages.close()
  vi.advanceTimersByTime(limitMs)
  await new Promise(setImmediate)
  expect(answered).not.toHaveBeenCalled()
  expect([workers.length, running()]).toEqual([1, 0])
})
