import { useId, type ReactNode } from 'react'
import { Braid } from './braid.tsx'

const circumference = 2 * Math.PI * 52

type Props = { left: number; label: string; kind?: 'ok' | 'warning'; children: ReactNode }

/**
 * Draws a ring of line art with an arc on it for the part of the time that is left, from 0 to 1, and text in the middle. `label` says the
 * same to screen readers: „Zostało 12 dni z 731 dni ważności”.
 */
export function ValidityRing({ left, label, kind = 'ok', children }: Props) {
  return (
    <div
      className={kind === 'warning' ? 'validity-ring validity-ring--warning' : 'validity-ring'}
      role="img"
      aria-label={label}
    >
      <RingDrawing left={left} inner />
      <span className="validity-ring__text" aria-hidden="true">
        {children}
      </span>
    </div>
  )
}

/** Draws the ring alone, for a countdown with its own text. */
export function RingDrawing({ left, inner: isInner }: { left: number; inner?: boolean }) {
  const id = useId()
  const arc = Math.max(0, Math.min(1, left)) * circumference
  return (
    <svg viewBox="-66 -66 132 132" aria-hidden="true">
      <g className="validity-ring__braid">
        <Braid id={id} shape={{ radius: 52, amplitude: 7, waves: 30, strands: 4 }} />
      </g>
      {isInner && <circle r="41" className="validity-ring__inner" />}
      <circle r="52" className="validity-ring__arc" strokeDasharray={`${arc.toFixed(1)} 400`} transform="rotate(-90)" />
    </svg>
  )
}
