import { useText } from '../locale.tsx'

/** Display takes a table's roles away where its rows are cards, so they are said (ux 5.8). */
export const as = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

/** The heads of the columns; that of the actions is named for those who do not see the table. */
export function TableHead({ columns, actions }: { columns: readonly string[]; actions?: boolean }) {
  const t = useText()
  return (
    <thead {...as.rowgroup}>
      <tr {...as.row}>
        {columns.map((column) => (
          <th key={column} scope="col" {...as.columnheader}>
            {column}
          </th>
        ))}
        {actions && (
          <th scope="col" {...as.columnheader}>
            <span className="vh">{t({ pl: 'Działania', en: 'Actions' })}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}
