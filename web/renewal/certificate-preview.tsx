import type { Text } from '../../contract/enums.ts'
import type { Renewal, RenewalParameters } from '../../contract/renewal.ts'
import { endOfDocumentDay, type Validity } from '../../contract/rules/renewal-rules.ts'
import { addYears } from '../../contract/rules/warsaw-time.ts'
import { useText, useLocale } from '../app/locale.tsx'
import { Medallion } from '../art/medallion.tsx'
import { DateText } from '../text/date-text.tsx'
import { formatDate, formatDateTime } from '../text/format.ts'
import { identifierText } from '../text/identifier-text.ts'
import { yearsText } from '../text/period-text.ts'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { issuanceObstacleOf, isPossibleDay, evaluateChoice } from './chosen-parameters.ts'
import './renewal.css'

type PreviewParameters = Pick<RenewalParameters, 'start' | 'activationDate' | 'years' | 'identifier' | 'company'>

type Props = {
  renewal: Renewal
  chosen: PreviewParameters
  /** Whether the certificate begins on a chosen day, which may not be chosen yet. */
  startsOnChosenDay?: boolean
}

/** Shows the holder of the new certificate. */
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

type ValidityTimelineProps = {
  renewal: Renewal
  /** The validity of the new certificate; undefined while none can be drawn. */
  validity: Validity | undefined
  years: number
}

const documentWord: Record<'DO' | 'PA' | 'KP' | 'MD', Text> = {
  DO: { pl: 'Dowód', en: 'Identity card' },
  PA: { pl: 'Paszport', en: 'Passport' },
  KP: { pl: 'Karta', en: 'Card' },
  MD: { pl: 'mDowód', en: 'mDowód' },
}

/**
 * Shows the present certificate, the new one with its cut-off part hatched, and the document that shortens it, on one axis.
 */
function ValidityTimeline({ renewal, validity, years }: ValidityTimelineProps) {
  const t = useText()
  const { document } = renewal.person
  const present = Date.parse(renewal.certificate.validTo)
  const documentTo = document?.validTo ? endOfDocumentDay(document.validTo).getTime() : undefined
  // Without a new certificate, the axis is that of one which continues this one.
  const { from, fullTo } = validity ?? { from: new Date(present), fullTo: addYears(new Date(present), years) }
  const begin = Math.min(present, from.getTime())
  const span = fullTo.getTime() - begin
  const start = Math.min(begin - span * 0.28, from.getTime() - span * 0.06)
  const end = fullTo.getTime() + span * 0.12
  const at = (ms: number) => Math.min(100, Math.max(0, ((ms - start) / (end - start)) * 100))
  const bar: Bar = (a, b) => ({ x: `${at(a)}%`, width: `${Math.max(0.6, at(b) - at(a))}%` })

  return (
    <div className="timeline" role="img" aria-label={t(describe(renewal, validity, years))}>
      <div className="timeline__names" aria-hidden="true">
        <span>{t({ pl: 'Obecny', en: 'Current' })}</span>
        <span>{t({ pl: 'Nowy', en: 'New' })}</span>
        {document && <span>{t(documentWord[document.type])}</span>}
      </div>
      <svg className="timeline__axis" height={document ? 104 : 78} aria-hidden="true">
        <defs>
          <linearGradient id="tl-new">
            <stop offset="0" className="timeline__from" />
            <stop offset="1" className="timeline__to" />
          </linearGradient>
          <pattern id="tl-cut" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="3" height="7" className="timeline__stripe" />
          </pattern>
        </defs>
        <rect className="timeline__present" rx="3" y="7" height="12" {...bar(start, present)} />
        {validity ? <NewBars validity={validity} bar={bar} /> : <text y="44">–</text>}
        {document && (
          <rect className="timeline__document" rx="3" y="59" height="12" {...bar(start, documentTo ?? end)} />
        )}
        {validity && <Marks validity={validity} at={at} bottom={document ? 82 : 56} />}
      </svg>
    </div>
  )
}

type Bar = (from: number, to: number) => { x: string; width: string }

function NewBars({ validity: { from, to, fullTo, isShortened }, bar }: { validity: Validity; bar: Bar }) {
  const cut = isShortened ? to.getTime() : fullTo.getTime()
  return (
    <>
      <rect fill="url(#tl-new)" rx="3" y="33" height="12" {...bar(from.getTime(), cut)} />
      {isShortened && (
        <rect className="timeline__cut" fill="url(#tl-cut)" rx="3" y="33" height="12" {...bar(cut, fullTo.getTime())} />
      )}
    </>
  )
}

type MarksProps = { validity: Validity; at: (ms: number) => number; bottom: number }

/** Shows both ends of the new certificate, with their dates below them. */
function Marks({ validity: { from, to }, at, bottom }: MarksProps) {
  const locale = useLocale()
  const [left, right] = [at(from.getTime()), at(to.getTime())]
  return (
    <>
      {[left, right].map((position) => (
        <line key={position} className="timeline__mark" x1={`${position}%`} x2={`${position}%`} y1="0" y2={bottom} />
      ))}
      <text x={`${left}%`} y={bottom + 17} textAnchor={left < 14 ? 'start' : 'middle'}>
        {right - left > 36 ? formatDate(locale, from, 'short') : ''}
      </text>
      <text x={`${right}%`} y={bottom + 17} textAnchor={right > 86 ? 'end' : 'middle'}>
        {formatDate(locale, to, 'short')}
      </text>
    </>
  )
}

function describe({ certificate }: Renewal, validity: Validity | undefined, years: number): Text {
  const day = (moment: Date): Text => ({ pl: formatDate('pl', moment), en: formatDate('en', moment) })
  const present = day(new Date(certificate.validTo))
  const current = {
    pl: `Oś czasu. Obecny certyfikat do ${present.pl}.`,
    en: `Timeline. The current certificate until ${present.en}.`,
  }
  if (!validity) return current
  const [from, to, fullTo] = [day(validity.from), day(validity.to), day(validity.fullTo)]
  const shorter = {
    pl: ` Wybrany okres (${yearsText('pl', years)}) skończyłby się ${fullTo.pl}, ale dokument tożsamości wygasa ${to.pl}.`,
    en: ` The chosen period (${yearsText('en', years)}) would end on ${fullTo.en}, but the identity document expires on ${to.en}.`,
  }
  return {
    pl: `${current.pl} Nowy od ${from.pl} do ${to.pl}.${validity.isShortened ? shorter.pl : ''}`,
    en: `${current.en} The new one from ${from.en} until ${to.en}.${validity.isShortened ? shorter.en : ''}`,
  }
}

/** Shows a preview of the new certificate, updated with each choice. */
export function CertificatePreview({ renewal, chosen, startsOnChosenDay = false }: Props) {
  const t = useText()
  const { person, certificate } = renewal
  const judged = evaluateChoice(renewal, chosen, new Date(renewal.now))
  const { validity } = judged
  const isIssuable = !issuanceObstacleOf(judged)
  const isDayOpen = startsOnChosenDay && !isPossibleDay(renewal, chosen.activationDate)
  const identifier = chosen.identifier === 'pesel' ? ({ type: 'PNO', country: 'PL' } as const) : certificate.identifier
  return (
    <aside className="wizard__side" aria-label={t({ pl: 'Podgląd nowego certyfikatu', en: 'New certificate preview' })}>
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
                ) : validity.startsOnIssue ? (
                  t({ pl: 'dnia wydania', en: 'the day of issue' })
                ) : (
                  <DateText at={validity.from} />
                )}
              </Row>
              <Row name={t({ pl: 'Ważny do', en: 'Valid until' })}>
                <b>
                  {isDayOpen && !validity.isShortened ? (
                    t({ pl: `${yearsText('pl', chosen.years)} później`, en: `${yearsText('en', chosen.years)} later` })
                  ) : (
                    <time dateTime={validity.to.toISOString()}>
                      {/* By the clock it is issued by, which is not known yet. */}
                      {validity.startsOnIssue && !validity.isShortened
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
