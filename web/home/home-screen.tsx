import { useEffect, useState } from 'react'
import { summariseDocuments } from '../../contract/documents.ts'
import { pages } from '../../contract/pages.ts'
import { listOpenRenewals } from '../../contract/renewal.ts'
import { summariseSeals } from '../../contract/seals.ts'
import { summariseSignatures } from '../../contract/signatures.ts'
import { summariseTimestamps } from '../../contract/timestamps.ts'
import { useLocale, useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import { useRead } from '../reads.ts'
import { useSession } from '../session.tsx'
import { Region, slowAfterMs } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Attention } from './attention.tsx'
import { HomeLinks } from './home-links.tsx'
import { countsText, leftText, mattersText, sealCountsText } from './home-text.ts'
import { mattersOf } from './matters.tsx'
import { ServiceTile } from './service-tile.tsx'
import './home-parts.css'

/** HOM-1 and HOM-3: what needs the customer now, then their services, then where to buy and whom to ask. */
export function HomeScreen() {
  const t = useText()
  const locale = useLocale()
  const { customer, now } = useSession()
  const signatures = useRead(summariseSignatures)
  const seals = useRead(summariseSeals)
  const timestamps = useRead(summariseTimestamps)
  const documents = useRead(summariseDocuments)
  const renewals = useRead(listOpenRenewals)
  const [answered, setAnswered] = useState(false)
  const parts = { signatures, seals, timestamps, documents, renewals }
  const missing = Object.values(parts).filter(({ data }) => !data)
  const isPartly = missing.length > 0 && missing.length < Object.keys(parts).length
  const [late, setLate] = useState(false)
  // Shown together, or one would push the other about; what cannot be read is left out, and says so below.
  if (!answered && (missing.every(({ error }) => error) || (late && isPartly))) setAnswered(true)
  // Asked for again, what failed has no error until it answers, and what is shown must stay.
  const summaries = answered
    ? {
        signatures: signatures.data,
        seals: seals.data,
        timestamps: timestamps.data,
        documents: documents.data,
        renewals: renewals.data,
      }
    : undefined
  const askAgain = () => {
    setLate(false)
    missing.forEach((one) => void one.refetch())
  }
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), slowAfterMs)
    return () => clearTimeout(timer)
  }, [])
  const matters = summaries ? mattersOf(summaries, locale, now).length : 0
  usePage({ title: { pl: 'Start', en: 'Home' } })

  const today = new Intl.DateTimeFormat(locale === 'pl' ? 'pl-PL' : 'en-GB', {
    dateStyle: 'full',
    timeZone: 'Europe/Warsaw',
  }).format(new Date(now))

  return (
    <>
      <div className="page__head">
        <div>
          <h1>
            {t({ pl: 'Dzień dobry', en: 'Hello' })}
            <span className="home__name">
              {customer.firstName} {customer.surname}
            </span>
          </h1>
          <p className="lede">
            {t({ pl: `Dziś jest ${today}.`, en: `Today is ${today}.` })} {matters > 0 && mattersText(locale, matters)}
          </p>
        </div>
      </div>
      <section aria-labelledby="attention">
        <h2 id="attention" className="vh">
          {t({ pl: 'Wymaga Twojej uwagi', en: 'Needs your attention' })}
        </h2>
        <Region
          query={{ ...signatures, data: summaries, error: null, isPending: !summaries, refetch: askAgain }}
          skeleton={
            <div className="card">
              <Skeleton round lines={4} />
            </div>
          }
          label={t({ pl: 'Sprawdzamy, co wymaga uwagi', en: 'Checking what needs attention' })}
        >
          {(data) => <Attention summaries={data} />}
        </Region>
        {summaries && missing[0] && (
          <div className="card home__more">
            <h3 className="h-s">
              {t({ pl: 'Nie wiemy teraz wszystkiego: ', en: 'Not everything is known now: ' })}
              {partNames
                .filter((name) => !parts[name].data)
                .map((name) => t(partText[name]))
                .join(', ')}
            </h3>
            <Region
              query={{
                ...(missing.find(({ isFetching }) => isFetching) ?? missing[0]),
                data: undefined,
                refetch: askAgain,
              }}
              skeleton={null}
              isLate={late}
              label={t({ pl: 'Sprawdzamy, co wymaga uwagi', en: 'Checking what needs attention' })}
            >
              {() => null}
            </Region>
          </div>
        )}
      </section>
      <section aria-labelledby="services" className="sec">
        <h2 id="services">{t({ pl: 'Twoje usługi', en: 'Your services' })}</h2>
        <ul className="tiles">
          <ServiceTile
            to={pages.signatures.path}
            family="signature"
            name={t({ pl: 'Podpis kwalifikowany', en: 'Qualified signature' })}
            read={signatures}
            says={(data) => countsText(locale, data)}
            otherwise={t({ pl: 'Zobacz swoje podpisy', en: 'See your signatures' })}
          />
          <ServiceTile
            to={pages.seals.path}
            family="seal"
            name={t({ pl: 'Pieczęć kwalifikowana', en: 'Qualified seal' })}
            read={seals}
            says={(data) => sealCountsText(locale, data)}
            otherwise={t({ pl: 'Zobacz swoje pieczęcie', en: 'See your seals' })}
          />
          <ServiceTile
            to={pages.timestamps.path}
            family="timestamp"
            name={t({ pl: 'Znacznik czasu', en: 'Timestamp' })}
            read={timestamps}
            says={(data) => leftText(locale, data)}
            otherwise={t({ pl: 'Zobacz swoje znaczniki', en: 'See your timestamps' })}
          />
        </ul>
      </section>
      <HomeLinks />
    </>
  )
}

/** What could not be read, by its name (ux 8.2). */
const partText = {
  signatures: { pl: 'podpisy', en: 'signatures' },
  seals: { pl: 'pieczęcie', en: 'seals' },
  timestamps: { pl: 'znaczniki czasu', en: 'timestamps' },
  documents: { pl: 'dokumenty', en: 'documents' },
  renewals: { pl: 'odnowienia', en: 'renewals' },
}
const partNames = Object.keys(partText) as (keyof typeof partText)[]
