import type { ReactNode } from 'react'
import { keysOf } from '../../contract/keys-of.ts'
import { ListSearch, statusChoice } from '../list-search.tsx'
import { useText } from '../locale.tsx'
import type { Page, usePagedList } from '../paged-list.tsx'
import type { StatusLook } from '../ui/badge.tsx'
import { Empty, NoMatch } from '../ui/empty.tsx'
import { ListRegion } from '../ui/region.tsx'

type Props<P extends Page, S extends string> = {
  cases: ReturnType<typeof usePagedList<P, unknown, { status?: S | undefined }>>
  looks: Record<S, StatusLook>
  label: string
  /** When a case appears here. */
  emptyReason: string
  emptyAction?: ReactNode
  children: (page: P) => ReactNode
}

/** A list of cases with its filter and its pages. Neither is in the address, because the page has two such lists. */
export function CaseList<P extends Page, S extends string>(props: Props<P, S>) {
  const { cases, looks, label, emptyReason, emptyAction, children } = props
  const t = useText()
  const { list, isFiltered, isLong, filters, setFilters, pageButtons } = cases
  const noMatch = t({ pl: 'Żadna sprawa nie ma tego statusu.', en: 'No case has this status.' })
  return (
    <>
      {isLong && (
        <ListSearch
          filters={filters}
          choices={[statusChoice('status', looks)]}
          onApply={({ status }) => setFilters({ status: keysOf(looks).find((each) => each === status) })}
        />
      )}
      <ListRegion
        query={list}
        lines={4}
        label={label}
        empty={
          isFiltered ? (
            <NoMatch reason={noMatch} onClear={() => setFilters({})} />
          ) : (
            <Empty reason={emptyReason} action={emptyAction} />
          )
        }
      >
        {children}
      </ListRegion>
      {pageButtons}
    </>
  )
}
