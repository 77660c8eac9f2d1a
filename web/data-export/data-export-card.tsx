import { useEffect, useState } from 'react'
import { listActivity } from '../../contract/activity.ts'
import { downloadDataExport, exportFormats, readDataExport, requestDataExport } from '../../contract/data-export.ts'
import type { DataExport, ExportFormat } from '../../contract/data-export.ts'
import { useText } from '../app/locale.tsx'
import { call, hasFailedWith, onFailure } from '../calls/api.ts'
import { download } from '../calls/download.ts'
import { invalidate, refetch, useRead } from '../calls/reads.ts'
import { formatBytes } from '../text/bytes-text.ts'
import { DateTimeText } from '../text/date-text.tsx'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { FailureLine } from '../ui/failure.tsx'
import { Region } from '../ui/region.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { SaveButton } from '../ui/save-button.tsx'
import { DescribedCard } from '../ui/section-card.tsx'

/** Offers the customer a file with all their data (DAT-6). */
export function DataExportCard() {
  const t = useText()
  const current = useRead(readDataExport)
  return (
    <DescribedCard
      id="data-export-title"
      title={t({ pl: 'Kopia wszystkich danych', en: 'Copy of all your data' })}
      intro={t({
        pl: 'Wszystko, co o\u00a0Tobie przechowujemy: dane, zgody, podpisy, listę dokumentów, sprawy, sesje i\u00a0historię. Jako PDF do czytania i\u00a0JSON dla programów.',
        en: 'Everything we keep about you: personal details, consents, signatures, the list of documents, cases, sessions and history. As a PDF to read and JSON for software.',
      })}
    >
      <Region
        query={current}
        lines={4}
        label={t({ pl: 'Sprawdzamy, czy jest już plik', en: 'Checking whether there’s already a file' })}
      >
        {(state) => <ExportState current={state} />}
      </Region>
    </DescribedCard>
  )
}

/**
 * Moves the focus to the heading, because the pressed button or link is gone and the focus must not move to the top of the page (WCAG
 * 2.4.3).
 */
const toHeading = () => document.getElementById('data-export-title')?.focus()

/** Shows every state of the export in one line, so that a change is announced (WCAG 4.1.3). */
function ExportState({ current }: { current: DataExport }) {
  const t = useText()
  const [hasMissed, setHasMissed] = useState(false)

  async function miss() {
    setHasMissed(true)
    await invalidate(readDataExport)
    toHeading()
  }

  const stateText = {
    none: hasMissed && {
      pl: 'Pliki wygasły i\u00a0zostały usunięte. Możesz przygotować nową kopię.',
      en: 'The files have expired and been removed. You can prepare a new copy.',
    },
    making: {
      pl: 'Przygotowujemy kopię danych. Możesz opuścić tę stronę. Napiszemy, gdy kopia będzie gotowa.',
      en: 'We’re preparing the copy of your data. You can leave this page. We’ll e-mail you when it’s ready.',
    },
    ready: { pl: 'Pliki pobierzesz do', en: 'You can download the files until' },
  }[current.state]
  return (
    <div className={current.state === 'none' ? 'export' : 'export export--making'}>
      <p role="status">
        {current.state === 'ready' && <b>{t({ pl: 'Kopia jest gotowa. ', en: 'Your copy is ready. ' })}</b>}
        {stateText && t(stateText)}
        {current.state === 'ready' && (
          <>
            {' '}
            <DateTimeText at={current.expiresAt} />
            {t({ pl: '. Potem je usuniemy.', en: '. Then we’ll remove them.' })}
          </>
        )}
      </p>
      {current.state === 'none' && <Order onDone={() => setHasMissed(false)} />}
      {current.state === 'making' && <ExportPending key={current.requestedAt} />}
      {current.state === 'ready' && <Ready sizes={current.sizes} onMissed={miss} />}
    </div>
  )
}

function Order({ onDone }: { onDone: () => void }) {
  const t = useText()

  const { run, isBusy, failureText } = useAction(async () => {
    const isOrdered = await call(requestDataExport, { body: { locale: t.locale } }).then(
      () => true,
      onFailure(['state-passed'], () => false),
    )
    if (isOrdered) onDone()
    await invalidate(readDataExport, listActivity)
    if (isOrdered) toHeading()
  })

  return (
    <div>
      <Button icon="document" isBusy={isBusy} onClick={run}>
        {t({ pl: 'Przygotuj kopię danych', en: 'Prepare a copy' })}
      </Button>
      <FailureLine text={failureText} />
    </div>
  )
}

const everyMs = 5_000
const maxAttempts = 12

const refetchState = () => void refetch(readDataExport)

/** Checks for a minute whether the export is ready; an e-mail is sent in any case. */
function ExportPending() {
  const [attempts, setAttempts] = useState(0)

  useEffect(() => {
    if (attempts >= maxAttempts) return
    const timer = setTimeout(() => {
      setAttempts(attempts + 1)
      refetchState()
    }, everyMs)
    return () => clearTimeout(timer)
  }, [attempts])

  return (
    <p>
      <RetryButton isCheck variant="quiet" size="s" onClick={refetchState} />
    </p>
  )
}

type ReadyProps = { sizes: Extract<DataExport, { state: 'ready' }>['sizes']; onMissed: () => Promise<void> }

function Ready({ sizes, onMissed }: ReadyProps) {
  const t = useText()

  const fetchFile = async (format: ExportFormat) => {
    try {
      return await download(downloadDataExport, {
        params: { format },
        onProgress: () => {},
        signal: new AbortController().signal,
      })
    } catch (error) {
      if (hasFailedWith(error, 'state-passed')) await onMissed()
      throw error
    }
  }

  return (
    <ul className="buttons">
      {exportFormats.toReversed().map((format) => (
        <li key={format}>
          <SaveButton name={`${t({ pl: 'moje-dane', en: 'my-data' })}.${format}`} load={() => fetchFile(format)}>
            {t({ pl: 'Pobierz', en: 'Download' })} {format.toUpperCase()} ({formatBytes(t.locale, sizes[format])})
          </SaveButton>
        </li>
      ))}
    </ul>
  )
}
