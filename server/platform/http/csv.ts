import type { Locale } from '../../../contract/enums.ts'

/** Polish spreadsheets expect `;`, because the comma is their decimal separator. */
export const csvSeparator: Record<Locale, ',' | ';'> = { pl: ';', en: ',' }

/** Formats a time as `2026-11-21 14:05:09`, by the clocks of Poland: spreadsheets read and sort it. */
export const csvMoment = (at: Date | string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw', dateStyle: 'short', timeStyle: 'medium' }).format(
    new Date(at),
  )

/** Writes a table as text (RFC 4180), with the byte order mark by which spreadsheets recognise UTF-8. */
export const csvOf = (rows: readonly (readonly string[])[], separator: ',' | ';'): string =>
  `\ufeff${csvLines(rows, separator)}`

/** Writes some rows of a table, for a file that is sent in parts. */
export const csvLines = (rows: readonly (readonly string[])[], separator: ',' | ';'): string =>
  rows.map((row) => `${row.map(cellOf).join(separator)}\r\n`).join('')

/**
 * Writes a cell. One that a spreadsheet would read as a formula becomes text (R76, OWASP: CSV injection). A spreadsheet that expects
 * another separator splits cells too, so each part of a cell is marked where a formula would begin.
 */
const cellOf = (text: string) => {
  const marked = text.replaceAll(formulaStart, "'")
  return `"${(/^[\t\r\n]/.test(text) ? `'${marked}` : marked).replaceAll('"', '""')}"`
}

/**
 * Place before a sign of any width that is the first thing in a cell, after blanks, quotes or invisible characters. The pattern looks for
 * the sign first, which keeps the search linear.
 */
const formulaStart =
  /(?=[=+\-@＝＋－＠﹦﹢﹣﹫⁼₌⁺₊⁻₋−])(?<=(?:^|[,;\t\r\n])[\s"\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*)/gu
