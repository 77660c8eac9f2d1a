import { useState } from 'react'
import type { DocumentCase } from '../../contract/documents.ts'
import { DocumentCodeForm } from '../../contract/rules/access-code.ts'
import { useText } from '../app/locale.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { saveFile } from '../ui/save-file.ts'
import { SentCode } from './access-code-field.tsx'
import { CaseName } from './case-name.tsx'
import { fileName } from './document-text.ts'
import { DownloadStatus, retryText } from './download-progress.tsx'
import { ReadyFile, PreviewPlaceholder, Reading } from './ready-file.tsx'
import { useEncryptedDocument, type DownloadProps, type DownloadState } from './use-download.ts'

const titles = {
  start: { pl: 'Pobierz dokument', en: 'Download document' },
  code: { pl: 'Pobierz lub otwórz dokument', en: 'Download or open document' },
  opened: { pl: 'Przeczytaj dokument', en: 'Read the document' },
}

/**
 * Downloads the encrypted PDF, which is saved as it is; the code from the mail opens it here as well (DOC-3, DOC-9). The code and the
 * decrypted document are kept only in this dialog.
 */
export function LockedDocument({ document, onClose, onChanged }: DownloadProps) {
  const t = useText()
  const { state, hasCode, take, decrypt } = useEncryptedDocument(document, onChanged)
  const [isSaved, setIsSaved] = useState(false)
  const [plain, setPlain] = useState<Blob>()
  const [isPlainSaved, setIsPlainSaved] = useState(false)
  const step = plain ? 'opened' : hasCode ? 'code' : 'start'
  const plainName = fileName(t.locale, document, 'plain')

  async function save() {
    const file = await take()
    if (!file) return
    saveFile(file, fileName(t.locale, document, 'encrypted'))
    setIsSaved(true)
  }

  function savePlain() {
    if (plain) saveFile(plain, plainName)
    setIsPlainSaved(true)
  }

  return (
    <Form
      className="bare"
      schema={DocumentCodeForm}
      onSubmit={async ({ code }) => setPlain(await decrypt(code))}
      failures={{ other: 'code' }}
      summary={false}
    >
      <Dialog
        title={t(titles[step])}
        description={<CaseName document={document} />}
        width={plain ? 'page' : 'xl'}
        onClose={onClose}
        footer={
          <>
            <Button key="close" variant="quiet" onClick={onClose}>
              {t({ pl: 'Zamknij', en: 'Close' })}
            </Button>
            <StepButton step={step} state={state} onTake={save} onSave={savePlain} />
          </>
        }
      >
        {plain ? (
          <Reading file={plain} name={t(document.process)}>
            <ReadyFile name={plainName} file={plain} isSaved={isPlainSaved} />
            <NextSteps document={document} />
          </Reading>
        ) : (
          <div className="signed-document">
            <BeforeOpening
              document={document}
              state={state}
              isSaved={isSaved}
              hasCode={hasCode}
              onTake={save}
              onSent={onChanged}
            />
            <PreviewPlaceholder isLocked />
          </div>
        )}
      </Dialog>
    </Form>
  )
}

type ButtonProps = {
  step: keyof typeof titles
  state: DownloadState
  onTake: () => void
  onSave: () => void
}

function StepButton({ step, state, onTake, onSave }: ButtonProps) {
  const t = useText()
  if (step === 'opened')
    return (
      <Button key="save" variant="primary" icon="download" onClick={onSave}>
        {t({ pl: 'Pobierz odszyfrowany PDF', en: 'Download decrypted PDF' })}
      </Button>
    )
  if (step === 'code')
    return (
      <Submit key="open" icon="lock" busyText={t({ pl: 'Otwieramy…', en: 'Opening…' })}>
        {t({ pl: 'Otwórz tutaj', en: 'Open here' })}
      </Submit>
    )
  const retry = !state.isBusy && state.failure && retryText(state.failure)
  return (
    <Button
      key="take"
      variant="primary"
      icon={retry ? 'refresh' : 'download'}
      isBusy={state.isBusy}
      busyText={t({ pl: 'Pobieramy…', en: 'Downloading…' })}
      onClick={onTake}
    >
      {t(retry || { pl: 'Pobierz zaszyfrowany PDF', en: 'Download encrypted PDF' })}
    </Button>
  )
}

/** Explains, before the first download, which file comes and how to open it. */
function HowItOpens() {
  const t = useText()
  return (
    <ol className="ordered-list">
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

type BeforeProps = {
  document: DocumentCase
  state: DownloadState
  /** Whether this dialog saved the file; not whether an earlier one did. */
  isSaved: boolean
  hasCode: boolean
  onTake: () => void
  onSent: () => void
}

function BeforeOpening({ document, state, isSaved, hasCode, onTake, onSent }: BeforeProps) {
  const t = useText()
  return (
    <div className="signed-document__main">
      {hasCode ? (
        <SentCode kind={isSaved ? 'ok' : 'info'} document={document} onSent={onSent}>
          {isSaved &&
            t({ pl: 'Zaszyfrowany plik jest na Twoim urządzeniu.', en: 'The encrypted file is on your device.' })}
        </SentCode>
      ) : (
        <HowItOpens />
      )}
      {hasCode && !state.isBusy && !state.failure && (
        <p>
          <Button size="s" icon="download" onClick={onTake}>
            {isSaved
              ? t({ pl: 'Pobierz plik ponownie', en: 'Download file again' })
              : t({ pl: 'Pobierz zaszyfrowany PDF', en: 'Download encrypted PDF' })}
          </Button>
        </p>
      )}
      <DownloadStatus
        name={fileName(t.locale, document, 'encrypted')}
        state={state}
        onRetry={hasCode ? onTake : undefined}
      />
    </div>
  )
}

function NextSteps({ document: { status } }: { document: DocumentCase }) {
  const t = useText()
  const isToSign = status === 'passed-to-subscriber' || status === 'subscriber-downloaded'
  return (
    <>
      <p>
        {isToSign
          ? t({
              pl: 'Jeśli Twój program do podpisu nie otwiera zaszyfrowanych plików, pobierz i\u00a0podpisz odszyfrowany PDF. Przyjmujemy oba.',
              en: 'If your signing software can’t open encrypted files, download and sign the decrypted PDF. We accept either one.',
            })
          : t({
              pl: 'Odszyfrowany PDF otworzysz później bez kodu.',
              en: 'You can open the decrypted PDF later without the code.',
            })}
      </p>
      <Notice kind="warning">
        {t({
          pl: 'Odszyfrowany plik otworzy każdy, kto ma dostęp do Twojego urządzenia.',
          en: 'Anyone with access to your device can open the decrypted file.',
        })}
      </Notice>
    </>
  )
}
