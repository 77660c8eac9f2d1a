import type { RefObject } from 'react'

/** The element of a ref, in handlers and effects: they run only while it is on the page. */
export function elementOf<E>({ current }: RefObject<E | null>): E {
  if (current === null) throw new Error('No element')
  return current
}
