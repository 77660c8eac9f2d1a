import type { CallFailed } from '../api.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import type { useHandingOver } from './handing-over.ts'

type ActionsProps = Pick<ReturnType<typeof useHandingOver>, 'step' | 'confirm' | 'cancel' | 'chooseAnew'> & {
  check: () => void
  onClose: () => void
}

/** Keys keep each button itself, so that a press begun on one is not finished on another. */
export function UploadActions({ step, check, confirm, cancel, chooseAnew, onClose }: ActionsProps) {
  const t = useText()
  const close = t({ pl: 'Zamknij', en: 'Close' })
  const chooseOther = t({ pl: 'Wybierz inny plik', en: 'Choose another file' })
  if (step.at === 'overtaken')
    return (
      <Button key="close" variant="primary" onClick={onClose}>
        {close}
      </Button>
    )
  if (step.at === 'choosing' || step.at === 'sending') {
    const isSending = step.at === 'sending'
    return (
      <>
        <Button key="leave" onClick={isSending ? cancel : onClose}>
          {isSending ? t({ pl: 'Przerwij', en: 'Stop' }) : t({ pl: 'Anuluj', en: 'Cancel' })}
        </Button>
        <Button
          key="check"
          variant="primary"
          icon={step.at === 'choosing' && step.failure ? 'refresh' : 'shieldok'}
          busy={isSending}
          busyText={
            isSending && step.sent < step.total
              ? t({ pl: 'Przesyłamy…', en: 'Sending…' })
              : t({ pl: 'Sprawdzamy…', en: 'Checking…' })
          }
          onClick={check}
        >
          {step.at === 'choosing' && step.failure
            ? t({ pl: 'Spróbuj ponownie', en: 'Try again' })
            : t({ pl: 'Sprawdź dokument', en: 'Check the document' })}
        </Button>
      </>
    )
  }
  const { staged } = step
  if (staged.report.verdict === 'refused' || (step.at === 'report' && isSpent(step.failure)))
    return (
      <>
        <Button key="close" onClick={onClose}>
          {close}
        </Button>
        <Button key="other" variant="primary" icon="back" onClick={chooseAnew}>
          {chooseOther}
        </Button>
      </>
    )
  return (
    <>
      <Button key="other" icon="back" aria-disabled={step.at === 'confirming'} onClick={chooseAnew}>
        {chooseOther}
      </Button>
      <Button
        key="confirm"
        variant="primary"
        icon="send"
        busy={step.at === 'confirming'}
        busyText={t({ pl: 'Przesyłamy…', en: 'Sending…' })}
        // The second half of a double click on the button before is no decision that cannot be undone.
        onClick={({ detail }) => detail < 2 && void confirm(staged)}
      >
        {t({ pl: 'Prześlij dokument', en: 'Send the document' })}
      </Button>
    </>
  )
}

/** The checked file waits no longer, so its confirmation cannot be tried again. */
export const isSpent = (failure: CallFailed | undefined) =>
  failure?.code === 'upload-unknown' || failure?.code === 'upload-refused'
