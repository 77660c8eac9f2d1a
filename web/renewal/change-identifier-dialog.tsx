import type { Renewal } from '../../contract/renewal.ts'
import { useText } from '../locale.tsx'
import { identifierText } from '../text/identifier-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

type Props = { renewal: Renewal; onConfirm: () => void; onClose: () => void }

/** REN-4: a personal number outlasts the document; but whoever gets a signature sees it. */
export function ChangeIdentifierDialog({ renewal, onConfirm, onClose }: Props) {
  const t = useText()
  const before = identifierText(renewal.certificate.identifier)
  return (
    <Dialog
      width="s"
      initialFocus="title"
      title={t({ pl: 'Zmienić identyfikator na PESEL?', en: 'Change the identifier to PESEL?' })}
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t({ pl: 'Anuluj', en: 'Cancel' })}
          </Button>
          <Button variant="primary" onClick={onConfirm}>
            {t({ pl: 'Zmień na PESEL', en: 'Change to PESEL' })}
          </Button>
        </>
      }
    >
      <p>
        {t({
          pl: `W\u00a0nowym certyfikacie Twój identyfikator to będzie PESEL, a\u00a0nie ${before.pl}. Koniec ważności dokumentu nie skróci wtedy certyfikatu.`,
          en: `In the new certificate your identifier will be your PESEL, not the ${before.en}. The end of the document does not shorten the certificate then.`,
        })}
      </p>
      <p>
        {t({
          pl: 'PESEL zobaczy każdy, kto sprawdzi Twój podpis. Sprawdź też, czy ktoś nie oczekuje w\u00a0podpisie dotychczasowego identyfikatora.',
          en: 'Everyone who checks your signature sees the PESEL. Check too that nobody expects the present identifier in your signature.',
        })}
      </p>
    </Dialog>
  )
}
