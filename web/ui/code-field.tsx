import { useEffect, useEffectEvent, useRef, useState, type ClipboardEvent, type ComponentProps } from 'react'
import { limits } from '../../contract/limits.ts'
import { usualCharacters } from '../../contract/rules/typed-characters.ts'
import './code-field.css'
import { requireElement, useInputEvents } from '../app/element-refs.ts'
import { FieldFrame, useField, type FieldProps } from './field.tsx'
import { useFormState } from './form-state.ts'

const digits = limits.code.digits
const digitsIn = (text: string) => usualCharacters(text).replace(/\D/g, '')
/** Returns the code in a text message, which may have other numbers too. */
const codeIn = (text: string) => digitsIn(/(?<!\d)\d{3}[ -]?\d{3}(?!\d)/.exec(usualCharacters(text))?.[0] ?? text)

/**
 * Shows the field for a one-time code: one real field, so that SMS autofill, paste, undo and screen readers work, with cells painted behind
 * it. It has no maxlength, because that would cut a pasted „481 072” before its spaces are removed. It is inactive while the form
 * cannot be sent, such as after the code's expiry.
 */
export function CodeField({
  name,
  label,
  hint,
  onComplete,
  ...input
}: FieldProps & { onComplete?: (() => void) | undefined } & ComponentProps<'input'>) {
  const { id, error, wiring } = useField({ name, label, hint })
  const { isWaiting } = useFormState()
  const field = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [isFocused, setIsFocused] = useState(false)

  useInputEvents(field, () => {
    const el = requireElement(field)
    const tidied = digitsIn(el.value).slice(0, digits)
    if (tidied !== el.value) el.value = tidied
    setCode(tidied)
  })

  /** Replaces the content by a pasted code that does not fit next to it: if cut, the code would be sent and an entry spent. */
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const el = event.currentTarget
    const pasted = codeIn(event.clipboardData.getData('text')).slice(0, digits)
    const kept = el.value.length - (el.selectionEnd ?? 0) + (el.selectionStart ?? 0)
    if (!pasted || (pasted.length < digits && kept + pasted.length <= digits)) return
    event.preventDefault()
    el.value = pasted
    el.dispatchEvent(new Event('input', { bubbles: true }))
  }

  const completed = useEffectEvent(() => onComplete?.())
  useEffect(() => {
    if (code.length === digits) completed()
  }, [code])

  return (
    <FieldFrame {...{ id, label, hint, error }}>
      <div
        className={isWaiting ? 'code-field code-field--rest' : error ? 'code-field code-field--error' : 'code-field'}
      >
        <div className="code-field__cells" aria-hidden="true">
          {Array.from({ length: digits }, (_, cell) => (
            <span
              key={cell}
              className={
                isFocused && !isWaiting && cell === Math.min(code.length, digits - 1) ? 'is-current' : undefined
              }
            >
              {code[cell]}
            </span>
          ))}
        </div>
        <input
          {...wiring}
          {...input}
          ref={field}
          readOnly={isWaiting}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          onPaste={onPaste}
          onFocus={() => setIsFocused(true)}
          onBlur={() => setIsFocused(false)}
        />
      </div>
    </FieldFrame>
  )
}
