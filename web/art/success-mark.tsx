import { type ComponentProps, useId } from 'react'
import './success-mark.css'
import { Braid } from './braid.tsx'
import { Icon, type IconName } from './icons.tsx'

/** Draws a rosette with a tick in it: all is well, or something has been done. */
export function OkEmblem({ icon = 'check' }: { icon?: IconName }) {
  const id = useId()
  return (
    <span className="ok-emblem" aria-hidden="true">
      <svg className="guilloche" viewBox="-60 -60 120 120">
        <Braid id={id} shape={{ radius: 48, amplitude: 9, waves: 18, strands: 6 }} />
        <circle r="35" />
      </svg>
      <Icon name={icon} />
    </span>
  )
}

/** Shows the emblem of a success, above what was done and the one next step. Only its tick moves, once. */
export const SuccessMark = (emblem: ComponentProps<typeof OkEmblem>) => (
  <span className="success">
    <OkEmblem {...emblem} />
  </span>
)
