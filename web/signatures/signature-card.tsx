import { useState } from 'react'
import { maskNumber } from '../../contract/rules/masks.ts'
import type { Signature } from '../../contract/signatures.ts'
import { CertificateCard } from '../certificates/certificate-card.tsx'
import { DaysLeftRow, EndLine, LifeBar } from '../certificates/certificate-end.tsx'
import { CertificateRow } from '../certificates/certificate-row.tsx'
import { ExpiryBadge } from '../certificates/expiry-badge.tsx'
import { useLocale, useText } from '../locale.tsx'
import { formatDate } from '../text/format.ts'
import { periodText } from '../text/period-text.ts'
import { identifierText } from '../text/identifier-text.ts'
import { productText } from '../text/product-text.ts'
import { validityOf } from '../text/validity.ts'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { HiddenNumber, MaskedNumber } from '../ui/hidden-number.tsx'
import { RenewalLine } from './renewal-line.tsx'
import { mainActionOf, SignatureActions, SignatureMainAction } from './signature-actions.tsx'
import { reasonText, whichText } from './signature-text.ts'
import { Code } from '../ui/verbatim.tsx'
import { Verbatim } from '../ui/verbatim.tsx'

type Props = {
  signature: Signature
  now: number
  /** The most urgent one of the list. */
  foremost?: boolean
  isCompact: boolean
  /** Whether its organisation is in the heading above it. */
  isGrouped?: boolean | undefined
}

/** One signature: its product, holder, validity, and what can be done with it (SIG-1). */
export function SignatureCard({ signature, now, foremost = false, isCompact, isGrouped = false }: Props) {
  const t = useText()
  const { product, name, organisation, identifier, status } = signature
  const validity = validityOf(signature, now)
  const isActive = status === 'active'
  // The button stays where it is once the app is paired, because its dialog is still open.
  const [toPair] = useState(!signature.pairedAt)
  const main = mainActionOf(signature, validity, toPair)
  const Item = isCompact ? CertificateRow : CertificateCard

  return (
    <Item
      family="signature"
      isActive={isActive}
      title={t(productText[product])}
      owner={<Verbatim>{organisation && !isGrouped ? `${name}, ${organisation}` : name}</Verbatim>}
      badge={<ExpiryBadge isActive={isActive} validity={validity} texts={statusText} />}
      identifier={
        <>
          {t(identifierText(identifier))}{' '}
          <Code>
            <MaskedNumber>{maskNumber(identifier.value)}</MaskedNumber>
          </Code>
        </>
      }
      end={<EndLine certificate={signature} validity={validity} words={reasonText} />}
      action={<SignatureMainAction signature={signature} action={main} foremost={foremost} isCompact={isCompact} />}
      actions={<SignatureActions signature={signature} main={main} />}
    >
      <Details signature={signature} validity={validity} />
    </Item>
  )
}

const statusText = { active: { pl: 'Aktywny', en: 'Active' }, inactive: { pl: 'Nieaktywny', en: 'Inactive' } }
const validFromText = { pl: 'Ważny od ', en: 'Valid from ' }

function Details({ signature, validity }: { signature: Signature; validity: ReturnType<typeof validityOf> }) {
  const t = useText()
  const locale = useLocale()
  const { identifier, period, status, reason, validFrom, validTo } = signature
  const isActive = status === 'active'
  return (
    <>
      <DescriptionList look="columns" className="cert__dl">
        <Row
          name={
            <>
              {t({ pl: 'Identyfikator', en: 'Identifier' })} ({t(identifierText(identifier))})
            </>
          }
        >
          <HiddenNumber what={t(identifierText(identifier)) + t(whichText(signature))} value={identifier.value} />
        </Row>
        <Row name={t({ pl: 'Okres', en: 'Period' })}>{periodText(locale, period)}</Row>
        {isActive ? (
          <DaysLeftRow validity={validity} />
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
      {isActive && <LifeBar certificate={signature} validity={validity} from={validFromText} />}
      {reason ? (
        <p className="cert__why">
          <b>{t(reasonText[reason].word)}.</b> {t(reasonText[reason].advice)}
        </p>
      ) : (
        <RenewalLine signature={signature} validity={validity} />
      )}
    </>
  )
}
