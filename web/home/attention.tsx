import { Medallion } from '../art/medallion.tsx'
import { OkEmblem } from '../art/ok-emblem.tsx'
import { ValidityRing } from '../art/validity-ring.tsx'
import { config, isOff } from '../app/config.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { useSession } from '../app/session.tsx'
import { DateText, DateTimeText } from '../text/date-text.tsx'
import { ButtonLink, TextLink, type ButtonVariant } from '../ui/button.tsx'
import { productText } from './home-text.ts'
import { isStopped, type HomeNotice } from './home-notice.ts'
import { noticesOf, type Summaries } from './home-notices.ts'
import { NoneActive } from './none-active.tsx'
import { Detail, NoticeBadge, StepButton } from './notice-parts.tsx'
import { OtherNotices, UnderWay } from './other-notices.tsx'

/** HOM-3: the most urgent notice large, the second next to it, the rest as lists; or that all is well; or how to begin. */
export function Attention({ summaries, variant }: { summaries: Summaries; variant: ButtonVariant }) {
  const locale = useLocale()
  const { now } = useSession()
  const { signatures, seals, timestamps } = summaries
  const notices = noticesOf(summaries, locale, now)
  const waiting = notices.filter(({ isUnderWay }) => !isUnderWay)
  const underWay = notices.filter(({ isUnderWay }) => isUnderWay)
  const waits = waiting.length > 0
  // What is under way is shown large only where nothing waits for the customer.
  const [first, second, ...rest] = waits ? waiting : underWay
  if (first)
    return (
      <>
        <div className={second ? 'attn' : 'attn attn--single'}>
          <MainNotice notice={first} variant={variant} />
          {second && <SideNotice notice={second} />}
        </div>
        <OtherNotices notices={waits ? rest : []} />
        <UnderWay notices={waits ? underWay : rest} />
      </>
    )
  // What could not be read may be urgent too, so no overall statement is made; its own part shows the failure.
  if (Object.entries(summaries).some(([name, part]) => !part && !isOff(`/api/${name}`))) return null
  if (signatures?.active) return <AllWell summaries={summaries} />
  if (signatures?.inactive) return <NoneActive service="signatures" begins={signatures.begins} variant={variant} />
  if (seals?.active || timestamps?.active) return <AllWell summaries={summaries} />
  if (seals?.inactive) return <NoneActive service="seals" begins={seals.begins} variant={variant} />
  if (timestamps?.inactive) return <NoneActive service="timestamps" variant={variant} />
  return signatures ? <FirstSteps variant={variant} /> : <AllWell summaries={summaries} />
}

function MainNotice({ notice, variant }: { notice: HomeNotice; variant: ButtonVariant }) {
  const { title, more } = notice
  return (
    <article className={`card attn__main${notice.family === 'document' ? '' : ' diploma'}`}>
      <NoticeArt notice={notice} />
      <div className="attn__body">
        <NoticeBadge notice={notice} />
        <h3 className="attn__t">{title}</h3>
        <Detail notice={notice} />
        <div className="btns">
          <StepButton variant={variant} notice={notice} />
          {more && <MoreLink more={more} />}
        </div>
      </div>
    </article>
  )
}

/** How much of it is left; a product that is not in use yet has its emblem. */
function NoticeArt({ notice }: { notice: HomeNotice }) {
  const { ring, family } = notice
  if (family === 'document') return <OkEmblem icon="doc" />
  return ring ? <Ring ring={ring} /> : <Medallion family={family} size={104} off={isStopped(notice)} />
}

const Ring = ({ ring: { left, value, word, label } }: { ring: NonNullable<HomeNotice['ring']> }) => (
  <ValidityRing kind="warn" left={left} label={label}>
    <b>{value}</b>
    {word}
  </ValidityRing>
)

function MoreLink({ more: { label, ...target } }: { more: NonNullable<HomeNotice['more']> }) {
  const t = useText()
  return (
    <TextLink className="link" {...target}>
      {t(label)}
    </TextLink>
  )
}

function SideNotice({ notice }: { notice: HomeNotice }) {
  return (
    <article className="card attn__side">
      <div className="attn__body">
        <NoticeBadge notice={notice} />
        {/* A number of timestamps can be too long for it. */}
        {notice.ring && notice.family !== 'timestamp' && <Ring ring={notice.ring} />}
        <h3 className="attn__t">{notice.title}</h3>
        <Detail notice={notice} />
        <StepButton notice={notice} />
      </div>
    </article>
  )
}

function AllWell({ summaries: { signatures, seals } }: { summaries: Summaries }) {
  const t = useText()
  const { now } = useSession()
  const ends = [
    signatures?.nearestEnd && {
      at: signatures.nearestEnd.validTo,
      what: productText[signatures.nearestEnd.product],
      renewedFrom: signatures.nearestEnd.renewedFrom,
    },
    seals?.nearestEnd && { at: seals.nearestEnd.validTo, what: { pl: 'Pieczęć', en: 'Seal' }, renewedFrom: null },
  ].filter((expiry) => !!expiry)
  const nearest = ends.toSorted((expiry, another) => (expiry.at < another.at ? -1 : 1))[0]
  const next = nearest?.renewedFrom
  return (
    <div className="card diploma calm">
      <OkEmblem />
      <div>
        <h3 className="attn__t">{t({ pl: 'Wszystko w\u00a0porządku', en: 'You’re all set' })}</h3>
        <p className="soft">
          {t({ pl: 'Nic nie wymaga teraz Twojej uwagi.', en: 'Nothing needs your attention right now.' })}{' '}
          {nearest && (
            <>
              {t({ pl: 'Najbliższe wygaśnięcie: ', en: 'Next expiry: ' })}
              <DateText at={nearest.at} />
              {`, ${t(nearest.what).toLowerCase()}.`}
            </>
          )}
        </p>
        {next && (
          <p className="soft">
            {next > now
              ? t({
                  pl: 'Ten podpis jest już odnowiony. Nowy zacznie działać ',
                  en: 'This signature is already renewed. You can use the new one from ',
                })
              : t({
                  pl: 'Ten podpis jest już odnowiony. Nowy działa od ',
                  en: 'This signature is already renewed. The new one has worked since ',
                })}
            <DateTimeText at={next} />.
          </p>
        )}
      </div>
    </div>
  )
}

function FirstSteps({ variant }: { variant: ButtonVariant }) {
  const t = useText()
  const { links } = config.brand
  return (
    <div className="card diploma home__start">
      <h3 className="attn__t">{t({ pl: 'Zacznij tutaj', en: 'Start here' })}</h3>
      <p className="soft">
        {t({ pl: 'Trzy kroki do pierwszego podpisu.', en: 'Three steps to your first signature.' })}
      </p>
      <ol className="olist home__how">
        <li>
          <b>{t({ pl: 'Kup podpis', en: 'Buy a signature' })}</b>
          {t({
            pl: 'Wybierz: w\u00a0aplikacji, na karcie lub tokenie albo w\u00a0pliku.',
            en: 'Choose: in the app, on a card or token, or in a file.',
          })}
        </li>
        <li>
          <b>{t({ pl: 'Potwierdź tożsamość', en: 'Confirm your identity' })}</b>
          {t({
            pl: 'Zrobisz to w\u00a0punkcie obsługi. Weź ze sobą dokument tożsamości.',
            en: 'Do this at a branch. Bring your identity document.',
          })}
        </li>
        <li>
          <b>{t({ pl: 'Wróć tutaj', en: 'Come back here' })}</b>
          {t({
            pl: 'Podpis pojawi się na tej stronie. Ten w\u00a0aplikacji połączysz z\u00a0telefonem.',
            en: 'Your signature appears on this page. Connect one in the app to your phone.',
          })}
        </li>
      </ol>
      <div className="btns">
        <ButtonLink variant={variant} href={links.newSignature}>
          {t({ pl: 'Kup podpis', en: 'Buy a signature' })}
        </ButtonLink>
        <TextLink className="link" href={links.salesPoints}>
          {t({ pl: 'Znajdź punkt obsługi', en: 'Find a branch' })}
        </TextLink>
      </div>
    </div>
  )
}
