import { useSyncExternalStore } from 'react'

const phoneWidth = '(max-width: 640px)'

/** Whether the page is as narrow as a phone: where something else is shown, not the same in another shape. */
export function useOnPhone() {
  return useSyncExternalStore(
    (listener) => {
      const width = matchMedia(phoneWidth)
      width.addEventListener('change', listener)
      return () => width.removeEventListener('change', listener)
    },
    () => matchMedia(phoneWidth).matches,
  )
}
