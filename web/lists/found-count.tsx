import type { ReactNode } from 'react'
import { useText } from '../app/locale.tsx'
import type { Page } from './paged-list.tsx'

type Props = {
  /** Undefined while it is being read. */
  page: Page | undefined
  isFiltered: boolean
  /** Next to it. */
  children?: ReactNode
}

/** How many rows match the filters. It is there before it has a text, or screen readers would not say it (UIX-25). */
export function FoundCount({ page, isFiltered, children }: Props) {
  const t = useText()
  const count = page && `${page.items.length}${page.next ? '+' : ''}`
  return (
    <div className="found">
      <p className="hint" role="status">
        {isFiltered && count && t({ pl: `Znaleziono: ${count}`, en: `${count} found` })}
      </p>
      {children}
    </div>
  )
}
