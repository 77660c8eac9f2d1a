import type { ReactNode } from 'react'
import type { Locale, Text } from '../../contract/enums.ts'
import { FieldMessage, useField } from './field.tsx'
import './radio-cards.css'

type Option = {
  value: string
  label: string
  /** Whether the label is a name, which a browser's translator leaves as it is. */
  isVerbatim?: boolean
  hint?: string | undefined
  /** Whether it cannot be chosen; the hint says why. */
  disabled?: boolean
  /** Fields that belong to this option, in its card. */
  inside?: ReactNode
}

type Props = {
  name: string
  label: string
  options: readonly Option[]
  columns?: 1 | 2 | 3
  /** Reports the choice, for parts that depend on it before the form is sent. */
  onChosen?: (value: string) => void
}

export const languageText: Record<Locale, Text> = {
  pl: { pl: 'Polski', en: 'Polish' },
  en: { pl: 'Angielski', en: 'English' },
}

/** Shows a choice of two to four options with explanations; the first is chosen by default. */
export function RadioCards({ name, label, options, columns = 2, onChosen }: Props) {
  const { id, error, initial, wiring } = useField({ name })
  const open = options.filter(({ disabled }) => !disabled).map(({ value }) => value)
  const chosen = typeof initial === 'string' && open.includes(initial) ? initial : open[0]
  return (
    <fieldset className="field" aria-describedby={wiring['aria-describedby']}>
      <legend className="radio-cards__legend">{label}</legend>
      <div className={`radio-cards radio-cards--${columns}`}>
        {options.map(({ value, label: text, isVerbatim, hint, disabled, inside }) => (
          <div key={value} className="radio-card">
            <label className={hint ? 'radio-card__choice' : 'radio-card__choice radio-card__choice--centred'}>
              <input
                type="radio"
                name={name}
                value={value}
                data-label={label}
                defaultChecked={value === chosen}
                disabled={disabled}
                // A restored draft is announced by `input` alone.
                onInput={onChosen && (({ currentTarget }) => currentTarget.checked && onChosen(value))}
              />
              <b translate={isVerbatim ? 'no' : undefined}>{text}</b>
              {hint && <span>{hint}</span>}
            </label>
            {inside && <div className="radio-card__in">{inside}</div>}
          </div>
        ))}
      </div>
      <FieldMessage id={id} error={error} />
    </fieldset>
  )
}
