import { useState } from 'react'
import { DocumentCodeForm } from '../../contract/rules/access-code.ts'
import { downloadDocument } from '../../contract/documents.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { saveFile } from '../ui/save-file.ts'
import { CaseName } from './case-name.tsx'
import { decryptDocument } from './document-decryption.ts'
import { DownloadFailure, retryText } from './download-failure.tsx'
import { DownloadProgress } from './download-progress.tsx'
import { Reading } from './reading.tsx'
import { ReadyFile } from './ready-file.tsx'
import { fileName } from './file-name.ts'
import { CodeStep, HowItOpens, WhatNext } from './locked-document-steps.tsx'
import { PreviewPlaceholder } from './preview-placeholder.tsx'
import { useDownload, type DownloadProps } from './use-download.ts'

/**
 * DOC-3, DOC-9: the encrypted PDF is saved as it is, and the code from the mail opens it here as well. The code and what it
 * opens are kept only in this dialog.
 */
export function LockedDocument({ document, onClose, onChanged }: DownloadProps) {
  const t = useText()
  const { state, fetchFile, start } = useDownload(downloadDocument, document.id)
  const [encrypted, setEncrypted] = useState<Blob>()
  const [saved, setSaved] = useState(false)
  const [plain, setPlain] = useState<Blob>()
  const [plainSaved, setPlainSaved] = useState(false)
  const step = plain ? 'opened' : saved || document.codeSentAt ? 'code' : 'start'
  const encryptedName = fileName(t.locale, document, 'encrypted')
  const plainName = fileName(t.locale, document, 'plain')

  async function take() {
    const file = await start()
    onChanged()
    if (!file) return
    saveFile(file, encryptedName)
    setEncrypted(file)
    setSaved(true)
  }

  async function open({ code }: { code: string }) {
    const file = encrypted ?? (await fetchFile())
    setEncrypted(file)
    setPlain(await decryptDocument({ file, password: code }))
  }

  function savePlain() {
    if (plain) saveFile(plain, plainName)
    setPlainSaved(true)
  }

  const title = {
    start: { pl: 'Pobierz dokument', en: 'Download document' },
    code: { pl: 'Pobierz lub otwórz dokument', en: 'Download or open document' },
    opened: { pl: 'Przeczytaj dokument', en: 'Read the document' },
  }[step]
  const failure = state.busy ? undefined : state.failure
  const retry = failure && retryText(failure)
  const footer = {
    start: (
      <Button
        key="take"
        variant="primary"
        icon={retry ? 'refresh' : 'download'}
        busy={state.busy}
        busyText={t({ pl: 'Pobieramy…', en: 'Downloading…' })}
        onClick={take}
      >
        {t(retry ?? { pl: 'Pobierz zaszyfrowany PDF', en: 'Download encrypted PDF' })}
      </Button>
    ),
    code: (
      <Submit key="open" icon="lock" busyText={t({ pl: 'Otwieramy…', en: 'Opening…' })}>
        {t({ pl: 'Otwórz tutaj', en: 'Open here' })}
      </Submit>
    ),
    opened: (
      <Button key="save" variant="primary" icon="download" onClick={savePlain}>
        {t({ pl: 'Pobierz odszyfrowany PDF', en: 'Download decrypted PDF' })}
      </Button>
    ),
  }[step]

  return (
    <Form className="bare" schema={DocumentCodeForm} onSubmit={open} failures={{ other: 'code' }} summary={false}>
      <Dialog
        title={t(title)}
        description={<CaseName document={document} />}
        width={plain ? 'page' : 'xl'}
        onClose={onClose}
        footer={
          <>
            <Button key="close" variant="quiet" onClick={onClose}>
              {t({ pl: 'Zamknij', en: 'Close' })}
            </Button>
            {footer}
          </>
        }
      >
        {plain ? (
          <Reading file={plain} name={t(document.process)}>
            <ReadyFile name={plainName} file={plain} saved={plainSaved} />
            <WhatNext document={document} />
          </Reading>
        ) : (
          <div className="take">
            <div className="take__l">
              {step === 'start' && <HowItOpens />}
              {step === 'code' && (
                <CodeStep
                  document={document}
                  saved={saved}
                  busy={state.busy || !!failure}
                  onTake={take}
                  onSent={onChanged}
                />
              )}
              {state.busy && <DownloadProgress name={encryptedName} progress={state.progress} />}
              {failure && (
                <DownloadFailure failure={failure} onRetry={step === 'code' ? () => void take() : undefined} />
              )}
            </div>
            <PreviewPlaceholder
              text={t({
                pl: 'Dokument przeczytasz po wpisaniu kodu.',
                en: 'You can read the document once you enter the code.',
              })}
            />
          </div>
        )}
      </Dialog>
    </Form>
  )
}
