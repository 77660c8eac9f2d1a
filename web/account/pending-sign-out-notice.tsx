import { useEffect, useState, type ReactNode } from 'react'
import { loginPath } from '../../contract/pages.ts'
import { pendingSignOutCookie, readPendingSignOut } from '../../contract/pending-sign-out.ts'
import { useText } from '../app/locale.tsx'
import { formatTime } from '../text/format.ts'
import { Notice } from '../ui/notice.tsx'

const retryAfterMs = 20_000

/** Returns when the session ends at the latest; undefined once the portal has ended it, which deletes the cookie. */
function latestEnd() {
  const value = document.cookie.split(`${pendingSignOutCookie}=`)[1]?.split(';')[0]
  return value && readPendingSignOut(value).latestEnd
}

/**
 * Shows, after a sign-out without a network, until when the session may last on the server. Any page of the portal ends it (AUT-6), so one
 * is read when the network is back; a call could end the session of a customer who has signed in meanwhile.
 */
export function PendingSignOutNotice({ ended }: { ended: ReactNode }) {
  const t = useText()
  const [latest, setLatest] = useState(latestEnd)
  useEffect(() => {
    if (!latest) return undefined
    const end = () =>
      void fetch(loginPath(t.locale, { reason: 'signed-out' }), { cache: 'no-store' }).then(
        () => setLatest(latestEnd()),
        () => undefined,
      )
    end()
    addEventListener('online', end)
    const timer = setInterval(end, retryAfterMs)
    return () => {
      removeEventListener('online', end)
      clearInterval(timer)
    }
  }, [latest, t.locale])
  if (!latest) return ended
  const time = formatTime(t.locale, latest)
  return (
    <Notice
      kind="info"
      role="status"
      className="auth__notice"
      title={t({ pl: 'Wylogowano w\u00a0tej przeglądarce', en: 'You’re signed out in this browser' })}
    >
      {t({
        pl: `Nie ma połączenia z\u00a0portalem. Gdy wróci, zakończymy też sesję w\u00a0portalu. Najpóźniej skończy się sama o\u00a0${time}.`,
        en: `We can’t reach the portal. Once we can, we’ll end your session there too. It ends by itself at ${time} at the latest.`,
      })}
    </Notice>
  )
}
