import type { Text } from '../../contract/enums.ts'

/** `isFirst`: those that need something soon. `isOwner`: the title is the organisation of all of them. */
export type CertificateGroup<C> = { title?: Text; isFirst?: boolean; isOwner?: boolean; items: readonly C[] }

const personal = { pl: 'Bez firmy', en: 'No company' }

export type GroupRules<C> = {
  /** Of the first group. */
  firstTitle: Text
  isFirst: (item: C) => boolean
  organisationOf: (item: C) => string | null
}

/** What needs something soon, then the others by organisation, in the order in which each first occurs (SIG-9, SEA-13). */
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
