import { useId } from 'react'
import type { Signature } from '../../contract/signatures.ts'
import { Medallion } from '../art/medallion.tsx'
import { useLocale, useText } from '../locale.tsx'
import { daysText, formatDate, formatDateTime, formatDaysLeft, yearsText } from '../text/format.ts'
import { Badge } from '../ui/badge.tsx'
import { RenewalLine } from './renewal-line.tsx'
import { SignatureActions } from './signature-actions.tsx'
import { identifierText } from '../text/identifier-text.ts'
import { productText } from '../text/product-text.ts'
import { reasonText } from './signature-text.ts'
import { validityOf } from '../text/validity.ts'

/** `foremost`: the one that the list would have renewed first. */
type Props = { signature: Signature; now: number; foremost?: boolean }

/** One signature as a diploma: what it is, whose, how long still, and what can be done with it (SIG-1). */
export function SignatureCard({ signature, now, foremost = false }: Props) {
  const t = useText()
  const locale = useLocale()
  const heading = useId()
  const { product, name, organisation, identifier, years, status, reason, validFrom, validTo } = signature
  const validity = validityOf(signature, now)
  const active = status === 'active'

  return (
    <article className="card diploma cert" aria-labelledby={heading}>
      <Medallion family="signature" size={104} off={!active} />
      <div className="cert__main">
        <div className="cert__top">
          <h3 id={heading} tabIndex={-1} className="cert__t">
            {t(productText[product])}
          </h3>
          <StatusBadge signature={signature} days={validity.days} urgency={validity.urgency} />
        </div>
        <p className="soft">{organisation ? `${name}, ${organisation}` : name}</p>
        <dl className="dl cert__dl">
          <div>
            <dt>
              {t({ pl: 'Identyfikator', en: 'Identifier' })} ({t(identifierText(identifier))})
            </dt>
            <dd>
              <MaskedNumber {...identifier} />
            </dd>
          </div>
          <div>
            <dt>{t({ pl: 'Okres', en: 'Period' })}</dt>
            <dd>{yearsText(locale, years)}</dd>
          </div>
          {active ? (
            <div>
              <dt>{t({ pl: 'Zostało', en: 'Left' })}</dt>
              <dd>{validity.days === 0 ? formatDaysLeft(locale, 0) : daysText(locale, validity.days)}</dd>
            </div>
          ) : (
            <div>
              <dt>
                {t(
                  reason === 'expired'
                    ? { pl: 'Był ważny', en: 'Was valid' }
                    : { pl: 'Termin ważności', en: 'Validity' },
                )}
              </dt>
              <dd>
                <time dateTime={validFrom}>{formatDate(locale, validFrom)}</time> –{' '}
                <time dateTime={validTo}>{formatDate(locale, validTo)}</time>
              </dd>
            </div>
          )}
        </dl>
        {active && <LifeBar signature={signature} share={validity.share} warn={validity.urgency !== 'none'} />}
        {reason ? (
          <p className="cert__why">
            <b>{t(reasonText[reason].word)}.</b> {t(reasonText[reason].advice)}
          </p>
        ) : (
          <RenewalLine signature={signature} validity={validity} />
        )}
      </div>
      <SignatureActions signature={signature} validity={validity} foremost={foremost} />
    </article>
  )
}

type BadgeProps = { signature: Signature; days: number; urgency: ReturnType<typeof validityOf>['urgency'] }

function StatusBadge({ signature: { status }, days, urgency }: BadgeProps) {
  const t = useText()
  const locale = useLocale()
  if (status === 'inactive')
    return (
      <Badge kind="mute" icon="minusc">
        {t({ pl: 'Nieaktywny', en: 'Inactive' })}
      </Badge>
    )
  if (urgency === 'none')
    return (
      <Badge kind="ok" icon="okc">
        {t({ pl: 'Aktywny', en: 'Active' })}
      </Badge>
    )
  const left = formatDaysLeft(locale, days)
  return (
    <Badge kind={urgency === 'strong' ? 'warn-strong' : 'warn'} icon="hour">
      {t({ pl: `Wygasa ${left}`, en: `Expires ${left}` })}
    </Badge>
  )
}

/** `850312•••••`: the dots say nothing aloud. */
function MaskedNumber({ shown, hidden }: Signature['identifier']) {
  const t = useText()
  return (
    <>
      <span className="mono" aria-hidden="true">
        {shown + '•'.repeat(hidden)}
      </span>
      <span className="vh">
        {shown}
        {t({ pl: ', pozostałe znaki są zasłonięte', en: ', the other characters are hidden' })}
      </span>
    </>
  )
}

function LifeBar({
  signature: { validFrom, validTo },
  share,
  warn,
}: {
  signature: Signature
  share: number
  warn: boolean
}) {
  const t = useText()
  const locale = useLocale()
  const percent = Math.round(share * 100)
  return (
    <div className="life">
      <progress className={warn ? 'meter meter--warn' : 'meter'} max={100} value={percent} aria-hidden="true" />
      <p className="vh">
        {t({ pl: `Upłynęło ${percent}% okresu ważności.`, en: `${percent}% of the validity period has passed.` })}
      </p>
      <div className="life__row">
        <span>
          {t({ pl: 'Ważny od ', en: 'Valid from ' })}
          <time dateTime={validFrom}>{formatDate(locale, validFrom)}</time>
        </span>
        <span>
          {t({ pl: 'do ', en: 'until ' })}
          <time dateTime={validTo}>{formatDateTime(locale, validTo)}</time>
        </span>
      </div>
    </div>
  )
}
