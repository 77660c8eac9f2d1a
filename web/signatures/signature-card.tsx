import type { Signature } from '../../contract/signatures.ts'
import { useLocale, useText } from '../locale.tsx'
import { daysText, formatDate, formatDateTime, periodText } from '../text/format.ts'
import { RenewalLine } from './renewal-line.tsx'
import { SignatureActions } from './signature-actions.tsx'
import { identifierText } from '../text/identifier-text.ts'
import { productText } from '../text/product-text.ts'
import { reasonText } from './signature-text.ts'
import { validityOf } from '../text/validity.ts'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { HiddenNumber } from '../ui/hidden-number.tsx'
import { CertificateCard } from '../certificates/certificate-card.tsx'
import { ExpiryBadge } from '../certificates/expiry-badge.tsx'

/** `foremost`: the most urgent one of the list. */
type Props = { signature: Signature; now: number; foremost?: boolean }

/** One signature: its product, holder, validity, and what can be done with it (SIG-1). */
export function SignatureCard({ signature, now, foremost = false }: Props) {
  const t = useText()
  const locale = useLocale()
  const { product, name, organisation, identifier, period, status, reason, validFrom, validTo } = signature
  const validity = validityOf(signature, now)
  const active = status === 'active'

  return (
    <CertificateCard
      family="signature"
      isActive={active}
      title={t(productText[product])}
      badge={<ExpiryBadge isActive={active} validity={validity} texts={statusText} />}
      actions={<SignatureActions signature={signature} validity={validity} foremost={foremost} />}
    >
      <p className="soft">{organisation ? `${name}, ${organisation}` : name}</p>
      <DescriptionList look="columns" className="cert__dl">
        <Row
          name={
            <>
              {t({ pl: 'Identyfikator', en: 'Identifier' })} ({t(identifierText(identifier))})
            </>
          }
        >
          <HiddenNumber what={t(identifierText(identifier))} value={identifier.value} />
        </Row>
        <Row name={t({ pl: 'Okres', en: 'Period' })}>{periodText(locale, period)}</Row>
        {active ? (
          <Row name={t({ pl: 'Zostało', en: 'Left' })}>
            {validity.days === 0
              ? t({ pl: 'mniej niż dzień', en: 'less than a day' })
              : daysText(locale, validity.days)}
          </Row>
        ) : (
          <Row
            name={t(
              reason === 'expired' ? { pl: 'Był ważny', en: 'Was valid' } : { pl: 'Termin ważności', en: 'Validity' },
            )}
          >
            <time dateTime={validFrom}>{formatDate(locale, validFrom)}</time> –{' '}
            <time dateTime={validTo}>{formatDate(locale, validTo)}</time>
          </Row>
        )}
      </DescriptionList>
      {active && <LifeBar signature={signature} share={validity.share} warn={validity.urgency !== 'none'} />}
      {reason ? (
        <p className="cert__why">
          <b>{t(reasonText[reason].word)}.</b> {t(reasonText[reason].advice)}
        </p>
      ) : (
        <RenewalLine signature={signature} validity={validity} />
      )}
    </CertificateCard>
  )
}

const statusText = { active: { pl: 'Aktywny', en: 'Active' }, inactive: { pl: 'Nieaktywny', en: 'Inactive' } }

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
