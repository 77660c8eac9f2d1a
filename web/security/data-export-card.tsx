import { useEffect, useState } from 'react'
import { listActivity } from '../../contract/activity.ts'
import { downloadDataExport, exportFormats, readDataExport, requestDataExport } from '../../contract/data-export.ts'
import type { DataExport } from '../../contract/data-export.ts'
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
        skeleton={<Skeleton lines={2} />}
        label={t({ pl: 'Sprawdzamy, czy jest już plik', en: 'Checking whether there is a file already' })}
      >
        {(state) => <ExportState current={state} />}
      </Region>
    </section>
  )
}

function ExportState({ current }: { current: DataExport }) {
  if (current.state === 'ready') return <Ready current={current} />
  return current.state === 'making' ? <Making key={current.requestedAt} /> : <Order />
}

function Order() {
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
      await forget(readDataExport, listActivity)
      // The button is gone, and the focus must not fall to the top of the page (WCAG 2.4.3).
      document.getElementById('data-export-title')?.focus()
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
    <div>
      <p role="status">
        {t({
          pl: 'Przygotowujemy kopię danych. Gdy będzie gotowa, napiszemy e-mail. Możesz opuścić tę stronę.',
          en: 'We are preparing the copy of your data. We will send an e-mail when it is ready. You can leave this page.',
        })}
      </p>
      <p>
        <Button variant="quiet" size="s" icon="refresh" onClick={look}>
          {t({ pl: 'Sprawdź ponownie', en: 'Check again' })}
        </Button>
      </p>
    </div>
  )
}

function Ready({ current }: { current: Extract<DataExport, { state: 'ready' }> }) {
  const t = useText()
  const locale = useLocale()
  const until = formatDateTime(locale, current.expiresAt)
  return (
    <div>
      <ul className="links">
        {exportFormats.toReversed().map((format) => (
          <li key={format}>
            <SaveButton
              name={`${t({ pl: 'moje-dane', en: 'my-data' })}.${format}`}
              load={() =>
                download(downloadDataExport, {
                  params: { format },
                  onProgress: () => {},
                  signal: new AbortController().signal,
                })
              }
            >
              {t({ pl: 'Pobierz', en: 'Download' })} {format.toUpperCase()} (
              {formatBytes(locale, current.sizes[format])})
            </SaveButton>
          </li>
        ))}
      </ul>
      <p className="small muted">
        {t({ pl: 'Pliki czekają do ', en: 'The files wait until ' })}
        <time dateTime={current.expiresAt}>{until}</time>
        {t({ pl: '. Potem je usuniemy.', en: '. Then we remove them.' })}
      </p>
    </div>
  )
}
