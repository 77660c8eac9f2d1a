import './fold.css'
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '../art/icons.tsx'

type Props = { summary: ReactNode } & ComponentProps<'details'>

/** Shows one line that reveals the rest when it is pressed. The native element works without script, and in the browser's own search. */
export const Fold = ({ summary, className, children, ...details }: Props) => (
  <details className={className ? `fold ${className}` : 'fold'} {...details}>
    <summary>
      <Icon name="down" size="s" />
      <span>{summary}</span>
    </summary>
    {children}
  </details>
)
