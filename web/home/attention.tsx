import type { Reply } from '../../contract/endpoint.ts'
import { limits } from '../../contract/limits.ts'
import type { Signature, summariseSignatures } from '../../contract/signatures.ts'
import type { summariseTimestamps } from '../../contract/timestamps.ts'
import { OkSeal } from '../art/ok-seal.tsx'
import { ValidityRing } from '../art/validity-ring.tsx'
import { config } from '../config.ts'
import { useLocale, useText } from '../locale.tsx'
import { useSession } from '../session.tsx'
import { daysLeft, formatDate, formatDateTime, formatDaysLeft } from '../text/format.ts'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink, TextLink } from '../ui/button.tsx'
import { dayWord, moreText, productText } from './home-text.ts'
import { MainPackage, OtherPackage, SidePackage, type PackageMatter } from './package-matters.tsx'

type Summary = Reply<typeof summariseSignatures>
type Matter = { signature: Signature; pack?: never } | { pack: PackageMatter; signature?: never }

/**
 * HOM-3: the most urgent matter large, the next beside it, the rest as a list; or that all is well; or how to begin.
 * Certificates come before packages (ux 8.2). `timestamps` is undefined while it is not known.
 */
export function Attention({
  summary: { active, inactive, attention, nearestEnd },
  timestamps,
}: {
  summary: Summary
  timestamps: Reply<typeof summariseTimestamps> | undefined
}) {
  const matters: Matter[] = [
    ...attention.map((signature) => ({ signature })),
    ...(timestamps?.attention ?? []).map((pack) => ({ pack })),
  ]
  const [first, second, ...rest] = matters
  if (first)
    return (
      <>
        <div className={second ? 'attn' : 'attn attn--single'}>
          {first.pack ? <MainPackage matter={first.pack} /> : <MainMatter signature={first.signature} />}
          {second && (second.pack ? <SidePackage matter={second.pack} /> : <SideMatter signature={second.signature} />)}
        </div>
        {rest.length > 0 && <OtherMatters matters={rest} />}
      </>
    )
  if (active) return timestamps && <AllWell nearestEnd={nearestEnd} />
  return inactive ? <NoneActive /> : <FirstSteps />
}

function useEnd({ validFrom, validTo }: Signature) {
  const t = useText()
  const locale = useLocale()
  const { now } = useSession()
  const days = daysLeft(validTo, now)
  const strong = days <= limits.badge.strongDays
  return {
    days,
    badge: (
      <Badge kind={strong ? 'warn-strong' : 'warn'} icon="hour">
        {t({ pl: `Wygasa ${formatDaysLeft(locale, days)}`, en: `Expires ${formatDaysLeft(locale, days)}` })}
      </Badge>
    ),
    date: <time dateTime={validTo}>{formatDateTime(locale, validTo)}</time>,
    total: daysLeft(validTo, validFrom),
  }
}

const seeDetails = { pl: 'Zobacz szczegóły', en: 'See details' }

function MainMatter({ signature }: { signature: Signature }) {
  const t = useText()
  const locale = useLocale()
  const { days, total, badge, date } = useEnd(signature)
  const word = dayWord(locale, days)
  return (
    <article className="card diploma attn__main">
      <ValidityRing
        kind="warn"
        left={total ? days / total : 0}
        label={t({
          pl: `Zostało ${days} ${word} z\u00a0${total} dni ważności`,
          en: `${days} ${word} left of ${total} days of validity`,
        })}
      >
        <b>{days}</b>
        {word}
      </ValidityRing>
      <div className="attn__body">
        {badge}
        <h3 className="attn__t">{t(productText[signature.product])}</h3>
        <p className="soft">
          {t({ pl: 'Ważny do ', en: 'Valid until ' })}
          <strong>{date}</strong>
          {t({
            pl: '. Odnów go wcześniej\u00a0– po tym terminie trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.',
            en: '. Renew it before – after that you have to buy a new signature and confirm your identity again.',
          })}
        </p>
        <div className="btns">
          <ButtonLink variant="primary" href={config.brand.links.renewal}>
            {t({ pl: 'Kup odnowienie', en: 'Buy a renewal' })}
          </ButtonLink>
          <TextLink className="link" to="/certificates/signatures">
            {t(seeDetails)}
          </TextLink>
        </div>
      </div>
    </article>
  )
}

function SideMatter({ signature }: { signature: Signature }) {
  const t = useText()
  const { badge, date } = useEnd(signature)
  return (
    <article className="card attn__side">
      <div className="attn__body">
        {badge}
        <h3 className="attn__t">{t(productText[signature.product])}</h3>
        <p className="soft">
          {t({ pl: 'Ważny do ', en: 'Valid until ' })}
          {date}
        </p>
        <ButtonLink to="/certificates/signatures">{t(seeDetails)}</ButtonLink>
      </div>
    </article>
  )
}

function OtherMatters({ matters }: { matters: readonly Matter[] }) {
  const t = useText()
  const locale = useLocale()
  return (
    <div className="card home__more">
      <h3>{moreText(locale, matters.length)}</h3>
      <ul className="home__matters">
        {matters.map(({ signature, pack }) =>
          pack ? (
            <OtherPackage key={pack.account.id} matter={pack} />
          ) : (
            <OtherMatter key={signature.id} signature={signature} />
          ),
        )}
      </ul>
      {matters.some(({ signature }) => signature) && (
        <TextLink className="link" to="/certificates/signatures">
          {t({ pl: 'Zobacz wszystkie podpisy', en: 'See all signatures' })}
        </TextLink>
      )}
      {matters.some(({ pack }) => pack) && (
        <TextLink className="link" to="/certificates/timestamps">
          {t({ pl: 'Zobacz konta znaczników', en: 'See the timestamp accounts' })}
        </TextLink>
      )}
    </div>
  )
}

function OtherMatter({ signature }: { signature: Signature }) {
  const t = useText()
  const { badge, date } = useEnd(signature)
  return (
    <li>
      <b>{t(productText[signature.product])}</b>
      <span className="soft">
        {signature.organisation ?? signature.name}, {t({ pl: 'ważny do ', en: 'valid until ' })}
        {date}
      </span>
      {badge}
    </li>
  )
}

function AllWell({ nearestEnd }: { nearestEnd: Signature | null }) {
  const t = useText()
  const locale = useLocale()
  return (
    <div className="card diploma calm">
      <OkSeal />
      <div>
        <h3 className="attn__t">{t({ pl: 'Wszystko w\u00a0porządku', en: 'All is well' })}</h3>
        <p className="soft">
          {t({ pl: 'Nic nie wymaga teraz Twojej uwagi.', en: 'Nothing needs your attention now.' })}{' '}
          {nearestEnd &&
            t({
              pl: `Najbliższy termin: ${formatDate(locale, nearestEnd.validTo)}, ${t(productText[nearestEnd.product]).toLowerCase()}.`,
              en: `The next date: ${formatDate(locale, nearestEnd.validTo)}, ${t(productText[nearestEnd.product]).toLowerCase()}.`,
            })}
        </p>
      </div>
    </div>
  )
}

/** Nothing runs out where nothing is valid, but that is no calm state. */
function NoneActive() {
  const t = useText()
  return (
    <div className="card diploma home__start">
      <h3 className="attn__t">{t({ pl: 'Żaden podpis nie jest teraz aktywny', en: 'No signature is active now' })}</h3>
      <p className="soft">
        {t({
          pl: 'Nie podpiszesz teraz dokumentu. Na liście sprawdzisz, dlaczego i\u00a0co można zrobić.',
          en: 'You cannot sign a document now. The list tells you why and what can be done.',
        })}
      </p>
      <div className="btns home__go">
        <ButtonLink variant="primary" to="/certificates/signatures">
          {t({ pl: 'Zobacz swoje podpisy', en: 'See your signatures' })}
        </ButtonLink>
        <TextLink className="link" href={config.brand.links.newSignature}>
          {t({ pl: 'Kup nowy podpis', en: 'Buy a new signature' })}
        </TextLink>
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
