import { useId, useState, type ReactNode } from 'react'
import { limits } from '../../contract/limits.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../locale.tsx'
import { ListPages } from '../ui/list-pages.tsx'

type Page = { items: readonly unknown[]; next: string | null }
type Size = '20' | '50' | '100'

/**
 * Where one of the two lists is: its status, and the page by cursor. Each has its own, and neither stands in the address,
 * which has one place for both.
 */
export function useCasePages<S extends string>() {
  const [status, setStatus] = useState<S>()
  const [size, setSize] = useState<Size>('20')
  const [cursors, turn] = useState<readonly string[]>([])
  const cursor = cursors.at(-1)
  const query = { ...(status && { status }), ...(size !== '20' && { size }), ...(cursor && { cursor }) }
  const ask = (next: S | undefined) => {
    setStatus(next)
    turn([])
  }
  /** The same page of the same list where the address does hold it. */
  const search = new URLSearchParams([
    ...Object.entries({ ...(status && { status }), ...(size !== '20' && { size }) }),
    ...cursors.map((each) => ['cursor', each]),
  ]).toString()
  return { status, size, cursors, query, search, ask, turn, setSize }
}

export type CasePages<S extends string> = ReturnType<typeof useCasePages<S>>

type FrameProps<S extends string> = {
  pages: CasePages<S>
  /** What is shown now; none while it is being read. */
  page: Page | undefined
  statuses: Record<S, Text>
  children: ReactNode
}

/** A list with its filter, from nine rows on, and its pages, from twenty on (defaults.md, lists). */
export function CaseFrame<S extends string>({ pages, page, statuses, children }: FrameProps<S>) {
  const t = useText()
  const id = useId()
  const { status, size, cursors, ask, turn, setSize } = pages
  const [hasFilter, setHasFilter] = useState(false)
  // Once drawn it stays, so that nobody loses what they have just used.
  if (!hasFilter && page && (page.next || page.items.length > limits.list.toolsBeyond)) setHasFilter(true)
  const [hasPages, setHasPages] = useState(false)
  const isPaged = page ? !!(cursors.length || page.next || size !== '20') : hasPages
  if (isPaged !== hasPages) setHasPages(isPaged)
  return (
    <>
      {hasFilter && (
        <search className="cases__filter">
          <div className="field">
            <label htmlFor={id}>{t({ pl: 'Status', en: 'Status' })}</label>
            <select
              id={id}
              className="select"
              value={status ?? ''}
              onChange={({ target }) => ask((target.value || undefined) as S | undefined)}
            >
              <option value="">{t({ pl: 'Wszystkie', en: 'All' })}</option>
              {(Object.keys(statuses) as S[]).map((each) => (
                <option key={each} value={each}>
                  {t(statuses[each])}
                </option>
              ))}
            </select>
          </div>
        </search>
      )}
      {children}
      {isPaged && (
        <ListPages
          page={cursors.length + 1}
          next={page?.next ?? null}
          size={size}
          onBack={() => turn(cursors.slice(0, -1))}
          onNext={(next) => turn([...cursors, next])}
          onSize={(next) => {
            setSize(next as Size)
            turn([])
          }}
        />
      )}
    </>
  )
}
