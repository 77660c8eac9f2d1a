import type { Text } from '../../contract/enums.ts'

/** `isOwner`: the title is the organisation of all of them. */
export type CertificateGroup<C> = { title?: Text; isOwner?: boolean; items: readonly C[] }

const urgent = { pl: 'Wkrótce wygasają', en: 'Expiring soon' }
const personal = { pl: 'Bez firmy', en: 'No company' }

type Rules<C> = { isUrgent: (item: C) => boolean; organisationOf: (item: C) => string | null }

/** What expires soon, then the others by organisation, in the order in which each first occurs (SIG-9, SEA-13). */
export function byOrganisation<C>(items: readonly C[], { isUrgent, organisationOf }: Rules<C>): CertificateGroup<C>[] {
  const groups = new Map<Text | string, CertificateGroup<C>>([
    [urgent, { title: urgent, items: items.filter(isUrgent) }],
  ])
  for (const item of items.filter((each) => !isUrgent(each))) {
    const organisation = organisationOf(item)
    const key = organisation ?? personal
    const title = organisation === null ? personal : { pl: organisation, en: organisation }
    groups.set(key, { title, isOwner: organisation !== null, items: [...(groups.get(key)?.items ?? []), item] })
  }
  return [...groups.values()].filter((group) => group.items.length)
}
