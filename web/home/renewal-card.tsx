import { useAction } from '../action.ts'
import { useText } from '../locale.tsx'
import { useOpenRenewal } from '../certificates/renewal-opening.ts'
import { renewalReasonOf, renewalReasonText } from '../text/renewal-text.ts'
import { Button } from '../ui/button.tsx'

/** The common misunderstanding of renewal codes: buying one does not renew anything yet (ux.md §1). */
export function RenewalCard({ code, onAnother }: { code: string; onAnother: () => void }) {
  const t = useText()
  const open = useOpenRenewal()
  const { run, busy, failure, failureText } = useAction(() => open(code))
  const reason = failure && renewalReasonOf(failure)
  const refusal = reason && renewalReasonText[reason]

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
        {refusal ? `${t(refusal.what)} ${t(refusal.advice)}` : failureText}
      </p>
      <div className="btns">
        <Button busy={busy} busyText={t({ pl: 'Otwieramy…', en: 'Opening…' })} onClick={run}>
          {t({ pl: 'Rozpocznij odnowienie', en: 'Start the renewal' })}
        </Button>
        <Button variant="quiet" onClick={onAnother}>
          {t({ pl: 'Wpisz inny kod', en: 'Enter another code' })}
        </Button>
      </div>
    </>
  )
}
