import { downloadRenewalAgreement, type Renewal } from '../../contract/renewal.ts'
import { call } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDateTime } from '../text/format.ts'
import { SaveButton } from '../ui/save-button.tsx'

/** What stays of a renewal: its reference, its dates and the agreement (ux.md §8.6). */
export function RenewalSummary({
  renewal: { uid, terms, signature, signedAt, agreement, parameters },
}: {
  renewal: Renewal
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
      <dl className="rows">
        <div>
          <dt>{t({ pl: 'Numer sprawy', en: 'Reference' })}</dt>
          <dd className="mono wrap">{uid}</dd>
        </div>
        {signedAt && (
          <div>
            <dt>{t({ pl: 'Umowa podpisana', en: 'Agreement signed' })}</dt>
            <dd>{moment(signedAt)}</dd>
          </div>
        )}
        {to && (
          <>
            <div>
              <dt>{t({ pl: 'Nowy certyfikat od', en: 'New certificate from' })}</dt>
              <dd>{from ? moment(from) : t({ pl: 'od wydania', en: 'as soon as it is issued' })}</dd>
            </div>
            <div>
              <dt>{t({ pl: 'Nowy certyfikat do', en: 'New certificate until' })}</dt>
              <dd>{moment(to)}</dd>
            </div>
          </>
        )}
      </dl>
      {agreement && (
        <SaveButton
          name={parameters.language === 'pl' ? 'umowa.pdf' : 'agreement.pdf'}
          // A download is answered with the file, which the contract's type of a reply does not tell.
          load={() => call(downloadRenewalAgreement, { params: { uid } }) as unknown as Promise<Blob>}
        >
          {agreement.signed
            ? t({ pl: 'Pobierz podpisaną umowę', en: 'Download the signed agreement' })
            : t({ pl: 'Pobierz umowę', en: 'Download the agreement' })}
        </SaveButton>
      )}
    </section>
  )
}
