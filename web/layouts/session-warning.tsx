import './session-warning.css'
import { useEffect, useState } from 'react'
import { extendSession } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { useText } from '../app/locale.tsx'
import { setTitlePrefix } from '../app/page-title.ts'
import { loadSession, secondsLeft, setSession, useCurrentSession, type CurrentSession } from '../app/session.tsx'
import { RingDrawing } from '../art/validity-ring.tsx'
import { call } from '../calls/api.ts'
import { formatCountdown } from '../text/format.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { DialogView } from '../ui/dialog-view.tsx'
import { signOutEverywhere } from './sign-out.ts'

const warning = limits.session.warning
/** A session read this recently is not read again before the warning. */
const freshMs = 5000
/** A timer stops while the computer sleeps, so the clock is checked in short steps to notice the end soon after waking. */
const sleepMs = 10_000

/**
 * Warns two minutes before the session ends (AUT-5). Other tabs and every call may have extended it unnoticed, so before
 * the warning it asks the server, by a call that does not count as activity (R6).
 */
export function SessionWarning({ onEnded }: { onEnded: () => void }) {
  const current = useCurrentSession()
  const [dismissed, setDismissed] = useState<string>()
  const isDue = useDue(current, onEnded)
  if (!current || !isDue || dismissed === current.session.endsAt) return null
  return <WarningDialog current={current} onDismiss={() => setDismissed(current.session.endsAt)} />
}

/** Returns true from two minutes before the end of the session on. */
function useDue(current: CurrentSession | undefined, onEnded: () => void) {
  const [isDue, setIsDue] = useState(false)

  useEffect(() => {
    if (!current) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isStopped = false
    let isRequested = false

    // A failed call changes nothing: the known end stays; an ended session is handled by the layout.
    const reload = () => loadSession({ optional: true }).catch(() => undefined)
    const check = async () => {
      const left = secondsLeft(current)
      const isFresh = Date.now() - current.receivedAt < freshMs
      if (left > warning) {
        setIsDue(false)
        return checkLater(left - warning)
      }
      if (!isFresh && (left <= 0 || !isRequested)) {
        isRequested = true
        if (await reload()) return
      }
      if (isStopped) return
      if (secondsLeft(current) <= 0) {
        isStopped = true
        return onEnded()
      }
      setIsDue(true)
      checkLater(secondsLeft(current))
    }
    const checkLater = (seconds: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => void check(), Math.max(0, Math.min(seconds * 1000, sleepMs)))
    }
    const wake = () => document.visibilityState === 'visible' && void check()
    void check()
    document.addEventListener('visibilitychange', wake)
    addEventListener('focus', wake)
    return () => {
      isStopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', wake)
      removeEventListener('focus', wake)
    }
  }, [current, onEnded])

  return isDue
}

/** Announced at these seconds only. */
const spokenAt = [60, 30, 10]

function WarningDialog({ current, onDismiss }: { current: CurrentSession; onDismiss: () => void }) {
  const t = useText()
  const left = useCountdown(current)
  const { run, isBusy, failureText } = useAction((request: () => Promise<unknown>) => request())
  const { endsAt, absoluteEndsAt } = current.session
  const isLast = Date.parse(endsAt) >= Date.parse(absoluteEndsAt)
  const clock = formatCountdown(left)

  useEffect(() => setTitlePrefix('session', `${clock} – `), [clock])
  useEffect(() => () => setTitlePrefix('session', undefined), [])

  const extend = () => run(async () => setSession(await call(extendSession)))
  const leave = () => run(() => signOutEverywhere(t.locale))
  const spoken = spokenAt.findLast((seconds) => left <= seconds)

  return (
    // Not on demand: the warning must open without a network.
    <DialogView
      role="alertdialog"
      width="s"
      initialFocus="safe"
      isClosable={false}
      title={
        isLast
          ? t({ pl: 'Sesja zaraz wygaśnie', en: 'Your session is about to end' })
          : t({ pl: 'Czy chcesz pracować dalej?', en: 'Do you want to keep working?' })
      }
      description={
        isLast
          ? t({
              pl: 'Sesja osiągnęła najdłuższy dozwolony czas i\u00a0nie można jej przedłużyć. Po ponownym zalogowaniu wrócisz na tę stronę, do wpisanych danych. Tylko hasła trzeba będzie wpisać ponownie.',
              en: 'It has reached its maximum length and can’t be extended. When you sign in again, you’ll come back to this page and to what you’ve typed. You’ll only have to enter passwords again.',
            })
          : t({
              pl: 'Za niecałe 2\u00a0minuty wylogujemy Cię, aby chronić Twoje dane. Jeśli przedłużysz sesję, wpisane dane zostaną na tej stronie.',
              en: 'In less than 2\u00a0minutes we’ll sign you out to protect your data. If you extend your session, what you’ve typed stays on this page.',
            })
      }
    >
      <div className="session">
        <div className="session__ring" role="timer" aria-live="off" aria-label={t({ pl: 'Zostało', en: 'Time left' })}>
          <RingDrawing left={left / warning} />
          <b className="number">{clock}</b>
        </div>
        <p className="unseen" role="status">
          {spoken &&
            t({
              pl: `Do końca sesji zostało ${spoken}\u00a0sekund.`,
              en: `Your session ends in ${spoken}\u00a0seconds.`,
            })}
        </p>
        <div className="buttons buttons--stack">
          <Button variant="primary" isWide data-safe isBusy={isBusy} onClick={isLast ? onDismiss : extend}>
            {isLast
              ? t({ pl: 'Pracuj do końca sesji', en: 'Keep working until it ends' })
              : t({ pl: 'Przedłuż sesję', en: 'Extend session' })}
          </Button>
          <Button variant="quiet" isWide aria-disabled={isBusy} onClick={leave}>
            {t({ pl: 'Wyloguj się teraz', en: 'Sign out now' })}
          </Button>
        </div>
        <p role="alert" className="small">
          {failureText}
        </p>
      </div>
    </DialogView>
  )
}

function useCountdown(current: CurrentSession) {
  const [left, setLeft] = useState(() => secondsLeft(current))
  useEffect(() => {
    const tick = () => setLeft(Math.max(0, secondsLeft(current)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [current])
  return left
}
