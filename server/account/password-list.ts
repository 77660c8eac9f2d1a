import { readFileSync } from 'node:fs'

/**
 * Common and leaked passwords, a line each, sorted: made by `tools/checks/password-list.ts`. It stays one text of one byte a
 * character and is searched by halves, so that it takes what the file takes; a Set would take five times as much.
 */
const list = readFileSync(new URL('password-list.txt', import.meta.url), 'latin1')

/** Converts a text to the form of the list, in which passwords are compared: lower case, without accents, compatible forms as one. */
export const plainForm = (text: string): string =>
  text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ł', 'l')

export const listedLength = { least: 4, most: 20 }

/** Checks whether the list has a word, given in plain form. */
export function isListed(word: string): boolean {
  let [low, high] = [0, list.length]
  while (low < high) {
    const start = list.lastIndexOf('\n', ((low + high) >> 1) - 1) + 1
    const end = list.indexOf('\n', start)
    const line = list.slice(start, end)
    if (line === word) return true
    if (line < word) low = end + 1
    else high = start
  }
  return false
}
