import { CsvError, parse } from 'csv-parse/browser/esm/sync'

/** A row of a table that is not blank: where it begins in the file, from 1, and its cells. */
export type Row = { line: number; cells: string[] }

/**
 * Spreadsheets save UTF-8, UTF-16 („Unicode text”), and in Poland still the code page of Windows, in which hardly any Polish text is UTF-8 too.
 * UTF-16 without a mark is known by the zero beside its first letter, which is of a heading.
 */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (second === 0 || (first === 0xff && second === 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0 || (first === 0xfe && second === 0xff)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1250').decode(bytes)
  }
}

const lineEnds = ['\r\n', '\n', '\r']
const lineEnd = /\r\n|\n|\r/

/** What some programs put around a number, so that a spreadsheet leaves it as it is: `="0048600100417"`. */
const cellOf = (cell: string) => cell.trim().replace(/^="(.*)"$/, '$1')

/**
 * The rows of a table as spreadsheets save it (RFC 4180, with any line ends); undefined if its quotation marks do not fit. The separator is in a
 * line `sep=;` before the table, or the one by which its first row has the headings, because any may be within a heading.
 */
export function readTable(bytes: Uint8Array, hasHeadings: (cells: string[]) => boolean): Row[] | undefined {
  const text = textOf(bytes)
  const [first = ''] = text.trimStart().split(lineEnd, 1)
  const stated = /^"?sep= ?(.)"?[;,\t ]*$/i.exec(first)?.[1]
  if (stated) return rowsOf(text, stated)?.slice(1)
  const heads = [';', '\t', ','].map((sign) => ({ sign, cells: rowsOf(text, sign, 1)?.[0]?.cells ?? [] }))
  const found = heads.find(({ cells }) => hasHeadings(cells)) ?? heads.find(({ cells }) => cells.length > 1)
  return rowsOf(text, found?.sign ?? ',')
}

function rowsOf(text: string, delimiter: string, most = -1): Row[] | undefined {
  try {
    const rows = parse(text, {
      delimiter,
      record_delimiter: lineEnds,
      to: most,
      trim: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      info: true,
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return rows.map(({ record, info }) => ({
      line: info.lines - record.reduce((breaks, cell) => breaks + cell.split(lineEnd).length - 1, 0),
      cells: record.map(cellOf),
    }))
  } catch (error) {
    if (error instanceof CsvError) return undefined
    throw error
  }
}
