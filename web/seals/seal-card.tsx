import { useState, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { downloadSealAgreement, type Seal, type PaymentRole, type Psd2 } from '../../contract/seals.ts'
import { useText } from '../app/locale.tsx'
import { callFile } from '../calls/api.ts'
import { AgreementButton } from '../certificates/agreement-button.tsx'
import { BuyLink } from '../certificates/buy-link.tsx'
import { CertificateBadge, CertificateName } from '../certificates/certificate-badge.tsx'
import { CertificateCard } from '../certificates/certificate-card.tsx'
import { DaysLeftRow, EndLine, LifeBar } from '../certificates/certificate-end.tsx'
import { CertificateRow } from '../certificates/certificate-row.tsx'
import { DetailsButton } from '../certificates/details-button.tsx'
import { PairButton } from '../pairing/pair-button.tsx'
import { StatusButton, StatusRequestLine, InactiveLine } from '../status-requests/status-button.tsx'
import { DateTimeText } from '../text/date-text.tsx'
import { periodText } from '../text/period-text.ts'
import { ownerOf, sealProductText } from '../text/product-text.ts'
import { endsSoon, validityOf } from '../text/validity.ts'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { Code, Verbatim } from '../ui/verbatim.tsx'
import { SealName, sealRoleText, sealAdviceText, sealStateText } from './seal-name.tsx'

type Props = {
  seal: Seal
  now: number
  /** The most urgent one of the list. */
  isForemost: boolean
  isCompact: boolean
  /** Whether its organisation is in the heading above it. */
  isGrouped: boolean
  users: ReactNode
}

/** Shows a seal: its owner, product, validity, and the actions of its user (SEA-1). */
export function SealCard({ seal, now, isForemost, isCompact, isGrouped, users }: Props) {
  const t = useText()
  const { product, name, organisation, status, reason } = seal
  const validity = validityOf(seal, now)
  const isActive = status === 'active'
  // The button stays where it is once the app is paired, because its dialog is still open.
  const [toPair] = useState(!seal.pairedAt)
  const isEnding = isActive ? endsSoon(validity) : reason === 'expired' || reason === 'revoked'
  // What ends is more urgent than an app.
  const main = isEnding ? 'replace' : seal.canPair && toPair ? 'pair' : undefined
  const Item = isCompact ? CertificateRow : CertificateCard
  return (
    <Item
      family="seal"
      isActive={isActive}
      title={isCompact ? t(sealProductText[product]) : <Verbatim>{organisation.name}</Verbatim>}
      owner={
        isCompact ? (
          <Verbatim>{isGrouped ? name : ownerOf(seal)}</Verbatim>
        ) : (
          <>
            {t(sealProductText[product])}, <Verbatim>{name}</Verbatim>
          </>
        )
      }
      badge={<CertificateBadge certificate={seal} validity={validity} words={sealStateText} />}
      identifier={<Code>{organisation.identifier}</Code>}
      end={<EndLine certificate={seal} validity={validity} />}
      action={
        main === 'replace' ? (
          <Replace seal={seal} isForemost={isForemost} isCompact={isCompact} />
        ) : (
          main && <Pair seal={seal} isCompact={isCompact} />
        )
      }
      actions={seal.canPair && main !== 'pair' && <Pair seal={seal} isCompact={isCompact} />}
      links={<SealLinks seal={seal} />}
      below={users}
    >
      <Details seal={seal} validity={validity} />
    </Item>
  )
}

const validFromText = { pl: 'Ważna od ', en: 'Valid from ' }

function Details({ seal, validity }: { seal: Seal; validity: ReturnType<typeof validityOf> }) {
  const t = useText()
  const { product, organisation, period, role, status, reason, validFrom, validTo, psd2 } = seal
  const isActive = status === 'active'
  return (
    <>
      <DescriptionList look="columns" className="certificate__definitions">
        <Row
          name={t({ pl: 'Identyfikator organizacji', en: 'Organisation identifier' })}
          className="mono"
          translate="no"
        >
          {organisation.identifier}
        </Row>
        <Row name={t({ pl: 'Okres', en: 'Period' })}>{periodText(t.locale, period)}</Row>
        <Row name={t({ pl: 'Twoja rola', en: 'Your role' })}>{t(sealRoleText[role])}</Row>
        {isActive ? (
          <DaysLeftRow validity={validity} />
        ) : (
          <Row
            name={t(
              reason === 'expired'
                ? { pl: 'Była ważna do', en: 'Was valid until' }
                : { pl: 'Ważna do', en: 'Valid until' },
            )}
          >
            <DateTimeText at={validTo} />
          </Row>
        )}
      </DescriptionList>
      {isActive && <LifeBar certificate={seal} validity={validity} from={validFromText} />}
      {psd2 && <PaymentRoles psd2={psd2} />}
      <StatusRequestLine request={seal.request} />
      {reason && (
        <InactiveLine
          reason={reason}
          validFrom={validFrom}
          hasApp={product === 'app'}
          advice={sealAdviceText}
          changes={seal.changes}
        />
      )}
    </>
  )
}

function Pair({ seal, isCompact = false }: { seal: Seal; isCompact?: boolean }) {
  const t = useText()
  const { id, name, product, pairedAt } = seal
  return (
    <PairButton
      product="seal"
      id={id}
      nameSuffix={<SealSuffix seal={seal} />}
      description={<CertificateName product={t(sealProductText[product])} name={name} />}
      isPaired={!!pairedAt}
      size={isCompact ? 's' : undefined}
    />
  )
}

/** Shows the link to buy a new seal before this one ends, or afterwards, because a seal is not renewed. */
const Replace = ({ seal, isForemost, isCompact }: Pick<Props, 'seal' | 'isForemost' | 'isCompact'>) => (
  <BuyLink
    product="seal"
    variant={isForemost ? 'primary' : 'secondary'}
    size={isCompact ? 's' : undefined}
    nameSuffix={
      <span className="unseen">
        <SealSuffix seal={seal} />
      </span>
    }
  />
)

/** Names the seal in a button's accessible name. */
const SealSuffix = ({ seal }: { seal: Seal }) => (
  <>
    {' '}
    (<SealName seal={seal} />)
  </>
)

/** Shows the other actions that a seal's user has. */
function SealLinks({ seal }: { seal: Seal }) {
  const t = useText()
  const { id, product, name, agreement, validFrom } = seal
  const nameSuffix = <SealSuffix seal={seal} />
  const description = <CertificateName product={t(sealProductText[product])} name={name} />
  const shared = { family: 'seal', certificate: seal, description, nameSuffix } as const
  return (
    <>
      <AgreementButton
        isReady={agreement === 'ready'}
        validFrom={validFrom}
        nameSuffix={nameSuffix}
        load={() => callFile(downloadSealAgreement, { params: { id } })}
      />
      <DetailsButton {...shared} />
      <StatusButton {...shared} />
    </>
  )
}

/** The roles of a payment service provider, for people who do not know the law (SEA-8). */
const roleTexts: Record<PaymentRole, { name: Text; meaning: Text }> = {
  PSP_AS: {
    name: { pl: 'Prowadzenie rachunków', en: 'Account servicing' },
    meaning: {
      pl: 'Prowadzi rachunki płatnicze klientów, tak jak bank.',
      en: 'Holds payment accounts for customers, as a bank does.',
    },
  },
  PSP_PI: {
    name: { pl: 'Inicjowanie płatności', en: 'Payment initiation' },
    meaning: {
      pl: 'Na zlecenie klienta wykonuje przelew z\u00a0jego rachunku w\u00a0innym banku.',
      en: 'Starts a payment from a customer’s account at another bank, at the customer’s request.',
    },
  },
  PSP_AI: {
    name: { pl: 'Informacja o\u00a0rachunkach', en: 'Account information' },
    meaning: {
      pl: 'Za zgodą klienta sprawdza saldo i\u00a0historię jego rachunków w\u00a0innych bankach.',
      en: 'Reads the balance and history of a customer’s accounts at other banks, with the customer’s consent.',
    },
  },
  PSP_IC: {
    name: { pl: 'Wydawanie kart płatniczych', en: 'Issuing of payment cards' },
    meaning: {
      pl: 'Wydaje karty i\u00a0pyta inny bank, czy na rachunku klienta są środki na zapłatę.',
      en: 'Issues cards, and asks another bank whether the customer’s account covers a payment.',
    },
  },
}

/** Shows the facts about its owner in the certificate of a PSD2 seal. */
function PaymentRoles({ psd2: { roles, authority } }: { psd2: Psd2 }) {
  const t = useText()
  return (
    <section className="psd2">
      <h4 className="psd2__title">{t({ pl: 'Usługi płatnicze (PSD2)', en: 'Payment services (PSD2)' })}</h4>
      <p className="hint">
        {t({
          pl: 'Tak zapisano w\u00a0certyfikacie. Na tej podstawie banki sprawdzają, co może robić ta organizacja.',
          en: 'As stated in the certificate. Banks rely on it to check what the organisation may do.',
        })}
      </p>
      <DescriptionList>
        {roles.map((role) => (
          <Row
            key={role}
            name={
              <>
                {t(roleTexts[role].name)} <Code>{role}</Code>
              </>
            }
          >
            {t(roleTexts[role].meaning)}
          </Row>
        ))}
        <Row name={t({ pl: 'Organ nadzoru', en: 'Competent authority' })}>
          {authority.name} <Code>{authority.id}</Code>
        </Row>
      </DescriptionList>
    </section>
  )
}
