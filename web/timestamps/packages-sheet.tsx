import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { limits } from '../../contract/limits.ts'
import { isLow, listTimestampPackages, type AccountPackage, type TimestampAccount } from '../../contract/timestamps.ts'
import { useText } from '../app/locale.tsx'
import { useRead, useRequest } from '../calls/reads.ts'
import { BuyLink } from '../certificates/buy-link.tsx'
import { certificateLooks, validFromText, timestampLooks } from '../certificates/certificate-looks.ts'
import type { ListEndpoint, Page } from '../lists/paged-list.tsx'
import { DateText, DateTimeText } from '../text/date-text.tsx'
import { daysLeft, formatDateTime, formatNumber } from '../text/format.ts'
import { LookBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { PackageMeter } from './account-balance.tsx'
import { packageKindText, reasonText, endLook } from './timestamps-text.tsx'

/** Shows the packages of an account, in a sheet next to the list of accounts (TSP-2). */
export function PackagesSheet({ account, onClose }: { account: TimestampAccount; onClose: () => void }) {
  const t = useText()
  const { data } = useRead(listTimestampPackages, { params: { id: account.id }, query: {} })
  return (
    <Dialog
      title={t({ pl: `Pakiety konta ${account.login}`, en: `Packages of ${account.login}` })}
      description={
        data &&
        t({ pl: `Stan na ${formatDateTime(t.locale, data.now)}`, en: `As of ${formatDateTime(t.locale, data.now)}` })
      }
      width="sheet"
      initialFocus="title"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t({ pl: 'Zamknij', en: 'Close' })}
          </Button>
          <BuyLink product="timestamp" variant="primary" />
        </>
      }
    >
      <ExtendingList
        endpoint={listTimestampPackages}
        params={{ id: account.id }}
        skeleton={<Skeleton lines={5} />}
        label={t({ pl: 'Wczytujemy pakiety', en: 'Loading packages' })}
        more={t({ pl: 'Pokaż starsze pakiety', en: 'Show older packages' })}
        className="package__older"
      >
        {({ items, now }, isFirst, list) =>
          items.length === 0 && isFirst ? (
            <Empty
              family="timestamp"
              reason={t({
                pl: 'To konto nie ma jeszcze pakietu. Pakiet pojawi się tutaj po zakupie.',
                en: 'This account has no package yet. You’ll see one here once you buy it.',
              })}
            />
          ) : (
            <ul className="stack stack--small" ref={list}>
              {items.map((pack, index) => (
                <Pack key={pack.id} pack={pack} now={now} isInUse={isFirst && index === inUseOf(items)} />
              ))}
            </ul>
          )
        }
      </ExtendingList>
    </Dialog>
  )
}

/** Finds the index of the package in use, because packages are sorted in the order in which they are spent. */
const inUseOf = (items: readonly AccountPackage[]) =>
  items.findIndex(({ status, remaining }) => status === 'active' && remaining !== 0)

function Pack({ pack, now, isInUse }: { pack: AccountPackage; now: string; isInUse: boolean }) {
  const t = useText()
  const { kind, size, remaining, reason, startsAt, endsAt, refillsAt } = pack
  return (
    <li className={isInUse ? 'package package--on' : 'package'}>
      <div className="package__top">
        <h3 tabIndex={-1}>{t(packageKindText[kind])}</h3>
        <PackBadge pack={pack} now={now} />
      </div>
      {size === null || remaining === null ? (
        <p className="package__big">
          {t({ pl: 'Tyle znaczników, ile potrzebujesz', en: 'As many timestamps as you need' })}
        </p>
      ) : (
        <>
          <p className="package__big number">
            {t({ pl: 'Zostało ', en: '' })}
            <b>{formatNumber(t.locale, remaining)}</b>{' '}
            {t({ pl: `z\u00a0${formatNumber(t.locale, size)}`, en: `of ${formatNumber(t.locale, size)} left` })}
          </p>
          {!reason && <PackageMeter pack={pack} />}
        </>
      )}
      {isInUse && (
        <p className="small soft">
          {t({ pl: 'Teraz korzystasz z\u00a0tego pakietu.', en: 'You’re using this package now.' })}
        </p>
      )}
      <DescriptionList look="columns">
        {refillsAt && !reason && (
          <Row name={t({ pl: 'Odnowi się', en: 'Refills on' })}>
            <DateText at={refillsAt} />
          </Row>
        )}
        {reason === 'not-yet-valid' && (
          <Row name={t({ pl: 'Ważny od', en: 'Valid from' })}>
            <DateText at={startsAt} />
          </Row>
        )}
        {endsAt ? (
          <Row
            name={t(
              reason === 'expired'
                ? { pl: 'Był ważny do', en: 'Was valid until' }
                : { pl: 'Ważny do', en: 'Valid until' },
            )}
          >
            <DateTimeText at={endsAt} />
          </Row>
        ) : (
          <Row name={t({ pl: 'Ważność', en: 'Validity' })}>{t({ pl: 'Bezterminowo', en: 'No expiry' })}</Row>
        )}
      </DescriptionList>
    </li>
  )
}

/** Shows why a package is not used, how little it has left, or how soon it ends. */
function PackBadge({ pack, now }: { pack: AccountPackage; now: string }) {
  const { reason, startsAt, endsAt, remaining } = pack
  if (reason === 'not-yet-valid')
    return <LookBadge look={{ ...certificateLooks[reason], text: validFromText(startsAt) }} />
  if (reason) return <LookBadge look={{ ...certificateLooks.expired, text: reasonText[reason] }} />
  if (remaining === 0) return <LookBadge look={timestampLooks.empty} />
  if (isLow(pack)) return <LookBadge look={timestampLooks.low} />
  const days = endsAt ? daysLeft(endsAt, now) : Infinity
  if (days > limits.badge.amberDays)
    return <LookBadge look={{ ...certificateLooks.active, text: { pl: 'Aktywny', en: 'Active' } }} />
  return <LookBadge look={endLook(days, { pl: 'Wygasa', en: 'Expires' })} />
}

type ExtendingListProps<P extends Page> = {
  endpoint: ListEndpoint<P, unknown>
  params?: Record<string, string>
  cursor?: string
  skeleton: ReactNode
  label: string
  /** The button that shows the next page. */
  more: string
  className: string
  /** Returns the content; `first` is the first page, and the ref belongs to the element around the items. */
  children: (page: P, isFirst: boolean, items: RefObject<HTMLUListElement | null>) => ReactNode
}

/** Shows a list whose next page appears below once the customer asks for it. */
function ExtendingList<P extends Page>(props: ExtendingListProps<P>) {
  const { endpoint, params, cursor, skeleton, label, more, className, children } = props
  const list = useRequest<P>(endpoint, { params, query: cursor ? { cursor } : {} })
  const [isExtended, setIsExtended] = useState(false)
  const items = useRef<HTMLUListElement>(null)
  return (
    <Region query={list} skeleton={skeleton} label={label}>
      {(page) => (
        <>
          {children(page, !cursor, items)}
          {cursor && <FocusFirstHeading within={items} />}
          {page.next &&
            (isExtended ? (
              <div className={className}>
                <ExtendingList {...props} cursor={page.next} />
              </div>
            ) : (
              <Button className={className} icon="down" onClick={() => setIsExtended(true)}>
                {more}
              </Button>
            ))}
        </>
      )}
    </Region>
  )
}

/** Moves the focus to the beginning of the next page, because the button that was pressed is gone. */
function FocusFirstHeading({ within }: { within: RefObject<HTMLElement | null> }) {
  useEffect(() => within.current?.querySelector('h3')?.focus(), [within])
  return null
}
