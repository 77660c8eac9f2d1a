import { useRef, useState, type RefObject } from 'react'
import type { DocumentCase } from '../../contract/documents.ts'
import type { Text } from '../../contract/enums.ts'
import { DocumentCodeForm } from '../../contract/rules/access-code.ts'
import { useText } from '../app/locale.tsx'
import type { ApiError } from '../calls/api.ts'
import { FirstPage, PageFigure } from '../pdf-preview/first-page.tsx'
import { useFirstPage } from '../pdf-preview/page-drawing.ts'
import { explainFailure } from '../text/failure-answer.tsx'
import { onlyOne, onlyPdf } from '../text/file-problem-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DropZone, useHarmlessDrops } from '../ui/drop-zone.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { UnlockFields } from './access-code-field.tsx'
import { CaseName } from './case-name.tsx'
import { wrongCode } from './document-decryption.ts'
import { DocumentBadge } from './document-status.tsx'
import { verdictText } from './report-text.ts'
import { ReportView } from './report-view.tsx'
import { useSubmission, type Step, inspectSubmission, type ChosenFile } from './submission.ts'
import './download-dialog.css'
import { UploadActions, FileCard, FileChecks } from './upload-actions.tsx'

type Props = {
  document: DocumentCase
  onClose: () => void
  /** Reports that the list shows an outdated state. */
  onChanged: () => void
  onUploaded: (document: DocumentCase) => void
  /** Opens the dialog that downloads the document to be signed. */
  onDownload: () => void
}

/** Lets the customer choose and preview a file, has the server check it, and only then submits it (DOC-5, DOC-8). */
export function UploadDialog({ document, onClose, onDownload, ...events }: Props) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<ChosenFile>()
  const [problem, setProblem] = useState<Text>()
  const { step, send, confirm, cancel, chooseAgain } = useSubmission(document, events)
  useHarmlessDrops()

  async function choose(files: FileList | null) {
    const [first, ...more] = files ?? []
    if (!first) return
    const found = more.length ? { problem: onlyOne } : await inspectSubmission(first)
    const isRefused = 'problem' in found
    // The message about the previous file goes; that file stays, unless this one can replace it.
    chooseAgain()
    setProblem(isRefused ? found.problem : undefined)
    if (!isRefused) setFile(found)
  }

  function check() {
    setProblem(file ? undefined : onlyPdf)
    if (file) void send(file)
    else input.current?.focus()
  }

  const isUnsigned = !!file && !file.hasSignature
  const openChooser = () => input.current?.click()
  const isBusy = step.at === 'sending' || step.at === 'confirming'
  return (
    <Dialog
      title={t(titleOf(step))}
      description={<CaseName document={document} />}
      width="xl"
      onClose={onClose}
      isClosable={!isBusy}
      footer={
        <UploadActions {...{ step, isUnsigned, check, confirm, cancel, chooseAgain, onClose }} choose={openChooser} />
      }
    >
      {step.at === 'overtaken' ? (
        <Overtaken document={document} current={step.current} />
      ) : (
        <div className="upload" aria-busy={isBusy}>
          <div className="upload__main">
            {step.at === 'report' || step.at === 'confirming' ? (
              <Report step={step} onDownload={onDownload} />
            ) : (
              <ChooseFile
                step={step}
                input={input}
                file={file}
                problem={problem}
                onFiles={(files) => void choose(files)}
                onDrop={() => {
                  setFile(undefined)
                  chooseAgain()
                  input.current?.focus()
                }}
              />
            )}
          </div>
          <ChosenPreview file={file} document={document} onCodeSent={events.onChanged} />
        </div>
      )}
    </Dialog>
  )
}

type ChooseProps = {
  step: Extract<Step, { at: 'choosing' | 'sending' }>
  input: RefObject<HTMLInputElement | null>
  file: ChosenFile | undefined
  problem: Text | undefined
  onFiles: (files: FileList | null) => void
  onDrop: () => void
}

function ChooseFile({ step, input, file, problem, onFiles, onDrop }: ChooseProps) {
  const t = useText()
  const failure = step.at === 'choosing' ? step.failure : undefined
  return (
    <>
      <DropZone
        input={input}
        problem={problem && t(problem)}
        hint={t({
          pl: 'PDF z\u00a0podpisem PAdES, do 10\u00a0MB',
          en: 'A PDF with a PAdES signature, up to 10\u00a0MB',
        })}
        isStill={step.at === 'sending'}
        onFiles={onFiles}
      />
      {file && (
        <>
          <FileCard file={file} sent={step.at === 'sending' ? step.sent : undefined} onDrop={onDrop} />
          {!failure && <FileChecks file={file} />}
        </>
      )}
      {failure ? (
        <Failure failure={failure} title={{ pl: 'Nie udało się sprawdzić pliku', en: 'We couldn’t check the file' }} />
      ) : (
        file?.hasSignature !== false && (
          <Notice>
            {t({
              pl: 'Najpierw sprawdzimy podpis. Dokument prześlesz w\u00a0następnym kroku.',
              en: 'First we’ll check the signature. You’ll upload the document in the next step.',
            })}
          </Notice>
        )
      )}
    </>
  )
}

/** Returns the title of a step. Another title means another step, and takes the focus; sending does not change the step. */
function titleOf(step: Step): Text {
  if (step.at === 'overtaken')
    return { pl: 'Sprawa zmieniła się w\u00a0międzyczasie', en: 'The case has changed in the meantime' }
  if (step.at === 'choosing' || step.at === 'sending')
    return { pl: 'Prześlij podpisany dokument', en: 'Upload signed document' }
  return step.staged.report.verdict === 'refused'
    ? verdictText.refused.title
    : { pl: 'Sprawdź i\u00a0potwierdź', en: 'Check and confirm' }
}

function Report({ step, onDownload }: { step: Extract<Step, { staged: unknown }>; onDownload: () => void }) {
  const t = useText()
  const failure = step.at === 'report' ? step.failure : undefined
  // Nothing is marked as right next to it.
  if (failure) return <Unconfirmed failure={failure} />
  return (
    <ReportView
      report={step.staged.report}
      isFinal
      cure={
        <Button size="s" icon="download" onClick={onDownload}>
          {t({ pl: 'Pobierz dokument ponownie', en: 'Download the document again' })}
        </Button>
      }
    />
  )
}

/** Shows that the confirmation failed, or that its answer was lost (DOC-5). */
function Unconfirmed({ failure }: { failure: ApiError }) {
  const t = useText()
  if (failure.code !== 'offline' && failure.status < 500)
    return (
      <Failure
        failure={failure}
        title={{ pl: 'Nie udało się przesłać dokumentu', en: 'We couldn’t upload the document' }}
      />
    )
  return (
    <Notice kind="warning" role="alert" tabIndex={-1} ref={showItself}>
      <p>
        <b>{t({ pl: 'Nie wiemy, czy dokument dotarł.', en: 'We don’t know whether the document has arrived.' })}</b>{' '}
        {t({
          pl: 'Możesz spróbować ponownie: tego samego pliku nie zapiszemy dwa razy.',
          en: 'It’s safe to try again: we won’t save the same file twice.',
        })}
      </p>
    </Notice>
  )
}

/**
 * Scrolls the notice into view, because on a phone it may be outside the visible part of the dialog, and gives it the focus of a button
 * that is gone (WCAG 2.4.3).
 */
function showItself(notice: HTMLElement | null) {
  notice?.scrollIntoView({ block: 'nearest' })
  if (document.activeElement === document.body) notice?.focus()
}

function Failure({ failure, title }: { failure: ApiError; title: Text }) {
  const t = useText()
  return (
    <Notice kind="error" title={t(title)} role="alert" tabIndex={-1} ref={showItself}>
      <p>{explainFailure(t.locale, failure)}</p>
    </Notice>
  )
}

/** Shows the current status of the case, and that this file changed nothing (R51). */
function Overtaken({ document, current }: { document: DocumentCase; current: DocumentCase['status'] | undefined }) {
  const t = useText()
  return (
    <div className="stack stack--small">
      <Notice kind="warning" role="alert">
        {t({
          pl: 'Ten plik nie został przesłany. Sprawę zmieniono w\u00a0innym oknie albo po naszej stronie.',
          en: 'This file wasn’t uploaded. The case was changed in another window, or on our side.',
        })}
      </Notice>
      {current && (
        <p className="buttons">
          {t({ pl: 'Obecny status sprawy: ', en: 'Current case status: ' })}
          <DocumentBadge document={{ ...document, status: current }} />
        </p>
      )}
    </div>
  )
}

type ChosenPreviewProps = { file: ChosenFile | undefined; document: DocumentCase; onCodeSent: () => void }

/** Shows the first page of the file, the same through all steps, because the customer decides by it. */
function ChosenPreview({ file, ...rest }: ChosenPreviewProps) {
  const t = useText()
  if (!file)
    return (
      <p className="upload__none hint">
        {t({ pl: 'Tu zobaczysz pierwszą stronę pliku.', en: 'You’ll see the first page of the file here.' })}
      </p>
    )
  return file.isEncrypted ? <LockedPreview file={file} {...rest} /> : <FirstPage file={file.content} name={file.name} />
}

/** Shows the preview of a file that was signed in its locked form; the code of its document opens it, only in the browser. */
function LockedPreview({ file, document, onCodeSent }: ChosenPreviewProps & { file: ChosenFile }) {
  const t = useText()
  const { drawn, unlock } = useFirstPage(file.content)
  // The preview of a file that is not signed is not worth a code.
  const isLocked = file.hasSignature && drawn && 'failed' in drawn && drawn.failed === 'locked'

  async function open({ code }: { code: string }) {
    if (!(await unlock(code))) throw wrongCode()
  }

  return (
    <div className="upload__locked">
      {isLocked ? (
        <Form className="bare" schema={DocumentCodeForm} onSubmit={open} failures={{ other: 'code' }} summary={false}>
          <div className="stack stack--small">
            <UnlockFields document={document} onCodeSent={onCodeSent}>
              {t({
                pl: 'Plik jest zaszyfrowany. Wpisz kod do dokumentu z\u00a0tej sprawy, a\u00a0pokażemy pierwszą stronę.',
                en: 'The file is encrypted. Enter the document code of this case and we’ll show the first page.',
              })}
            </UnlockFields>
          </div>
        </Form>
      ) : (
        <PageFigure drawn={drawn} name={file.name} />
      )}
    </div>
  )
}
