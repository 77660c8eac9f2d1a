import type { Renewal } from '../../contract/renewal.ts'
import { useText } from '../app/locale.tsx'
import { formatDate } from '../text/format.ts'
import { yearsText } from '../text/period-text.ts'
import { Button } from '../ui/button.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { Notice } from '../ui/notice.tsx'
import { languageText } from '../ui/radio-cards.tsx'
import { CertificatePreview } from './certificate-preview.tsx'
import { chosenStartText } from './chosen-parameters.ts'
import { StepButtons, StepHeading } from './step-buttons.tsx'

/** Shows the choices of step 1 after it was left; they are final (R57). */
export function ParametersReview({ renewal, onForward }: { renewal: Renewal; onForward: () => void }) {
  const t = useText()
  return (
    <div className="wizard">
      <div>
        <StepHeading step={1} title={{ pl: 'Ustawienia certyfikatu', en: 'Certificate options' }} />
        <Notice className="block">
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

function ParametersList({ renewal: { parameters } }: { renewal: Renewal }) {
  const t = useText()
  const { start, activationDate, years, certificateType, company, unit, position, language } = parameters
  const facts: [string, string | null][] = [
    [
      t({ pl: 'Początek', en: 'Start' }),
      activationDate ? formatDate(t.locale, activationDate) : t(chosenStartText[start]),
    ],
    [t({ pl: 'Okres', en: 'Period' }), yearsText(t.locale, years)],
    [
      t({ pl: 'Rodzaj certyfikatu', en: 'Type of certificate' }),
      certificateType === 'company'
        ? t({ pl: 'Z\u00a0danymi firmy', en: 'With company details' })
        : t({ pl: 'Osobisty', en: 'Personal' }),
    ],
    [t({ pl: 'Nazwa firmy', en: 'Company name' }), company],
    [t({ pl: 'Jednostka organizacyjna', en: 'Organisational unit' }), unit],
    [t({ pl: 'Stanowisko', en: 'Position' }), position],
    [t({ pl: 'Język umowy', en: 'Language of the agreement' }), t(languageText[language])],
  ]
  return (
    <DescriptionList className="card block">
      {facts.map(
        ([name, value]) =>
          value && (
            <Row key={name} name={name}>
              {value}
            </Row>
          ),
      )}
    </DescriptionList>
  )
}
