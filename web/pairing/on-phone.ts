import { useSyncExternalStore } from 'react'

const phoneWidth = '(max-width: 640px)'

/** Whether the page is as narrow as a phone, for content that differs there, not only its layout. While hydrating it is not. */
export function useOnPhone() {
  return useSyncExternalStore(
    (listener) => {
      const width = matchMedia(phoneWidth)
      width.addEventListener('change', listener)
      return () => width.removeEventListener('change', listener)
    },
    () => matchMedia(phoneWidth).matches,
    () => false,
  )
}
