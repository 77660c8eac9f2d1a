import type { DocumentCase } from '../../contract/documents.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { AccessCodeField } from './access-code-field.tsx'

/** Before the first download: what will come, and how it opens. */
export function HowItOpens() {
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

export function CodeStep({ document, saved, busy, onTake, onSent }: CodeStepProps) {
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

export function WhatNext({ document: { status } }: { document: DocumentCase }) {
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
