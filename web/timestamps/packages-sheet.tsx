import { useEffect, useRef, useState } from 'react'
import { limits } from '../../contract/limits.ts'
import { listTimestampPackages, type AccountPackage, type TimestampAccount } from '../../contract/timestamps.ts'
import { config } from '../config.ts'
import { useLocale, useText } from '../locale.tsx'
import { useRead } from '../reads.ts'
import { daysLeft, formatDate, formatDateTime, formatDaysLeft, formatNumber } from '../text/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { PackageMeter } from './account-balance.tsx'
import { kindText, reasonText } from './timestamps-text.ts'

/** TSP-2: the packages of an account, beside the list of accounts. */
export function PackagesSheet({ account, onClose }: { account: TimestampAccount; onClose: () => void }) {
  const t = useText()
  const locale = useLocale()
  const { data } = useRead(listTimestampPackages, { params: { id: account.id }, query: {} })
  return (
    <Dialog
      title={t({ pl: `Pakiety konta ${account.login}`, en: `Packages of ${account.login}` })}
      description={
        data &&
        t({ pl: `Stan na ${formatDateTime(locale, data.now)}`, en: `As of ${formatDateTime(locale, data.now)}` })
      }
      width="sheet"
      initialFocus="title"
      onClose={onClose}
      footer={
        <>
          <ButtonLink variant="primary" href={config.brand.links.timestamp}>
            {t({ pl: 'Kup pakiet', en: 'Buy a package' })}
          </ButtonLink>
          <Button onClick={onClose}>{t({ pl: 'Zamknij', en: 'Close' })}</Button>
        </>
      }
    >
      <PackagePage account={account.id} />
    </Dialog>
  )
}

/** One page of packages, and under it the older ones once they are asked for. */
function PackagePage({ account, cursor }: { account: string; cursor?: string }) {
  const t = useText()
  const list = useRead(listTimestampPackages, { params: { id: account }, query: { ...(cursor && { cursor }) } })
  const [older, setOlder] = useState(false)
  const packs = useRef<HTMLUListElement>(null)
  const shown = list.data !== undefined

  useEffect(() => {
    if (cursor && shown) packs.current?.querySelector<HTMLElement>('h3')?.focus()
  }, [cursor, shown])

  return (
    <Region
      query={list}
      skeleton={<Skeleton lines={5} />}
      label={t({ pl: 'Wczytujemy pakiety', en: 'Loading packages' })}
    >
      {({ items, next, now }) =>
        items.length === 0 && !cursor ? (
          <Empty
            family="timestamp"
            reason={t({
              pl: 'To konto nie ma jeszcze pakietu. Kupiony pakiet pojawi się tutaj sam.',
              en: 'This account has no package yet. One that you buy appears here by itself.',
            })}
          />
        ) : (
          <>
            <ul className="stack stack--s" ref={packs}>
              {items.map((one, index) => (
                <Pack key={one.id} one={one} now={now} inUse={!cursor && index === inUseOf(items)} />
              ))}
            </ul>
            {next &&
              (older ? (
                <div className="pack__older">
                  <PackagePage account={account} cursor={next} />
                </div>
              ) : (
                <Button className="pack__older" icon="down" onClick={() => setOlder(true)}>
                  {t({ pl: 'Pokaż starsze pakiety', en: 'Show older packages' })}
                </Button>
              ))}
          </>
        )
      }
    </Region>
  )
}

/** They come in the order in which they are spent. */
const inUseOf = (items: readonly AccountPackage[]) =>
  items.findIndex(({ status, remaining }) => status === 'active' && remaining !== 0)

function Pack({ one, now, inUse }: { one: AccountPackage; now: string; inUse: boolean }) {
  const t = useText()
  const locale = useLocale()
  const { kind, size, remaining, reason, startsAt, endsAt, refillsAt } = one
  return (
    <li className={inUse ? 'pack pack--on' : 'pack'}>
      <div className="pack__top">
        <h3 tabIndex={-1}>{t(kindText[kind])}</h3>
        <PackBadge one={one} now={now} />
      </div>
      {size === null || remaining === null ? (
        <p className="pack__big">
          {t({ pl: 'Tyle znaczników, ile potrzebujesz', en: 'As many timestamps as you need' })}
        </p>
      ) : (
        <>
          <p className="pack__big num">
            <span className="vh">{t({ pl: 'Pozostało ', en: 'Left: ' })}</span>
            <b>{formatNumber(locale, remaining)}</b>{' '}
            {t({ pl: `z\u00a0${formatNumber(locale, size)}`, en: `of ${formatNumber(locale, size)}` })}
          </p>
          {!reason && <PackageMeter one={one} />}
        </>
      )}
      {(inUse || reason) && (
        <p className="small soft">
          {reason
            ? t(reasonText[reason])
            : t({
                pl: 'Z\u00a0tego pakietu bierzemy teraz znaczniki.',
                en: 'Timestamps are taken from this package now.',
              })}
        </p>
      )}
      <dl className="dl">
        {refillsAt && !reason && (
          <div>
            <dt>{t({ pl: 'Odnowi się', en: 'Full again on' })}</dt>
            <dd>
              <time dateTime={refillsAt}>{formatDate(locale, refillsAt)}</time>
            </dd>
          </div>
        )}
        {reason === 'not-yet-valid' && (
          <div>
            <dt>{t({ pl: 'Ważny od', en: 'Valid from' })}</dt>
            <dd>
              <time dateTime={startsAt}>{formatDateTime(locale, startsAt)}</time>
            </dd>
          </div>
        )}
        <div>
          <dt>{t({ pl: 'Ważność', en: 'Validity' })}</dt>
          <dd>
            {endsAt ? (
              <>
                {t({ pl: 'do ', en: 'until ' })}
                <time dateTime={endsAt}>{formatDateTime(locale, endsAt)}</time>
              </>
            ) : (
              t({ pl: 'Bez limitu', en: 'No limit' })
            )}
          </dd>
        </div>
      </dl>
    </li>
  )
}

function PackBadge({ one: { status, endsAt, remaining }, now }: { one: AccountPackage; now: string }) {
  const t = useText()
  const locale = useLocale()
  if (status === 'inactive')
    return (
      <Badge kind="mute" icon="minusc">
        {t({ pl: 'Nieaktywny', en: 'Inactive' })}
      </Badge>
    )
  if (remaining === 0)
    return (
      <Badge kind="err" icon="alert">
        {t({ pl: 'Pusty', en: 'Empty' })}
      </Badge>
    )
  const days = endsAt ? daysLeft(endsAt, now) : Infinity
  if (days <= limits.badge.amberDays)
    return (
      <Badge kind={days <= limits.badge.strongDays ? 'warn-strong' : 'warn'} icon="hour">
        {t({ pl: `Wygasa ${formatDaysLeft(locale, days)}`, en: `Expires ${formatDaysLeft(locale, days)}` })}
      </Badge>
    )
  return (
    <Badge kind="ok" icon="okc">
      {t({ pl: 'Aktywny', en: 'Active' })}
    </Badge>
  )
}
