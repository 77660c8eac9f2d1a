/** Puts a text on one line, without what a terminal or a mail program would take as a command: each run of such characters becomes a space. */
export const oneLine = (text: string): string =>
  text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
