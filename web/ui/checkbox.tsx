import type { ComponentProps, ReactNode } from 'react'
import './checkbox.css'
import { FieldMessage, useField } from './field.tsx'

type Props = { name: string; hint?: ReactNode; children: ReactNode } & Omit<ComponentProps<'input'>, 'type' | 'name'>

/** One checkbox with its label next to it and its message below; the whole row can be clicked (ux 5.2). */
export function Checkbox({ name, hint, children, ...input }: Props) {
  const { id, error, describedBy } = useField(name, !!hint)
  return (
    <div className="check-field">
      <label className="check">
        <input
          {...input}
          type="checkbox"
          id={id}
          name={name}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
        />
        <span>{children}</span>
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
