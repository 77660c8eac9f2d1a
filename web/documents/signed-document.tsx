import { useEffect, useEffectEvent, useState } from 'react'
import { downloadSigned } from '../../contract/documents.ts'
import { useLocale, useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FirstPage } from '../ui/first-page.tsx'
import { saveFile } from '../ui/save-file.ts'
import { CaseName } from './case-name.tsx'
import type { DownloadProps } from './download-dialog.tsx'
import { DownloadFailure } from './download-failure.tsx'
import { DownloadProgress } from './download-progress.tsx'
import { FileCard } from './file-card.tsx'
import { fileName } from './file-name.ts'
import { PagePlace } from './page-place.tsx'
import { useDownload } from './use-download.ts'

/** DOC-6: what both sides have signed. It is not encrypted, for that would destroy the signatures (decision 0046). */
export function SignedDocument({ document, onClose }: DownloadProps) {
  const t = useText()
  const locale = useLocale()
  const { state, start } = useDownload(downloadSigned, document.id)
  const [file, setFile] = useState<Blob>()
  const [saved, setSaved] = useState(false)
  const name = fileName(locale, document, 'signed')

  const begin = useEffectEvent(async () => setFile(await start()))
  useEffect(() => void begin(), [])

  function save() {
    saveFile(file!, name)
    setSaved(true)
  }

  return (
    <Dialog
      title={t({ pl: 'Dokument z\u00a0podpisami obu stron', en: 'The document signed by both sides' })}
      description={<CaseName document={document} />}
      width="l"
      initialFocus="title"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t({ pl: 'Zamknij', en: 'Close' })}</Button>
          <Button variant="primary" icon="download" aria-disabled={!file} onClick={save}>
            {t({ pl: 'Zapisz dokument', en: 'Save the document' })}
          </Button>
        </>
      }
    >
      <div className="take">
        <div className="take__l">
          <p>
            {t({
              pl: 'Ten plik ma Twój podpis i\u00a0podpis wystawcy. Otworzy go każdy program do PDF, bez kodu.',
              en: 'This file has your signature and the issuer’s. Any PDF program opens it, without a code.',
            })}
          </p>
          {state.busy && <DownloadProgress name={name} progress={state.progress} />}
          {!state.busy && state.failure && (
            <DownloadFailure failure={state.failure} onRetry={async () => setFile(await start())} />
          )}
          {file && <FileCard name={name} file={file} saved={saved} />}
          <p className="hint">
            {t({
              pl: 'Zachowaj go bez zmian: podpisy są ważne tylko w\u00a0tej postaci, a\u00a0wydruk ich nie ma.',
              en: 'Keep it as it is: the signatures are valid in this form only, and a print has none.',
            })}
          </p>
        </div>
        {file ? <FirstPage file={file} name={t(document.process)} /> : <PagePlace />}
      </div>
    </Dialog>
  )
}
