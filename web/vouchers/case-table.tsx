import type { ReactNode } from 'react'
import { useLocale, useText } from '../locale.tsx'
import { formatDate } from '../text/format.ts'

/** Display takes a table's roles away where its rows are cards, so they are said (ux 5.8). */
export const as = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

type Props = { caption: string; columns: readonly string[]; children: ReactNode }

/** The frame of both lists; on a narrow place each row is a card, and the roles stay (ux 5.8). */
export function CaseTable({ caption, columns, children }: Props) {
  const t = useText()
  return (
    <div className="tplace">
      <table className="table tcards cases" {...as.table}>
        <caption className="vh">{caption}</caption>
        <thead {...as.rowgroup}>
          <tr {...as.row}>
            {columns.map((column) => (
              <th key={column} scope="col" {...as.columnheader}>
                {column}
              </th>
            ))}
            <th scope="col" {...as.columnheader}>
              <span className="vh">{t({ pl: 'Działania', en: 'Actions' })}</span>
            </th>
          </tr>
        </thead>
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
