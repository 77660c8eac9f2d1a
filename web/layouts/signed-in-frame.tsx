import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { MedallionSymbols } from '../art/medallion.tsx'
import { useText } from '../locale.tsx'
import { reads } from '../reads.ts'
import { SessionWarning } from '../ui/session-warning.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StepUpHost } from '../ui/step-up.tsx'
import '../styles/app.css'
import { useEnding, useFirstScreen, useFirstSession } from './session-keeping.ts'

/** What every layout of signed-in screens needs round it; its `main` holds a `SignedInScreen`. */
export function SignedInFrame({ children }: { children: ReactNode }) {
  const ended = useEnding()
  useFirstSession(ended)
  return (
    <QueryClientProvider client={reads}>
      <MedallionSymbols />
      {children}
      <StepUpHost />
      <SessionWarning onEnded={ended} />
    </QueryClientProvider>
  )
}

/** The screen, once the session is known. */
export function SignedInScreen({ children }: { children: ReactNode }) {
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
