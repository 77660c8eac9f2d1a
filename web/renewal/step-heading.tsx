import type { ReactNode } from 'react'
import { useText } from '../locale.tsx'

/** The heading of a step, which announces the step to screen readers (ux.md §8.6). */
export function StepHeading({ step, children }: { step: 1 | 2 | 3 | 4; children: ReactNode }) {
  const t = useText()
  return (
    <h1 tabIndex={-1}>
      <span className="vh">{t({ pl: `Krok ${step} z\u00a04: `, en: `Step ${step} of 4: ` })}</span>
      {children}
    </h1>
  )
}
