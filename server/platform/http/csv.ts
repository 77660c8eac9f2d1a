import type { Locale } from '../../../contract/enums.ts'

/** Polish spreadsheets expect `;`, because the comma is their decimal separator. */
export const csvSeparator: Record<Locale, ',' | ';'> = { pl: ';', en: ',' }

/** `2026-11-21 14:05:09`, by the clocks of Poland: spreadsheets read and sort it. */
export const csvMoment = (at: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw', dateStyle: 'short', timeStyle: 'medium' }).format(
    new Date(at),
  )

/** A table as text (RFC 4180), with the byte order mark by which spreadsheets recognise UTF-8. */
export const csvOf = (rows: readonly (readonly string[])[], separator: ',' | ';'): string =>
  `\ufeff${rows.map((row) => row.map(cellOf).join(separator)).join('\r\n')}\r\n`

/** A cell that a spreadsheet would read as a formula becomes text (R76, OWASP: CSV injection). */
const cellOf = (text: string) => `"${(/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
