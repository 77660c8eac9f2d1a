export const element = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`

/** Escapes a text, and replaces characters that names in certificates can have but no XML document (XML 1.0 §2.2). */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
