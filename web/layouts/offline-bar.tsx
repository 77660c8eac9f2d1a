import { useEffect, useSyncExternalStore } from 'react'
import { useText } from '../app/locale.tsx'
import { loadSession } from '../app/session.tsx'
import { oldDataSince, readAgain, reads } from '../calls/reads.ts'
import { formatDateTime } from '../text/format.ts'

const retryAfterMs = 20_000

function subscribe(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  // Later, because a query may change while something is rendered.
  const stop = reads.getQueryCache().subscribe(() => queueMicrotask(listener))
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
    stop()
  }
}

const readOnline = () => navigator.onLine

/** Says that the network is missing or the data cannot be read again, and from when the data on the page are (OFF-2). */
export function OfflineBar() {
  const t = useText()
  const isOnline = useSyncExternalStore(subscribe, readOnline, () => true)
  const since = useSyncExternalStore(subscribe, oldDataSince, () => undefined)
  const isReached = isOnline && since === undefined
  useReconnection(isReached)
  return (
    <p className="offline" role="status">
      {!isReached &&
        [
          since !== undefined &&
            t({
              pl: `Dane z\u00a0${formatDateTime(t.locale, since)}.`,
              en: `Data as of ${formatDateTime(t.locale, since)}.`,
            }),
          isOnline
            ? t({ pl: 'Na razie nie możemy wczytać nowszych.', en: 'We can’t load anything newer at the moment.' })
            : t({ pl: 'Nie masz teraz połączenia z\u00a0internetem.', en: 'You’re offline right now.' }),
          t({ pl: 'Spróbujemy ponownie automatycznie.', en: 'We’ll try again automatically.' }),
        ]
          .filter(Boolean)
          .join(' ')}
    </p>
  )
}

/** Reads the session and the page again when the network is back, and now and then while only the portal does not answer. */
function useReconnection(isReached: boolean) {
  useEffect(() => {
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [])
  useEffect(() => {
    if (isReached) return undefined
    const timer = setInterval(retry, retryAfterMs)
    return () => clearInterval(timer)
  }, [isReached])
}

function retry() {
  if (!navigator.onLine) return
  // A session that has ended is noticed by the reads of the page.
  loadSession({ optional: true }).catch(() => undefined)
  void readAgain()
}
