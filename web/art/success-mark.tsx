import type { ComponentProps } from 'react'
import { OkEmblem } from './ok-emblem.tsx'
import './success-mark.css'

/** The emblem of a success, above what was done and the one next step. Only its tick moves, once (ux 4.4). */
export const SuccessMark = (emblem: ComponentProps<typeof OkEmblem>) => (
  <span className="success">
    <OkEmblem {...emblem} />
  </span>
)
