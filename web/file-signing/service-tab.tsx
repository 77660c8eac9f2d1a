import { useEffect, useEffectEvent, useState } from 'react'
import { openServicePage } from '../../contract/signing.ts'
import { call, failedWith, type ApiError } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { canRetry, finishReturn, serviceText } from '../signing/service-authorisation.tsx'
import type { SigningReturn } from '../signing/signing-return.ts'
import { Waiting } from '../signing/signing-wait.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Notice } from '../ui/notice.tsx'

const pollMs = 2000

type Props = {
  id: string
  /** Whether the service has signed. */
  onPoll: () => Promise<boolean>
  onOver: (error: ApiError) => void
  onClose: () => void
}

/** SGN-25: the service's page opens in another tab, because only this one has the files; it notices when they are signed. */
export function ServiceTab({ id, onPoll, onOver, onClose }: Props) {
  const t = useText()
  const locale = useLocale()
  const [url, setUrl] = useState<string>()
  const [failure, setFailure] = useState<ApiError>()

  async function prepare() {
    setFailure(undefined)
    setUrl(undefined)
    try {
      setUrl((await call(openServicePage, { params: { id }, body: { locale } })).url)
    } catch (error) {
      if (!failedWith(error)) throw error
      if (canRetry(error)) setFailure(error)
      else onOver(error)
    }
  }
  const begin = useEffectEvent(prepare)
  useEffect(() => void begin(), [])

  const poll = useEffectEvent(async () => {
    try {
      return await onPoll()
    } catch (error) {
      if (!failedWith(error)) throw error
      // The next answer may come.
      return !canRetry(error)
    }
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = async () => {
      if (!(await poll())) timer = setTimeout(again, pollMs)
    }
    timer = setTimeout(again, pollMs)
    return () => clearTimeout(timer)
  }, [])

  return (
    <Dialog
      width="s"
      title={t(serviceText.title)}
      initialFocus="title"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={prepare}>
            {t({ pl: 'Przygotuj nowy link', en: 'Get a new link' })}
          </Button>
          {url && (
            <ButtonLink variant="primary" href={url} target="_blank" rel="noopener noreferrer">
              {t(serviceText.goThere)}
            </ButtonLink>
          )}
        </>
      }
    >
      <div className="stack">
        <FailureNotice text={failure && explainFailure(locale, failure)} />
        <p>
          {t({
            pl: 'Kod z\u00a0portalu się zgadza. Potwierdź jeszcze podpis na stronie usługi, która przechowuje jego klucz. Strona otworzy się w\u00a0nowej karcie. Tej karty nie zamykaj, bo ma Twoje pliki.',
            en: 'The portal’s code was right. Now confirm the signature on the page of the service that keeps its key. The page opens in a new tab. Don’t close this one, because it has your files.',
          })}
        </p>
        <Waiting busy>{t({ pl: 'Czekamy na potwierdzenie…', en: 'Waiting for your confirmation…' })}</Waiting>
      </div>
    </Dialog>
  )
}

/** The tab in which the customer comes back from the service's page. */
export function ReturnedTab({ returned }: { returned: SigningReturn }) {
  const t = useText()
  const locale = useLocale()
  const [result, setResult] = useState<'signed' | ApiError>()
  const finish = useEffectEvent(async () => {
    try {
      await finishReturn(returned)
      setResult('signed')
    } catch (error) {
      if (!failedWith(error)) throw error
      setResult(error)
    }
  })
  useEffect(() => void finish(), [])
  if (!result) return <Waiting busy>{t({ pl: 'To trwa kilka sekund.', en: 'This takes a few seconds.' })}</Waiting>
  if (result !== 'signed')
    return (
      <Notice kind="err" role="alert">
        <p>{explainFailure(locale, result)}</p>
        <p>
          {t({
            pl: 'Wróć do karty z\u00a0plikami i\u00a0spróbuj jeszcze raz.',
            en: 'Go back to the tab with your files and try again.',
          })}
        </p>
      </Notice>
    )
  return (
    <Notice kind="ok" role="status" title={t({ pl: 'Podpis jest potwierdzony', en: 'The signature is confirmed' })}>
      {t({
        pl: 'Zamknij tę kartę i\u00a0wróć do karty z\u00a0plikami. Tam zapiszesz wynik.',
        en: 'Close this tab and go back to the tab with your files. You can save the result there.',
      })}
    </Notice>
  )
}
