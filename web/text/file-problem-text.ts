import type { Text } from '../../contract/enums.ts'
import { formatBytes } from './bytes-text.ts'

/** Reasons why a file that the customer has chosen cannot be read. Texts of the specification, verbatim in English (DOC-5). */
export const onlyPdf: Text = { pl: 'Wybierz plik PDF.', en: 'Only PDF files are allowed' }
export const onlyOne: Text = { pl: 'Wybierz jeden plik.', en: 'Choose one file.' }
export const tooLarge = (bytes: number, most: number): Text => ({
  pl: `Plik ma ${formatBytes('pl', bytes)}. Wybierz plik do\u00a0${formatBytes('pl', most)}.`,
  en: `The file is too large. Maximum size is ${most / 1_048_576}MB`,
})
export const strayBytes: Text = {
  pl: 'W\u00a0tym pliku jest coś przed początkiem albo za końcem dokumentu PDF. Otwórz go i\u00a0zapisz jako nowy PDF.',
  en: 'This file has something before the beginning or after the end of the PDF document. Open it and save it as a new PDF.',
}
export const unreadable: Text = {
  pl: 'Nie udało się odczytać tego pliku. Wybierz go jeszcze raz.',
  en: 'We couldn’t read this file. Choose it again.',
}
