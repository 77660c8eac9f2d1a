import { downloadRenewalAgreement, type Renewal } from '../../contract/renewal.ts'
import { renewalNumber } from '../../contract/rules/access-code.ts'
import { useText } from '../app/locale.tsx'
import { callFile } from '../calls/api.ts'
import { DateText, DateTimeText } from '../text/date-text.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { SaveButton } from '../ui/save-button.tsx'

type Props = {
  renewal: Renewal
  /** Whether the dates are left out, because they are shown next to the summary or there are none. */
  hidesDates?: boolean
}

/** Shows the case number of a renewal, its dates and the agreement. */
export function RenewalSummary({ renewal, hidesDates = false }: Props) {
  const t = useText()
  const { uid, terms, signature, signedAt, agreement, parameters } = renewal
  const from = signature?.validFrom ?? terms?.from
  const to = signature?.validTo ?? terms?.to
  return (
    <section className="card block" aria-labelledby="summary-title">
      <h2 className="small-heading" id="summary-title">
        {t({ pl: 'Twoje odnowienie', en: 'Your renewal' })}
      </h2>
      <DescriptionList>
        <Row name={t({ pl: 'Numer sprawy', en: 'Case number' })} className="mono" translate="no">
          {renewalNumber(uid)}
        </Row>
        {signedAt && (
          <Row name={t({ pl: 'Umowa podpisana', en: 'Agreement signed' })}>
            <DateTimeText at={signedAt} />
          </Row>
        )}
        {to && !hidesDates && (
          <>
            <Row name={t({ pl: 'Ważny od', en: 'Valid from' })}>
              {from ? <DateText at={from} /> : t({ pl: 'chwili wydania', en: 'as soon as it’s issued' })}
            </Row>
            <Row name={t({ pl: 'Ważny do', en: 'Valid until' })}>
              <DateTimeText at={to} />
            </Row>
          </>
        )}
      </DescriptionList>
      {agreement && (
        <SaveButton
          name={parameters.language === 'pl' ? 'umowa.pdf' : 'agreement.pdf'}
          load={() => callFile(downloadRenewalAgreement, { params: { uid } })}
        >
          {agreement.isSigned
            ? t({ pl: 'Pobierz podpisaną umowę', en: 'Download signed agreement' })
            : t({ pl: 'Pobierz umowę', en: 'Download agreement' })}
        </SaveButton>
      )}
    </section>
  )
}
