import { summariseSignatures } from '../../contract/signatures.ts'
import { summariseTimestamps } from '../../contract/timestamps.ts'
import { Medallion } from '../art/medallion.tsx'
import { Icon } from '../art/icons.tsx'
import { useLocale, useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import { useRead } from '../reads.ts'
import { useSession } from '../session.tsx'
import { Link } from '../ui/link.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Attention } from './attention.tsx'
import { HomeLinks } from './home-links.tsx'
import { countsText, leftText, mattersText } from './home-text.ts'
import './home-parts.css'

/** What could not be read is no matter of its own; its place says that it failed. */
const noTimestamps = { active: 0, inactive: 0, remaining: 0, attention: [] }
const noSignatures = { active: 0, inactive: 0, attention: [], nearestEnd: null }

/** HOM-1 and HOM-3: what needs the customer now, then their services, then where to buy and whom to ask. */
export function HomeScreen() {
  const t = useText()
  const locale = useLocale()
  const { customer, now } = useSession()
  const summary = useRead(summariseSignatures)
  const timestamps = useRead(summariseTimestamps)
  const matters = (summary.data?.attention.length ?? 0) + (timestamps.data?.attention.length ?? 0)
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
          query={summary}
          skeleton={
            <div className="card">
              <Skeleton round lines={4} />
            </div>
          }
          label={t({ pl: 'Sprawdzamy, co wymaga uwagi', en: 'Checking what needs attention' })}
        >
          {(data) => <Attention summary={data} timestamps={timestamps.error ? noTimestamps : timestamps.data} />}
        </Region>
        {summary.error && !!timestamps.data?.attention.length && (
          <div className="home__more">
            <Attention summary={noSignatures} timestamps={timestamps.data} />
          </div>
        )}
        {timestamps.error && (
          <div className="home__more">
            <Region
              query={timestamps}
              skeleton={null}
              label={t({ pl: 'Sprawdzamy znaczniki', en: 'Checking timestamps' })}
            >
              {() => null}
            </Region>
          </div>
        )}
      </section>
      <section aria-labelledby="services" className="sec">
        <h2 id="services">{t({ pl: 'Twoje usługi', en: 'Your services' })}</h2>
        <ul className="tiles">
          <li>
            <Tile
              to="/certificates/signatures"
              family="signature"
              name={t({ pl: 'Podpis kwalifikowany', en: 'Qualified signature' })}
            >
              {(summary.data && countsText(locale, summary.data)) ||
                t({ pl: 'Zobacz swoje podpisy', en: 'See your signatures' })}
            </Tile>
          </li>
          <li>
            <Tile
              to="/certificates/seals"
              family="seal"
              name={t({ pl: 'Pieczęć kwalifikowana', en: 'Qualified seal' })}
            >
              {t({ pl: 'Zobacz swoje pieczęcie', en: 'See your seals' })}
            </Tile>
          </li>
          <li>
            <Tile to="/certificates/timestamps" family="timestamp" name={t({ pl: 'Znacznik czasu', en: 'Timestamp' })}>
              {(timestamps.data && leftText(locale, timestamps.data)) ||
                t({ pl: 'Zobacz swoje znaczniki', en: 'See your timestamps' })}
            </Tile>
          </li>
        </ul>
      </section>
      <HomeLinks />
    </>
  )
}

function Tile({
  to,
  family,
  name,
  children,
}: {
  to: string
  family: 'signature' | 'seal' | 'timestamp'
  name: string
  children: string
}) {
  return (
    <Link className="tile" to={to}>
      <Medallion family={family} size={64} />
      <span>
        <b>{name}</b>
        <span>{children}</span>
      </span>
      <Icon name="right" />
    </Link>
  )
}
