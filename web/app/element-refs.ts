import { useEffect, useEffectEvent, type RefObject } from 'react'

/** Returns the element of a ref, in handlers and effects, which run only while it is on the page. */
export function requireElement<E>({ current }: RefObject<E | null>): E {
  if (current === null) throw new Error('No element')
  return current
}

/** Listens to the native `input` events of a field: a restored draft and a change by script are announced by them alone. */
export function useInputEvents(field: RefObject<HTMLElement | null>, onInput: () => void) {
  const changed = useEffectEvent(onInput)
  useEffect(() => {
    const element = requireElement(field)
    element.addEventListener('input', changed)
    return () => element.removeEventListener('input', changed)
  }, [field])
}
