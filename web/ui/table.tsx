import { Fragment, type ComponentProps, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { formatDate } from '../text/format.ts'
import { Button } from './button.tsx'
import { OfList } from './list-name.tsx'
import { Verbatim } from './verbatim.tsx'
import './table.css'

/** CSS display removes a table's roles where its rows are cards, so they are stated. */
const as = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

type TableProps = {
  className?: string
  caption: Text
  columns: Record<string, Text>
  /**
   * A long list, or one of several lists: on a phone its cards are as low as rows, without the cells `table-more` until the
   * row is open (UIX-10).
   */
  isCompact?: boolean
  /** Whether a last column has the actions of a row; its header is for screen readers. */
  hasActions?: boolean
  children: ReactNode
}

/**
 * Shows a table whose rows are cards in a narrow window; the ARIA roles stay. Its rows are written by hand if they have a state of
 * their own; otherwise use `DataTable`.
 */
export function Table({ className, isCompact, caption, columns, hasActions = false, children }: TableProps) {
  const t = useText()
  return (
    <table
      {...as.table}
      className={['table table-cards', isCompact && 'table-rows', className].filter(Boolean).join(' ')}
    >
      <caption className="unseen">{t(caption)}</caption>
      <thead {...as.rowgroup}>
        <tr {...as.row}>
          {Object.entries(columns).map(([name, column]) => (
            <th key={name} scope="col" {...as.columnheader}>
              {t(column)}
            </th>
          ))}
          {hasActions && (
            <th scope="col" {...as.columnheader}>
              <span className="unseen">{t({ pl: 'Działania', en: 'Actions' })}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody {...as.rowgroup}>{children}</tbody>
    </table>
  )
}

export const TableRow = (row: ComponentProps<'tr'>) => <tr {...as.row} {...row} />

/** Shows the cell that names its row. */
export const RowHead = (cell: ComponentProps<'th'>) => (
  <th scope="row" {...as.rowheader} className="table-main" {...cell} />
)

/** Shows a cell; `column` is shown where the row is a card. */
export function Cell({ column, ...cell }: { column?: Text } & ComponentProps<'td'>) {
  const t = useText()
  return <td {...as.cell} data-label={column && t(column)} {...cell} />
}

type Content<Row> = (row: Row, t: ReturnType<typeof useText>) => ReactNode

/** A column with the content of its cells, and their attributes. */
export type Column<Row> = Pick<ComponentProps<'td'>, 'className' | 'lang' | 'translate'> & {
  title: Text
  cell: Content<Row>
}

type DataTableProps<Row> = Pick<TableProps, 'className' | 'caption' | 'isCompact'> & {
  /** The first one names the row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The content of the last cell, and its class. */
  actions?: Content<Row>
  actionsClass?: string
  rowOf?: (row: Row) => ComponentProps<'tr'>
  /** The content of a row of its own below, if any. */
  noteOf?: Content<Row>
}

/** Shows a table of rows without a state of their own. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, keyOf, actions, actionsClass, rowOf, noteOf, ...table } = props
  const t = useText()
  return (
    <Table {...table} columns={Object.fromEntries(columns.map(({ title }, i) => [i, title]))} hasActions={!!actions}>
      {rows.map((row) => {
        const note = noteOf?.(row, t)
        return (
          <Fragment key={keyOf(row)}>
            <TableRow {...rowOf?.(row)}>
              {columns.map(({ title, cell, ...attributes }, i) =>
                i ? (
                  <Cell key={title.en} column={title} {...attributes}>
                    {cell(row, t)}
                  </Cell>
                ) : (
                  <RowHead key={title.en} {...attributes}>
                    {cell(row, t)}
                  </RowHead>
                ),
              )}
              {actions && <Cell className={actionsClass}>{actions(row, t)}</Cell>}
            </TableRow>
            {note && (
              <TableRow className="table-note">
                <Cell colSpan={columns.length + (actions ? 1 : 0)}>{note}</Cell>
              </TableRow>
            )}
          </Fragment>
        )
      })}
    </Table>
  )
}

type OpenCellProps = { isOpen: boolean; of: string; onToggle: (isOpen: boolean) => void }

/**
 * Shows and hides the cells `table-more` of a compact row, which is `is-open` then; a wide table has all of them in
 * columns. `of` names the row.
 */
export function OpenCell({ isOpen, of, onToggle }: OpenCellProps) {
  const t = useText()
  return (
    <Cell className="table-open">
      <Button variant="quiet" size="s" icon="down" aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
        <span>
          {isOpen ? t({ pl: 'Mniej', en: 'Less' }) : t({ pl: 'Więcej', en: 'More' })}
          <Verbatim className="unseen"> – {of}</Verbatim>
          <OfList />
        </span>
      </Button>
    </Cell>
  )
}

export function DayText({ at }: { at: string }) {
  const locale = useLocale()
  return (
    <time className="nowrap" dateTime={at}>
      {formatDate(locale, at, 'short')}
    </time>
  )
}
