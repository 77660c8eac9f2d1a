import { lazy, Suspense, useEffect, useId, useRef, type SubmitEvent } from 'react'
import { useSearchParams } from 'react-router'
import { limits } from '../../contract/limits.ts'
import { SignatureSort } from '../../contract/signatures.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { valuesOf } from '../ui/form-values.ts'

const SortSelect = lazy(() => import('./sort-select.tsx').then((module) => ({ default: module.SortSelect })))

export type Wish = {
  search?: string
  status?: 'active' | 'inactive'
  sort?: SignatureSort
  size?: '20' | '50' | '100'
}

/** What is asked of the list stands in the address, so that it can be kept, shared and read in the other language (RTE-1). */
export function useWish() {
  const [params, setParams] = useSearchParams()
  const search = params.get('search')?.trim().slice(0, limits.text.search)
  const status = params.get('status')
  const size = params.get('size')
  const sort = SignatureSort.safeParse(params.get('sort'))
  const wish: Wish = {}
  if (sort.success) wish.sort = sort.data
  if (search) wish.search = search
  if (status === 'active' || status === 'inactive') wish.status = status
  if (size === '50' || size === '100') wish.size = size
  const ask = (next: Record<string, string>) =>
    setParams(
      Object.entries({ ...wish, ...next }).filter(([, value]) => value),
      { replace: true },
    )
  return { wish, wants: !!(wish.search || wish.status), ask }
}

/** Search, status filter and order, from nine rows on (defaults.md, lists). */
export function SignatureSearch() {
  const t = useText()
  const id = useId()
  const { wish, ask } = useWish()
  const form = useRef<HTMLFormElement>(null)
  const asked = useRef<HTMLElement | null>(null)

  // A new address moves the focus to the heading; asking the list is no journey, so it goes back to where it was.
  useEffect(() => {
    const back = asked.current
    asked.current = null
    // The page's own effect, which moves the focus, runs after this one.
    if (back) requestAnimationFrame(() => back.focus())
    const { search, status } = form.current!.elements as unknown as Record<string, HTMLInputElement>
    search!.value = wish.search ?? ''
    status!.value = wish.status ?? ''
  }, [wish.search, wish.status])

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    choose()
  }

  function choose() {
    const { search, status } = valuesOf(form.current!)
    asked.current = document.activeElement as HTMLElement
    ask({ search: String(search ?? '').trim(), status: String(status ?? '') })
  }

  return (
    <search>
      <form ref={form} className="listtools" onSubmit={submit}>
        <div className="field">
          <label htmlFor={`${id}-search`}>
            {t({ pl: 'Szukaj osoby lub firmy', en: 'Search for a person or company' })}
          </label>
          <input
            id={`${id}-search`}
            name="search"
            className="input"
            type="search"
            autoComplete="off"
            maxLength={limits.text.search}
            defaultValue={wish.search}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-status`}>{t({ pl: 'Status', en: 'Status' })}</label>
          <select
            id={`${id}-status`}
            name="status"
            className="select"
            defaultValue={wish.status ?? ''}
            onChange={choose}
          >
            <option value="">{t({ pl: 'Wszystkie', en: 'All' })}</option>
            <option value="active">{t({ pl: 'Aktywne', en: 'Active' })}</option>
            <option value="inactive">{t({ pl: 'Nieaktywne', en: 'Inactive' })}</option>
          </select>
        </div>
        <Suspense fallback={<div className="field" />}>
          <SortSelect key={wish.sort} value={wish.sort ?? 'urgency'} onChange={(sort) => ask({ sort })} />
        </Suspense>
        <Button type="submit" icon="search">
          {t({ pl: 'Szukaj', en: 'Search' })}
        </Button>
      </form>
    </search>
  )
}
