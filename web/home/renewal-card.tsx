import { useAction } from '../action.ts'
import { onFailure } from '../api.ts'
import { useText } from '../locale.tsx'
import { spentUntil } from '../certificates/entries-spent.tsx'
import { useOpenRenewal } from '../certificates/renewal-opening.ts'
import { AnswerLink } from '../text/answer-link.tsx'
import { renewalReasonOf, renewalReasonText } from '../text/renewal-text.ts'
import { Button } from '../ui/button.tsx'
import { FailureLine } from '../ui/failure.tsx'

/** The common misunderstanding of renewal codes: buying one does not renew anything yet (ux.md §1). */
export const renewalCardTitle = { pl: 'Twój kod służy do odnowienia', en: 'Your code is for a renewal' }

type Props = { code: string; onAnother: () => void; onBlocked: (until: string) => void }

export function RenewalCard({ code, onAnother, onBlocked }: Props) {
  const t = useText()
  const open = useOpenRenewal()
  const { run, busy, failure, failureText } = useAction(() =>
    open(code).catch(onFailure(['too-many-attempts'], (refused) => onBlocked(spentUntil(refused)))),
  )
  const reason = failure && renewalReasonOf(failure)
  const refusal = reason && renewalReasonText[reason]

  return (
    <>
      <p className="soft small">
        {t({
          pl: 'Zakup kodu to jeszcze nie odnowienie: podpis odnowisz w\u00a0kolejnych krokach. Przygotuj telefon i\u00a0dokument tożsamości. Zajmie to około 10\u00a0minut.',
          en: 'Buying a code doesn’t renew your signature yet: you’ll do that in the next steps. You’ll need your phone and your identity document. It takes about 10\u00a0minutes.',
        })}
      </p>
      <FailureLine
        text={
          refusal ? (
            <>
              {t(refusal.what)} {t(refusal.advice)} <AnswerLink to="renewal-refused" />
            </>
          ) : (
            failureText
          )
        }
      />
      <div className="btns">
        <Button variant="primary" busy={busy} busyText={t({ pl: 'Otwieramy…', en: 'Opening…' })} onClick={run}>
          {t({ pl: 'Rozpocznij odnowienie', en: 'Start renewal' })}
        </Button>
        <Button onClick={onAnother}>{t({ pl: 'Wpisz inny kod', en: 'Enter another code' })}</Button>
      </div>
    </>
  )
}
