import type { Renewal } from '../../contract/renewal.ts'
import { useText } from '../locale.tsx'
import { formatDate } from '../text/format.ts'
import { yearsText } from '../text/period-text.ts'
import { startText } from './start-text.ts'
import { DescriptionList, Row } from '../ui/description-list.tsx'

/** The parameters as text. */
export function ParametersList({ renewal: { parameters } }: { renewal: Renewal }) {
  const t = useText()
  const { start, activationDate, years, certificateType, company, unit, position, language } = parameters
  const facts: [string, string | null][] = [
    [t({ pl: 'Początek', en: 'Start' }), activationDate ? formatDate(t.locale, activationDate) : t(startText[start])],
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
    [
      t({ pl: 'Język umowy', en: 'Language of the agreement' }),
      language === 'pl' ? t({ pl: 'Polski', en: 'Polish' }) : t({ pl: 'Angielski', en: 'English' }),
    ],
  ]
  return (
    <DescriptionList className="card blk">
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
