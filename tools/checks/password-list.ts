import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { listedLength, plainForm } from '../../server/account/password-list.ts'

export const listFile = join(import.meta.dirname, '../../server/account/password-list.txt')

const isLetter = (char: string) => char >= 'a' && char <= 'z'

/** Strips the surrounding digits and punctuation from a leaked password, as the portal does with a new one. */
function wordOf(password: string): string {
  const plain = [...plainForm(password)]
  const word = plain.slice(plain.findIndex(isLetter), plain.findLastIndex(isLetter) + 1).join('')
  return word.length < listedLength.least ? plain.join('') : word
}

/** Returns the leaked passwords of the package as the text that the portal searches. Other rules refuse digits alone. */
export function makePasswordList(): string {
  const listed = passwords
    .map(wordOf)
    .filter((word) => word.length >= listedLength.least && word.length <= listedLength.most)
    .filter((word) => /^[!-~]+$/.test(word) && /[a-z]/.test(word))
  return [...new Set(listed)]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((word) => `${word}\n`)
    .join('')
}

if (import.meta.main) writeFileSync(listFile, makePasswordList())
