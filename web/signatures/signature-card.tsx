import { useState } from 'react'
import type { Text } from '../../contract/enums.ts'
import { maskNumber } from '../../contract/rules/masks.ts'
import { isBeingStopped } from '../../contract/signatures-and-seals.ts'
import type { Signature } from '../../contract/signatures.ts'
import { useText } from '../app/locale.tsx'
import { useSession } from '../app/session.tsx'
import { CertificateBadge } from '../certificates/certificate-badge.tsx'
import { CertificateCard } from '../certificates/certificate-card.tsx'
import { DaysLeftRow, EndLine, LifeBar } from '../certificates/certificate-end.tsx'
import { CertificateRow } from '../certificates/certificate-row.tsx'
import { StatusRequestLine, InactiveLine } from '../status-requests/status-button.tsx'
import { DateText, DateTimeText } from '../text/date-text.tsx'
import { formatDate } from '../text/format.ts'
import { identifierText } from '../text/identifier-text.ts'
import { periodText } from '../text/period-text.ts'
import { signatureProductText } from '../text/product-text.ts'
import { type validityOf, endsSoon } from '../text/validity.ts'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { HiddenNumber, MaskedNumber } from '../ui/hidden-number.tsx'
import { Code, Verbatim } from '../ui/verbatim.tsx'
import { mainActionOf, SignatureActions, SignatureLinks, SignatureMainAction } from './signature-actions.tsx'
import { isRenewed, isToRenew, validityOfSignature } from './signature-validity.ts'

type Props = {
  signature: Signature
  now: number
  /** The most urgent one of the list. */
  isForemost?: boolean
  isCompact: boolean
  /** Whether its organisation is in the heading above it. */
  isGrouped?: boolean | undefined
}

/** Shows a signature: its product, holder, validity, and the actions on it (SIG-1). */
export function SignatureCard({ signature, now, isForemost = false, isCompact, isGrouped = false }: Props) {
  const t = useText()
  const { product, name, organisation, identifier, status } = signature
  const validity = validityOfSignature(signature, now)
  const isActive = status === 'active'
  const { firstName, surname } = useSession().customer
  const isOwn = name === `${firstName} ${surname}`
  const shownOrganisation = isGrouped ? null : organisation
  // The button stays where it is once the app is paired, because its dialog is still open.
  const [toPair] = useState(!signature.pairedAt)
  const main = mainActionOf(signature, validity, toPair)
  const Item = isCompact ? CertificateRow : CertificateCard

  return (
    <Item
      family="signature"
      isActive={isActive}
      title={t(signatureProductText[product])}
      owner={
        <>
          <span className={isOwn ? 'certificate-row__extra' : undefined}>
            <Verbatim>{name}</Verbatim>
            {shownOrganisation && ', '}
          </span>
          {shownOrganisation && <Verbatim className="whole">{shownOrganisation}</Verbatim>}
        </>
      }
      badge={
        <CertificateBadge
          certificate={signature}
          validity={validity}
          words={stateText}
          renewed={isRenewed(signature) ? renewedText : undefined}
          renewable={isToRenew(signature, now) ? renewableText : undefined}
        />
      }
      identifier={
        <>
          <span className="nowrap">{t(identifierText(identifier))}</span>{' '}
          <Code>
            <MaskedNumber>{maskNumber(identifier.value)}</MaskedNumber>
          </Code>
        </>
      }
      end={<EndLine certificate={signature} validity={validity} />}
      action={<SignatureMainAction signature={signature} action={main} isForemost={isForemost} isCompact={isCompact} />}
      actions={<SignatureActions signature={signature} main={main} />}
      links={<SignatureLinks signature={signature} />}
    >
      <Details signature={signature} validity={validity} />
    </Item>
  )
}

const renewableText = { pl: 'Można odnowić', en: 'Can be renewed' }
const renewedText = { pl: 'Odnowiony', en: 'Renewed' }
const validFromText = { pl: 'Ważny od ', en: 'Valid from ' }

type RenewalLineProps = { signature: Signature; validity: ReturnType<typeof validityOf> }

/** Shows when a signature can be renewed, and what happens if it is not; or that it is renewed. */
function RenewalLine({ signature, validity }: RenewalLineProps) {
  const t = useText()
  const { renewable, renewalOpensAt } = validity
  if (isBeingStopped(signature)) return null
  if (isRenewed(signature)) return <RenewedLine signature={signature} />
  if (!renewable)
    return (
      <p className="certificate__why">
        {t({ pl: 'Możesz go odnowić od ', en: 'You can renew it from ' })}
        <DateText at={renewalOpensAt} />.
      </p>
    )
  return (
    <p className="certificate__why">
      {t({ pl: 'Odnów go, zanim wygaśnie.', en: 'Renew it before it expires.' })}{' '}
      {endsSoon(validity) &&
        t({
          pl: 'Potem trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.',
          en: 'After that you’ll have to buy a new signature and confirm your identity again.',
        })}
    </p>
  )
}

/** Shows when the new certificate begins that replaces this one. */
function RenewedLine({ signature: { renewedFrom } }: Pick<RenewalLineProps, 'signature'>) {
  const t = useText()
  const { now } = useSession()
  const from = renewedFrom && <DateTimeText at={renewedFrom} />
  return (
    <p className="certificate__why">
      {!renewedFrom ? (
        t({
          pl: 'Umowa jest podpisana. Za chwilę wydamy nowy certyfikat.',
          en: 'The agreement is signed. We’ll issue the new certificate in a moment.',
        })
      ) : renewedFrom > now ? (
        <>
          {t({ pl: 'Nowy certyfikat zacznie działać ', en: 'The new certificate starts on ' })}
          {from}. {t({ pl: 'Do tego czasu podpisuj dotychczasowym.', en: 'Until then, sign with this one.' })}
        </>
      ) : (
        <>
          {t({ pl: 'Nowy certyfikat działa od ', en: 'The new certificate has worked since ' })}
          {from}.
        </>
      )}
    </p>
  )
}

function Details({ signature, validity }: { signature: Signature; validity: ReturnType<typeof validityOf> }) {
  const t = useText()
  const { product, identifier, period, status, reason, validFrom, validTo } = signature
  const isActive = status === 'active'
  return (
    <>
      <DescriptionList look="columns" className="certificate__definitions">
        <Row
          name={
            <>
              {t({ pl: 'Identyfikator', en: 'Identifier' })} ({t(identifierText(identifier))})
            </>
          }
        >
          <HiddenNumber
            what={t(identifierText(identifier)) + t(signatureDescription(signature))}
            value={identifier.value}
          />
        </Row>
        <Row name={t({ pl: 'Okres', en: 'Period' })}>{periodText(t.locale, period)}</Row>
        {isActive ? (
          <DaysLeftRow validity={validity} />
        ) : (
          <Row
            name={t(
              reason === 'expired' ? { pl: 'Był ważny', en: 'Was valid' } : { pl: 'Termin ważności', en: 'Validity' },
            )}
          >
            <DateText at={validFrom} /> – <DateText at={validTo} />
          </Row>
        )}
      </DescriptionList>
      {isActive && <LifeBar certificate={signature} validity={validity} from={validFromText} />}
      <StatusRequestLine request={signature.request} />
      {reason && (reason !== 'expired' || !isRenewed(signature)) ? (
        <InactiveLine
          reason={reason}
          validFrom={validFrom}
          hasApp={product === 'app'}
          advice={adviceText}
          changes={signature.changes}
        />
      ) : (
        <RenewalLine signature={signature} validity={validity} />
      )}
    </>
  )
}

/** Distinguishes actions of the same name for screen readers: „Pobierz umowę (Podpis na karcie, Kancelaria Źródło, do 24.12.2028)”. */
const signatureDescription = ({ product, organisation, name, validTo }: Signature): Text => {
  const holderName = organisation ?? name
  return {
    pl: ` (${signatureProductText[product].pl}, ${holderName}, do\u00a0${formatDate('pl', validTo, 'short')})`,
    en: ` (${signatureProductText[product].en}, ${holderName}, until ${formatDate('en', validTo, 'short')})`,
  }
}

/** The states of a signature, as its badge names them. */
const stateText = {
  active: { pl: 'Aktywny', en: 'Active' },
  expired: { pl: 'Wygasł', en: 'Expired' },
  suspended: { pl: 'Zawieszony', en: 'Suspended' },
  revoked: { pl: 'Unieważniony', en: 'Revoked' },
}

const adviceText = {
  expired: {
    pl: 'Wygasłego podpisu nie można odnowić. Dokumenty podpisane wcześniej są nadal ważne.',
    en: 'You can’t renew an expired signature. Documents you signed before are still valid.',
  },
  suspended: {
    pl: 'Nie podpisuj nim teraz dokumentów: takie podpisy są nieważne.',
    en: 'Don’t sign with it now: signatures made with it aren’t valid.',
  },
  revoked: {
    pl: 'Unieważnionego podpisu nie można przywrócić ani odnowić. Dokumenty podpisane wcześniej są nadal ważne.',
    en: 'A revoked signature can’t be restored or renewed. Documents you signed before are still valid.',
  },
}
