import { useEffect, useRef } from 'react'
import { elementOf } from '../app/element-refs.ts'
import { useFormState } from '../ui/form-state.ts'

type Props = {
  /** The button that leaves the step would refuse what is entered. */
  isRefused?: boolean
  onErrors: (has: boolean) => void
}

/** Reports whether the form around it is refused, or shows an error at a field: then the stepper does not lead on (UIX-3). */
export function FormErrors({ isRefused = false, onErrors }: Props) {
  useFormState()
  const here = useRef<HTMLSpanElement>(null)
  // After each rendering: a field with an error may also have been removed.
  useEffect(() => onErrors(isRefused || !!elementOf(here).closest('form')?.querySelector('[aria-invalid=true]')))
  useEffect(() => () => onErrors(false), [onErrors])
  return <span ref={here} hidden />
}
