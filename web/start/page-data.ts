import type { PageData } from '../../contract/page-data.ts'
import { startSession } from '../app/session.tsx'
import { reads, storeRead } from '../calls/reads.ts'

/** Sets the data that the first rendering shows, on the server and in the browser. */
export function startWith({ session, reads: replies }: PageData) {
  startSession(session, documentReceivedAt())
  for (const read of replies) storeRead(read)
}

/** Returns when the response with the document began, which on a slow phone is seconds before its script runs (AUT-5). */
function documentReceivedAt() {
  const [document] = performance.getEntriesByType('navigation')
  return document ? performance.timeOrigin + (document as PerformanceNavigationTiming).responseStart : Date.now()
}

/** Clears the data, so that nothing of one customer is left for the next rendering. */
export function clearPageData() {
  startSession(undefined, 0)
  reads.clear()
}
