import type { ReactNode } from 'react'
import { useLocale } from '../locale.tsx'
import { formatDate } from '../text/format.ts'
import { as, TableHead } from '../ui/table.tsx'

type Props = { caption: string; columns: readonly string[]; children: ReactNode }

/** The frame of both lists; on a narrow place each row is a card, and the roles stay (ux 5.8). */
export function CaseTable({ caption, columns, children }: Props) {
  return (
    <div className="tplace">
      <table className="table tcards cases" {...as.table}>
        <caption className="vh">{caption}</caption>
        <TableHead columns={columns} actions />
        <tbody {...as.rowgroup}>{children}</tbody>
      </table>
    </div>
  )
}

export function Day({ at }: { at: string }) {
  const locale = useLocale()
  return (
    <time className="nowrap" dateTime={at}>
      {formatDate(locale, at, 'short')}
    </time>
  )
}
