/** 3GPP TS 23.038 §6.2.1: one septet each. The escape itself is not a character. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** §6.2.1.1, the extension table: an escape and one more septet. */
const extension = new Set('\f^{}\\[~]|€')

/** Characters that are not a letter with a mark. */
const replacements: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  '„': '"',
  '”': '"',
  '’': "'",
  '–': '-',
  '—': '-',
  '\u00a0': ' ',
}

/** The text in characters of GSM-7 where possible. Polish letters lose their marks, as is usual in SMS (R75). */
export const inGsm7 = (text: string): string =>
  Array.from(text.normalize('NFC'), (character) =>
    basic.has(character) ? character : (replacements[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '')),
  ).join('')

/** Whether a text fits into one SMS: only GSM-7, at most 160 septets (R75). Any other text costs several. */
export function isOneSegment(text: string): boolean {
  let septets = 0
  for (const character of text) {
    if (basic.has(character)) septets += 1
    else if (extension.has(character)) septets += 2
    else return false
  }
  return septets <= 160
}
