import { useEffect, useRef, useState, type ReactNode } from 'react'
import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { focusHeading } from '../page-title.ts'
import { describeFailure, failureText } from '../text/failure-text.ts'
import { Button } from './button.tsx'
import { useHeldForm } from './held-form.ts'
import { Notice } from './notice.tsx'

type Query<T> = {
  data: T | undefined
  error: Error | null
  isPending: boolean
  isFetching: boolean
  refetch: () => unknown
}

type Props<T> = {
  query: Query<T>
  skeleton: ReactNode
  label: string
  /** It has been waited for already, and may be asked for again at once. */
  isLate?: boolean
  children: (data: T) => ReactNode
}

const skeletonAfterMs = 150
/** A skeleton that was seen stays this long, because one that only flashes disturbs. */
const skeletonForMs = 300
export const slowAfterMs = 10_000

/** A part of a page that is read apart from the rest; when it fails, the rest of the page lives (ux 5.9).
 * A form around it can be sent once it is there. `label`: „Wczytujemy certyfikaty”. */
export function Region<T>({ query, skeleton, label, isLate, children }: Props<T>) {
  const ready = useUnhurried(query.data !== undefined)
  if (query.data !== undefined && ready) return children(query.data)
  if (query.error && !query.isFetching) return <Failed error={query.error} retry={query.refetch} />
  return <Waiting skeleton={skeleton} label={label} isLate={isLate} retry={query.refetch} />
}

/** The button goes as soon as it is pressed, and the focus must not fall to the top of the page (WCAG 2.4.3). */
function tryAgain(button: Element, retry: () => unknown) {
  const dialog = button.closest('dialog')
  if (dialog) dialog.querySelector('h2')?.focus()
  else focusHeading()
  retry()
}

function Waiting({
  skeleton,
  label,
  isLate,
  retry,
}: {
  skeleton: ReactNode
  label: string
  isLate: boolean | undefined
  retry: () => unknown
}) {
  const t = useText()
  useHeldForm()
  const shown = useAfter(skeletonAfterMs)
  const slow = useAfter(slowAfterMs) || isLate
  return (
    <div aria-busy="true" className={shown ? 'waiting waiting--shown' : 'waiting'}>
      {skeleton}
      <p className="vh" role="status">
        {shown && label}
      </p>
      {slow && (
        <p className="btns">
          {t({ pl: 'To trwa dłużej niż zwykle', en: 'This is taking longer than usual' })}
          <Button size="s" onClick={({ currentTarget }) => tryAgain(currentTarget, retry)}>
            {t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
          </Button>
        </p>
      )}
    </div>
  )
}

function Failed({ error, retry }: { error: Error; retry: () => unknown }) {
  const t = useText()
  const locale = useLocale()
  useHeldForm()
  // A mistake of ours is for the error screen (ERR-4), a failure of the call for this place.
  if (!(error instanceof CallFailed)) throw error
  const unavailable = error.code === 'unavailable'
  return (
    <Notice kind={unavailable ? 'info' : 'err'} title={unavailable && t(failureText.unavailable)} role="alert">
      {!unavailable && <p>{describeFailure(locale, error)}</p>}
      {error.problem.reason !== 'switched-off' && (
        <Button size="s" icon="refresh" onClick={({ currentTarget }) => tryAgain(currentTarget, retry)}>
          {t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
        </Button>
      )}
    </Notice>
  )
}

/** `there`, but not before a skeleton that is on the screen has been there for long enough. */
function useUnhurried(there: boolean) {
  const began = useRef(0)
  const [ready, setReady] = useState(there)
  useEffect(() => {
    if (!there) {
      began.current = performance.now()
      return
    }
    const waited = performance.now() - began.current
    const left = waited < skeletonAfterMs ? 0 : skeletonAfterMs + skeletonForMs - waited
    if (left <= 0) return setReady(true)
    const timer = setTimeout(() => setReady(true), left)
    return () => clearTimeout(timer)
  }, [there])
  return ready
}

function useAfter(ms: number) {
  const [passed, setPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return passed
}
