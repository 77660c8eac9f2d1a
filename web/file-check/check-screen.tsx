import { useEffect, useRef, type RefObject } from 'react'
import { limits } from '../../contract/limits.ts'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import { Heading } from '../app/page-head.tsx'
import { focusHeading, usePage } from '../app/page-title.ts'
import { Icon } from '../art/icons.tsx'
import { BackToSignIn } from '../layouts/back-to-sign-in.tsx'
import { OpenWithPassword } from '../pdf-preview/open-with-password.tsx'
import { formatBytes } from '../text/bytes-text.ts'
import { explainFailure } from '../text/failure-answer.tsx'
import { tooManyReads } from '../text/failure-text.ts'
import { Button } from '../ui/button.tsx'
import { DropZone, useHarmlessDrops } from '../ui/drop-zone.tsx'
import { FileRow } from '../ui/file-row.tsx'
import { Notice } from '../ui/notice.tsx'
import { FileReportView } from './file-report-view.tsx'
import './file-check.css'
import { useFileCheck } from './use-file-check.ts'

const heading = {
  title: { pl: 'Sprawdź podpisany plik', en: 'Check a signed file' },
  lede: {
    pl: 'Zobacz, kto i\u00a0kiedy podpisał plik PDF i\u00a0czy ktoś go potem zmienił.',
    en: 'See who signed a PDF file and when, and whether anyone changed it afterwards.',
  },
}

/** Checks a signed file for anyone; the file stays on their device (CHK-2 to CHK-7). */
export function CheckScreen() {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  const part = useRef<HTMLHeadingElement>(null)
  const { step, choose, open, startAgain } = useFileCheck()
  usePage(heading)
  useHarmlessDrops()
  useFocusAfter(step.at, input, part)

  return (
    <div className="check-screen">
      <div>
        <BackToSignIn />
        <Heading
          title={heading.title}
          {...(step.at !== 'report' && step.at !== 'unsigned' && { lede: heading.lede })}
        />
      </div>
      {step.at === 'choosing' && <Choosing step={step} input={input} onFiles={choose} />}
      {step.at === 'checking' && <Checking step={step} heading={part} onCancel={startAgain} />}
      {step.at === 'password' && (
        <OpenWithPassword
          file={step.file}
          isWrong={step.isWrong}
          submitLabel={t({ pl: 'Otwórz i\u00a0sprawdź', en: 'Open and check' })}
          onOpen={(password) => open(step.file, password)}
          onCancel={startAgain}
        />
      )}
      {step.at === 'unsigned' && <Unsigned file={step.file} heading={part} onStartAgain={startAgain} />}
      {step.at === 'report' && (
        <FileReportView
          {...step}
          heading={part}
          onCheckAgain={() => open(step.file, step.password)}
          onStartAgain={startAgain}
        />
      )}
    </div>
  )
}

type CheckStep = ReturnType<typeof useFileCheck>['step']

type ChoosingProps = {
  step: Extract<CheckStep, { at: 'choosing' }>
  input: RefObject<HTMLInputElement | null>
  onFiles: (files: FileList | null) => void
}

function Choosing({ step: { problem, failure }, input, onFiles }: ChoosingProps) {
  const t = useText()
  const isHydrated = useHydrated()
  return (
    <>
      <div className="card stack stack--small">
        <DropZone
          icon="document"
          input={input}
          problem={problem && t(problem)}
          hint={t({
            pl: `Do\u00a0${formatBytes('pl', limits.fileCheck.bytes)}`,
            en: `Up to ${formatBytes('en', limits.fileCheck.bytes)}`,
          })}
          isStill={!isHydrated}
          onFiles={onFiles}
        />
        {failure && (
          <Notice
            kind="error"
            title={t({ pl: 'Nie udało się sprawdzić pliku', en: 'We couldn’t check the file' })}
            role="alert"
          >
            <p>{explainFailure(t.locale, failure, failure.code === 'too-many-attempts' ? tooManyReads : undefined)}</p>
          </Notice>
        )}
      </div>
      <Privacy />
    </>
  )
}

type CheckingProps = {
  step: Extract<CheckStep, { at: 'checking' }>
  heading: RefObject<HTMLHeadingElement | null>
  onCancel: () => void
}

function Checking({ step: { file, phase }, heading: title, onCancel }: CheckingProps) {
  const t = useText()
  return (
    <section className="card stack stack--small" aria-busy="true">
      <h2 className="small-heading" ref={title} tabIndex={-1}>
        {t({ pl: 'Sprawdzamy plik', en: 'Checking the file' })}
      </h2>
      <FileRow name={file.name}>
        <p className="hint" role="status">
          {phase === 'reading'
            ? t({
                pl: 'Czytamy plik i\u00a0sprawdzamy podpisy…',
                en: 'Reading the file and checking its signatures…',
              })
            : t({
                pl: 'Pytamy wystawców, czy certyfikaty nie są unieważnione…',
                en: 'Asking the issuers whether the certificates have been revoked…',
              })}
        </p>
      </FileRow>
      <progress className="meter" aria-label={t({ pl: 'Sprawdzanie pliku', en: 'Checking the file' })} />
      <p>
        <Button onClick={onCancel}>{t({ pl: 'Przerwij', en: 'Cancel' })}</Button>
      </p>
    </section>
  )
}

type UnsignedProps = { file: File; heading: RefObject<HTMLHeadingElement | null>; onStartAgain: () => void }

/** Shows that the file has no signatures, which is a result and not an error (CHK-3). */
function Unsigned({ file, heading: title, onStartAgain }: UnsignedProps) {
  const t = useText()
  return (
    <div className="file-report">
      <div className="notice notice--info file-report__verdict">
        <Icon name="info" size="l" />
        <div>
          <h2 ref={title} tabIndex={-1}>
            {t({ pl: 'Ten plik nie ma podpisów', en: 'This file has no signatures' })}
          </h2>
          <p>{t({ pl: 'Poproś nadawcę o\u00a0podpisany plik.', en: 'Ask the sender for the signed file.' })}</p>
        </div>
      </div>
      <FileRow
        name={file.name}
        action={
          <p className="buttons file-report__actions">
            <Button size="s" onClick={onStartAgain}>
              {t({ pl: 'Wybierz inny plik', en: 'Choose another file' })}
            </Button>
          </p>
        }
      />
    </div>
  )
}

function Privacy() {
  const t = useText()
  return (
    <Notice>
      <p>
        <strong>{t({ pl: 'Plik nie opuszcza Twojego urządzenia.', en: 'The file doesn’t leave your device.' })}</strong>{' '}
        {t({
          pl: 'Sprawdza go Twoja przeglądarka. Do portalu trafiają tylko certyfikaty podpisów, abyśmy mogli zapytać wystawców, czy nie są unieważnione.',
          en: 'Your browser checks it. Only the certificates of its signatures reach the portal, so that we can ask their issuers whether they’ve been revoked.',
        })}
      </p>
    </Notice>
  )
}

/** Moves the focus to the part of the page that is there now, because the last used control is gone with its part (WCAG 2.4.3). */
function useFocusAfter(at: string, input: RefObject<HTMLInputElement | null>, part: RefObject<HTMLElement | null>) {
  const before = useRef(at)
  useEffect(() => {
    if (before.current === at) return
    before.current = at
    if (at === 'choosing') input.current?.focus()
    else if (at !== 'password') focusHeading(part.current)
  }, [at, input, part])
}
