import { useId, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { EmptyList, type EmptyTexts } from '../ui/empty.tsx'
import { NamedList } from '../ui/list-name.tsx'
import { Region } from '../ui/region.tsx'
import { ListSearch, type Choice, type Filters } from './list-search.tsx'
import { type Page, type PagedList } from './paged-list.tsx'

type Props<P extends Page, F extends Filters> = {
  paged: PagedList<P, F>
  /** Part of the names of the controls, on a page with several lists (UIX-20). */
  name?: Text
  /** Heading for screen readers, which takes the focus when another page is shown. */
  heading?: Text
  /** Whether the list is on a card of its own; otherwise its items are cards, or it is on a card of its page. */
  isCard?: boolean
  search: {
    label: Text
    choices: readonly Choice[]
    /** Filters from the fields of the search, or from the address. */
    filtersOf: (values: Record<string, unknown>) => F
  }
  /** Text for screen readers while the list is read. */
  loading: Text
  skeleton?: ReactNode
  empty: EmptyTexts
  /** Checks whether a page without items has something else to show. */
  showsWithoutItems?: (page: P) => boolean
  /** Returns the content of a page; `none` says that nothing is there, or that nothing matches. */
  children: (page: P, none: ReactNode) => ReactNode
}

/** Shows a list in pages: search and filters once it is long, its state while it is read, and the buttons for its pages. */
export function ListScreen<P extends Page, F extends Filters>(props: Props<P, F>) {
  const { paged, name, heading, isCard = false, search, loading, skeleton, empty, showsWithoutItems, children } = props
  const t = useText()
  const id = useId()
  const { list, filters, isFiltered, isLong, page, setFilters, pageButtons, heading: headingRef } = paged
  const onClear = isFiltered ? () => setFilters(search.filtersOf({ sort: filters['sort'] })) : undefined
  // An emptied page is left for the one before it.
  const none = page === 1 || isFiltered ? <EmptyList {...empty} onClear={onClear} /> : null
  const shownNone = none && heading && !isCard ? <div className="card">{none}</div> : none
  const content = (
    <>
      {heading && (
        <h2 id={id} className="unseen" tabIndex={-1} ref={headingRef}>
          {page > 1 ? t({ pl: `${heading.pl}, strona ${page}`, en: `${heading.en}, page ${page}` }) : t(heading)}
        </h2>
      )}
      <Region query={list} lines={4} label={t(loading)} skeleton={skeleton}>
        {(read) => (read.items.length || showsWithoutItems?.(read) ? children(read, shownNone) : shownNone)}
      </Region>
    </>
  )
  return (
    <NamedList value={name ? t(name) : ''}>
      {isLong && (
        <ListSearch searchLabel={t(search.label)} paged={paged} choices={search.choices} filtersOf={search.filtersOf} />
      )}
      {isCard ? (
        <section className="card" aria-labelledby={id}>
          {content}
        </section>
      ) : (
        content
      )}
      {pageButtons}
    </NamedList>
  )
}
