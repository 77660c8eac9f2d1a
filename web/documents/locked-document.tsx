import { useState } from 'react'
import { DocumentCodeForm } from '../../contract/rules/access-code.ts'
import { downloadDocument, type DocumentCase } from '../../contract/documents.ts'
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
import { PreviewPlaceholder } from './preview-placeholder.tsx'
import { useDownload, type DownloadProps } from './use-download.ts'
import { Notice } from '../ui/notice.tsx'
import { AccessCodeField } from './access-code-field.tsx'

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

/** Before the first download: what will come, and how it opens. */
function HowItOpens() {
  const t = useText()
  return (
    <ol className="olist">
      <li>
        {t({
          pl: 'Pobierzesz zaszyfrowany plik PDF. Bez kodu nikt go nie otworzy.',
          en: 'You’ll download an encrypted PDF. Nobody can open it without the code.',
        })}
      </li>
      <li>{t({ pl: 'Kod wyślemy e-mailem, od razu po pobraniu.', en: 'We’ll e-mail you the code straight away.' })}</li>
      <li>
        {t({
          pl: 'Kod wpiszesz tutaj albo w\u00a0swoim programie do PDF.',
          en: 'You enter the code here or in your PDF software.',
        })}
      </li>
    </ol>
  )
}

type CodeStepProps = {
  document: DocumentCase
  /** By this dialog, not on an earlier day. */
  saved: boolean
  busy: boolean
  onTake: () => void
  onSent: () => void
}

function CodeStep({ document, saved, busy, onTake, onSent }: CodeStepProps) {
  const t = useText()
  return (
    <>
      <Notice
        kind={saved ? 'ok' : 'info'}
        title={t({ pl: 'Kod do dokumentu wysłaliśmy e-mailem', en: 'We’ve e-mailed you the document code' })}
      >
        {saved && t({ pl: 'Zaszyfrowany plik jest na Twoim urządzeniu.', en: 'The encrypted file is on your device.' })}
      </Notice>
      <AccessCodeField document={document} onSent={onSent} />
      {!busy && (
        <p>
          <Button size="s" icon="download" onClick={onTake}>
            {saved
              ? t({ pl: 'Pobierz plik ponownie', en: 'Download file again' })
              : t({ pl: 'Pobierz zaszyfrowany PDF', en: 'Download encrypted PDF' })}
          </Button>
        </p>
      )}
    </>
  )
}

function WhatNext({ document: { status } }: { document: DocumentCase }) {
  const t = useText()
  const toSign = status === 'passed-to-subscriber' || status === 'subscriber-downloaded'
  return (
    <>
      <p>
        {toSign
          ? t({
              pl: 'Jeśli Twój program do podpisu nie otwiera zaszyfrowanych plików, pobierz i\u00a0podpisz odszyfrowany PDF. Przyjmujemy oba.',
              en: 'If your signing software can’t open encrypted files, download and sign the decrypted PDF. We accept either one.',
            })
          : t({
              pl: 'Odszyfrowany PDF otworzysz później bez kodu.',
              en: 'You can open the decrypted PDF later without the code.',
            })}
      </p>
      <Notice kind="warn">
        {t({
          pl: 'Odszyfrowany plik otworzy każdy, kto ma dostęp do Twojego urządzenia.',
          en: 'Anyone with access to your device can open the decrypted file.',
        })}
      </Notice>
    </>
  )
}
