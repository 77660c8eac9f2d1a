import { useEffect, useId, useRef } from 'react'
import type { Text } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { useLocale, useText } from './locale.tsx'
import { Button } from './ui/button.tsx'
import { followForm } from './drafts.ts'
import { valuesOf } from './form-values.ts'
import { Select, textOptions } from './ui/select.tsx'
import { elementOf } from './element.ts'

/** A filter or the order of a list, with the text of each of its values; the first is the default. */
export type Choice = { name: string; label: Text; texts: Record<string, Text> }

type Filters = { readonly [name: string]: string | undefined }

type Props = {
  className: string
  /** The label of the search field; a list without one has choices only. */
  searchLabel?: string
  filters: Filters
  choices: readonly Choice[]
  /** Gets the values of all fields, when the form is sent or another choice is made. */
  onApply: (values: Record<string, string | boolean>) => void
}

/** Search, filters and order of a list, from nine rows on (defaults.md, lists). */
export function ListSearch({ className, searchLabel, filters, choices, onApply }: Props) {
  const t = useText()
  const locale = useLocale()
  const form = useRef<HTMLFormElement>(null)
  const apply = () => onApply(valuesOf(elementOf(form)))

  // A text that was typed but not searched for is kept when the language changes (RTE-1).
  useEffect(() => followForm(elementOf(form)), [])

  return (
    <search>
      <form
        ref={form}
        className={className}
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
        onChange={({ target }) => target instanceof HTMLSelectElement && apply()}
      >
        {searchLabel && <SearchField label={searchLabel} value={filters['search'] ?? ''} />}
        {choices.map(({ name, label, texts }) => {
          const options = textOptions(locale, texts)
          return (
            <Select
              key={name}
              name={name}
              label={t(label)}
              value={filters[name] ?? options[0]?.value}
              options={options}
            />
          )
        })}
      </form>
    </search>
  )
}

function SearchField({ label, value }: { label: string; value: string }) {
  const t = useText()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => void (elementOf(field).value = value), [value])
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{label}</label>
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
      </div>
      <Button type="submit" icon="search">
        {t({ pl: 'Szukaj', en: 'Search' })}
      </Button>
    </>
  )
}

/** How many rows match the filters; read out when they change. */
export function FoundCount({
  page,
  isFiltered,
}: {
  page: { items: readonly unknown[]; next: string | null }
  isFiltered: boolean
}) {
  const t = useText()
  const count = `${page.items.length}${page.next ? '+' : ''}`
  return (
    <p className="hint found" role="status">
      {isFiltered && t({ pl: `Znaleziono: ${count}`, en: `Found: ${count}` })}
    </p>
  )
}
