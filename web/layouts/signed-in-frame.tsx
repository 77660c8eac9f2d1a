import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { MedallionSymbols } from '../art/medallion.tsx'
import { useText } from '../locale.tsx'
import { reads } from '../reads.ts'
import { PageFooter, SkipLink } from './page-footer.tsx'
import { SessionWarning } from './session-warning.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StepUpHost } from '../step-up/step-up.tsx'
import '../styles/app.css'
import { useEnding, useFirstScreen, useFirstSession } from './session-keeping.ts'

/** What every layout of signed-in screens needs around it; its children contain a `SignedInMain`. */
export function SignedInFrame({ className, children }: { className: string; children: ReactNode }) {
  const ended = useEnding()
  useFirstSession(ended)
  return (
    <QueryClientProvider client={reads}>
      <MedallionSymbols />
      <div className={className}>
        <SkipLink />
        {children}
      </div>
      <StepUpHost />
      <SessionWarning onEnded={ended} />
    </QueryClientProvider>
  )
}

export function SignedInMain({ className, children }: { className: string; children: ReactNode }) {
  return (
    <>
      <main id="content" className={className} tabIndex={-1}>
        <SignedInScreen>{children}</SignedInScreen>
      </main>
      <PageFooter />
    </>
  )
}

/** The screen, once the session is known. */
function SignedInScreen({ children }: { children: ReactNode }) {
  const t = useText()
  const ready = useFirstScreen()
  if (ready) return <Suspense fallback={<Skeleton />}>{children}</Suspense>
  return (
    <div aria-busy="true">
      <p className="vh" role="status">
        {t({ pl: 'Wczytujemy portal', en: 'Loading the portal' })}
      </p>
      <Skeleton />
    </div>
  )
}
