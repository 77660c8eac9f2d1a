import type { ComponentProps, ReactNode } from 'react'
import { useText } from '../app/locale.tsx'
import './checkbox.css'
import { FieldMessage, useField } from './field.tsx'

type Props = { name: string; hint?: ReactNode; optional?: boolean; children: ReactNode } & Omit<
  ComponentProps<'input'>,
  'type' | 'name'
>

/** Shows a checkbox with its label next to it and its message below; the whole row can be clicked. */
export function Checkbox({ name, hint, optional = false, children, ...input }: Props) {
  const t = useText()
  const { id, error, wiring } = useField({ name, hint, optional })
  return (
    <div className="check-field">
      <label className="check">
        <input {...wiring} {...input} type="checkbox" />
        <span>
          {children}
          {optional && <span className="optional"> {t({ pl: '(opcjonalnie)', en: '(optional)' })}</span>}
        </span>
      </label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldMessage id={id} error={error} />
    </div>
  )
}
