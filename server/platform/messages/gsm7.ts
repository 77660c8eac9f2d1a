/** 3GPP TS 23.038 §6.2.1: one septet each. The escape itself is no character. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** §6.2.1.1, the extension table: an escape and one more septet. */
const extension = new Set('\f^{}\\[~]|€')

/** What has no mark to lose. */
const spelled: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  '„': '"',
  '”': '"',
  '’': "'",
  '–': '-',
  '—': '-',
  '\u00a0': ' ',
}

/** The same in letters of GSM-7, as far as there are such: Polish ones lose their marks, as everybody writes them in SMS (R75). */
export const inGsm7 = (text: string): string =>
  Array.from(text.normalize('NFC'), (character) =>
    basic.has(character) ? character : (spelled[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '')),
  ).join('')

/** Whether a text goes out as one SMS: GSM-7 alone, at most 160 septets (R75). Anything else costs more parts. */
export function isOneSegment(text: string): boolean {
  let septets = 0
  for (const character of text) {
    if (basic.has(character)) septets += 1
    else if (extension.has(character)) septets += 2
    else return false
  }
  return septets <= 160
}
