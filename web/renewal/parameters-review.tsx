import type { Renewal } from '../../contract/renewal.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { CertificatePreview } from './certificate-preview.tsx'
import { ParametersList } from './parameters-list.tsx'
import { StepButtons } from './step-buttons.tsx'
import { StepHeading } from './step-heading.tsx'

/** Step 1 once it is left: what was chosen, which stays (R57). */
export function ParametersReview({ renewal, onForward }: { renewal: Renewal; onForward: () => void }) {
  const t = useText()
  return (
    <div className="wiz">
      <div>
        <StepHeading step={1} title={{ pl: 'Ustawienia certyfikatu', en: 'Certificate options' }} />
        <Notice className="blk">
          {t({ pl: 'Tych ustawień nie można już zmienić.', en: 'You can’t change these options any more.' })}
        </Notice>
        <ParametersList renewal={renewal} />
      </div>
      <CertificatePreview renewal={renewal} chosen={renewal.parameters} />
      <StepButtons>
        <Button variant="primary" onClick={onForward}>
          {t({ pl: 'Dalej: dane osobowe', en: 'Next: personal details' })}
        </Button>
      </StepButtons>
    </div>
  )
}
