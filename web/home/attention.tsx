import type { Text } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { config, isOff } from '../app/config.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { useSession } from '../app/session.tsx'
import { Medallion, type Family } from '../art/medallion.tsx'
import { OkEmblem } from '../art/success-mark.tsx'
import { ValidityRing } from '../art/validity-ring.tsx'
import { certificateLooks, validFromText } from '../certificates/certificate-looks.ts'
import { DateText, DateTimeText } from '../text/date-text.tsx'
import { formatDateTime } from '../text/format.ts'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink, TextLink, type ButtonVariant } from '../ui/button.tsx'
import { isStopped, type HomeNotice } from './home-notice.ts'
import { noticesOf, type Summaries } from './home-notices.ts'
import { productSentence } from './home-text.ts'
import { Detail, NoticeBadge, StepButton } from './notice-parts.tsx'
import { OtherNotices, UnderWay } from './other-notices.tsx'

type Texts = {
  family: Family
  title: Text
  text: Text
  see: Text
  buy: Text
  link: keyof typeof config.brand.links
  /** Instead of `title` and `text` where one of them is not valid yet. */
  beginning?: { title: (day: string) => Text; text: Text }
}

const noneActive = {
  signatures: {
    family: 'signature',
    title: { pl: 'Żaden podpis nie jest teraz aktywny', en: 'You have no active signature' },
    text: {
      pl: 'Nie podpiszesz teraz dokumentu. Na liście sprawdzisz, dlaczego i\u00a0co możesz zrobić.',
      en: 'You can’t sign documents now. The list shows why, and what you can do.',
    },
    see: { pl: 'Zobacz swoje podpisy', en: 'View your signatures' },
    buy: { pl: 'Kup nowy podpis', en: 'Buy a new signature' },
    link: 'newSignature',
    beginning: {
      title: (day) => ({ pl: `Twój podpis zacznie działać ${day}`, en: `You can use your signature from ${day}` }),
      text: {
        pl: 'Do tego czasu nie podpiszesz nim dokumentu. Nie musisz nic kupować.',
        en: 'You can’t sign documents with it until then. You don’t need to buy anything.',
      },
    },
  },
  seals: {
    family: 'seal',
    title: { pl: 'Żadna pieczęć nie jest teraz aktywna', en: 'You have no active seal' },
    text: {
      pl: 'Nie opatrzysz teraz dokumentu pieczęcią. Na liście sprawdzisz, dlaczego.',
      en: 'You can’t seal documents now. The list shows why.',
    },
    see: { pl: 'Zobacz swoje pieczęcie', en: 'View your seals' },
    buy: { pl: 'Kup nową pieczęć', en: 'Buy a new seal' },
    link: 'seal',
    beginning: {
      title: (day) => ({ pl: `Twoja pieczęć zacznie działać ${day}`, en: `You can use your seal from ${day}` }),
      text: {
        pl: 'Do tego czasu nie opatrzysz nią dokumentu. Nie musisz nic kupować.',
        en: 'You can’t seal documents with it until then. You don’t need to buy anything.',
      },
    },
  },
  timestamps: {
    family: 'timestamp',
    title: { pl: 'Żadne konto znaczników nie jest teraz aktywne', en: 'You have no active timestamp account' },
    text: {
      pl: 'Twoje programy nie dostaną teraz znaczników. Jeśli ich potrzebujesz, zadzwoń do nas.',
      en: 'Your software can’t get timestamps now. Call us if you need them.',
    },
    see: { pl: 'Zobacz konta znaczników', en: 'View your timestamp accounts' },
    buy: { pl: 'Kup znaczniki', en: 'Buy timestamps' },
    link: 'timestamp',
  },
} as const satisfies Record<string, Texts>

type Props = {
  service: keyof typeof noneActive
  /** Start of the next product, if there is one (HOM-4). */
  begins?: string | null
  variant: ButtonVariant
}

/** Shows that no product is valid: nothing expires then, but that is not a good state either. */
function NoneActive({ service, begins, variant }: Props) {
  const t = useText()
  const { family, title, text, see, buy, link, beginning }: Texts = noneActive[service]
  const start = begins && beginning ? { at: begins, ...beginning } : undefined
  return (
    <article className="card diploma attention__main">
      <Medallion family={family} size={104} isOff />
      <div className="attention__body">
        {start && <Badge {...certificateLooks['not-yet-valid']}>{t(validFromText(start.at))}</Badge>}
        <h3 className="attention__title">{t(start ? start.title(formatDateTime(t.locale, start.at)) : title)}</h3>
        <p className="soft">{t(start ? start.text : text)}</p>
        <div className="buttons">
          {/* While one only has to begin, there is nothing to do. */}
          <ButtonLink variant={start ? 'secondary' : variant} to={pages[service].path}>
            {t(see)}
          </ButtonLink>
          {!start && (
            <TextLink className="link" href={config.brand.links[link]}>
              {t(buy)}
            </TextLink>
          )}
        </div>
      </div>
    </article>
  )
}

/** Shows the most urgent notice large, the second next to it, and the rest as lists; or that all is well; or how to begin (HOM-3). */
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
        <div className={second ? 'attention' : 'attention attention--single'}>
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
    <article className={`card attention__main${notice.family === 'document' ? '' : ' diploma'}`}>
      <NoticeArt notice={notice} />
      <div className="attention__body">
        <NoticeBadge notice={notice} />
        <h3 className="attention__title">{title}</h3>
        <Detail notice={notice} />
        <div className="buttons">
          <StepButton variant={variant} notice={notice} />
          {more && <MoreLink more={more} />}
        </div>
      </div>
    </article>
  )
}

/** Shows how much is left as a ring, or an emblem, as for a product that is not in use yet. */
function NoticeArt({ notice }: { notice: HomeNotice }) {
  const { ring, family } = notice
  if (family === 'document') return <OkEmblem icon="document" />
  return ring ? <Ring ring={ring} /> : <Medallion family={family} size={104} isOff={isStopped(notice)} />
}

const Ring = ({ ring: { left, value, word, label } }: { ring: NonNullable<HomeNotice['ring']> }) => (
  <ValidityRing kind="warning" left={left} label={label}>
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
    <article className="card attention__side">
      <div className="attention__body">
        <NoticeBadge notice={notice} />
        {/* A number of timestamps can be too long for it. */}
        {notice.ring && notice.family !== 'timestamp' && <Ring ring={notice.ring} />}
        <h3 className="attention__title">{notice.title}</h3>
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
      what: productSentence[signatures.nearestEnd.product],
      renewedFrom: signatures.nearestEnd.renewedFrom,
    },
    seals?.nearestEnd && { at: seals.nearestEnd.validTo, what: { pl: 'Pieczęć', en: 'Seal' }, renewedFrom: null },
  ].filter((expiry) => !!expiry)
  const nearest = ends.toSorted((expiry, another) => (expiry.at < another.at ? -1 : 1))[0]
  const next = nearest?.renewedFrom
  return (
    <div className="card diploma all-set">
      <OkEmblem />
      <div>
        <h3 className="attention__title">{t({ pl: 'Wszystko w\u00a0porządku', en: 'You’re all set' })}</h3>
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
      <h3 className="attention__title">{t({ pl: 'Zacznij tutaj', en: 'Start here' })}</h3>
      <p className="soft">
        {t({ pl: 'Trzy kroki do pierwszego podpisu.', en: 'Three steps to your first signature.' })}
      </p>
      <ol className="ordered-list home__how">
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
      <div className="buttons">
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
