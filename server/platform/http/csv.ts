/**
 * A table as text (RFC 4180), with the mark by which spreadsheets know UTF-8. `;` is what those of a Polish computer
 * expect, since the comma stands in its numbers.
 */
export const csvOf = (rows: readonly (readonly string[])[], separator: ',' | ';'): string =>
  `\ufeff${rows.map((row) => row.map(cellOf).join(separator)).join('\r\n')}\r\n`

/** A cell that a spreadsheet would take for a formula is text instead (R76, OWASP: CSV injection). */
const cellOf = (text: string) => `"${(/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
