import type { Page, Request } from 'playwright-core'

/** Returns everything that a request sends, as text. */
async function requestText(request: Request) {
  const headers = JSON.stringify(await request.allHeaders())
  return `${request.method()} ${request.url()}\n${headers}\n${request.postDataBuffer()?.toString('latin1') ?? ''}`
}

/** Collects the requests of a page; `said` is all of their texts, with what the browser stores and shows of the page. */
export function watchSaid(page: Page) {
  const requests: Request[] = []
  page.context().on('request', (request) => requests.push(request))
  async function said() {
    const texts = await Promise.all(requests.map(requestText))
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
    )
    return [...texts, stored, JSON.stringify(await page.context().cookies())].join('\n')
  }
  return { requests, said }
}

/** Starts a worker by its script, and tries to send to each of the addresses from it. */
export async function sendFromWorker(page: Page, script: string, addresses: readonly string[]) {
  const [worker] = await Promise.all([
    page.waitForEvent('worker', (each) => each.url() === script),
    page.evaluate((url) => void Object.assign(window, { again: new Worker(url, { type: 'module' }) }), script),
  ])
  const send = (to: string) =>
    fetch(to, { method: 'POST', body: 'x' }).then(
      () => 'sent',
      () => 'blocked',
    )
  const outcomes = await Promise.all(addresses.map((to) => worker.evaluate(send, to)))
  await page.evaluate(() => (window as unknown as { again: Worker }).again.terminate())
  return outcomes
}

const runLength = 16
/** Finds the runs of `runLength` bytes of the file in a text. Zeros and spaces do not count, because files have many in a row. */
export function runsIn(text: string, file: Uint8Array) {
  const latin1 = Buffer.from(file).toString('latin1')
  const runs = new Set(
    Array.from({ length: latin1.length - runLength + 1 }, (_, at) => latin1.slice(at, at + runLength)),
  )
  return Array.from({ length: Math.max(0, text.length - runLength + 1) }, (_, at) =>
    text.slice(at, at + runLength),
  ).filter((run) => runs.has(run) && new Set(run).size > 2)
}
