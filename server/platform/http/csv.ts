/**
 * A table as text (RFC 4180), with the byte order mark by which spreadsheets recognise UTF-8. Polish spreadsheets expect `;`,
 * because the comma is their decimal separator.
 */
export const csvOf = (rows: readonly (readonly string[])[], separator: ',' | ';'): string =>
  `\ufeff${rows.map((row) => row.map(cellOf).join(separator)).join('\r\n')}\r\n`

/** A cell that a spreadsheet would read as a formula becomes text (R76, OWASP: CSV injection). */
const cellOf = (text: string) => `"${(/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
