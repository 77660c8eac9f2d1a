import { Fragment, useEffect, useRef, useState, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { unbroken } from '../text/format.ts'
import { Button } from '../ui/button.tsx'

type Item = { id: string; status: 'active' | 'inactive'; reason: string | null }

type CertificateGroup<C> = {
  title?: Text
  /** Whether these need something soon. */
  isFirst?: boolean
  /** Whether the title is the organisation of all of them. */
  isOwner?: boolean
  items: readonly C[]
}

const personal = { pl: 'Bez firmy', en: 'No company' }

type GroupRules<C> = {
  /** Title of the first group. */
  firstTitle: Text
  isFirst: (item: C) => boolean
  organisationOf: (item: C) => string | null
}

/**
 * Groups certificates: first those that need something soon, then the others by organisation, in the order in which each organisation first
 * occurs (SIG-9, SEA-13).
 */
export function byOrganisation<C>(
  items: readonly C[],
  { firstTitle, isFirst, organisationOf }: GroupRules<C>,
): CertificateGroup<C>[] {
  const groups = new Map<Text | string, CertificateGroup<C>>([
    [firstTitle, { title: firstTitle, isFirst: true, items: items.filter(isFirst) }],
  ])
  for (const item of items.filter((each) => !isFirst(each))) {
    const organisation = organisationOf(item)
    const key = organisation ?? personal
    const title = organisation === null ? personal : { pl: organisation, en: organisation }
    groups.set(key, { title, isOwner: organisation !== null, items: [...(groups.get(key)?.items ?? []), item] })
  }
  return [...groups.values()].filter((group) => group.items.length)
}

type Props<C extends Item> = {
  items: readonly C[]
  /** The class of the list while it has cards. */
  className?: string
  isLong: boolean
  /** Whether the inactive ones are apart, and a long list has groups: other orders than that of urgency mix them. */
  isApart: boolean
  /** Number of inactive certificates shown at first. */
  inactiveShown?: number
  /** Organisations in the whole list. */
  organisations: readonly string[]
  rules: GroupRules<C>
  /** Returns the content of a certificate; `isGrouped`: whether its organisation is in the heading above it. */
  children: (item: C, isGrouped: boolean) => ReactNode
}

/**
 * Shows signatures or seals as cards, or as the rows of a long list: those that need something soon, the others by organisation, those not
 * valid yet, the inactive ones (SIG-9, SEA-13).
 */
export function CertificateItems<C extends Item>({
  items,
  className = 'stack',
  isLong,
  isApart,
  inactiveShown = Infinity,
  organisations,
  rules,
  children,
}: Props<C>) {
  const t = useText()
  const [showsAll, setShowsAll] = useState(false)
  const revealed = useRef<HTMLLIElement>(null)
  const { upcoming, inactive, leading } = isApart
    ? splitByStatus(items)
    : { upcoming: [], inactive: [], leading: items }
  const shown = showsAll ? inactive.length : inactiveShown
  const hidden = inactive.length - shown
  const groups = isLong && isApart && organisations.length > 1 ? byOrganisation(leading, rules) : [{ items: leading }]

  useEffect(() => {
    if (showsAll) revealed.current?.querySelector<HTMLElement>('h3')?.focus()
  }, [showsAll])

  return (
    <>
      {leading.length > 0 && (
        <div className={isLong ? 'card certificate-rows' : undefined}>
          {groups.map((group) => (
            <Group key={group.title?.en} group={group} className={isLong ? 'certificate-rows__items' : className}>
              {children}
            </Group>
          ))}
        </div>
      )}
      {[
        { title: { pl: 'Wkrótce zaczną działać', en: 'Starting soon' }, items: upcoming },
        { title: { pl: 'Nieaktywne', en: 'Inactive' }, items: inactive.slice(0, shown) },
      ].map(
        (group) =>
          group.items.length > 0 && (
            <Fragment key={group.title.en}>
              <h2 className="small-heading certificate__group">{t(group.title)}</h2>
              <ul className={isLong ? 'card certificate-rows' : className}>
                {group.items.map((item) => (
                  <li
                    key={item.id}
                    data-certificate={item.id}
                    ref={item === inactive[inactiveShown] ? revealed : undefined}
                  >
                    {children(item, false)}
                  </li>
                ))}
              </ul>
            </Fragment>
          ),
      )}
      {hidden > 0 && (
        <Button className="certificate__more" icon="down" onClick={() => setShowsAll(true)}>
          {t({ pl: `Pokaż pozostałe nieaktywne (${hidden})`, en: `Show the other inactive ones (${hidden})` })}
        </Button>
      )}
    </>
  )
}

type GroupProps<C extends Item> = { group: CertificateGroup<C>; className: string; children: Props<C>['children'] }

/** Shows a group of items, with its title if it has one: those at the front of a long list, or those of one organisation. */
function Group<C extends Item>({ group, className, children }: GroupProps<C>) {
  const t = useText()
  const { title, isFirst, isOwner = false, items } = group
  return (
    <>
      {title && (
        <h2
          className={isFirst ? 'certificate-rows__group certificate-rows__group--first' : 'certificate-rows__group'}
          translate={isOwner ? 'no' : undefined}
        >
          {isFirst && <Icon name="hourglass" size="s" />}
          {unbroken(t(title))}
        </h2>
      )}
      <ul className={className}>
        {items.map((item) => (
          <li key={item.id} data-certificate={item.id}>
            {children(item, isOwner)}
          </li>
        ))}
      </ul>
    </>
  )
}

const splitByStatus = <C extends Item>(items: readonly C[]) => ({
  upcoming: items.filter(({ reason }) => reason === 'not-yet-valid'),
  inactive: items.filter(({ status, reason }) => status === 'inactive' && reason !== 'not-yet-valid'),
  leading: items.filter(({ status }) => status === 'active'),
})
