import { useSyncExternalStore } from 'react'
import { useText } from '../locale.tsx'

function subscribe(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export function OfflineBar() {
  const t = useText()
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return (
    <p className="offline" role="status">
      {!online &&
        t({
          pl: 'Brak połączenia z\u00a0internetem. Spróbujemy ponownie automatycznie.',
          en: 'You’re offline. We’ll try again automatically.',
        })}
    </p>
  )
}
