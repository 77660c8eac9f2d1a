import { useEffect, useState } from 'react'
import { listActivity } from '../../contract/activity.ts'
import { downloadDataExport, exportFormats, readDataExport, requestDataExport } from '../../contract/data-export.ts'
import type { DataExport, ExportFormat } from '../../contract/data-export.ts'
import { call, CallFailed } from '../api.ts'
import { download } from '../download.ts'
import { useLocale, useText } from '../locale.tsx'
import { forget, readAgain, useRead } from '../reads.ts'
import { describeFailure } from '../text/failure-text.ts'
import { formatBytes, formatDateTime } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { Region } from '../ui/region.tsx'
import { SaveButton } from '../ui/save-button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** DAT-6: all own data as a file. */
export function DataExportCard() {
  const t = useText()
  const current = useRead(readDataExport)
  return (
    <section className="card" aria-labelledby="data-export-title">
      <h2 id="data-export-title" className="h-s" tabIndex={-1}>
        {t({ pl: 'Kopia wszystkich danych', en: 'Copy of all your data' })}
      </h2>
      <p className="soft">
        {t({
          pl: 'Wszystko, co przechowujemy o\u00a0Tobie: dane, zgody, podpisy, dokumenty na liście, sprawy, sesje i\u00a0historia. Jako PDF do czytania i\u00a0JSON dla programów.',
          en: 'Everything we keep about you: data, consents, signatures, the list of documents, cases, sessions and history. As a PDF to read and JSON for programs.',
        })}
      </p>
      <Region
        query={current}
        skeleton={<Skeleton lines={4} />}
        label={t({ pl: 'Sprawdzamy, czy jest już plik', en: 'Checking whether there is a file already' })}
      >
        {(state) => <ExportState current={state} />}
      </Region>
    </section>
  )
}

/** The button or link that was pressed is gone, and the focus must not fall to the top of the page (WCAG 2.4.3). */
const toHeading = () => document.getElementById('data-export-title')?.focus()

/** One line says how it stands in every state, so that a change of it is heard (WCAG 4.1.3). */
function ExportState({ current }: { current: DataExport }) {
  const t = useText()
  const locale = useLocale()
  const [missed, setMissed] = useState(false)

  async function miss() {
    setMissed(true)
    await forget(readDataExport)
    toHeading()
  }

  const said = {
    none: missed && {
      pl: 'Czas na pobranie minął i\u00a0pliki zostały usunięte. Możesz przygotować nową kopię.',
      en: 'The time to download is over and the files were removed. You can prepare a new copy.',
    },
    making: {
      pl: 'Przygotowujemy kopię danych. Gdy będzie gotowa, napiszemy e-mail. Możesz opuścić tę stronę.',
      en: 'We are preparing the copy of your data. We will send an e-mail when it is ready. You can leave this page.',
    },
    ready: { pl: 'Kopia jest gotowa. Pliki czekają do', en: 'The copy is ready. The files wait until' },
  }[current.state]
  return (
    <div className="export">
      <p role="status">
        {said && t(said)}
        {current.state === 'ready' && (
          <>
            {' '}
            <time dateTime={current.expiresAt}>{formatDateTime(locale, current.expiresAt)}</time>
            {t({ pl: ', potem je usuniemy.', en: ', then we remove them.' })}
          </>
        )}
      </p>
      {current.state === 'none' && <Order onDone={() => setMissed(false)} />}
      {current.state === 'making' && <Making key={current.requestedAt} />}
      {current.state === 'ready' && <Ready sizes={current.sizes} onMissed={miss} />}
    </div>
  )
}

function Order({ onDone }: { onDone: () => void }) {
  const t = useText()
  const locale = useLocale()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function order() {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await call(requestDataExport, { body: { locale } })
      onDone()
      await forget(readDataExport, listActivity)
      toHeading()
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code === 'state-passed') await forget(readDataExport)
      else if (error.code !== 'cancelled') setFailure(describeFailure(locale, error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div>
      <Button icon="doc" busy={busy} onClick={() => void order()}>
        {t({ pl: 'Przygotuj kopię danych', en: 'Prepare a copy of the data' })}
      </Button>
      <p className={failure ? 'error' : undefined} role="alert">
        {failure}
      </p>
    </div>
  )
}

const every = 5_000
const times = 12

const look = () => void readAgain(readDataExport)

/** Looked at for a minute by the page itself; the mail tells of it in any case. */
function Making() {
  const t = useText()
  const [looks, setLooks] = useState(0)

  useEffect(() => {
    if (looks >= times) return
    const timer = setTimeout(() => {
      setLooks(looks + 1)
      look()
    }, every)
    return () => clearTimeout(timer)
  }, [looks])

  return (
    <p>
      <Button variant="quiet" size="s" icon="refresh" onClick={look}>
        {t({ pl: 'Sprawdź ponownie', en: 'Check again' })}
      </Button>
    </p>
  )
}

type ReadyProps = { sizes: Extract<DataExport, { state: 'ready' }>['sizes']; onMissed: () => Promise<void> }

function Ready({ sizes, onMissed }: ReadyProps) {
  const t = useText()
  const locale = useLocale()

  const fetchFile = async (format: ExportFormat) => {
    try {
      return await download(downloadDataExport, {
        params: { format },
        onProgress: () => {},
        signal: new AbortController().signal,
      })
    } catch (error) {
      if (error instanceof CallFailed && error.code === 'state-passed') await onMissed()
      throw error
    }
  }

  return (
    <ul className="links">
      {exportFormats.toReversed().map((format) => (
        <li key={format}>
          <SaveButton name={`${t({ pl: 'moje-dane', en: 'my-data' })}.${format}`} load={() => fetchFile(format)}>
            {t({ pl: 'Pobierz', en: 'Download' })} {format.toUpperCase()} ({formatBytes(locale, sizes[format])})
          </SaveButton>
        </li>
      ))}
    </ul>
  )
}
