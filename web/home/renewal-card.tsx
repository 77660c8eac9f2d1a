import { useState } from 'react'
import type { RenewalReason } from '../../contract/renewal-rules.ts'
import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { useOpenRenewal } from '../renewal-opening.ts'
import { describeFailure } from '../text/failure-text.ts'
import { renewalReasonWords } from '../text/renewal-words.ts'
import { Button } from '../ui/button.tsx'

/** The one thing that users of renewal codes trip over: buying one renews nothing yet (ux.md §1). */
export function RenewalCard({ code, onAnother }: { code: string; onAnother: () => void }) {
  const t = useText()
  const locale = useLocale()
  const open = useOpenRenewal()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function begin() {
    setBusy(true)
    setFailure(undefined)
    try {
      await open(code)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      const words = error.code === 'renewal-refused' && renewalReasonWords[error.problem.reason as RenewalReason]
      setFailure(words ? `${t(words.what)} ${t(words.advice)}` : describeFailure(locale, error))
      setBusy(false)
    }
  }

  return (
    <>
      <h3 className="h-s">
        {t({ pl: 'Zakup kodu to jeszcze nie odnowienie', en: 'Buying a code is not yet the renewal' })}
      </h3>
      <p className="soft small">
        {t({
          pl: 'To kod odnowienia. Nie jest jeszcze zużyty: podpis odnowisz w\u00a0kolejnych krokach. Przygotuj telefon i\u00a0dokument tożsamości; zajmie to około 10\u00a0minut.',
          en: 'This is a renewal code. It has not been used yet: you renew the signature in further steps. Have your phone and your identity document at hand; it takes about 10 minutes.',
        })}
      </p>
      <p className="error" role="alert">
        {failure}
      </p>
      <div className="btns">
        <Button busy={busy} busyText={t({ pl: 'Otwieramy…', en: 'Opening…' })} onClick={() => void begin()}>
          {t({ pl: 'Rozpocznij odnowienie', en: 'Start the renewal' })}
        </Button>
        <Button variant="quiet" onClick={onAnother}>
          {t({ pl: 'Wpisz inny kod', en: 'Enter another code' })}
        </Button>
      </div>
    </>
  )
}
