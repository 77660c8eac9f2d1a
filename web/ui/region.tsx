import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useText } from '../app/locale.tsx'
import { focusHeading } from '../app/page-title.ts'
import { hasFailedWith } from '../calls/api.ts'
import { AnswerLink } from '../text/answer-link.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { failureText, tooManyReads } from '../text/failure-text.ts'
import { Button } from './button.tsx'
import { useFormBlock } from './form-state.ts'
import { OfList } from './list-name.tsx'
import { Notice } from './notice.tsx'
import { RetryButton } from './retry-button.tsx'
import { Skeleton } from './skeleton.tsx'

type Query<T> = {
  data: T | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

type Props<T> = {
  query: Query<T>
  /** Lines of the skeleton, where it is not another one. */
  lines?: number
  skeleton?: ReactNode
  label: string
  /** Whether the customer has already waited, and can retry at once. */
  isLate?: boolean
  children: (data: T) => ReactNode
}

const skeletonAfterMs = 150
/** A skeleton that is visible stays at least this long, because a flash disturbs. */
const skeletonForMs = 300
export const slowAfterMs = 10_000

/**
 * Shows a part of a page that is read separately; when it fails, the rest of the page works. A form around it can be sent once it
 * is loaded. `label`: „Wczytujemy certyfikaty”.
 */
export function Region<T>({ query, lines, skeleton = <Skeleton lines={lines} />, label, isLate, children }: Props<T>) {
  const isReady = useMinimumSkeletonTime(query.data !== undefined)
  if (query.data !== undefined && isReady) return children(query.data)
  // After `canceled` another page is about to be shown.
  if (query.error && !query.isFetching && !hasFailedWith(query.error, 'canceled'))
    return <FailedRead error={query.error} retry={query.refetch} />
  return <Waiting skeleton={skeleton} label={label} isLate={isLate} retry={query.refetch} />
}

type ListProps<T> = Props<T> & {
  /** The content in place of the list, without items. */
  empty: ReactNode
}

/** Shows a list that is read separately from the rest of its page. */
export const ListRegion = <T extends { items: readonly unknown[] }>({ empty, children, ...region }: ListProps<T>) => (
  <Region {...region}>{(page) => (page.items.length ? children(page) : empty)}</Region>
)

/**
 * Repeats what failed, and moves the focus to the heading: the button disappears when pressed, and the focus must not move to the top of
 * the page (WCAG 2.4.3).
 */
function tryAgain(button: Element, retry: () => unknown) {
  const dialog = button.closest('dialog')
  if (dialog) dialog.querySelector('h2')?.focus()
  else focusHeading()
  retry()
}

type WaitingProps = { skeleton: ReactNode; label: string; isLate: boolean | undefined; retry: () => unknown }

function Waiting({ skeleton, label, isLate, retry }: WaitingProps) {
  const t = useText()
  useFormBlock()
  const isShown = useAfter(skeletonAfterMs)
  const isSlow = useAfter(slowAfterMs) || isLate
  return (
    <div aria-busy="true" className={isShown ? 'waiting waiting--shown' : 'waiting'}>
      {skeleton}
      <p className="unseen" role="status">
        {isShown && label}
      </p>
      {isSlow && (
        <p className="buttons">
          {t({ pl: 'To trwa dłużej niż zwykle', en: 'This is taking longer than usual' })}
          <Button size="s" onClick={({ currentTarget }) => tryAgain(currentTarget, retry)}>
            <span>
              {t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
              <OfList />
            </span>
          </Button>
        </p>
      )}
    </div>
  )
}

function FailedRead({ error, retry }: { error: Error; retry: () => unknown }) {
  const t = useText()
  useFormBlock()
  // A bug is shown by the error screen (ERR-4), a failed call here.
  if (!hasFailedWith(error)) throw error
  const isUnavailable = error.code === 'unavailable'
  return (
    <Notice
      kind={isUnavailable || error.code === 'offline' ? 'info' : 'error'}
      title={isUnavailable && t(failureText.unavailable)}
      role="alert"
    >
      {!isUnavailable && (
        <p>{explainFailure(t.locale, error, error.code === 'too-many-attempts' ? tooManyReads : undefined)}</p>
      )}
      {error.problem.reason !== 'switched-off' && (
        <>
          {isUnavailable && (
            <p>
              <AnswerLink to="portal-unavailable" />
            </p>
          )}
          <RetryButton size="s" onClick={({ currentTarget }) => tryAgain(currentTarget, retry)} />
        </>
      )}
    </Notice>
  )
}

/** Returns `there`, but only after a visible skeleton has been shown long enough. */
function useMinimumSkeletonTime(isThere: boolean) {
  const began = useRef(0)
  const [ready, setReady] = useState(isThere)
  useEffect(() => {
    if (!isThere) {
      began.current = performance.now()
      return
    }
    const waited = performance.now() - began.current
    const left = waited < skeletonAfterMs ? 0 : skeletonAfterMs + skeletonForMs - waited
    if (left <= 0) return setReady(true)
    const timer = setTimeout(() => setReady(true), left)
    return () => clearTimeout(timer)
  }, [isThere])
  return ready
}

function useAfter(ms: number) {
  const [hasPassed, setHasPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHasPassed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return hasPassed
}
