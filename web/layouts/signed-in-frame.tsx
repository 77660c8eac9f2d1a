import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, type ReactNode, useRef, useState, useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Locale } from '../../contract/enums.ts'
import { wasRedirectedUnasked, loginPath, splitLocale, type LoginReason } from '../../contract/pages.ts'
import { config, isOff } from '../app/config.ts'
import { storeDrafts, keepDraftsInMemory } from '../app/drafts.ts'
import { useHydrated } from '../app/hydration.tsx'
import { useLocale, useText } from '../app/locale.tsx'
import {
  useCurrentSession,
  dropSession,
  followTabs,
  currentSession,
  leaveToOther,
  loadSession,
  reasonOfEnd,
} from '../app/session.tsx'
import '../styles/app.css'
import { MedallionSymbols } from '../art/medallion.tsx'
import { hasFailedWith, provide } from '../calls/api.ts'
import { reads } from '../calls/reads.ts'
import { patienceMs } from '../offline/offline-record.ts'
import { resumeKeptSession } from '../offline/offline-replies.ts'
import { StepUpHost } from '../step-up/step-up.tsx'
import { addFieldTexts } from '../text/field-text.ts'
import { offlineText } from '../text/offline-text.ts'
import { signedInFieldTexts } from '../text/signed-in-field-text.ts'
import { Button } from '../ui/button.tsx'
import { DialogView } from '../ui/dialog-view.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { PageFooter, SkipLink } from './page-footer.tsx'
import { SessionWarning } from './session-warning.tsx'

addFieldTexts(signedInFieldTexts)

/** The page itself is loaded and read first. */
const restMs = 3000

let isStarted = false

/**
 * Registers the service worker (OFF-1) once the page has nothing else to do, and lets it fetch what it keeps, which is
 * several hundred kilobytes the first time. Where it is blocked, or the customer saves data or has a very slow
 * connection, everything works as without it.
 */
function startServiceWorker(locale: Locale) {
  const { serviceWorker, connection } = navigator as Navigator & {
    connection?: { saveData?: boolean; effectiveType?: string }
  }
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- on a page without HTTPS there is none
  if (isStarted || !serviceWorker || isOff('offline')) return
  if (connection?.saveData || connection?.effectiveType?.endsWith('2g')) return
  isStarted = true
  const start = async () => {
    await serviceWorker.register('/service-worker.js')
    const { active } = await serviceWorker.ready
    active?.postMessage({ locale, assets: config.assets })
  }
  const rest = () => setTimeout(() => void start().catch(() => undefined), restMs)
  if (document.readyState === 'complete') rest()
  else addEventListener('load', rest, { once: true })
}

/** Handles the end of the session: the login page says why, and returns here with what was typed (AUT-5). */
function useSessionEnd() {
  const navigate = useNavigate()
  const locale = useLocale()
  const { pathname, search } = useLocation()
  const back = (locale === 'en' ? '/en' : '') + pathname + search

  const left = useRef(false)
  const leave = useCallback(
    (reason: LoginReason) => {
      // The end is noticed in several ways at once: by other tabs, by a call, by the clock. The first one knows the reason.
      if (left.current) return undefined
      left.current = true
      // Reloaded, so that nothing stays in memory.
      if (!wasRedirectedUnasked(reason)) return location.replace(loginPath(locale, { reason }))
      keepDraftsInMemory()
      reads.clear()
      const { pathname: login, search: query } = new URL(loginPath(locale, { reason, back }), location.origin)
      return void navigate(splitLocale(login).path + query, { replace: true })
    },
    [navigate, locale, back],
  )

  const ended = useCallback(() => {
    const reason = reasonOfEnd()
    dropSession(reason)
    leave(reason)
  }, [leave])

  useEffect(() => provide({ signedOut: (how) => (how === 'signed-out' ? ended() : leaveToOther()) }), [ended])
  useEffect(() => followTabs({ over: leave }), [leave])
  return ended
}

/** Reads the session when the page starts with this layout; after a sign-in it is known already. */
function useFirstSession(ended: () => void) {
  const [fatal, setFatal] = useState<Error>()
  if (fatal) throw fatal
  useEffect(() => {
    // The session may have arrived between the first render and this effect.
    if (currentSession()) return undefined
    // OFF-2: without an answer, the page continues with what was kept of the last one.
    const late = setTimeout(() => void resumeKeptSession(), patienceMs)
    loadSession()
      .catch(async (error: Error) => {
        if (hasFailedWith(error, 'signed-out')) return ended()
        if (hasFailedWith(error, 'offline') && (await resumeKeptSession())) return undefined
        // Access denied is already shown.
        if (!hasFailedWith(error, 'canceled')) setFatal(error)
        return undefined
      })
      .finally(() => clearTimeout(late))
    return () => clearTimeout(late)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- read once; later changes arrive by other ways
  }, [])
}

/** Shows the parts that every layout of signed-in screens needs around it; its children contain a `SignedInMain`. */
export function SignedInFrame({ className, children }: { className: string; children: ReactNode }) {
  const ended = useSessionEnd()
  const locale = useLocale()
  useFirstSession(ended)
  useEffect(() => startServiceWorker(locale), [locale])
  return (
    <QueryClientProvider client={reads}>
      <MedallionSymbols />
      <div className={className}>
        <SkipLink />
        {children}
      </div>
      <StepUpHost />
      <MissingPart />
      <SessionWarning onEnded={ended} />
    </QueryClientProvider>
  )
}

export function SignedInMain({ className, children }: { className: string; children: ReactNode }) {
  const isHydrated = useHydrated()
  return (
    <>
      <main id="content" className={className} tabIndex={-1}>
        {/* UIX-5: nothing would handle a press before, so every control waits; links work. */}
        <fieldset className="controls" role="presentation" disabled={!isHydrated}>
          <SignedInScreen>{children}</SignedInScreen>
        </fieldset>
      </main>
      <PageFooter />
    </>
  )
}

/** Shows the screen once the session is known. */
function SignedInScreen({ children }: { children: ReactNode }) {
  const t = useText()
  if (useCurrentSession()) return <Suspense fallback={<Skeleton />}>{children}</Suspense>
  return (
    <div aria-busy="true">
      <p className="unseen" role="status">
        {t({ pl: 'Wczytujemy portal', en: 'Loading the portal' })}
      </p>
      <Skeleton />
    </div>
  )
}

/** Callbacks of a part, called when it is left. */
type Closable = { onClose?: () => void; onCancel?: () => void }

const reconnected = {
  pl: 'Połączenie wróciło. Odśwież stronę, aby otworzyć to okno. To, co na niej wpisano, zostanie, oprócz haseł.',
  en: 'The connection is back. Refresh the page to open this. What you’ve typed on it stays, except for passwords.',
}

/**
 * Says in the place of a dialog that it could not be loaded because the portal is not reached; the page and what was typed stay
 * (ERR-4). The dialog is closed then, so that the next press tries again; browsers that remember a failed module need the page to be
 * loaded again. A part that nothing closes is left to the screen around it.
 */
function MissingPart() {
  const t = useText()
  const [text, setText] = useState<typeof reconnected>()
  const wasOffline = useRef(false)
  useEffect(
    () =>
      provide({
        isPartMissing(error, { onClose, onCancel }: Closable) {
          const isOffline = hasFailedWith(error, 'offline')
          const close = onClose ?? onCancel
          if (!close || (!isOffline && !wasOffline.current)) return false
          wasOffline.current = true
          close()
          setText(isOffline ? offlineText : reconnected)
          return true
        },
      }),
    [],
  )
  const close = () => setText(undefined)
  return (
    text && (
      // Not on demand: it must open without a network.
      <DialogView
        title={t({ pl: 'Tego okna nie możemy teraz otworzyć', en: 'We can’t open this right now' })}
        width="s"
        initialFocus="title"
        onClose={close}
        footer={
          text === reconnected ? (
            <>
              <Button variant="quiet" onClick={close}>
                {t({ pl: 'Nie teraz', en: 'Not now' })}
              </Button>
              <Button
                variant="primary"
                onClick={() => {
                  storeDrafts()
                  location.reload()
                }}
              >
                {t({ pl: 'Odśwież stronę', en: 'Refresh page' })}
              </Button>
            </>
          ) : (
            <Button variant="primary" onClick={close}>
              {t({ pl: 'Wróć do strony', en: 'Back to the page' })}
            </Button>
          )
        }
      >
        <p>{t(text)}</p>
      </DialogView>
    )
  )
}
