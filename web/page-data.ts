import type { PageData } from '../contract/page-data.ts'
import { reads, storeRead } from './reads.ts'
import { startSession } from './session.tsx'

/** The first rendering, on the server and in the browser, shows these data. */
export function startWith({ session, reads: replies }: PageData) {
  startSession(session)
  for (const read of replies) storeRead(read)
}

/** Nothing of one customer is left for the next rendering. */
export function clearPageData() {
  startSession(undefined)
  reads.clear()
}
