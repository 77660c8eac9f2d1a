import type { ReactNode } from 'react'
import { Medallion, type Family } from '../art/medallion.tsx'
import { useText } from '../locale.tsx'

/** An empty list (ERR-5): why, and one way forward. An error is never shown as empty. */
export function Empty({
  title,
  reason,
  action,
  family = 'signature',
}: {
  title?: string
  reason: ReactNode
  action?: ReactNode
  family?: Family
}) {
  const t = useText()
  return (
    <div className="empty">
      <Medallion family={family} size={96} off />
      <p className="empty__t">{title ?? t({ pl: 'Brak danych', en: 'No data' })}</p>
      <p className="soft">{reason}</p>
      {action}
    </div>
  )
}
