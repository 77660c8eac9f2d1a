import { createContext, use, useLayoutEffect, type Dispatch, type ReactNode, type SetStateAction } from 'react'
import type { FieldErrors } from './form-rules.ts'

type FormState = {
  errors: FieldErrors
  isSending: boolean
  isWaiting: boolean
  initial: Record<string, string | boolean>
  /** Error summary, for the dialog inside the form. */
  summary?: ReactNode
}

/** The state of the form around a component; inactive outside of forms. */
export const FormContext = createContext<FormState>({ errors: {}, isSending: false, isWaiting: false, initial: {} })
export const useFormState = () => use(FormContext)

/** Counts the parts of a form that are still missing; undefined outside of forms. */
export const BlockForm = createContext<Dispatch<SetStateAction<number>> | undefined>(undefined)

/**
 * Keeps the form around a component from being sent while that component is shown: fields are missing, and without them the values would be
 * refused without an explanation. A layout effect, so that the button is enabled together with the fields.
 */
export function useFormBlock() {
  const setMissing = use(BlockForm)
  useLayoutEffect(() => {
    setMissing?.((parts) => parts + 1)
    return () => setMissing?.((parts) => parts - 1)
  }, [setMissing])
}
