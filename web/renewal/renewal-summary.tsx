import { downloadRenewalAgreement, type Renewal } from '../../contract/renewal.ts'
import { renewalNumber } from '../../contract/rules/renewal-number.ts'
import { callFile } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDate, formatDateTime } from '../text/format.ts'
import { SaveButton } from '../ui/save-button.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'

/** The case number of a renewal, its dates and the agreement (ux.md §8.6). */
export function RenewalSummary({
  renewal: { uid, terms, signature, signedAt, agreement, parameters },
  withoutDates = false,
}: {
  renewal: Renewal
  /** Where they are next to it, or there are none. */
  withoutDates?: boolean
}) {
  const t = useText()
  const locale = useLocale()
  const from = signature?.validFrom ?? terms?.from
  const to = signature?.validTo ?? terms?.to
  const moment = (instant: string) => <time dateTime={instant}>{formatDateTime(locale, instant)}</time>
  return (
    <section className="card blk" aria-labelledby="summary-title">
      <h2 className="h-s" id="summary-title">
        {t({ pl: 'Twoje odnowienie', en: 'Your renewal' })}
      </h2>
      <DescriptionList>
        <Row name={t({ pl: 'Numer sprawy', en: 'Case number' })} className="mono" translate="no">
          {renewalNumber(uid)}
        </Row>
        {signedAt && <Row name={t({ pl: 'Umowa podpisana', en: 'Agreement signed' })}>{moment(signedAt)}</Row>}
        {to && !withoutDates && (
          <>
            <Row name={t({ pl: 'Ważny od', en: 'Valid from' })}>
              {from ? (
                <time dateTime={from}>{formatDate(locale, from)}</time>
              ) : (
                t({ pl: 'chwili wydania', en: 'as soon as it’s issued' })
              )}
            </Row>
            <Row name={t({ pl: 'Ważny do', en: 'Valid until' })}>{moment(to)}</Row>
          </>
        )}
      </DescriptionList>
      {agreement && (
        <SaveButton
          name={parameters.language === 'pl' ? 'umowa.pdf' : 'agreement.pdf'}
          load={() => callFile(downloadRenewalAgreement, { params: { uid } })}
        >
          {agreement.signed
            ? t({ pl: 'Pobierz podpisaną umowę', en: 'Download signed agreement' })
            : t({ pl: 'Pobierz umowę', en: 'Download agreement' })}
        </SaveButton>
      )}
    </section>
  )
}
