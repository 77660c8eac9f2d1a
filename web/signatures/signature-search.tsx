import { useEffect, useId, useRef, type SubmitEvent } from 'react'
import { limits } from '../../contract/limits.ts'
import { useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { Button } from '../ui/button.tsx'
import { followForm } from '../ui/drafts.ts'
import { valuesOf } from '../ui/form-values.ts'
import { useWish } from './list-wish.ts'

const SortSelect = partOnDemand(
  () => import('./sort-select.tsx').then((file) => file.SortSelect),
  <div className="field" />,
)

/** Search, status filter and order, from nine rows on (defaults.md, lists). */
export function SignatureSearch() {
  const t = useText()
  const id = useId()
  const { wish, ask } = useWish()
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    const { search, status } = form.current!.elements as unknown as Record<string, HTMLInputElement>
    search!.value = wish.search ?? ''
    status!.value = wish.status ?? ''
  }, [wish.search, wish.status])

  // What is typed but not yet asked for goes along into the other language (RTE-1).
  useEffect(() => followForm(form.current!), [])

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    choose()
  }

  function choose() {
    const { search, status } = valuesOf(form.current!)
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
        <SortSelect value={wish.sort ?? 'urgency'} onChange={(sort) => ask({ sort })} />
        <Button type="submit" icon="search">
          {t({ pl: 'Szukaj', en: 'Search' })}
        </Button>
      </form>
    </search>
  )
}
