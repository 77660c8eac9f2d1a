import { payloadPath, splitLocale, type PageName, type PagePayload } from '../../contract/pages.ts'
import { ownBuild } from './build-check.ts'
import { storeDrafts } from './drafts.ts'

/** A payload that has not arrived after this is ignored. */
const fetchTimeoutMs = 3000
/** A late payload delays nobody: a page whose code is there waits no longer than this, and is shown without it. */
const pageTimeoutMs = 300

/** Resolves when a page whose code has loaded has waited long enough; where the code is gone, only the payload knows why. */
const timeout = (code: Promise<unknown>): Promise<undefined> =>
  Promise.all([code, new Promise((resolve) => setTimeout(resolve, pageTimeoutMs))]).then(
    () => undefined,
    () => new Promise(() => {}),
  )

async function fetchPayload(path: string): Promise<PagePayload> {
  const answer = await fetch(path, { credentials: 'omit', signal: AbortSignal.timeout(fetchTimeoutMs) })
  return answer.json() as Promise<PagePayload>
}

/**
 * HTT-6: a link to an open page reads its payload. When the portal was updated since this document was loaded, the code of
 * its own build is gone from the server, so the whole page is loaded from the new build instead; then this never resolves.
 */
export async function followPayload(page: PageName, code: Promise<unknown>): Promise<void> {
  const { locale } = splitLocale(location.pathname)
  const payload = await Promise.race([fetchPayload(payloadPath(locale, page)).catch(() => undefined), timeout(code)])
  if (!payload || payload.build === ownBuild()) return
  storeDrafts()
  location.reload()
  await new Promise(() => {})
}
