import { Slot } from 'radix-ui'
import { useEffect, type ComponentProps } from 'react'

type Props = ComponentProps<typeof Slot.Root> & { as?: unknown; allowPinchZoom?: boolean }

/** Stands in for react-remove-scroll under Radix Select: the page's sheet locks the scrolling, not an injected style. */
export function RemoveScroll({ as: _as, allowPinchZoom: _zoom, ...rest }: Props) {
  useEffect(() => {
    document.body.dataset['scrollLocked'] = ''
    return () => {
      delete document.body.dataset['scrollLocked']
    }
  }, [])
  return <Slot.Root {...rest} />
}
