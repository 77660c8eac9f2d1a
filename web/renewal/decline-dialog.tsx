import { useState } from 'react'
import { declineAgreement, type Renewal } from '../../contract/renewal.ts'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { useMove } from './current-state.ts'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void; onClose: () => void }

/** REN-8: asks once more, because there is no way back. */
export function DeclineDialog({ renewal: { uid, state, version }, onChanged, onClose }: Props) {
  const t = useText()
  const locale = useLocale()
  const move = useMove()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<CallFailed>()

  async function decline() {
    setBusy(true)
    setFailure(undefined)
    try {
      onChanged(await move(() => call(declineAgreement, { params: { uid }, body: { expected: { state, version } } })))
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code === 'cancelled') onClose()
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      role="alertdialog"
      width="s"
      initialFocus="safe"
      title={t({ pl: 'Czy odmówić podpisania umowy?', en: 'Do you want to decline to sign?' })}
      description={t({
        pl: 'Odnowienie zakończy się na dobre, a\u00a0kod odnowienia będzie zużyty. Obecny certyfikat działa do swojego końca.',
        en: 'The renewal ends for good, and the renewal code is used up. Your present certificate works until its end.',
      })}
      onClose={onClose}
      closable={!busy}
      footer={
        <>
          <Button
            variant="danger"
            busy={busy}
            busyText={t({ pl: 'Kończymy…', en: 'Ending…' })}
            onClick={() => void decline()}
          >
            {t({ pl: 'Odmów podpisania', en: 'Decline to sign' })}
          </Button>
          <Button data-safe variant="primary" onClick={onClose} aria-disabled={busy}>
            {t({ pl: 'Wróć do podpisywania', en: 'Return to signing' })}
          </Button>
        </>
      }
    >
      {failure && (
        <Notice kind="err" role="alert">
          {describeFailure(locale, failure)}
        </Notice>
      )}
    </Dialog>
  )
}
