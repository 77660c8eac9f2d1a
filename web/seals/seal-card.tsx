import { downloadSealAgreement, type Seal } from '../../contract/seals.ts'
import { callFile } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDate, formatDateTime, periodText } from '../text/format.ts'
import { validityOf } from '../text/validity.ts'
import { PairButton } from '../pairing/pair-button.tsx'
import { PaymentRoles } from './payment-roles.tsx'
import { sealProductText, sealText } from '../text/product-text.ts'
import { roleText, sealReasonText } from './seal-text.ts'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { CertificateCard } from '../certificates/certificate-card.tsx'
import { ExpiryBadge } from '../certificates/expiry-badge.tsx'
import { AgreementButton } from '../certificates/agreement-button.tsx'

/** One seal: its owner, product, validity, and what its user can do with it (SEA-1). */
export function SealCard({ seal, now }: { seal: Seal; now: number }) {
  const t = useText()
  const locale = useLocale()
  const isActive = seal.status === 'active'
  const { product, name, organisation, period, reason, validFrom, validTo, psd2 } = seal
  const ended = reason === 'expired'
  return (
    <CertificateCard
      family="seal"
      isActive={isActive}
      title={organisation.name}
      name={sealText(seal, locale)}
      badge={<ExpiryBadge isActive={isActive} validity={validityOf(seal, now)} texts={statusText} />}
      actions={<SealActions seal={seal} />}
    >
      <p className="soft">
        {t(sealProductText[product])}, {name}
      </p>
      <DescriptionList look="columns" className="cert__dl cert__dl--seal">
        <Row name={t({ pl: 'Identyfikator organizacji', en: 'Organisation identifier' })} className="mono">
          {organisation.identifier}
        </Row>
        <Row name={t({ pl: 'Okres', en: 'Period' })}>{periodText(locale, period)}</Row>
        <Row name={t(ended ? { pl: 'Była ważna do', en: 'Was valid until' } : { pl: 'Ważna do', en: 'Valid until' })}>
          <time dateTime={validTo}>{formatDateTime(locale, validTo)}</time>
        </Row>
        <Row name={t({ pl: 'Twoja rola', en: 'Your role' })}>{t(roleText[seal.role])}</Row>
      </DescriptionList>
      {psd2 && <PaymentRoles psd2={psd2} />}
      {reason && (
        <p className="cert__why">
          <b>{t(sealReasonText[reason].word)}.</b> {t(sealReasonText[reason].advice)}
          {reason === 'not-yet-valid' &&
            t({
              pl: ` Początek: ${formatDate(locale, validFrom)}.`,
              en: ` It begins on ${formatDate(locale, validFrom)}.`,
            })}
        </p>
      )}
    </CertificateCard>
  )
}

const statusText = { active: { pl: 'Aktywna', en: 'Active' }, inactive: { pl: 'Nieaktywna', en: 'Inactive' } }

function SealActions({ seal }: { seal: Seal }) {
  const { id, name, product, pairable, pairedAt, agreement, validFrom } = seal
  const t = useText()
  const nameSuffix = `: ${sealText(seal, useLocale())}`
  return (
    <div className="cert__act">
      {pairable && (
        <PairButton
          product="seal"
          id={id}
          nameSuffix={nameSuffix}
          description={`${t(sealProductText[product])}, ${name}`}
          isPaired={!!pairedAt}
        />
      )}
      <AgreementButton
        isReady={agreement === 'ready'}
        validFrom={validFrom}
        nameSuffix={nameSuffix}
        load={() => callFile(downloadSealAgreement, { params: { id } })}
      />
    </div>
  )
}
