import { useEffect, useEffectEvent, useState, Component, type ReactNode } from 'react'
import { storeDrafts } from '../app/drafts.ts'
import { useText } from '../app/locale.tsx'
import { isReached, hasFailedWith } from '../calls/api.ts'
import { Button } from '../ui/button.tsx'
import { ErrorFrame } from './error-frame.tsx'
import { ErrorHeading } from './error-screen.tsx'

const advice = {
  pl: 'Nie możemy wczytać tej strony. Sprawdź połączenie z\u00a0internetem. Gdy wróci, spróbujemy ponownie automatycznie.',
  en: 'We can’t load this page. Check your internet connection. Once it’s back, we’ll try again automatically.',
}

/** Shows the offline message in place of the whole page, whose frame could not be loaded either. */
export const OfflineScreen = () => (
  <ErrorFrame>
    <OfflineMessage />
  </ErrorFrame>
)

/**
 * Shows that nothing is broken and only the network is missing: a page's code or the session could not be loaded (ERR-4). It tries again
 * when the network is back, and never reloads without one, because the browser would then show a page of its own.
 */
export function OfflineMessage() {
  const t = useText()
  const [isBusy, setIsBusy] = useState(false)
  const [result, setResult] = useState('')

  async function retry() {
    setIsBusy(true)
    setResult('')
    if (await isReached()) {
      storeDrafts()
      return location.reload()
    }
    setIsBusy(false)
    setResult(t({ pl: 'Nadal nie ma połączenia.', en: 'Still no connection.' }))
  }
  const back = useEffectEvent(() => void retry())

  useEffect(() => {
    // The network may be back already: what did not load once stays so until the page is loaded again.
    if (navigator.onLine) back()
    const onOnline = () => back()
    addEventListener('online', onOnline)
    return () => removeEventListener('online', onOnline)
  }, [])

  return (
    <>
      <ErrorHeading title={{ pl: 'Brak połączenia z\u00a0portalem', en: 'Can’t reach the portal' }} />
      <p className="lede">{t(advice)}</p>
      <div className="buttons">
        <Button variant="primary" isBusy={isBusy} busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })} onClick={retry}>
          {t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
        </Button>
      </div>
      <p role="status">{result}</p>
    </>
  )
}

type State = { error?: unknown }

/** Around a screen: while its code cannot be loaded because the network is missing, the frame and its menu stay (ERR-4). */
export class OfflineBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error('unknown') }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!hasFailedWith(error, 'offline')) throw error
    return <OfflineMessage />
  }
}
