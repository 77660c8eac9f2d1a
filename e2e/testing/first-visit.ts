import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export type FirstVisit = {
  /** Bytes of HTML, CSS and JavaScript, without headers, as they were sent. */
  page: number
  fonts: number
  requests: string[]
}

/** Opens an address in a new profile and measures what goes over the wire, as the browser counts it. */
export async function measureFirstVisit(page: Page, address: string): Promise<FirstVisit> {
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  const answers = new Map<string, { type: string; url: string; head: number }>()
  const arriving = new Set<string>()
  const bytes = { page: 0, fonts: 0 }
  network.on('Network.responseReceived', ({ requestId, type, response: { url, encodedDataLength } }) => {
    // The browser fetches the icon when it likes, also twice or after the measurement.
    if (!url.endsWith('/favicon.svg')) answers.set(requestId, { type, url, head: encodedDataLength })
  })
  network.on('Network.requestWillBeSent', ({ requestId }) => void arriving.add(requestId))
  network.on('Network.loadingFailed', ({ requestId }) => void arriving.delete(requestId))
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    arriving.delete(requestId)
    const answer = answers.get(requestId)
    if (!answer) return
    const body = encodedDataLength - answer.head
    if (answer.type === 'Font') bytes.fonts += body
    if (['Document', 'Script', 'Stylesheet'].includes(answer.type)) bytes.page += body
  })
  // A slow machine can be idle for half a second before the page has loaded.
  await page.goto(address, { waitUntil: 'load' })
  await page.waitForLoadState('networkidle')
  // What the browser counts is said later than that it is idle.
  await expect.poll(() => arriving.size).toBe(0)
  return { ...bytes, requests: [...answers.values()].map(({ url }) => url) }
}
