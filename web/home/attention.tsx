import { Medallion } from '../art/medallion.tsx'
import { OkSeal } from '../art/ok-seal.tsx'
import { ValidityRing } from '../art/validity-ring.tsx'
import { config } from '../config.ts'
import { useLocale, useText } from '../locale.tsx'
import { useSession } from '../session.tsx'
import { formatDate } from '../text/format.ts'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink, TextLink, type ButtonVariant } from '../ui/button.tsx'
import { RenewButton } from '../ui/renew-button.tsx'
import { moreText, productText } from './home-text.ts'
import type { Matter } from './matter.ts'
import { mattersOf, type Summaries } from './matters.tsx'
import { NoneActive } from './none-active.tsx'

/** HOM-3: the most urgent matter large, the next beside it, the rest as a list; or that all is well; or how to begin. */
export function Attention({ summaries }: { summaries: Summaries }) {
  const locale = useLocale()
  const { now } = useSession()
  const { signatures, seals, timestamps, documents, renewals } = summaries
  const [first, second, ...rest] = mattersOf(summaries, locale, now)
  if (first)
    return (
      <>
        <div className={second ? 'attn' : 'attn attn--single'}>
          <MainMatter matter={first} />
          {second && <SideMatter matter={second} />}
        </div>
        {rest.length > 0 && <OtherMatters matters={rest} />}
      </>
    )
  // What is not known may wait too, so nothing is said of the whole; its place says that it failed.
  if (!signatures || !seals || !timestamps || !documents || !renewals) return null
  if (signatures.active) return <AllWell summaries={summaries} />
  if (signatures.inactive) return <NoneActive of="signatures" />
  if (seals.active || timestamps.active) return <AllWell summaries={summaries} />
  if (seals.inactive) return <NoneActive of="seals" />
  return timestamps.inactive ? <NoneActive of="timestamps" /> : <FirstSteps />
}

const MatterBadge = ({ matter: { badge } }: { matter: Matter }) => (
  <Badge kind={badge.kind} icon={badge.icon}>
    {badge.words}
  </Badge>
)

function MainMatter({ matter }: { matter: Matter }) {
  const { title, more } = matter
  return (
    <article className="card diploma attn__main">
      <MatterArt matter={matter} />
      <div className="attn__body">
        <MatterBadge matter={matter} />
        <h3 className="attn__t">{title}</h3>
        <Detail matter={matter} />
        <div className="btns">
          <StepButton variant="primary" matter={matter} />
          {more && <MoreLink matter={matter} />}
        </div>
      </div>
    </article>
  )
}

/** A renewal begins with a question; every other step is a link. */
function StepButton({ matter, variant = 'secondary', size }: { matter: Matter; variant?: ButtonVariant; size?: 's' }) {
  const t = useText()
  const { step, title, whose } = matter
  // Several matters can have the same step; screen readers tell them apart.
  const which = <span className="vh">: {whose ? `${title}, ${whose}` : title}</span>
  if ('renew' in step)
    return (
      <RenewButton signature={step.renew} description={step.description} variant={variant} size={size}>
        {which}
      </RenewButton>
    )
  const { label, ...target } = step
  return (
    <ButtonLink variant={variant} size={size} {...target}>
      <span>
        {t(label)}
        {which}
      </span>
    </ButtonLink>
  )
}

/** How much of it is left; what only waits to be begun has its emblem. */
function MatterArt({ matter: { ring, family, badge } }: { matter: Matter }) {
  if (family === 'document') return <OkSeal icon="doc" />
  if (!ring) return <Medallion family={family} size={104} off={badge.kind === 'err'} />
  return (
    <ValidityRing kind="warn" left={ring.left} label={ring.label}>
      <b>{ring.value}</b>
      {ring.word}
    </ValidityRing>
  )
}

function MoreLink({ matter: { more } }: { matter: Matter }) {
  const t = useText()
  const { label, ...target } = more!
  return (
    <TextLink className="link" {...target}>
      {t(label)}
    </TextLink>
  )
}

const Detail = ({ matter: { whose, detail } }: { matter: Matter }) => (
  <p className="soft">
    {whose && `${whose}. `}
    {detail}
  </p>
)

function SideMatter({ matter }: { matter: Matter }) {
  return (
    <article className="card attn__side">
      <div className="attn__body">
        <MatterBadge matter={matter} />
        <h3 className="attn__t">{matter.title}</h3>
        <Detail matter={matter} />
        <StepButton matter={matter} />
      </div>
    </article>
  )
}

function OtherMatters({ matters }: { matters: readonly Matter[] }) {
  const locale = useLocale()
  return (
    <div className="card home__more">
      <h3>{moreText(locale, matters.length)}</h3>
      <ul className="home__matters">
        {matters.map((matter) => (
          <li key={matter.id}>
            <div>
              <b>{matter.title}</b>
              <Detail matter={matter} />
            </div>
            <MatterBadge matter={matter} />
            <StepButton matter={matter} size="s" />
          </li>
        ))}
      </ul>
    </div>
  )
}

function AllWell({ summaries: { signatures, seals } }: { summaries: Summaries }) {
  const t = useText()
  const locale = useLocale()
  const ends = [
    signatures?.nearestEnd && { at: signatures.nearestEnd.validTo, what: productText[signatures.nearestEnd.product] },
    seals?.nearestEnd && { at: seals.nearestEnd.validTo, what: { pl: 'Pieczęć', en: 'Seal' } },
  ].filter((one) => !!one)
  const nearest = ends.toSorted((one, other) => (one.at < other.at ? -1 : 1))[0]
  return (
    <div className="card diploma calm">
      <OkSeal />
      <div>
        <h3 className="attn__t">{t({ pl: 'Wszystko w\u00a0porządku', en: 'All is well' })}</h3>
        <p className="soft">
          {t({ pl: 'Nic nie wymaga teraz Twojej uwagi.', en: 'Nothing needs your attention now.' })}{' '}
          {nearest &&
            t({
              pl: `Najbliższy termin: ${formatDate(locale, nearest.at)}, ${t(nearest.what).toLowerCase()}.`,
              en: `The next date: ${formatDate(locale, nearest.at)}, ${t(nearest.what).toLowerCase()}.`,
            })}
        </p>
      </div>
    </div>
  )
}

function FirstSteps() {
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
            pl: 'Wybierz: w\u00a0aplikacji, na karcie albo w\u00a0pliku.',
            en: 'Choose: in the app, on a card or in a file.',
          })}
        </li>
        <li>
          <b>{t({ pl: 'Potwierdź tożsamość', en: 'Confirm your identity' })}</b>
          {t({
            pl: 'Zrobisz to w\u00a0punkcie sprzedaży. Weź dokument tożsamości.',
            en: 'At a sales point. Bring your identity document.',
          })}
        </li>
        <li>
          <b>{t({ pl: 'Wróć tutaj', en: 'Come back here' })}</b>
          {t({
            pl: 'Podpis pojawi się na tej stronie. Połączysz go z\u00a0aplikacją i\u00a0pobierzesz umowę.',
            en: 'The signature appears on this page. Connect it with the app and download the agreement.',
          })}
        </li>
      </ol>
      <div className="btns">
        <ButtonLink variant="primary" href={links.newSignature}>
          {t({ pl: 'Kup podpis', en: 'Buy a signature' })}
        </ButtonLink>
        <TextLink className="link" href={links.salesPoints}>
          {t({ pl: 'Znajdź punkt sprzedaży', en: 'Find a sales point' })}
        </TextLink>
      </div>
    </div>
  )
}
