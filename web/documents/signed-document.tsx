import { useEffect, useEffectEvent, useState } from 'react'
import { downloadSignedDocument } from '../../contract/documents.ts'
import { DocumentCodeForm } from '../../contract/rules/access-code.ts'
import { useText } from '../app/locale.tsx'
import { PageFigure } from '../pdf-preview/first-page.tsx'
import { useFirstPage } from '../pdf-preview/page-drawing.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { saveFile } from '../ui/save-file.ts'
import { UnlockFields } from './access-code-field.tsx'
import { CaseName } from './case-name.tsx'
import { wrongCode } from './document-decryption.ts'
import { fileName } from './document-text.ts'
import { DownloadStatus } from './download-progress.tsx'
import { ReadyFile, PreviewPlaceholder, Reading } from './ready-file.tsx'
import { useDownload, type DownloadProps } from './use-download.ts'

/**
 * Downloads the document that both sides have signed, which is saved unchanged, because a change would destroy the signatures (DOC-6). It
 * is locked if the customer signed the locked file; the code then opens it for the preview alone.
 */
export function SignedDocument({ document, onClose, onChanged }: DownloadProps) {
  const t = useText()
  const { state, start } = useDownload(downloadSignedDocument, document.id)
  const [file, setFile] = useState<Blob>()
  const [isSaved, setIsSaved] = useState(false)
  const [code, setCode] = useState<string>()
  const { drawn, unlock } = useFirstPage(file)
  const isLocked = !!drawn && 'failed' in drawn && drawn.failed === 'locked'
  const name = fileName(t.locale, document, 'signed')

  const begin = useEffectEvent(async () => setFile(await start()))
  useEffect(() => void begin(), [])

  const isReadable = !!file && !!drawn && !('failed' in drawn)

  async function open({ code: entered }: { code: string }) {
    if (!(await unlock(entered))) throw wrongCode()
    setCode(entered)
  }

  function save() {
    if (!file) return
    saveFile(file, name)
    setIsSaved(true)
  }

  return (
    <Form className="bare" schema={DocumentCodeForm} onSubmit={open} failures={{ other: 'code' }} summary={false}>
      <Dialog
        title={t({ pl: 'Dokument z\u00a0podpisami obu stron', en: 'Document signed by both sides' })}
        description={<CaseName document={document} />}
        width={isReadable ? 'page' : 'xl'}
        initialFocus="title"
        onClose={onClose}
        footer={
          <>
            <Button variant="quiet" onClick={onClose}>
              {t({ pl: 'Zamknij', en: 'Close' })}
            </Button>
            <Button variant="primary" icon="download" aria-disabled={!file} onClick={save}>
              {t({ pl: 'Pobierz dokument', en: 'Download document' })}
            </Button>
          </>
        }
      >
        {isReadable ? (
          <Reading file={file} code={code} name={t(document.process)}>
            <ReadyFile name={name} file={file} isSaved={isSaved} />
            <p>{t(keepText)}</p>
          </Reading>
        ) : (
          <div className="signed-document">
            <div className="signed-document__main">
              {!file && <DownloadStatus name={name} state={state} onRetry={async () => setFile(await start())} />}
              {file && <ReadyFile name={name} file={file} isSaved={isSaved} />}
              <p>{t(keepText)}</p>
              {isLocked && (
                <UnlockFields document={document} onCodeSent={onChanged}>
                  {t({
                    pl: 'Plik otwiera ten sam kod co dokument do podpisania.',
                    en: 'The code for the document you had to sign opens this file too.',
                  })}
                </UnlockFields>
              )}
            </div>
            {file && !isLocked ? (
              <PageFigure drawn={drawn} name={t(document.process)} />
            ) : (
              <PreviewPlaceholder isLocked={isLocked} />
            )}
          </div>
        )}
      </Dialog>
    </Form>
  )
}

const keepText = {
  pl: 'Zachowaj ten plik bez zmian. Podpisy są ważne tylko w\u00a0pliku, nie na wydruku.',
  en: 'Keep this file unchanged. The signatures are valid only in the file, not on a printout.',
}
