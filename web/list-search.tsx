import { useEffect, useId, useRef } from 'react'
import type { Text } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { useLocale, useText } from './locale.tsx'
import { Button } from './ui/button.tsx'
import { followForm } from './drafts.ts'
import { valuesOf } from './form-values.ts'
import { Select, textOptions } from './ui/select.tsx'
import { elementOf } from './element.ts'

type Props = {
  className: string
  label: string
  filters: { search?: string | undefined; status?: string | undefined; sort?: string | undefined }
  /** A further choice, between status and order. */
  choice?: { name: string; label: string; value: string | undefined; texts: Record<string, Text> }
  statusLabel: string
  statusText: Record<string, Text>
  /** The first is the default. */
  sortText: Record<string, Text>
  /** Gets the values of all fields, when the form is sent or another choice is made. */
  onApply: (values: Record<string, string | boolean>) => void
}

/** Search, status and order of a list, from nine rows on (defaults.md, lists). */
export function ListSearch({ className, label, filters, choice, statusLabel, statusText, sortText, onApply }: Props) {
  const { search, status, sort } = filters
  const t = useText()
  const locale = useLocale()
  const sorts = textOptions(locale, sortText)
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const apply = () => onApply(valuesOf(elementOf(form)))

  useEffect(() => void (elementOf(field).value = search ?? ''), [search])
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
            defaultValue={search}
          />
        </div>
        <Select name="status" label={statusLabel} value={status ?? ''} options={textOptions(locale, statusText)} />
        {choice && (
          <Select
            name={choice.name}
            label={choice.label}
            value={choice.value ?? ''}
            options={textOptions(locale, choice.texts)}
          />
        )}
        <Select
          name="sort"
          label={t({ pl: 'Kolejność', en: 'Order' })}
          value={sort ?? sorts[0]?.value}
          options={sorts}
        />
        <Button type="submit" icon="search">
          {t({ pl: 'Szukaj', en: 'Search' })}
        </Button>
      </form>
    </search>
  )
}
