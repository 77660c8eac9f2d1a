import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { searches } from '../../contract/list-pages.ts'
import { followForm } from '../app/drafts.ts'
import { requireElement } from '../app/element-refs.ts'
import { valuesOf } from '../app/form-values.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import type { StatusLook } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { OfList, useListName } from '../ui/list-name.tsx'
import { Select, textOptions } from '../ui/select.tsx'
import { type Page } from './paged-list.tsx'

/** A filter or the order of a list, with the text of each of its values; the first is the default. */
export type Choice = { name: string; label: Text; texts: Record<string, Text> }

/** Returns the choice of one status, or of all. */
export const statusChoice = (name: string, looks: Record<string, StatusLook>): Choice => ({
  name,
  label: { pl: 'Status', en: 'Status' },
  texts: {
    '': { pl: 'Wszystkie', en: 'All' },
    ...Object.fromEntries(Object.entries(looks).map(([status, { text }]) => [status, text])),
  },
})

/** Reads the search from its fields or from the address: a text, or one object (AUT-12). */
export const searchedOf = ({ search, id }: Record<string, unknown>) => ({
  search: typeof search === 'string' ? search.trim().slice(0, limits.text.search) : undefined,
  id: searches.id.safeParse(id).data,
})

export type Filters = { readonly [name: string]: string | undefined }

type Props<F extends Filters> = {
  searchLabel: string
  /** Result of `usePagedList`. */
  paged: { list: { data: Page | undefined }; filters: F; setFilters: (filters: F) => void; isFiltered: boolean }
  choices: readonly Choice[]
  /** Filters from the fields of the search. */
  filtersOf: (values: Record<string, unknown>) => F
}

type FoundCountProps = {
  /** The current page; undefined while it is being read. */
  page: Page | undefined
  isFiltered: boolean
  /** Next to it. */
  children?: ReactNode
}

/**
 * Shows the number of rows that match the filters. The element is there before it has a text, because screen readers would not announce it
 * otherwise (UIX-25).
 */
export function FoundCount({ page, isFiltered, children }: FoundCountProps) {
  const t = useText()
  const count = page && `${page.items.length}${page.next ? '+' : ''}`
  return (
    <div className="list-found">
      <p className="hint" role="status">
        {isFiltered && count && t({ pl: `Znaleziono: ${count}`, en: `${count} found` })}
      </p>
      {children}
    </div>
  )
}

/** Shows the search, filters and order of a long list; on a phone the filters are in a sheet at the bottom (UIX-11). */
export function ListSearch<F extends Filters>({ searchLabel, paged, choices, filtersOf }: Props<F>) {
  const t = useText()
  const form = useRef<HTMLFormElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const listName = useListName()
  const { list, filters, setFilters, isFiltered } = paged
  const set = choices.filter(({ name }) => filters[name]).length
  /** Applies the fields, which are read when the form is sent or another choice is made. */
  const apply = () => setFilters(filtersOf(valuesOf(requireElement(form))))

  /**
   * Clears the filters, and moves the focus to the search field, because the button disappears and the focus must not move to the top of
   * the page (WCAG 2.4.3).
   */
  function showAll() {
    requireElement(form).querySelector('input')?.focus()
    setFilters(filtersOf({}))
  }

  // A text that was typed but not searched for is kept when the language changes (RTE-1).
  useEffect(() => followForm(requireElement(form)), [])
  const fields = <Choices choices={choices} filters={filters} />

  return (
    <>
      <search aria-label={listName || undefined}>
        <form
          ref={form}
          className="list-tools"
          onSubmit={(event) => {
            event.preventDefault()
            apply()
          }}
          onChange={({ target }) => target instanceof HTMLSelectElement && apply()}
        >
          <SearchField label={searchLabel} value={filters['search'] ?? ''} />
          <Button className="list-tools__open" icon="filter" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
            <span>
              {t({ pl: 'Filtry', en: 'Filters' })}
              {set > 0 && ` (${set})`}
              <OfList />
            </span>
          </Button>
          {isOpen ? (
            <FilterSheet
              page={list.data}
              isFiltered={isFiltered}
              onClear={
                set > 0 ? () => setFilters(filtersOf({ search: filters['search'], id: filters['id'] })) : undefined
              }
              onClose={() => setIsOpen(false)}
            >
              {fields}
            </FilterSheet>
          ) : (
            <div className="list-tools__fields">{fields}</div>
          )}
        </form>
      </search>
      <FoundCount page={list.data} isFiltered={isFiltered && !isOpen}>
        {filters['id'] && (
          <Button size="s" onClick={showAll}>
            <span>
              {t({ pl: 'Pokaż wszystkie', en: 'Show all' })}
              <OfList />
            </span>
          </Button>
        )}
      </FoundCount>
    </>
  )
}

function Choices({ choices, filters }: { choices: readonly Choice[]; filters: Filters }) {
  const t = useText()
  return choices.map(({ name, label, texts }) => {
    const options = textOptions(t.locale, texts)
    return (
      <Select
        key={name}
        name={name}
        label={t(label)}
        about={<OfList />}
        value={filters[name] ?? options[0]?.value}
        options={options}
      />
    )
  })
}

type SheetProps = {
  page: Page | undefined
  isFiltered: boolean
  /** Clears the filters; undefined if none is set. */
  onClear: (() => void) | undefined
  onClose: () => void
  children: ReactNode
}

/**
 * Shows the filters in a sheet. Each choice is applied at once, and its result is announced here, because a screen reader does not hear the
 * page behind.
 */
function FilterSheet({ page, isFiltered, onClear, onClose, children }: SheetProps) {
  const t = useText()
  const list = useListName()
  return (
    <Dialog
      title={t({ pl: 'Filtry', en: 'Filters' }) + (list && ` – ${list}`)}
      initialFocus="title"
      isStacked
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" aria-disabled={!onClear} onClick={onClear}>
            {t({ pl: 'Wyczyść', en: 'Clear' })}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t({ pl: 'Pokaż listę', en: 'Show the list' })}
          </Button>
        </>
      }
    >
      {children}
      <FoundCount page={page} isFiltered={isFiltered} />
    </Dialog>
  )
}

function SearchField({ label, value }: { label: string; value: string }) {
  const t = useText()
  const text = t({ pl: 'Szukaj', en: 'Search' })
  const name = useListName()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => void (requireElement(field).value = value), [value])
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        <OfList />
      </label>
      <div className="input-group">
        <input
          ref={field}
          id={id}
          name="search"
          className="input"
          type="search"
          autoComplete="off"
          maxLength={limits.text.search}
          defaultValue={value}
        />
        <button
          type="submit"
          className="input-group__button"
          aria-label={name ? `${text} – ${name}` : text}
          title={text}
        >
          <Icon name="search" />
        </button>
      </div>
    </div>
  )
}
