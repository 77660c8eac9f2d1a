import type { ReactNode } from 'react'
import { readSigningReadiness } from '../../contract/renewal.ts'
import { useText } from '../app/locale.tsx'
import { useRead } from '../calls/reads.ts'
import { renewalReasonText } from '../text/renewal-text.ts'
import { CallButton } from '../ui/call-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { RetryButton } from '../ui/retry-button.tsx'

/** Reads whether the agreement could be signed now (REN-12). While that is unknown the page works, because the server decides. */
export const useSigningReadiness = (uid: string) => useRead(readSigningReadiness, { params: { uid } })

type Props = { readiness: ReturnType<typeof useSigningReadiness>; className?: string; children?: ReactNode }

/** Shows why no agreement can be signed now, before anything is used up for it; nothing if one can. `children` says what is not lost. */
export function SigningObstacle({ readiness, className = 'block', children }: Props) {
  const t = useText()
  const obstacle = readiness.data?.obstacle
  if (!obstacle) return null
  const { what, advice } = renewalReasonText[obstacle]
  const needsCall = obstacle === 'SIGNING_KEY_MISSING'
  return (
    <Notice kind="warning" role="status" className={className} title={t(what)}>
      {children && <p>{children}</p>}
      <p>{t(advice)}</p>
      {needsCall && <CallButton variant="primary" />}
      <p className="buttons">
        <RetryButton
          isCheck
          variant={needsCall ? undefined : 'primary'}
          size="s"
          isBusy={readiness.isFetching}
          busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })}
          onClick={() => void readiness.refetch()}
        />
      </p>
    </Notice>
  )
}
