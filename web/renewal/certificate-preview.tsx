import type { Renewal, RenewalParameters } from '../../contract/renewal.ts'
import { Medallion } from '../art/medallion.tsx'
import { useText } from '../app/locale.tsx'
import { DateText } from '../text/date-text.tsx'
import { formatDate, formatDateTime } from '../text/format.ts'
import { identifierText } from '../text/identifier-text.ts'
import { yearsText } from '../text/period-text.ts'
import { hindranceOf, isPossibleDay, judgeHere } from './chosen-parameters.ts'
import { ValidityTimeline } from './validity-timeline.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'

type Shown = Pick<RenewalParameters, 'start' | 'activationDate' | 'years' | 'identifier' | 'company'>

type Props = {
  renewal: Renewal
  chosen: Shown
  /** It begins on a day that is chosen, or has yet to be. */
  onChosenDay?: boolean
}

/** Whose certificate it is. */
export function CertificateHead({ name, company, size }: { name: string; company: string | null; size: 72 | 104 }) {
  const t = useText()
  return (
    <div className="preview__top">
      <Medallion family="signature" size={size} />
      <div>
        <p className="small muted">{t({ pl: 'Nowy certyfikat', en: 'New certificate' })}</p>
        <p className="preview__name" translate="no">
          {name}
        </p>
        {company && (
          <p className="soft small" translate="no">
            {company}
          </p>
        )}
      </div>
    </div>
  )
}

/** What the new certificate will be, drawn as it is chosen. */
export function CertificatePreview({ renewal, chosen, onChosenDay = false }: Props) {
  const t = useText()
  const { person, certificate } = renewal
  const judged = judgeHere(renewal, chosen, new Date(renewal.now))
  const { validity } = judged
  const isIssuable = !hindranceOf(judged)
  const isDayOpen = onChosenDay && !isPossibleDay(renewal, chosen.activationDate)
  const identifier = chosen.identifier === 'pesel' ? ({ type: 'PNO', country: 'PL' } as const) : certificate.identifier
  return (
    <aside className="wiz__side" aria-label={t({ pl: 'Podgląd nowego certyfikatu', en: 'New certificate preview' })}>
      <div className="card diploma">
        <CertificateHead name={person.commonName} company={chosen.company} size={72} />
        <ValidityTimeline
          renewal={renewal}
          validity={isIssuable && !isDayOpen ? validity : undefined}
          years={chosen.years}
        />
        <DescriptionList className="preview__rows">
          {isIssuable ? (
            <>
              <Row name={t({ pl: 'Ważny od', en: 'Valid from' })}>
                {isDayOpen ? (
                  t({ pl: 'wybranego dnia', en: 'the day you choose' })
                ) : validity.onIssue ? (
                  t({ pl: 'dnia wydania', en: 'the day of issue' })
                ) : (
                  <DateText at={validity.from} />
                )}
              </Row>
              <Row name={t({ pl: 'Ważny do', en: 'Valid until' })}>
                <b>
                  {isDayOpen && !validity.shortened ? (
                    t({ pl: `${yearsText('pl', chosen.years)} później`, en: `${yearsText('en', chosen.years)} later` })
                  ) : (
                    <time dateTime={validity.to.toISOString()}>
                      {/* By the clock it is issued by, which is not known yet. */}
                      {validity.onIssue && !validity.shortened
                        ? formatDate(t.locale, validity.to)
                        : formatDateTime(t.locale, validity.to)}
                    </time>
                  )}
                </b>
              </Row>
            </>
          ) : (
            <Row name={t({ pl: 'Ważność', en: 'Validity' })}>
              <b>{t({ pl: 'Nie można wydać przy tych ustawieniach', en: 'Can’t be issued with these options' })}</b>
            </Row>
          )}
          <Row name={t({ pl: 'Identyfikator', en: 'Identifier' })} className="preview__identifier">
            {t(identifierText(identifier))}
          </Row>
        </DescriptionList>
      </div>
    </aside>
  )
}
