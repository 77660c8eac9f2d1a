import { useEffect, useState } from 'react'
import { extendSession } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { RingDrawing } from '../art/validity-ring.tsx'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { setTitlePrefix } from '../page-title.ts'
import {
  loadSession,
  secondsLeft,
  setSession,
  signOutEverywhere,
  useHeldSession,
  type HeldSession,
} from '../session.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { formatCountdown } from '../text/format.ts'
import { Button } from './button.tsx'
import { DialogView } from './dialog-view.tsx'

const warning = limits.session.warning
/** A session read this recently needs no second look before the customer is warned. */
const freshMs = 5000
/** A timer stands still while the computer sleeps, so the clock is looked at in short steps: the end is seen soon after waking. */
const sleepMs = 10_000

/**
 * Warns two minutes before the session ends (AUT-5). Other tabs and every call may have lengthened it unnoticed, so before
 * it says anything it asks the server, by a call that does not count as activity (R6).
 */
export function SessionWarning({ onEnded }: { onEnded: () => void }) {
  const held = useHeldSession()
  const [dismissed, setDismissed] = useState<string>()
  const due = useDue(held, onEnded)
  if (!held || !due || dismissed === held.session.endsAt) return null
  return <WarningDialog held={held} onDismiss={() => setDismissed(held.session.endsAt)} />
}

/** True from two minutes before the end on. */
function useDue(held: HeldSession | undefined, onEnded: () => void) {
  const [due, setDue] = useState(false)

  useEffect(() => {
    if (!held) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let stopped = false
    let asked = false

    // A failure to ask changes nothing: the end that is known stays the end; and an ended session is the layout's business.
    const ask = () => loadSession().catch(() => undefined)
    const look = async () => {
      const left = secondsLeft(held)
      const fresh = Date.now() - held.receivedAt < freshMs
      if (left > warning) {
        setDue(false)
        return plan(left - warning)
      }
      if (!fresh && (left <= 0 || !asked)) {
        asked = true
        if (await ask()) return
      }
      if (stopped) return
      if (secondsLeft(held) <= 0) {
        stopped = true
        return onEnded()
      }
      setDue(true)
      plan(secondsLeft(held))
    }
    const plan = (seconds: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => void look(), Math.max(0, Math.min(seconds * 1000, sleepMs)))
    }
    const wake = () => document.visibilityState === 'visible' && void look()
    void look()
    document.addEventListener('visibilitychange', wake)
    addEventListener('focus', wake)
    return () => {
      stopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', wake)
      removeEventListener('focus', wake)
    }
  }, [held, onEnded])

  return due
}

/** Said aloud at these seconds, and at no others. */
const spokenAt = [60, 30, 10]

function WarningDialog({ held, onDismiss }: { held: HeldSession; onDismiss: () => void }) {
  const t = useText()
  const locale = useLocale()
  const left = useCountdown(held)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState('')
  const { endsAt, absoluteEndsAt } = held.session
  const last = Date.parse(endsAt) >= Date.parse(absoluteEndsAt)
  const clock = formatCountdown(left)

  useEffect(() => setTitlePrefix('session', `${clock} – `), [clock])
  useEffect(() => () => setTitlePrefix('session', undefined), [])

  const act = (doing: () => Promise<unknown>) => async () => {
    setBusy(true)
    setFailed('')
    try {
      await doing()
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      setFailed(describeFailure(locale, error))
    } finally {
      setBusy(false)
    }
  }
  const extend = act(async () => setSession(await call(extendSession)))
  const leave = act(() => signOutEverywhere(locale))
  const spoken = spokenAt.findLast((seconds) => left <= seconds)

  return (
    // Not on demand: the warning must open without a network.
    <DialogView
      role="alertdialog"
      width="s"
      initialFocus="safe"
      closable={false}
      title={
        last
          ? t({ pl: 'Ta sesja zaraz się skończy', en: 'This session is about to end' })
          : t({ pl: 'Czy chcesz pracować dalej?', en: 'Do you want to keep working?' })
      }
      description={
        last
          ? t({
              pl: 'Trwa już najdłużej, jak może, i\u00a0nie można jej przedłużyć. Zaloguj się ponownie, a\u00a0wrócisz na tę stronę do tego, co wpisujesz. Tylko hasła trzeba będzie wpisać jeszcze raz.',
              en: 'It has lasted as long as it may, and cannot be extended. Log in again, and you come back to this page and to what you are typing. Only passwords have to be entered again.',
            })
          : t({
              pl: 'Za niecałe 2\u00a0minuty wylogujemy Cię, aby chronić Twoje dane. To, co wpisujesz, zostanie na tej stronie, jeśli przedłużysz sesję.',
              en: 'In less than 2\u00a0minutes we will log you out to protect your data. What you are typing stays on this page if you extend the session.',
            })
      }
    >
      <div className="sess">
        <div
          className="sess__ring"
          role="timer"
          aria-live="off"
          aria-label={t({ pl: 'Pozostały czas', en: 'Time left' })}
        >
          <RingDrawing left={left / warning} />
          <b className="num">{clock}</b>
        </div>
        <p className="vh" role="status">
          {spoken &&
            t({ pl: `Do końca sesji zostało ${spoken} sekund.`, en: `The session ends in ${spoken} seconds.` })}
        </p>
        <div className="btns btns--stack">
          <Button variant="primary" block data-safe busy={busy} onClick={last ? onDismiss : extend}>
            {last
              ? t({ pl: 'Pracuję dalej do końca', en: 'Keep working until then' })
              : t({ pl: 'Przedłuż sesję', en: 'Extend session' })}
          </Button>
          <Button variant="quiet" block aria-disabled={busy} onClick={leave}>
            {t({ pl: 'Wyloguj się teraz', en: 'Log out now' })}
          </Button>
        </div>
        <p role="alert" className="small">
          {failed}
        </p>
      </div>
    </DialogView>
  )
}

function useCountdown(held: HeldSession) {
  const [left, setLeft] = useState(() => secondsLeft(held))
  useEffect(() => {
    const tick = () => setLeft(Math.max(0, secondsLeft(held)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [held])
  return left
}
