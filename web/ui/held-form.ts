import { createContext, use, useLayoutEffect, type Dispatch, type SetStateAction } from 'react'

/** Counts the parts of a form that are not there yet; undefined outside of forms. */
export const HoldForm = createContext<Dispatch<SetStateAction<number>> | undefined>(undefined)

/**
 * While the component that calls this is shown, the form around it cannot be sent: fields are missing, and what is sent
 * without them would be refused with no word. A layout effect, so that the button wakes with the fields and not before.
 */
export function useHeldForm() {
  const hold = use(HoldForm)
  useLayoutEffect(() => {
    hold?.((parts) => parts + 1)
    return () => hold?.((parts) => parts - 1)
  }, [hold])
}
