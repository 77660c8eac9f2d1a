import type { PageData } from '../../contract/page-data.ts'
import { reads, storeRead } from '../calls/reads.ts'
import { startSession } from './session.tsx'

/** The first rendering, on the server and in the browser, shows these data. */
export function startWith({ session, reads: replies }: PageData) {
  startSession(session, documentReceivedAt())
  for (const read of replies) storeRead(read)
}

/** When the reply with the document began, which on a slow phone is seconds before its script runs (AUT-5). */
function documentReceivedAt() {
  const [document] = performance.getEntriesByType('navigation')
  return document ? performance.timeOrigin + (document as PerformanceNavigationTiming).responseStart : Date.now()
}

/** Nothing of one customer is left for the next rendering. */
export function clearPageData() {
  startSession(undefined, 0)
  reads.clear()
}
