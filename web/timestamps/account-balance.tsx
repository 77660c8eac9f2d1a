import { isLow, type AccountPackage, type TimestampAccount } from '../../contract/timestamps.ts'
import { useText } from '../app/locale.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { DateText } from '../text/date-text.tsx'
import { formatDate, formatNumber } from '../text/format.ts'
import { timestampsText, timestampWord } from '../text/timestamp-text.ts'
import { Notice } from '../ui/notice.tsx'
import { packageKindText } from './timestamps-text.tsx'

/** Shows the balance of an account, without opening anything. */
export function AccountBalance({ account, isEnding }: { account: TimestampAccount; isEnding: boolean }) {
  const t = useText()
  const { status, current, remaining, packages } = account
  if (status === 'inactive')
    return (
      <p className="tsa__why">
        {t({
          pl: 'Konto jest wyłączone i\u00a0nie wydaje znaczników.',
          en: 'The account is switched off and doesn’t issue timestamps.',
        })}
      </p>
    )
  return (
    <>
      {current && <Balance current={current} remaining={remaining} />}
      {isEnding && <NextPackage at={account.nextPackageAt} end={current?.endsAt} />}
      {remaining === 0 && <NothingLeft refillsAt={current?.refillsAt} isFirst={packages === 0} />}
    </>
  )
}

/** Shows what follows a package that soon expires. */
function NextPackage({ at, end }: { at: string | null; end: string | null | undefined }) {
  const t = useText()
  if (at && end && at <= end)
    return (
      <p className="small soft tsa__next">
        {t({ pl: 'Kolejny pakiet zacznie działać ', en: 'Your next package starts on ' })}
        <DateText at={at} />.
      </p>
    )
  return (
    <p className="tsa__low tsa__next">
      {t({ pl: 'Kup kolejny pakiet, zanim ten wygaśnie.', en: 'Buy another package before this one expires.' })}
    </p>
  )
}

/** Shows the balance of an account in a row. */
export function BalanceLine({ account: { status, current, remaining } }: { account: TimestampAccount }) {
  const t = useText()
  if (status === 'inactive') return null
  if (remaining === null) return t({ pl: 'Bez limitu znaczników', en: 'Unlimited timestamps' })
  if (current?.size && current.remaining === remaining) return <LeftOf left={remaining} size={current.size} />
  const left = timestampsText(t.locale, remaining)
  return t({ pl: `Zostało: ${left}`, en: `${left} left` })
}

/** Shows `Zostało 12 480 z 20 000 znaczników`. */
function LeftOf({ left, size }: { left: number; size: number }) {
  const t = useText()
  return (
    <span className="number">
      <span className="certificate-row__extra">{t({ pl: 'Zostało ', en: '' })}</span>
      <b>{formatNumber(t.locale, left)}</b>
      {t({ pl: ` z\u00a0${formatNumber(t.locale, size)}`, en: ` of ${formatNumber(t.locale, size)}` })}
      <span className="certificate-row__extra">
        {t({ pl: size === 1 ? ' znacznika' : ' znaczników', en: ` ${timestampWord(t.locale, size)} left` })}
      </span>
    </span>
  )
}

function Balance({ current, remaining }: { current: AccountPackage; remaining: number | null }) {
  const t = useText()
  const { size, remaining: left, refillsAt, endsAt } = current
  if (size === null || left === null)
    return (
      <p className="tsa__left">
        <b>{t({ pl: 'Bez limitu znaczników', en: 'Unlimited timestamps' })}</b>
        {endsAt && (
          <span>
            {t({ pl: 'do ', en: 'until ' })}
            <DateText at={endsAt} />
          </span>
        )}
      </p>
    )
  const reserve = remaining === null ? null : remaining - left
  return (
    <div className="remaining">
      <div className="remaining__row tsa__row">
        <LeftOf left={left} size={size} />
        {refillsAt ? (
          <span>
            {t({ pl: 'odnowi się ', en: 'refills on ' })}
            <DateText at={refillsAt} />
          </span>
        ) : (
          endsAt && (
            <span>
              {t({ pl: 'ważne do ', en: 'valid until ' })}
              <DateText at={endsAt} />
            </span>
          )
        )}
      </div>
      <PackageMeter pack={current} isEnough={reserve !== 0} />
      {reserve !== 0 && (
        <p className="small soft">
          {reserve === null
            ? t({ pl: 'Potem: pakiet bez limitu.', en: 'After that: an unlimited package.' })
            : t({
                pl: `W\u00a0kolejnych pakietach: ${timestampsText(t.locale, reserve)}.`,
                en: `Plus ${timestampsText(t.locale, reserve)} in later packages.`,
              })}
        </p>
      )}
      {reserve === 0 && isLow(current) && (
        <p className="tsa__low">
          {t({
            pl: 'Znaczniki się kończą. Kup kolejny pakiet, zanim ich zabraknie.',
            en: 'Your timestamps are running out. Buy another package before they’re gone.',
          })}
        </p>
      )}
    </div>
  )
}

type Props = { pack: AccountPackage; isEnough?: boolean }

/**
 * Shows how much of a package is left as a bar alone, because the text around it says the same. `isEnough`: other packages follow, so that
 * little left is not a warning.
 */
export function PackageMeter({ pack: { kind, size, remaining }, isEnough = false }: Props) {
  const t = useText()
  if (size === null || remaining === null) return null
  const isScarce = !isEnough && (remaining === 0 || isLow({ size, remaining }))
  const percent = Math.floor((remaining / size) * 100)
  return (
    <>
      <progress
        className={isScarce ? 'meter meter--warning' : 'meter'}
        max={size}
        value={remaining}
        aria-hidden="true"
      />
      <p className="unseen">
        {t({
          pl: `${t(packageKindText[kind])}: zostało ${percent}%.`,
          en: `${t(packageKindText[kind])}: ${percent}% left.`,
        })}
      </p>
    </>
  )
}

function NothingLeft({ refillsAt, isFirst }: { refillsAt: string | null | undefined; isFirst: boolean }) {
  const t = useText()
  return (
    <Notice
      kind={isFirst ? 'info' : 'error'}
      className="tsa__none"
      title={
        isFirst
          ? t({ pl: 'Konto nie ma jeszcze pakietu', en: 'This account has no package yet' })
          : t({ pl: 'Nie ma już znaczników', en: 'No timestamps left' })
      }
    >
      <p>
        {isFirst
          ? t({
              pl: 'Gdy kupisz pakiet, serwer od razu zacznie przyjmować żądania Twoich programów.',
              en: 'As soon as you buy a package, the server accepts your software’s requests.',
            })
          : refillsAt
            ? t({
                pl: `Do ${formatDate(t.locale, refillsAt)} serwer będzie odrzucał żądania Twoich programów. Nowy pakiet zadziała od razu po zakupie.`,
                en: `Until ${formatDate(t.locale, refillsAt)}, your software’s requests will be rejected. A new package takes effect immediately.`,
              })
            : t({
                pl: 'Serwer odrzuca żądania Twoich programów. Nowy pakiet zadziała od razu po zakupie.',
                en: 'Your software’s requests are being rejected. A new package takes effect immediately.',
              })}
        {!isFirst && (
          <>
            {' '}
            <AnswerLink to="timestamps-rejected" />
          </>
        )}
      </p>
    </Notice>
  )
}
