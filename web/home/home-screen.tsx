import { useEffect, useState, type ComponentProps } from 'react'
import { useLocation } from 'react-router'
import { summariseDocuments } from '../../contract/documents.ts'
import { type Text, keysOf } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { listOpenRenewals } from '../../contract/renewal.ts'
import { summariseSeals } from '../../contract/seals.ts'
import { signingNotCompleted } from '../../contract/service-authorisation.ts'
import { summariseSignatures } from '../../contract/signatures.ts'
import { summariseTimestamps } from '../../contract/timestamps.ts'
import { isOff, config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { Greeting } from '../app/page-head.tsx'
import { usePage } from '../app/page-title.ts'
import { useSession } from '../app/session.tsx'
import { faqTitle } from '../app/support-line.tsx'
import { useRead } from '../calls/reads.ts'
import { SignFilesLink } from '../file-signing/sign-files-link.tsx'
import { formatFullDate } from '../text/format.ts'
import { TextLink } from '../ui/button.tsx'
import { Contacts } from '../ui/call-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region, slowAfterMs } from '../ui/region.tsx'
import './home-parts.css'
import { SectionCard } from '../ui/section-card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Attention } from './attention.tsx'
import { noticesOf } from './home-notices.ts'
import { countsText, leftText, noticesText, sealCountsText } from './home-text.ts'
import { ServiceTile } from './service-tile.tsx'
import { VoucherBox } from './voucher-box.tsx'

/** Home works without any one of its parts, also a refused one (RTE-11). */
const asPart = { optional: true } as const

type Target = { label: Text } & ({ href: string; to?: never } | { to: string; href?: never })

/** Shows shops, help pages and contacts (HOM-1). Suspension is for emergencies, so it is always first. */
function HomeLinks({ onCodeStep }: ComponentProps<typeof VoucherBox>) {
  const t = useText()
  const { links } = config.brand
  const shop: Target[] = [
    { label: { pl: 'Odnowienie podpisu', en: 'Signature renewal' }, href: links.renewal },
    { label: { pl: 'Nowy podpis', en: 'New signature' }, href: links.newSignature },
    { label: { pl: 'Pieczęć', en: 'Seal' }, href: links.seal },
    { label: { pl: 'Znacznik czasu', en: 'Timestamp' }, href: links.timestamp },
    { label: { pl: 'Znajdź punkt obsługi', en: 'Find a branch' }, href: links.salesPoints },
  ]
  const useful: Target[] = [
    {
      label: { pl: 'Zawieś lub unieważnij certyfikat', en: 'Suspend or revoke a certificate' },
      // The list has its own dialog, unless one of them is off.
      ...(isOff('/api/certificates') || isOff('signatures')
        ? { href: links.suspension }
        : { to: pages.signatures.path }),
    },
    { label: { pl: 'Baza wiedzy: pierwsze kroki', en: 'Knowledge base: first steps' }, href: links.knowledgeStart },
    { label: { pl: 'Baza wiedzy: podpis w\u00a0PDF', en: 'Knowledge base: signing a PDF' }, href: links.knowledgePdf },
    { label: { pl: 'Dokumenty i\u00a0regulaminy', en: 'Documents and terms' }, href: links.documents },
  ]
  return (
    <div className="home__foot section">
      {!isOff('vouchers') && <VoucherBox onCodeStep={onCodeStep} />}
      <SectionCard id="shop" title={t({ pl: 'Kup usługę', en: 'Buy a service' })}>
        <Links targets={shop} />
      </SectionCard>
      <SectionCard id="useful" title={t({ pl: 'Przydatne', en: 'Useful links' })}>
        <Links targets={useful} />
      </SectionCard>
      <SectionCard
        id="contact"
        className="card home__contact"
        title={t({ pl: 'Porozmawiaj z\u00a0nami', en: 'Talk to us' })}
      >
        <p className="soft">
          {t({ pl: 'Odpowiedź może już czekać na stronie ', en: 'Your answer may already be in the ' })}
          <TextLink to="/faq">{t(faqTitle)}</TextLink>.
        </p>
        <Contacts />
      </SectionCard>
    </div>
  )
}

function Links({ targets }: { targets: readonly Target[] }) {
  const t = useText()
  return (
    <ul className="links">
      {targets.map(({ label, ...target }) => (
        <li key={label.en}>
          <TextLink {...target}>{t(label)}</TextLink>
        </li>
      ))}
    </ul>
  )
}

/** Shows what needs the customer now, then their services, then where to buy and whom to ask (HOM-1, HOM-3). */
export function HomeScreen() {
  const t = useText()
  const { customer, now } = useSession()
  const { search } = useLocation()
  const home = useHomeParts()
  const { signatures, seals, timestamps } = home.parts
  /** The code that was entered has the next step, and the page one primary button. */
  const [hasCodeStep, setHasCodeStep] = useState(false)
  const notices = home.summaries
    ? noticesOf(home.summaries, t.locale, now).filter(({ isUnderWay }) => !isUnderWay).length
    : 0
  usePage({ title: { pl: 'Start', en: 'Home' } })

  const today = formatFullDate(t.locale, now)

  return (
    <>
      <div className="page__head">
        <div>
          <Greeting customer={customer} />
          <p className="lede">
            {t({ pl: `Dziś jest ${today}.`, en: `Today is ${today}.` })}{' '}
            {notices > 0 && <span className="nowrap">{noticesText(t.locale, notices)}</span>}
          </p>
        </div>
        <SignFilesLink />
      </div>
      {search.slice(1) === signingNotCompleted && (
        <Notice
          kind="warning"
          role="status"
          className="home__unsigned"
          title={t({ pl: 'Nic nie zostało podpisane', en: 'Nothing was signed' })}
        >
          {t({
            pl: 'Potwierdzenie z\u00a0usługi podpisu dotarło po czasie albo ponownie. Nic nie przepadło: dokument nadal czeka na podpis w\u00a0tym samym miejscu.',
            en: 'The signing service’s confirmation arrived late, or a second time. Nothing is lost: the document is still waiting for your signature where you left it.',
          })}
        </Notice>
      )}
      <section aria-labelledby="attention">
        <h2 id="attention" className="unseen">
          {t({ pl: 'Wymaga Twojej uwagi', en: 'Needs your attention' })}
        </h2>
        <AttentionRegion home={home} variant={hasCodeStep ? 'secondary' : 'primary'} />
      </section>
      {!['signatures', 'seals', 'timestamps'].every(isOff) && (
        <section aria-labelledby="services" className="section">
          <h2 id="services">{t({ pl: 'Twoje usługi', en: 'Your services' })}</h2>
          <ul className="tiles">
            <ServiceTile service="signatures" read={signatures} textOf={(data) => countsText(t.locale, data)} />
            <ServiceTile service="seals" read={seals} textOf={(data) => sealCountsText(t.locale, data)} />
            <ServiceTile service="timestamps" read={timestamps} textOf={(data) => leftText(t.locale, data)} />
          </ul>
        </section>
      )}
      <HomeLinks onCodeStep={setHasCodeStep} />
    </>
  )
}

/** Reads the parts of the page, which are shown together, so that nothing moves; one that could not be read is reported below them. */
function useHomeParts() {
  const signatures = useRead(summariseSignatures, asPart)
  const seals = useRead(summariseSeals, asPart)
  const timestamps = useRead(summariseTimestamps, asPart)
  const documents = useRead(summariseDocuments, asPart)
  const renewals = useRead(listOpenRenewals, asPart)
  const parts = { signatures, seals, timestamps, documents, renewals }
  const [isAnswered, setIsAnswered] = useState(false)
  const [isLate, setIsLate] = useState(false)
  const expected = Object.entries(parts).filter(([name]) => !isOff(`/api/${name}`))
  const missing = expected.map(([, read]) => read).filter(({ data }) => !data)
  const isPartly = missing.length > 0 && missing.length < expected.length
  if (!isAnswered && (missing.every(({ error }) => error) || (isLate && isPartly))) setIsAnswered(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), slowAfterMs)
    return () => clearTimeout(timer)
  }, [])
  // While a failed part is read again it has no error, and what is shown must stay.
  const summaries = isAnswered
    ? {
        signatures: signatures.data,
        seals: seals.data,
        timestamps: timestamps.data,
        documents: documents.data,
        renewals: renewals.data,
      }
    : undefined
  const retry = () => {
    setIsLate(false)
    missing.forEach((query) => void query.refetch())
  }
  return { parts, missing, isLate, summaries, retry }
}

type AttentionProps = { home: ReturnType<typeof useHomeParts>; variant: 'primary' | 'secondary' }

function AttentionRegion({ home: { parts, missing, isLate, summaries, retry }, variant }: AttentionProps) {
  const t = useText()
  const label = t({ pl: 'Sprawdzamy, co wymaga uwagi', en: 'Checking what needs attention' })
  return (
    <Region
      query={{ ...parts.signatures, data: summaries, error: null, refetch: retry }}
      skeleton={
        <div className="card">
          <Skeleton isRound lines={4} />
        </div>
      }
      label={label}
    >
      {(data) => (
        <>
          <Attention summaries={data} variant={variant} />
          {missing[0] && (
            <div className="card home__failed">
              <h3 className="small-heading">
                {t({ pl: 'Nie udało się wczytać: ', en: 'We couldn’t load: ' })}
                {partNames
                  .filter((name) => missing.includes(parts[name]))
                  .map((name) => t(partText[name]))
                  .join(', ')}
              </h3>
              <Region
                query={{
                  ...(missing.find(({ isFetching }) => isFetching) ?? missing[0]),
                  data: undefined,
                  refetch: retry,
                }}
                skeleton={null}
                isLate={isLate}
                label={label}
              >
                {() => null}
              </Region>
            </div>
          )}
        </>
      )}
    </Region>
  )
}

/** Names of the parts that could not be read. */
const partText = {
  signatures: { pl: 'podpisy', en: 'signatures' },
  seals: { pl: 'pieczęcie', en: 'seals' },
  timestamps: { pl: 'znaczniki czasu', en: 'timestamps' },
  documents: { pl: 'dokumenty', en: 'documents' },
  renewals: { pl: 'odnowienia', en: 'renewals' },
}
const partNames = keysOf(partText)
