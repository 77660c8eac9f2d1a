import { useRef } from 'react'
import type { Locale } from '../../contract/enums.ts'
import { lettersAndDigits, usualCharacters } from '../../contract/rules/typed-characters.ts'
import './date-field.css'
import { requireElement, useInputEvents } from '../app/element-refs.ts'
import { useText } from '../app/locale.tsx'
import { FieldFrame, useField, type FieldProps } from './field.tsx'

type Props = FieldProps & {
  /** `false` for filters, which need no „(opcjonalnie)”. */ required?: boolean
  initialDay?: string
}

/** Format in which a day is typed and shown, day first in both languages. */
const dayFormat = { pl: 'DD.MM.RRRR', en: 'DD/MM/YYYY' }

/** Typed, but not as a day: no schema of a day accepts it. */
export const noDay = '?'

/**
 * Day first, with any separators or none, and year first as in ISO 8601; either may end with „r.” (rok, the year).
 * Eight digits are what they can be in the years 1900 to 2199: no month is 19 to 21, so they can never be both.
 */
const forms = [
  /^(?<day>\d{1,2})-(?<month>\d{1,2})-(?<year>\d{4})(?:-?r(?:oku?)?)?$/i,
  /^(?<day>0[1-9]|[12]\d|3[01])(?<month>0[1-9]|1[0-2])(?<year>(?:19|20|21)\d\d)$/,
  /^(?<year>(?:19|20|21)\d\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\d|3[01])$/,
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:-?r(?:oku?)?)?$/i,
]

/** Returns the day that was typed, as `2031-05-02`. */
export function typedDay(text: string): string {
  if (!usualCharacters(text).trim()) return ''
  const typed = lettersAndDigits(text, '-').replace(/^-|-$/g, '')
  const { day, month, year } = forms.map((form) => form.exec(typed)?.groups).find(Boolean) ?? {}
  return day && month && year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : noDay
}

/** Formats `2031-05-02` as a field shows it: `02.05.2031`, or `02/05/2031`; empty for a text that is not a day. */
export const shownDay = (locale: Locale, day: string) =>
  /^\d{4}-\d\d-\d\d$/.test(day)
    ? day
        .split('-')
        .toReversed()
        .join(locale === 'pl' ? '.' : '/')
    : ''

/**
 * Shows a field in which a day is typed. A native date field shows the order of the browser's language, not of the page's, and its picker
 * is slow for days far away. The form gets `2031-05-02` under the field's name; leaving the field shows the day in its format.
 */
export function DateField({ name, label, hint, optional = false, required = !optional, initialDay }: Props) {
  const t = useText()
  const { id, error, initial, wiring } = useField({ name, label, hint, optional: !required })
  const given = initialDay ?? initial
  const start = typeof given === 'string' && given !== noDay ? given : ''
  const shown = useRef<HTMLInputElement>(null)
  const kept = useRef<HTMLInputElement>(null)

  /** Stores the typed day, and dispatches an event, because the form reads native events of a named field (VAL-2). */
  const storeValue = (event: 'input' | 'change') => {
    const field = requireElement(kept)
    const day = typedDay(requireElement(shown).value)
    if (event === 'input' && day === field.value) return
    field.value = day
    field.dispatchEvent(new Event(event, { bubbles: true }))
  }
  useInputEvents(kept, () => {
    const field = requireElement(kept)
    // Announced by this field itself.
    if (field.value === typedDay(requireElement(shown).value)) return
    if (field.value === noDay) field.value = ''
    requireElement(shown).value = shownDay(t.locale, field.value)
  })

  const labelled = (
    <>
      {label}
      <span className="optional">, {t(dayFormat)}</span>
    </>
  )
  return (
    <FieldFrame {...{ id, label: labelled, hint, optional, error }}>
      <input
        {...wiring}
        ref={shown}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        className="input input--day"
        name={undefined}
        data-name={name}
        defaultValue={shownDay(t.locale, start)}
        onChange={() => storeValue('input')}
        onBlur={({ currentTarget }) => {
          currentTarget.value = shownDay(t.locale, typedDay(currentTarget.value)) || currentTarget.value
          storeValue('change')
        }}
      />
      {/* What the form reads; a text, so that a draft of the form keeps it. */}
      <input ref={kept} type="text" hidden name={name} autoComplete="off" defaultValue={start} />
    </FieldFrame>
  )
}
