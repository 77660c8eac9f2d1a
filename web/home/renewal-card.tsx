import { useText } from '../locale.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'

/** The one thing that users of renewal codes trip over: buying one renews nothing yet (ux.md §1). */
export function RenewalCard({ onAnother }: { onAnother: () => void }) {
  const t = useText()
  return (
    <>
      <h3 className="h-s">
        {t({ pl: 'Zakup kodu to jeszcze nie odnowienie', en: 'Buying a code is not yet the renewal' })}
      </h3>
      <p className="soft small">
        {t({
          pl: 'To kod odnowienia. Nie jest jeszcze zużyty: podpis odnowisz w\u00a0kolejnych krokach.',
          en: 'This is a renewal code. It has not been used yet: you renew the signature in further steps.',
        })}
      </p>
      <div className="btns">
        <ButtonLink to="/certificates/signatures">
          {t({ pl: 'Przejdź do podpisów', en: 'Go to the signatures' })}
        </ButtonLink>
        <Button variant="quiet" onClick={onAnother}>
          {t({ pl: 'Wpisz inny kod', en: 'Enter another code' })}
        </Button>
      </div>
    </>
  )
}
