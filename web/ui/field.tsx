import { useId, type ComponentProps, type ReactNode } from 'react'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { errorText, type FieldError } from './form-rules.ts'
import { useFormState } from './form-state.ts'

export type FieldProps = {
  name: string
  label: string
  hint?: ReactNode
  optional?: boolean
  /** The content at the end of the label's row, before the field in reading order: „Nie pamiętasz hasła?”. */
  aside?: ReactNode
}

/** Returns the ids and the error that tie label, hint, field and message together; `wiring` is for the element that is filled in. */
export function useField({ name, label, hint, optional }: Partial<FieldProps> & { name: string }, more?: string) {
  const id = useId()
  const { errors, initial } = useFormState()
  const error = errors[name]
  const wiring = {
    id,
    name,
    'data-label': label,
    'aria-required': !optional,
    'aria-invalid': error && true,
    'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`, more].filter(Boolean).join(' ') || undefined,
  }
  return { id, error, initial: initial[name], wiring }
}

type Props = Omit<FieldProps, 'name' | 'label'> & {
  id: string
  label: ReactNode
  error: FieldError | undefined
  children: ReactNode
}

/** Shows a field with its label above, its hint between label and field, and its message below. */
export function FieldFrame({ id, label, hint, optional, aside, error, children }: Props) {
  const t = useText()
  const labelElement = (
    <label htmlFor={id}>
      {label}
      {optional && <span className="optional"> {t({ pl: '(opcjonalnie)', en: '(optional)' })}</span>}
    </label>
  )
  return (
    <div className="field">
      {aside ? (
        <div className="label-row">
          {labelElement}
          {aside}
        </div>
      ) : (
        labelElement
      )}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      <FieldMessage id={id} error={error} />
    </div>
  )
}

/** Shows the error of a field; always rendered, empty without an error, so that screen readers announce a new message. */
export function FieldMessage({ id, error }: { id: string; error: FieldError | undefined }) {
  const t = useText()
  return (
    <div className="error" id={`${id}-error`} aria-live="polite">
      {error && (
        <>
          <Icon name="alert" />
          <span>
            <span className="unseen">{t({ pl: 'Błąd: ', en: 'Error: ' })}</span>
            {errorText(t.locale, error)} {typeof error === 'object' && error.answer}
          </span>
        </>
      )}
    </div>
  )
}

export function Field({
  name,
  label,
  hint,
  optional = false,
  aside,
  className,
  ...input
}: FieldProps & ComponentProps<'input'>) {
  const { id, error, initial, wiring } = useField({ name, label, hint, optional })
  return (
    <FieldFrame {...{ id, label, hint, optional, aside, error }}>
      <input
        type="text"
        {...(input.type === 'email' && { autoCapitalize: 'none', spellCheck: false })}
        defaultValue={typeof initial === 'string' ? initial : undefined}
        {...wiring}
        {...input}
        className={className ? `input ${className}` : 'input'}
      />
    </FieldFrame>
  )
}

/** Shows a field for a code or a document number: no suggestions, capitals on a phone. */
export function CodeTextField(field: FieldProps & ComponentProps<'input'>) {
  return <Field className="mono" autoComplete="off" autoCapitalize="characters" spellCheck={false} {...field} />
}
