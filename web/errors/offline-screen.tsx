import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { passDraftsOn } from '../ui/drafts.ts'
import { ErrorFrame } from './error-frame.tsx'

const title = { pl: 'Brak połączenia z\u00a0portalem', en: 'No connection to the portal' }

/**
 * Nothing is broken, the network is missing: a page's code or the session could not be asked for (ERR-4). It tries again when
 * the network is back, and never reloads without one, because the browser would then show a page of its own.
 */
export function OfflineScreen() {
  const t = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState('')

  async function retry() {
    setBusy(true)
    setSaid('')
    const reached = await fetch('/builds/latest.json', { credentials: 'omit', cache: 'no-store' }).then(
      () => true,
      () => false,
    )
    if (reached) {
      passDraftsOn()
      return location.reload()
    }
    setBusy(false)
    setSaid(t({ pl: 'Nadal nie ma połączenia.', en: 'There is still no connection.' }))
  }
  const back = useEffectEvent(() => void retry())

  useEffect(() => {
    document.title = `${t(title)} – ${config.brand.product}`
    heading.current!.focus()
    // eslint-disable-next-line react/exhaustive-deps -- once, when the screen comes
  }, [])
  useEffect(() => {
    const hear = () => back()
    addEventListener('online', hear)
    return () => removeEventListener('online', hear)
  }, [])

  return (
    <ErrorFrame>
      <h1 ref={heading} tabIndex={-1}>
        {t(title)}
      </h1>
      <p className="lede">
        {t({
          pl: 'Nie możemy wczytać tej strony. Sprawdź internet. Gdy połączenie wróci, spróbujemy ponownie automatycznie.',
          en: 'We cannot load this page. Check your internet. Once the connection is back, we will try again automatically.',
        })}
      </p>
      <div className="btns">
        <Button variant="primary" busy={busy} busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })} onClick={retry}>
          {t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
        </Button>
      </div>
      <p role="status">{said}</p>
    </ErrorFrame>
  )
}
