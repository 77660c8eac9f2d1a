import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { SaveButton } from '../ui/save-button.tsx'

type Props = { isReady: boolean; validFrom: string; nameSuffix: ReactNode; load: () => Promise<Blob> }

/** Downloads the agreement of a signature or a seal, once it has been generated. */
export function AgreementButton({ isReady, validFrom, nameSuffix, load }: Props) {
  const t = useText()
  const day = validFrom.slice(0, 10)
  return isReady ? (
    <SaveButton name={t({ pl: `umowa-${day}.pdf`, en: `agreement-${day}.pdf` })} load={load}>
      {t({ pl: 'Pobierz umowę', en: 'Download agreement' })}
      <span className="unseen">{nameSuffix}</span>
    </SaveButton>
  ) : (
    <p className="certificate__soon small soft">
      <Icon name="hourglass" size="s" />
      {t({ pl: 'Umowa będzie gotowa za chwilę', en: 'The agreement will be ready in a moment' })}
    </p>
  )
}

/** Interval of the checks whether the agreements have been made (defaults.md); after twelve of them the customer checks. */
const everyMs = 5_000
const maxAttempts = 12

type AgreementWatchProps = { isWaiting: boolean; message: string; refetchList: () => unknown }

export function AgreementWatch({ isWaiting, message, refetchList }: AgreementWatchProps) {
  const t = useText()
  const [attempts, setAttempts] = useState(0)
  const refetchNow = useEffectEvent(refetchList)

  useEffect(() => {
    if (!isWaiting || attempts >= maxAttempts) return
    const timer = setTimeout(() => {
      setAttempts(attempts + 1)
      refetchNow()
    }, everyMs)
    return () => clearTimeout(timer)
  }, [isWaiting, attempts])

  if (!isWaiting || attempts < maxAttempts) return null
  return (
    <Notice
      className="certificate__watch"
      title={t({ pl: 'Jeszcze przygotowujemy umowę', en: 'We’re still preparing the agreement' })}
    >
      <p>{message}</p>
      <RetryButton isCheck size="s" onClick={() => setAttempts(0)} />
    </Notice>
  )
}
