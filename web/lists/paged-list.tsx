import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { defaultSize, listParams } from '../../contract/list-pages.ts'
import { useText } from '../app/locale.tsx'
import { stayHere } from '../app/page-title.ts'
import { hasFailedWith } from '../calls/api.ts'
import { useRequest } from '../calls/reads.ts'
import { Button } from '../ui/button.tsx'
import { OfList, useListName } from '../ui/list-name.tsx'
import './list-pages.css'
import { Select } from '../ui/select.tsx'

export type Page = { items: readonly unknown[]; next: string | null }
export type ListEndpoint<P extends Page, Q> = Endpoint & { reply: z.ZodMiniType<P>; query: z.ZodMiniType<unknown, Q> }

/** The filters, the page size, and the cursor of each page up to the current one; the first page has none. */
type Position<F> = { filters: F; size?: string | undefined; cursors: readonly string[] }
type PositionState<F> = readonly [Position<F>, (next: Position<F>) => void]

const paramsOfPosition = ({ filters, size, cursors }: Position<object>): [string, string][] => [
  ...Object.entries({ ...filters, ...(size && { size }) }).filter(([, value]) => value),
  ...cursors.map((cursor): [string, string] => ['cursor', cursor]),
]

/** Returns a query without plus signs, because a return path after a sign-in may not have any (RTE-7). */
const toSearch = (params: string[][]) => new URLSearchParams(params).toString().replaceAll('+', '%20')

/** Keeps the filters of a list in the page, which has several lists. */
export const useLocalFilters = <F extends object>(filters: F): PositionState<F> =>
  useState<Position<F>>({ filters, cursors: [] })

/**
 * Keeps the filters in the address, so that a reload and the other language keep them and the page (RTE-1). On a page with several lists
 * each has a prefix of its own, such as `voucher-`, and keeps what the address says of the others.
 */
export function useAddressFilters<F extends object>(
  filtersOf: (values: Record<string, string>) => F,
  prefix = '',
): PositionState<F> {
  const navigate = useNavigate()
  const params = new URLSearchParams(listParams(useLocation().search, prefix))
  const size = limits.list.sizes.map(String).find((each) => each === params.get('size'))
  const position = { filters: filtersOf(Object.fromEntries(params)), size, cursors: params.getAll('cursor') }
  function setPosition(next: Position<F>) {
    // As it is now, because another list may have changed it since this one was rendered.
    const others = prefix ? listParams(location.search).filter(([name]) => !name.startsWith(prefix)) : []
    const search = toSearch([...others, ...paramsOfPosition(next).map(([name, value]) => [prefix + name, value])])
    void navigate({ search }, { replace: true, state: stayHere })
  }
  return [position, setPosition]
}

export type PagedList<P extends Page, F extends object> = ReturnType<typeof usePagedList<P, unknown, F>>

const sizes = limits.list.sizes.map((size) => ({ value: String(size), label: String(size) }))

type Props = {
  page: number
  /** Number of rows on the page; undefined while it is being read. */
  count: number | undefined
  /** The cursor of the next page; null on the last one, and while a page is being read. */
  next: string | null
  size: string
  onBack: () => void
  onNext: (cursor: string) => void
  onSize: (size: string) => void
}

/** Shows buttons for the previous and the next page, which rows this one has, and the page size. */
function ListPages({ page, count, next, size, onBack, onNext, onSize }: Props) {
  const t = useText()
  const rows = count ? t(rowsText(page, Number(size), count, !next)) : undefined
  const name = useListName()
  const text = t({ pl: 'Strony listy', en: 'List pages' })
  return (
    <nav className="list-pages" aria-label={name ? `${text} – ${name}` : text}>
      <Button aria-disabled={page === 1} onClick={onBack}>
        <span>
          {t({ pl: 'Poprzednie', en: 'Previous' })}
          <OfList />
        </span>
      </Button>
      <p className="number">
        <span>{t({ pl: `Strona ${page}`, en: `Page ${page}` })}</span>
        {rows && `: ${rows}`}
      </p>
      <Button aria-disabled={!next} onClick={() => next && onNext(next)}>
        <span>
          {t({ pl: 'Następne', en: 'Next' })}
          <OfList />
        </span>
      </Button>
      <div className="list-pages__size">
        <Select
          name="size"
          label={t({ pl: 'Na stronie', en: 'Per page' })}
          about={<OfList />}
          value={size}
          options={sizes}
          onChange={onSize}
        />
      </div>
    </nav>
  )
}

/**
 * Returns `pozycje 21–40`, and on the last page `pozycje 41–53 z 53` (UIX-38). Only the last page knows the total: counting the rows of a
 * large list would cost more than reading a page of it.
 */
function rowsText(page: number, size: number, count: number, isLast: boolean): Text {
  const end = (page - 1) * size + count
  const rows = `${end - count + 1}–${end}`
  if (count === 1 && isLast) return { pl: `pozycja ${end} z\u00a0${end}`, en: `item ${end} of ${end}` }
  return isLast
    ? { pl: `pozycje ${rows} z\u00a0${end}`, en: `items ${rows} of ${end}` }
    : { pl: `pozycje ${rows}`, en: `items ${rows}` }
}

/** Reads a list page by page, with its filters and the buttons for its pages (defaults.md, lists). */
export function usePagedList<P extends Page, Q, F extends Q & object>(
  endpoint: ListEndpoint<P, Q>,
  [position, setPosition]: PositionState<F>,
  params?: Record<string, string>,
) {
  const { filters, size = defaultSize, cursors } = position
  const cursor = cursors.at(-1)
  const values = { ...filters, size: size === defaultSize ? undefined : size, cursor }
  const query = Object.fromEntries(Object.entries(values).filter(([, value]) => value))
  const list = useRequest<P>(endpoint, { params, query })
  const { data, error } = list
  /** Takes the focus when another page is shown. */
  const heading = useRef<HTMLHeadingElement>(null)

  const isFiltered = Object.entries(filters).some(([name, value]) => name !== 'sort' && value)
  const [isLong, setIsLong] = useState(false)
  // A long list stays one, so that nobody loses the field they are typing in.
  if (!isLong && (isFiltered || (data && (data.next || data.items.length >= limits.list.longFrom)))) setIsLong(true)
  const [hasPages, setHasPages] = useState(false)
  // While another page is being read, the buttons stay under the finger.
  const isPaged = data ? !!(cursors.length || data.next || size !== defaultSize) : hasPages
  if (isPaged !== hasPages) setHasPages(isPaged)

  // A cursor may be refused, because it was cut short or belongs to someone else, and the last page may have been emptied.
  const isRefused = hasFailedWith(error) && error.status === 400
  const isEmptied = data?.items.length === 0
  const leavePage = useEffectEvent(() => setPosition({ ...position, cursors: isEmptied ? cursors.slice(0, -1) : [] }))
  useEffect(() => {
    if (cursor && (isRefused || isEmptied)) leavePage()
  }, [cursor, isRefused, isEmptied])

  function goToPage(next: readonly string[]) {
    setPosition({ ...position, cursors: next })
    heading.current?.focus()
  }

  return {
    list,
    query,
    filters,
    heading,
    isFiltered,
    /** Whether the list has compact rows, search and filters (UIX-10). */
    isLong,
    page: cursors.length + 1,
    /** Sets other filters, which begin at their first page. */
    setFilters: (next: F) => setPosition({ ...position, filters: next, cursors: [] }),
    /** The current page, with its filters, as a query of the address. */
    search: toSearch(paramsOfPosition(position)),
    pageButtons: isPaged && (
      <ListPages
        page={cursors.length + 1}
        count={data?.items.length}
        next={data?.next ?? null}
        size={size}
        onBack={() => goToPage(cursors.slice(0, -1))}
        onNext={(next) => goToPage([...cursors, next])}
        onSize={(next) => setPosition({ filters, size: next, cursors: [] })}
      />
    ),
  }
}
