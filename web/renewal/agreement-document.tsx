import { useEffect, useState } from 'react'
import { agreementName } from '../../contract/product-text.ts'
import { downloadRenewalAgreement, type Renewal } from '../../contract/renewal.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { Icon } from '../art/icons.tsx'
import { callFile, onFailure, type ApiError } from '../calls/api.ts'
import { formatBytes } from '../text/bytes-text.ts'
import { explainFailure } from '../text/failure-answer.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import type { AgreementReaderProps } from './agreement-reader.tsx'
import { ReaderSkeleton } from './agreement-skeleton.tsx'

const AgreementReader = partOnDemand<AgreementReaderProps>(
  () => import('./agreement-reader.tsx').then((part) => part.AgreementReader),
  <AgreementOpening />,
)

/** Whether the customer can read it. `unreadable`: only in a program of their own, once it is downloaded. */
export type AgreementReading = 'loading' | 'possible' | 'unreadable' | 'failed'

type Loaded = { file: Blob; address: string } | { failure: ApiError }

type Props = { renewal: Renewal; onReading: (reading: AgreementReading) => void }

/** Shows the agreement, to be read as a whole and saved, both from the same file (REN-7). */
export function AgreementDocument({ renewal: { uid, agreement, parameters }, onReading }: Props) {
  const t = useText()
  const { loaded, again } = useAgreement(uid)
  const name = t(agreementName)
  const file = loaded && 'file' in loaded ? loaded : undefined
  const failure = loaded && 'failure' in loaded ? loaded.failure : undefined
  const [pages, setPages] = useState<number | null>()
  const [isSaved, setIsSaved] = useState(false)
  const [isFull, setIsFull] = useState(false)
  const reading = failure ? 'failed' : readingOf(pages, isSaved)
  useEffect(() => onReading(reading), [onReading, reading])
  // Next to the file, not after it.
  useEffect(() => void AgreementReader.preload(), [])
  return (
    <>
      <div className="document-row">
        <Icon name="document" size="l" />
        <span className="document-row__name">
          <b>{name}</b>
          <span>{`PDF, ${formatBytes(t.locale, agreement!.bytes)}`}</span>
        </span>
        <span className="document-row__act">
          {file && (
            <AgreementActions
              href={file.address}
              download={parameters.language === 'pl' ? 'umowa.pdf' : 'agreement.pdf'}
              isReadable={pages !== null}
              onRead={() => setIsFull(true)}
              onSaved={() => setIsSaved(true)}
            />
          )}
        </span>
      </div>
      {failure ? (
        <Notice
          kind="error"
          role="alert"
          title={t({ pl: 'Nie udało się wczytać umowy', en: 'We couldn’t load the agreement' })}
        >
          <p>{explainFailure(t.locale, failure)}</p>
          <p className="buttons">
            <RetryButton variant="primary" size="s" onClick={again} />
          </p>
        </Notice>
      ) : (
        <div className="agreement">
          {file ? (
            <AgreementReader
              file={file.file}
              name={name}
              onPages={setPages}
              isFull={isFull}
              onLeaveFull={() => setIsFull(false)}
            />
          ) : (
            <AgreementOpening />
          )}
        </div>
      )}
    </>
  )
}

type ActionsProps = {
  href: string
  download: string
  isReadable: boolean
  onRead: () => void
  onSaved: () => void
}

function AgreementActions({ href, download, isReadable, onRead, onSaved }: ActionsProps) {
  const t = useText()
  const what = <span className="unseen">{t({ pl: ' umowę', en: ' the agreement' })}</span>
  return (
    <>
      {isReadable && (
        <Button size="s" icon="eye" className="document-row__full" aria-haspopup="dialog" onClick={onRead}>
          <span>
            {t({ pl: 'Przeczytaj', en: 'Read' })}
            {what}
          </span>
        </Button>
      )}
      <a className="button button--quiet button--small" href={href} download={download} onClick={onSaved}>
        <Icon name="download" />
        <span>
          {t({ pl: 'Pobierz', en: 'Download' })}
          {what}
        </span>
      </a>
    </>
  )
}

function readingOf(pages: number | null | undefined, isSaved: boolean): AgreementReading {
  if (pages === null) return isSaved ? 'possible' : 'unreadable'
  return pages ? 'possible' : 'loading'
}

function AgreementOpening() {
  const t = useText()
  return <ReaderSkeleton text={t({ pl: 'Otwieramy…', en: 'Opening…' })} />
}

/** Downloads the agreement once, for reading and for saving. */
function useAgreement(uid: string) {
  const [loaded, setLoaded] = useState<Loaded>()
  const [round, setRound] = useState(0)

  useEffect(() => {
    let hasLeft = false
    let address: string | undefined
    setLoaded(undefined)
    const loading = callFile(downloadRenewalAgreement, { params: { uid } })
    loading.then(
      (file) => {
        if (hasLeft) return
        address = URL.createObjectURL(file)
        setLoaded({ file, address })
      },
      onFailure([], (failure) => void (hasLeft || setLoaded({ failure }))),
    )
    return () => {
      hasLeft = true
      if (address) URL.revokeObjectURL(address)
    }
  }, [uid, round])

  return { loaded, again: () => setRound((before) => before + 1) }
}
