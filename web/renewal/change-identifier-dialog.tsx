import type { Renewal } from '../../contract/renewal.ts'
import { useText } from '../locale.tsx'
import { identifierText } from '../text/identifier-text.ts'
import { ChoiceDialog } from '../ui/choice-dialog.tsx'

type Props = { renewal: Renewal; onConfirm: () => void; onClose: () => void }

/** REN-4: a personal number outlasts the document, but every recipient of a signature sees it. */
export function ChangeIdentifierDialog({ renewal, onConfirm, onClose }: Props) {
  const t = useText()
  const before = identifierText(renewal.certificate.identifier)
  return (
    <ChoiceDialog
      role="dialog"
      initialFocus="title"
      title={t({ pl: 'Zmienić identyfikator na PESEL?', en: 'Change the identifier to PESEL?' })}
      cancel={t({ pl: 'Anuluj', en: 'Cancel' })}
      confirm={t({ pl: 'Zmień na PESEL', en: 'Change to PESEL' })}
      onCancel={onClose}
      onConfirm={onConfirm}
    >
      <p>
        {t({
          pl: `Identyfikatorem w\u00a0nowym certyfikacie będzie PESEL, a\u00a0nie ${before.pl}. Data ważności dokumentu nie skróci wtedy ważności certyfikatu.`,
          en: `Your identifier in the new certificate will be your PESEL, not the ${before.en}. The document’s expiry date won’t shorten the certificate’s validity then.`,
        })}
      </p>
      <p>
        {t({
          pl: 'PESEL zobaczy każdy, kto sprawdzi Twój podpis. Sprawdź też, czy nikt nie wymaga, aby Twój podpis zawierał dotychczasowy identyfikator.',
          en: 'Everyone who checks your signature will see your PESEL. Also make sure that nobody needs your signature to show your current identifier.',
        })}
      </p>
    </ChoiceDialog>
  )
}
