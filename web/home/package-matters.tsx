import type { Reply } from '../../contract/endpoint.ts'
import type { summariseTimestamps } from '../../contract/timestamps.ts'
import { ValidityRing } from '../art/validity-ring.tsx'
import { config } from '../config.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatNumber } from '../text/format.ts'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink, TextLink } from '../ui/button.tsx'
import { timestampWord } from '../text/timestamp-words.ts'

/** A timestamp account that is running out, or has run out (HOM-3, ux 8.2). */
export type PackageMatter = Reply<typeof summariseTimestamps>['attention'][number]

type Props = { matter: PackageMatter }

const list = '/certificates/timestamps'

function useMatter({ account, low }: PackageMatter) {
  const t = useText()
  const locale = useLocale()
  const reserve = account.remaining === null ? null : account.remaining - (low?.remaining ?? 0)
  return {
    badge: low ? (
      <Badge kind="warn" icon="hour">
        {t({ pl: 'Kończą się', en: 'Running out' })}
      </Badge>
    ) : (
      <Badge kind="err" icon="alert">
        {t({ pl: 'Nie ma znaczników', en: 'No timestamps left' })}
      </Badge>
    ),
    left: low
      ? t({
          pl: `Zostało ${formatNumber(locale, low.remaining!)} z\u00a0${formatNumber(locale, low.size!)}.`,
          en: `${formatNumber(locale, low.remaining!)} of ${formatNumber(locale, low.size!)} left.`,
        })
      : t({ pl: 'Programy dostają odmowę.', en: 'Programs are refused.' }),
    consequence:
      low && reserve !== 0
        ? t({ pl: 'Potem znaczniki pójdą z\u00a0kolejnego pakietu.', en: 'After that the next package is used.' })
        : low
          ? t({
              pl: 'Gdy się skończą, programy dostaną odmowę. Kup pakiet wcześniej.',
              en: 'When they are gone, programs are refused. Buy a package before that.',
            })
          : t({ pl: 'Kolejny pakiet działa od razu.', en: 'Another package works at once.' }),
  }
}

const title = { pl: 'Znaczniki czasu', en: 'Timestamps' }
const see = { pl: 'Zobacz pakiety', en: 'See the packages' }

export function MainPackage({ matter }: Props) {
  const t = useText()
  const locale = useLocale()
  const { badge, left, consequence } = useMatter(matter)
  const { account, low } = matter
  const count = low?.remaining ?? 0
  return (
    <article className="card attn__main">
      <ValidityRing kind="warn" left={low ? count / low.size! : 0} label={left}>
        <b>{formatNumber(locale, count)}</b>
        {timestampWord(locale, count)}
      </ValidityRing>
      <div className="attn__body">
        {badge}
        <h3 className="attn__t">
          {t(title)}: {account.login}
        </h3>
        <p className="soft">
          {left} {consequence}
        </p>
        <div className="btns">
          <ButtonLink variant="primary" href={config.brand.links.timestamp}>
            {t({ pl: 'Kup pakiet', en: 'Buy a package' })}
          </ButtonLink>
          <TextLink className="link" to={list}>
            {t(see)}
          </TextLink>
        </div>
      </div>
    </article>
  )
}

export function SidePackage({ matter }: Props) {
  const t = useText()
  const { badge, left, consequence } = useMatter(matter)
  return (
    <article className="card attn__side">
      <div className="attn__body">
        {badge}
        <h3 className="attn__t">
          {t(title)}: {matter.account.login}
        </h3>
        <p className="soft">
          {left} {consequence}
        </p>
        <ButtonLink to={list}>{t(see)}</ButtonLink>
      </div>
    </article>
  )
}

export function OtherPackage({ matter }: Props) {
  const t = useText()
  const { badge, left } = useMatter(matter)
  return (
    <li>
      <b>
        {t(title)}: {matter.account.login}
      </b>
      <span className="soft">{left}</span>
      {badge}
    </li>
  )
}
