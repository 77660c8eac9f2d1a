import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, type ReactNode } from 'react'
import { MedallionSymbols } from '../art/medallion.tsx'
import { useHydrated } from '../hydrated.tsx'
import { useLocale, useText } from '../locale.tsx'
import { startServiceWorker } from '../offline/worker-registration.ts'
import { reads } from '../reads.ts'
import { MissingPart } from './missing-part.tsx'
import { PageFooter, SkipLink } from './page-footer.tsx'
import { SessionWarning } from './session-warning.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StepUpHost } from '../step-up/step-up.tsx'
import '../styles/app.css'
import { useCurrentSession } from '../session.tsx'
import { useEnding, useFirstSession } from './session-keeping.ts'
import { addFieldTexts } from '../text/field-text.ts'
import { signedInFieldTexts } from '../text/signed-in-field-text.ts'

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
