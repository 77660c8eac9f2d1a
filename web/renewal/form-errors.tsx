import { useEffect, useRef } from 'react'
import { elementOf } from '../element.ts'
import { useFormState } from '../ui/form-state.ts'

/** Reports whether a field of the form around it shows an error: then the stepper does not lead on (UIX-3). */
export function FormErrors({ onErrors }: { onErrors: (has: boolean) => void }) {
  useFormState()
  const here = useRef<HTMLSpanElement>(null)
  // After each rendering: a field with an error may also have been removed.
  useEffect(() => onErrors(!!elementOf(here).closest('form')?.querySelector('[aria-invalid=true]')))
  useEffect(() => () => onErrors(false), [onErrors])
  return <span ref={here} hidden />
}
