import { useEffect, useEffectEvent, useState } from 'react'
import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { Button } from './button.tsx'
import { DialogView } from './dialog-view.tsx'
import { Notice } from './notice.tsx'
import { canUsePasskeys } from './passkey-device.ts'

type Props = {
  title: string
  description?: string
  /** Asks the device, and finishes with what it has signed. */
  onUse: () => Promise<unknown>
  /** Sends a code instead; the owner shows its dialog then. */
  onSms: () => Promise<unknown>
  onClose: () => void
}

/** AUT-8: the second factor of a customer who has a passkey; the SMS code stays one press away. */
export function PasskeyDialogView({ title, description, onUse, onSms, onClose }: Props) {
  const t = useText()
  const locale = useLocale()
  const [busy, setBusy] = useState<'passkey' | 'sms'>()
  const [failure, setFailure] = useState<string>()

  async function run(how: 'passkey' | 'sms', act: () => Promise<unknown>) {
    if (busy) return
    setBusy(how)
    setFailure(undefined)
    try {
      await act()
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      setFailure(describeFailure(locale, error))
      setBusy(undefined)
    }
  }

  // Where no key can be used, the code is the only way on.
  const goOnBySms = useEffectEvent(() => void run('sms', onSms))
  useEffect(() => {
    if (!canUsePasskeys()) goOnBySms()
  }, [])

  return (
    <DialogView
      title={title}
      description={description}
      onClose={onClose}
      closable={!busy}
      width="s"
      initialFocus="safe"
      footer={
        <>
          <Button variant="quiet" busy={busy === 'sms'} aria-disabled={!!busy} onClick={() => void run('sms', onSms)}>
            {t({ pl: 'Użyj kodu SMS', en: 'Use a text-message code' })}
          </Button>
          <Button
            data-safe
            variant="primary"
            icon="key"
            busy={busy === 'passkey'}
            busyText={t({ pl: 'Czekamy na urządzenie…', en: 'Waiting for the device…' })}
            aria-disabled={!!busy}
            onClick={() => void run('passkey', onUse)}
          >
            {t({ pl: 'Użyj klucza dostępu', en: 'Use a passkey' })}
          </Button>
        </>
      }
    >
      <div className="stack stack--s">
        <p>
          {t({
            pl: 'Potwierdź odciskiem palca, twarzą albo PIN-em urządzenia, na którym masz klucz dostępu.',
            en: 'Confirm with the fingerprint, face or PIN of the device that holds your passkey.',
          })}
        </p>
        <div role="alert">{failure && <Notice kind="err">{failure}</Notice>}</div>
      </div>
    </DialogView>
  )
}
