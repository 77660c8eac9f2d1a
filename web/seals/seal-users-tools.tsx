import type { ComponentProps } from 'react'
import type { SealUserSort, SealUserStatus } from '../../contract/seal-users.ts'
import { useText } from '../locale.tsx'
import { ListSearch, searchedOf, type Choice } from '../list-search.tsx'

export type SealUserFilters = {
  search?: string | undefined
  status?: SealUserStatus | undefined
  sort?: SealUserSort | undefined
}

type Props = { paged: ComponentProps<typeof ListSearch<SealUserFilters>>['paged'] }

const choices: readonly Choice[] = [
  {
    name: 'status',
    label: { pl: 'Dostęp', en: 'Access' },
    texts: {
      '': { pl: 'Wszyscy', en: 'Everyone' },
      active: { pl: 'Aktywni', en: 'Active' },
      pending: { pl: 'Oczekujący', en: 'Awaiting activation' },
    },
  },
  {
    name: 'sort',
    label: { pl: 'Kolejność', en: 'Sort by' },
    texts: { '': { pl: 'Według dostępu', en: 'Access' }, name: { pl: 'Według nazwiska', en: 'Surname' } },
  },
]

const filtersOf = ({ status, sort, ...searched }: Record<string, unknown>): SealUserFilters => ({
  search: searchedOf(searched).search,
  status: status === 'active' || status === 'pending' ? status : undefined,
  sort: sort === 'name' ? sort : undefined,
})

/** Search, status and order of the users of a seal. */
export function SealUsersTools({ paged }: Props) {
  const t = useText()
  return (
    <ListSearch
      searchLabel={t({ pl: 'Szukaj osoby', en: 'Search for a person' })}
      paged={paged}
      choices={choices}
      filtersOf={filtersOf}
    />
  )
}
