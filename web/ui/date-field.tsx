import { useRef } from 'react'
import { elementOf, useInputEvents } from '../app/element-refs.ts'
import { useText } from '../app/locale.tsx'
import './date-field.css'
import { FieldFrame, useField, type FieldProps } from './field.tsx'
import { dayFormat, noDay, shownDay, typedDay } from './typed-day.ts'

type Props = FieldProps & {
  /** `false` for filters, which need no „(opcjonalnie)”. */ required?: boolean
  initialDay?: string
}

/**
 * A day, typed. A native date field shows the order of the browser's language, not of the page's, and its picker is slow for
 * days far away. The form gets `2031-05-02` under the field's name; leaving the field shows the day in its format.
 */
export function DateField({ name, label, hint, optional = false, required = !optional, initialDay }: Props) {
  const t = useText()
  const { id, error, initial, wiring } = useField({ name, label, hint, optional: !required })
  const given = initialDay ?? initial
  const start = typeof given === 'string' && given !== noDay ? given : ''
  const shown = useRef<HTMLInputElement>(null)
  const kept = useRef<HTMLInputElement>(null)

  /** The form reads native events of a named field (VAL-2). */
  const keep = (event: 'input' | 'change') => {
    const field = elementOf(kept)
    const day = typedDay(elementOf(shown).value)
    if (event === 'input' && day === field.value) return
    field.value = day
    field.dispatchEvent(new Event(event, { bubbles: true }))
  }
  useInputEvents(kept, () => {
    const field = elementOf(kept)
    // Announced by this field itself.
    if (field.value === typedDay(elementOf(shown).value)) return
    if (field.value === noDay) field.value = ''
    elementOf(shown).value = shownDay(t.locale, field.value)
  })

  const labelled = (
    <>
      {label}
      <span className="opt">, {t(dayFormat)}</span>
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
        onChange={() => keep('input')}
        onBlur={({ currentTarget }) => {
          currentTarget.value = shownDay(t.locale, typedDay(currentTarget.value)) || currentTarget.value
          keep('change')
        }}
      />
      {/* What the form reads; a text, so that a draft of the form keeps it. */}
      <input ref={kept} type="text" hidden name={name} autoComplete="off" defaultValue={start} />
    </FieldFrame>
  )
}
