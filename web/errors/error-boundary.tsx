import { Component, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useLocale } from '../app/locale.tsx'
import { hasFailedWith, type ApiError } from '../calls/api.ts'
import { explainOnDemand } from '../text/failure-on-demand.ts'
import { ErrorScreen } from './error-screen.tsx'
import { OfflineScreen } from './offline-screen.tsx'

/** Errors that no component caught: of promises, of event handlers, of chunks that would not load (ERR-4). */
let stray: unknown
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function showStray(error: unknown) {
  stray ??= error
  for (const listener of listeners) listener()
}

export function catchStrayErrors() {
  addEventListener('unhandledrejection', ({ reason }) => {
    if (hasFailedWith(reason, 'canceled')) return
    showStray(reason ?? new Error('unknown'))
  })
  addEventListener('error', ({ error, filename }) => {
    // Ignores notices without an error object (ResizeObserver) and errors of browser extensions.
    if (error && (!filename || filename.startsWith(location.origin))) showStray(error)
  })
}

type State = { error?: unknown }

/** Wraps the router, and shows the error screen instead of a white page (ERR-4). */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error('unknown') }
  }

  override render() {
    if (this.state.error !== undefined) return <Fatal error={this.state.error} />
    return <StrayErrors>{this.props.children}</StrayErrors>
  }
}

function StrayErrors({ children }: { children: ReactNode }) {
  const error = useSyncExternalStore(
    subscribe,
    () => stray,
    () => undefined,
  )
  return error === undefined ? children : <Fatal error={error} />
}

function Fatal({ error }: { error: unknown }) {
  if (!hasFailedWith(error)) return <ErrorScreen />
  if (error.code === 'offline') return <OfflineScreen />
  return <FatalCall error={error} />
}

function FatalCall({ error }: { error: ApiError }) {
  const locale = useLocale()
  const [message, setMessage] = useState<ReactNode>()
  useEffect(() => {
    if (error.code !== 'unexpected')
      void explainOnDemand(locale, error).then(({ text, answer }) =>
        setMessage(
          <>
            {text} {answer}
          </>,
        ),
      )
  }, [locale, error])
  return <ErrorScreen status={String(error.status || 500)} message={message} incident={error.problem.incident} />
}
