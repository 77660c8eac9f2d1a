import { useId } from 'react'
import { Braid } from '../art/braid.tsx'
import type { Standing } from './file-report.ts'

/** A tick, a question mark and a cross, around the middle of the rosette. */
const marks: Record<Standing, string> = {
  valid: 'm-15.4 1.3 10.1 10.1 21.1-22.8',
  unknown: 'M-8.2-9.2a8.5 8.5 0 1 1 12.9 7.1c-3.4 2-4.8 3.7-4.8 7.1M0 15v.01',
  invalid: 'M-11-11 11 11M11-11-11 11',
}

/** The verdict as a seal; the text next to it says the same. */
export function VerdictSeal({ standing }: { standing: Standing }) {
  const id = useId()
  return (
    <svg className="gl judged__seal" viewBox="-60 -60 120 120" aria-hidden="true">
      <Braid id={id} shape={{ radius: 48, amplitude: 9, waves: 18, strands: 6 }} />
      <circle r="35" />
      <path className="judged__mark" d={marks[standing]} />
    </svg>
  )
}
