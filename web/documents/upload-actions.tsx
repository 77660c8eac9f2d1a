import type { ApiError } from '../calls/api.ts'
import { useText } from '../app/locale.tsx'
import { answerOf } from '../text/failure-answer.tsx'
import { Button } from '../ui/button.tsx'
import type { useSubmission } from './submission.ts'

type ActionsProps = Pick<ReturnType<typeof useSubmission>, 'step' | 'confirm' | 'cancel' | 'chooseAgain'> & {
  /** The file has no signature, so another one is likely to be right. */
  isUnsigned: boolean
  choose: () => void
  check: () => void
  onClose: () => void
}

/** Keys keep the elements apart, so that a press begun on one button does not end on another. */
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
            icon={failure ? 'refresh' : 'shieldok'}
            busy={isSending}
            busyText={t({ pl: 'Przesyłamy do sprawdzenia…', en: 'Sending for checking…' })}
            onClick={check}
          >
            {failure
              ? t({ pl: 'Spróbuj ponownie', en: 'Try again' })
              : t({ pl: 'Sprawdź dokument', en: 'Check document' })}
          </Button>
        )}
        {choosesOther && (
          <Button key="other" variant="primary" icon="doc" onClick={choose}>
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
  const failed = step.at === 'report' && !!step.failure
  return (
    <>
      <Button key="other" icon="back" aria-disabled={step.at === 'confirming'} onClick={chooseAgain}>
        {chooseOther}
      </Button>
      <Button
        key="confirm"
        variant="primary"
        icon={failed ? 'refresh' : 'send'}
        busy={step.at === 'confirming'}
        busyText={t({ pl: 'Przesyłamy…', en: 'Uploading…' })}
        // The second half of a double click on the previous button must not confirm something final.
        onClick={({ detail }) => detail < 2 && void confirm(staged)}
      >
        {failed
          ? t({ pl: 'Spróbuj ponownie', en: 'Try again' })
          : t({ pl: 'Prześlij dokument', en: 'Upload document' })}
      </Button>
    </>
  )
}

/** The file itself is at fault, so the same one would be refused again. */
const refusesFile = ({ code }: ApiError) => answerOf[code] === 'file-refused'

/** The checked file has expired, so its confirmation cannot be repeated. */
const isSpent = (failure: ApiError | undefined) =>
  failure?.code === 'upload-unknown' || failure?.code === 'upload-refused'
