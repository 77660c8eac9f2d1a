import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, type ReactNode, useRef, useState } from 'react'
import { MedallionSymbols } from '../art/medallion.tsx'
import { useHydrated } from '../app/hydration.tsx'
import { useLocale, useText } from '../app/locale.tsx'
import { startServiceWorker } from '../offline/worker-registration.ts'
import { reads } from '../calls/reads.ts'
import { PageFooter, SkipLink } from './page-footer.tsx'
import { SessionWarning } from './session-warning.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StepUpHost } from '../step-up/step-up.tsx'
import '../styles/app.css'
import { useCurrentSession } from '../app/session.tsx'
import { useEnding, useFirstSession } from './session-keeping.ts'
import { addFieldTexts } from '../text/field-text.ts'
import { signedInFieldTexts } from '../text/signed-in-field-text.ts'
import { failedWith, provide } from '../calls/api.ts'
import { storeDrafts } from '../app/drafts.ts'
import { offlineText } from '../text/offline-text.ts'
import { Button } from '../ui/button.tsx'
import { DialogView } from '../ui/dialog-view.tsx'

addFieldTexts(signedInFieldTexts)

/** What every layout of signed-in screens needs around it; its children contain a `SignedInMain`. */
export function SignedInFrame({ className, children }: { className: string; children: ReactNode }) {
  const ended = useEnding()
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
  const hydrated = useHydrated()
  return (
    <>
      <main id="content" className={className} tabIndex={-1}>
        {/* UIX-5: nothing would handle a press before, so every control waits; links work. */}
        <fieldset className="controls" role="presentation" disabled={!hydrated}>
          <SignedInScreen>{children}</SignedInScreen>
        </fieldset>
      </main>
      <PageFooter />
    </>
  )
}

/** The screen, once the session is known. */
function SignedInScreen({ children }: { children: ReactNode }) {
  const t = useText()
  if (useCurrentSession()) return <Suspense fallback={<Skeleton />}>{children}</Suspense>
  return (
    <div aria-busy="true">
      <p className="vh" role="status">
        {t({ pl: 'Wczytujemy portal', en: 'Loading the portal' })}
      </p>
      <Skeleton />
    </div>
  )
}

/** What a part calls when it is left. */
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
        partMissing(error, { onClose, onCancel }: Closable) {
          const isOffline = failedWith(error, 'offline')
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
