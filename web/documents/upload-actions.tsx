import { useText } from '../app/locale.tsx'
import type { ApiError } from '../calls/api.ts'
import { formatBytes } from '../text/bytes-text.ts'
import { answerOf } from '../text/failure-answer.tsx'
import { formatNumber } from '../text/format.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Check, Checks } from '../ui/checks.tsx'
import { FileRow } from '../ui/file-row.tsx'
import type { useSubmission, ChosenFile } from './submission.ts'

type ActionsProps = Pick<ReturnType<typeof useSubmission>, 'step' | 'confirm' | 'cancel' | 'chooseAgain'> & {
  /** Whether the file has no signature, so that another one is likely to be right. */
  isUnsigned: boolean
  choose: () => void
  check: () => void
  onClose: () => void
}

/** Shows the buttons of a step. Keys keep the elements apart, so that a press begun on one button does not end on another. */
export function UploadActions(props: ActionsProps) {
  const { step, isUnsigned, choose, check, confirm, cancel, chooseAgain, onClose } = props
  const t = useText()
  const close = t({ pl: 'Zamknij', en: 'Close' })
  const chooseOther = t({ pl: 'Wybierz inny plik', en: 'Choose another file' })
  if (step.at === 'overtaken')
    return (
      <Button key="close" onClick={onClose}>
        {close}
      </Button>
    )
  if (step.at === 'choosing' || step.at === 'sending') {
    const isSending = step.at === 'sending'
    const failure = isSending ? undefined : step.failure
    const isRefused = failure && refusesFile(failure)
    const choosesOther = !isSending && (isUnsigned || isRefused)
    return (
      <>
        {(!choosesOther || isRefused) && (
          <Button key="leave" variant="quiet" onClick={isSending ? cancel : onClose}>
            {isSending ? t({ pl: 'Przerwij', en: 'Stop' }) : t({ pl: 'Anuluj', en: 'Cancel' })}
          </Button>
        )}
        {!isRefused && (
          <Button
            key="check"
            variant={choosesOther ? 'quiet' : 'primary'}
            icon={failure ? 'refresh' : 'shield-check'}
            isBusy={isSending}
            busyText={t({ pl: 'Przesyłamy do sprawdzenia…', en: 'Sending for checking…' })}
            onClick={check}
          >
            {failure
              ? t({ pl: 'Spróbuj ponownie', en: 'Try again' })
              : t({ pl: 'Sprawdź dokument', en: 'Check document' })}
          </Button>
        )}
        {choosesOther && (
          <Button key="other" variant="primary" icon="document" onClick={choose}>
            {chooseOther}
          </Button>
        )}
      </>
    )
  }
  const { staged } = step
  if (staged.report.verdict === 'refused' || (step.at === 'report' && isSpent(step.failure)))
    return (
      <>
        <Button key="close" variant="quiet" onClick={onClose}>
          {close}
        </Button>
        <Button key="other" variant="primary" icon="back" onClick={chooseAgain}>
          {chooseOther}
        </Button>
      </>
    )
  const hasFailed = step.at === 'report' && !!step.failure
  return (
    <>
      <Button key="other" icon="back" aria-disabled={step.at === 'confirming'} onClick={chooseAgain}>
        {chooseOther}
      </Button>
      <Button
        key="confirm"
        variant="primary"
        icon={hasFailed ? 'refresh' : 'send'}
        isBusy={step.at === 'confirming'}
        busyText={t({ pl: 'Przesyłamy…', en: 'Uploading…' })}
        // The second half of a double click on the previous button must not confirm something final.
        onClick={({ detail }) => detail < 2 && void confirm(staged)}
      >
        {hasFailed
          ? t({ pl: 'Spróbuj ponownie', en: 'Try again' })
          : t({ pl: 'Prześlij dokument', en: 'Upload document' })}
      </Button>
    </>
  )
}

/** Checks whether the file itself is at fault, so that the same one would be refused again. */
const refusesFile = ({ code }: ApiError) => answerOf[code] === 'file-refused'

/** Checks whether the checked file has expired, so that its confirmation cannot be repeated. */
const isSpent = (failure: ApiError | undefined) =>
  failure?.code === 'upload-unknown' || failure?.code === 'upload-refused'

/** Shows the file, and how much of it has been sent; both have their space from the beginning, so that nothing moves. */
export function FileCard({ file, sent, onDrop }: { file: ChosenFile; sent: number | undefined; onDrop: () => void }) {
  const t = useText()
  const { size } = file.content
  const percent = sent === undefined ? 0 : Math.floor((sent / size) * 100)
  const label = t({ pl: 'Przesyłanie pliku', en: 'Uploading the file' })
  return (
    <FileRow
      name={file.name}
      action={
        <IconButton
          icon="trash"
          label={t({ pl: 'Usuń plik z\u00a0formularza', en: 'Remove the file from the form' })}
          aria-disabled={sent !== undefined}
          onClick={onDrop}
        />
      }
    >
      <p className="hint number">
        {sent === undefined
          ? formatBytes(t.locale, size)
          : t({
              pl: `${formatBytes(t.locale, sent)} z\u00a0${formatBytes(t.locale, size)} (${formatNumber(t.locale, percent)}%)`,
              en: `${formatBytes(t.locale, sent)} of ${formatBytes(t.locale, size)} (${formatNumber(t.locale, percent)}%)`,
            })}
      </p>
      {sent === undefined ? (
        <span className="meter meter--none" />
      ) : (
        <progress className="meter" max={size} value={sent} aria-label={label} aria-valuetext={`${percent}%`} />
      )}
      <p className="unseen" role="status">
        {sent !== undefined && spokenAt(percent, label)}
      </p>
    </FileRow>
  )
}

/** Returns the announced progress, which changes only at the beginning, half way and at the end. */
const spokenAt = (percent: number, label: string) => `${label}: ${percent >= 100 ? 100 : percent >= 50 ? 50 : 0}%`

/** Shows the known facts about the file before it is sent; its lock is mentioned only where its code is entered. */
export function FileChecks({ file }: { file: ChosenFile }) {
  const t = useText()
  return (
    <Checks aria-label={t({ pl: 'Sprawdzenie pliku', en: 'File check' })}>
      <Check hasPassed>{t({ pl: 'To plik PDF', en: 'It’s a PDF file' })}</Check>
      <Check hasPassed>
        {t({ pl: 'Mieści się w\u00a0limicie 10\u00a0MB', en: 'It’s within the 10\u00a0MB limit' })}
      </Check>
      {file.hasSignature ? (
        <Check hasPassed>{t({ pl: 'Zawiera podpis elektroniczny', en: 'It contains an electronic signature' })}</Check>
      ) : (
        <Check hasPassed={undefined} icon="warning">
          {t({
            pl: 'Nie ma w\u00a0nim podpisu. Podpisz dokument i\u00a0wybierz podpisany plik.',
            en: 'There’s no signature in it. Sign the document and choose the signed file.',
          })}
        </Check>
      )}
    </Checks>
  )
}
