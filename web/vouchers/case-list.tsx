import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import type { IconName } from '../art/icons.tsx'
import { ListSearch, type Choice } from '../list-search.tsx'
import { NamedList } from '../list-name.tsx'
import { useText } from '../locale.tsx'
import type { Page, usePagedList } from '../paged-list.tsx'
import { EmptyList } from '../ui/empty.tsx'
import { ListRegion } from '../ui/region.tsx'

type Filters = { search?: string | undefined; id?: string | undefined; status?: string | undefined }

type Props<P extends Page, F extends Filters> = {
  cases: ReturnType<typeof usePagedList<P, unknown, F>>
  /** In the names of its controls. */
  name: string
  search: { label: Text; choices: readonly Choice[] }
  /** Of the fields of the search. */
  filtersOf: (values: Record<string, unknown>) => F
  icon: IconName
  label: string
  /** When a case appears here. */
  emptyReason: string
  emptyAction?: ReactNode
  children: (page: P) => ReactNode
}

type Shown = { list: { data: Page | undefined }; isFiltered: boolean; page: number }

/** Neither a case nor a filter: the customer has none in this list. */
export const hasNoCases = ({ list, isFiltered, page }: Shown) =>
  list.data?.items.length === 0 && !isFiltered && page === 1

/** A list of cases with its search, its filter and its pages (VCH-5). */
export function CaseList<P extends Page, F extends Filters>(props: Props<P, F>) {
  const { cases, name, search, filtersOf, icon, label, emptyReason, emptyAction, children } = props
  const t = useText()
  const { list, isFiltered, isLong, setFilters, pageButtons } = cases
  return (
    <NamedList value={name}>
      {isLong && (
        <ListSearch searchLabel={t(search.label)} paged={cases} choices={search.choices} filtersOf={filtersOf} />
      )}
      <ListRegion
        query={list}
        lines={4}
        label={label}
        empty={
          <EmptyList
            icon={icon}
            noMatch={t({ pl: 'Nie znaleziono takiej sprawy.', en: 'No matching cases.' })}
            onClear={isFiltered ? () => setFilters(filtersOf({})) : undefined}
            reason={emptyReason}
            action={emptyAction}
          />
        }
      >
        {children}
      </ListRegion>
      {pageButtons}
    </NamedList>
  )
}
