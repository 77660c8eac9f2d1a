import { useEffect, useEffectEvent, useState } from 'react'
import { useHref, useLocation } from 'react-router'
import { pages } from '../../contract/pages.ts'
import { openServicePage } from '../../contract/service-authorisation.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { call, hasFailedWith, type ApiError } from '../calls/api.ts'
import { finishReturn, serviceText } from '../service-authorisation/service-authorisation.tsx'
import type { SigningReturn } from '../service-authorisation/signing-return.ts'
import { Waiting } from '../service-authorisation/signing-wait.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { signingFailures } from './signing-text.ts'

const pollMs = 2000

type Props = {
  id: string
  /** Checks whether there is nothing to wait for any more. */
  onPoll: () => Promise<boolean>
  onOver: (error: ApiError) => void
  onClose: () => void
}

/** Opens the service's page in another tab, because only this one has the files, and notices when they are signed (SGN-25). */
export function ServiceTab({ id, onPoll, onOver, onClose }: Props) {
  const t = useText()
  const [isOpened, setIsOpened] = useState(false)
  // That tab requests the service's page: each press gets a fresh one, because a returned one cannot be used again.
  const href = useHref({ pathname: pages.sign.path, hash: `${departure}=${id}` })
  const poll = useEffectEvent(async () => {
    try {
      return await onPoll()
    } catch (error) {
      if (!hasFailedWith(error)) throw error
      // After any other failure the next answer may come.
      if (!hasFailedWith(error, 'not-found', 'signing-over')) return false
      onOver(error)
      return true
    }
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let hasLeft = false
    const pollAgain = async () => {
      if (!(await poll()) && !hasLeft) timer = setTimeout(pollAgain, pollMs)
    }
    timer = setTimeout(pollAgain, pollMs)
    return () => {
      hasLeft = true
      clearTimeout(timer)
    }
  }, [])

  return (
    // Who comes back from the other tab may press anywhere, so only a button closes it.
    <Dialog
      width="s"
      title={t(serviceText.title)}
      initialFocus="title"
      isClosable={false}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t({ pl: 'Anuluj', en: 'Cancel' })}
          </Button>
          <ButtonLink variant="primary" href={href} target="_blank" rel="noopener" onClick={() => setIsOpened(true)}>
            {t(serviceText.goThere)}
            <Icon name="external" size="s" />
            <span className="unseen">
              {t({ pl: ' (otwiera się w\u00a0nowej karcie)', en: ' (opens in a new tab)' })}
            </span>
          </ButtonLink>
        </>
      }
    >
      <div className="stack">
        <p>
          {t({
            pl: 'Kod z\u00a0portalu się zgadza. Potwierdź jeszcze podpis na stronie usługi, która przechowuje jego klucz. Strona otworzy się w\u00a0nowej karcie. Tej karty nie zamykaj, bo ma Twoje pliki.',
            en: 'Your portal code is correct. Now confirm on the signing service’s page. It opens in a new tab. Don’t close this one, because it has your files.',
          })}
        </p>
        {isOpened && (
          <Waiting isBusy>{t({ pl: 'Czekamy na potwierdzenie…', en: 'Waiting for your confirmation…' })}</Waiting>
        )}
      </div>
    </Dialog>
  )
}

const departure = 'service'

/** Returns the id of the signing whose service page this tab was opened for. */
export function useDeparture(): string | undefined {
  const { hash } = useLocation()
  return new URLSearchParams(hash.slice(1)).get(departure) ?? undefined
}

/** Leads this tab on to the service's page. */
export function DepartingTab({ id }: { id: string }) {
  const t = useText()
  const [failure, setFailure] = useState<ApiError>()
  const go = useEffectEvent(async () => {
    try {
      const { url } = await call(openServicePage, { params: { id }, body: { locale: t.locale } })
      // Going back from there must not make the page that is open invalid.
      location.replace(url)
    } catch (error) {
      if (!hasFailedWith(error)) throw error
      setFailure(error)
    }
  })
  useEffect(() => void go(), [])
  return failure ? (
    <BackToFiles failure={failure} />
  ) : (
    <Waiting isBusy>{t({ pl: 'Otwieramy stronę usługi podpisu…', en: 'Opening the signing service’s page…' })}</Waiting>
  )
}

/** Finishes the return from the service's page, in the tab in which the customer comes back. */
export function ReturnedTab({ returned }: { returned: SigningReturn }) {
  const t = useText()
  const [result, setResult] = useState<'signed' | ApiError>()
  const finish = useEffectEvent(async () => {
    try {
      await finishReturn(returned)
      setResult('signed')
    } catch (error) {
      if (!hasFailedWith(error)) throw error
      setResult(error)
    }
  })
  useEffect(() => void finish(), [])
  if (!result) return <Waiting isBusy>{t({ pl: 'To trwa kilka sekund.', en: 'This takes a few seconds.' })}</Waiting>
  if (result !== 'signed') return <BackToFiles failure={result} />
  return (
    <Notice kind="ok" role="status" title={t({ pl: 'Podpis jest potwierdzony', en: 'The signature is confirmed' })}>
      {t({
        pl: 'Zamknij tę kartę i\u00a0wróć do karty z\u00a0plikami. Tam zapiszesz wynik.',
        en: 'Close this tab and go back to the tab with your files. You can save the result there.',
      })}
    </Notice>
  )
}

function BackToFiles({ failure }: { failure: ApiError }) {
  const t = useText()
  return (
    <Notice kind="error" role="alert">
      <p>{explainFailure(t.locale, failure, signingFailures[failure.code])}</p>
      <p>
        {t({
          pl: 'Wróć do karty z\u00a0plikami i\u00a0spróbuj jeszcze raz.',
          en: 'Go back to the tab with your files and try again.',
        })}
      </p>
    </Notice>
  )
}
