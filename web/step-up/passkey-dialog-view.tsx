import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useText } from '../app/locale.tsx'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { DialogView } from '../ui/dialog-view.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { canUsePasskeys } from './passkey-support.ts'

type Props = {
  title: string
  description?: ReactNode
  /** Asks the device, and finishes with what it has signed. */
  onUse: () => Promise<unknown>
  /** Sends a code instead; the owner shows its dialog then. */
  onSms: () => Promise<unknown>
  onClose: () => void
  /** Help for customers who cannot use a passkey now. */
  help?: ReactNode
}

/** Asks for the second factor of a customer who has a passkey; the SMS code stays one press away (AUT-8). */
export function PasskeyDialogView({ title, description, onUse, onSms, onClose, help }: Props) {
  const t = useText()
  const [factor, setFactor] = useState<'passkey' | 'sms'>()
  const { run, isBusy, failureText } = useAction((chosen: 'passkey' | 'sms') => {
    setFactor(chosen)
    return chosen === 'sms' ? onSms() : onUse()
  })

  // Where no passkey can be used, the code is the only option.
  const goOnBySms = useEffectEvent(() => void run('sms'))
  useEffect(() => {
    if (!canUsePasskeys()) goOnBySms()
  }, [])

  return (
    <DialogView
      isStacked
      title={title}
      description={description}
      onClose={onClose}
      isClosable={!isBusy}
      width="s"
      initialFocus="safe"
      footer={
        <>
          <Button variant="quiet" isBusy={isBusy && factor === 'sms'} aria-disabled={isBusy} onClick={() => run('sms')}>
            {t({ pl: 'Użyj kodu SMS', en: 'Use a text-message code' })}
          </Button>
          <Button
            data-safe
            variant="primary"
            icon="key"
            isBusy={isBusy && factor === 'passkey'}
            busyText={t({ pl: 'Czekamy na urządzenie…', en: 'Waiting for your device…' })}
            aria-disabled={isBusy}
            onClick={() => run('passkey')}
          >
            {t({ pl: 'Użyj klucza dostępu', en: 'Use a passkey' })}
          </Button>
        </>
      }
    >
      <p>
        {t({
          pl: 'Potwierdź odciskiem palca, twarzą albo PIN-em urządzenia, na którym masz klucz dostępu.',
          en: 'On the device your passkey is on, confirm with your fingerprint, your face or the device’s PIN.',
        })}
      </p>
      <FailureNotice text={failureText} />
      {help}
    </DialogView>
  )
}
