import { isListed, listedLength, plainForm } from './password-list.ts'

/** Data of a customer that an attacker of this customer tries first. */
export type PasswordOwner = { login: string; email: string; firstName: string; surname: string }

/** Signs that replace letters. 1 and ! replace two. */
const substitutes = { '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '1': 'i', '!': 'i' }
const readAs = (signs: Record<string, string>) => (text: string) =>
  Array.from(text, (sign) => signs[sign] ?? sign).join('')
const readings = [(text: string) => text, readAs(substitutes), readAs({ ...substitutes, '1': 'l', '!': 'l' })]

/** The place of each key: a row is half a key further right than the row above it; the shifted digits are on their keys. */
const keys = new Map(
  ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', '!@#$%^&*()'].flatMap((row, y) =>
    Array.from(row, (key, x) => [key, { x, y: y % 4 }] as const),
  ),
)
/** Checks whether the next key is the same or a neighbour. */
function isNear(previous: string, next: string): boolean {
  const [from, to] = [keys.get(previous), keys.get(next)]
  if (!from || !to) return false
  const [right, down] = [to.x - from.x, to.y - from.y]
  return (
    (down === 0 && Math.abs(right) <= 1) ||
    (down === 1 && (right === 0 || right === -1)) ||
    (down === -1 && (right === 0 || right === 1))
  )
}
const follows = (step: number) => (previous: string, next: string) =>
  next.charCodeAt(0) - previous.charCodeAt(0) === step
/** Sequences that are typed easily: over the keyboard, up and down the alphabet. */
const sequences = [isNear, follows(1), follows(-1)]

/** A piece of a password. */
type Piece = {
  length: number
  guessCost: number
  /** Whether the piece is known: such pieces are tried before any search letter by letter. */
  isKnown: boolean
}

/** Shortest sequence or repetition that counts; shorter ones occur by chance. */
const minRunLength = 4
/** Maximum number of digits and marks in a row, such as a date, that are one addition. */
const marksAtOnce = 8
const unreached: Readonly<[number, number]> = [Infinity, Infinity]
/** Lowest price of an accepted password; a cheaper one is a common word, or the customer's own words, with little around them (PWD-6). */
const minPrice = 5

/**
 * Checks whether a password is on the list of leaked ones, or made of its owner's data or the product's name, as a guesser tries them
 * (PWD-6): with substitutions, accents and cases, with digits and marks added anywhere, repeated, or typed along the keyboard. A listed
 * word costs two, so that two of them with something between are enough.
 */
export function isGuessable(password: string, owner: PasswordOwner, product: string): boolean {
  const text = plainForm(password)
  const own = ownWords(owner, product)
  const read = readings.map((reading) => reading(text))
  // By position: the least price of the text before it, without and with a known piece.
  const least: [number, number][] = [[0, Infinity]]
  for (let at = 0; at < text.length; at++) {
    const [without, withKnown] = least[at] ?? unreached
    for (const { length, guessCost, isKnown } of piecesAt(text, at, read, own)) {
      const next = (least[at + length] ??= [...unreached])
      if (!isKnown) next[0] = Math.min(next[0], without + guessCost)
      next[1] = Math.min(next[1], (isKnown ? Math.min(without, withKnown) : withKnown) + guessCost)
    }
  }
  return (least[text.length] ?? unreached)[1] < minPrice
}

function piecesAt(text: string, at: number, read: readonly string[], own: readonly string[]): Piece[] {
  const pieces: Piece[] = [{ length: 1, guessCost: 1, isKnown: false }]
  for (
    let length = 2;
    length <= marksAtOnce && isMarks(text.slice(at, at + length)) && at + length <= text.length;
    length++
  )
    pieces.push({ length, guessCost: 1, isKnown: false })
  for (const follow of sequences)
    for (
      let length = 2;
      at + length <= text.length && follow(text.charAt(at + length - 2), text.charAt(at + length - 1));
      length++
    )
      if (length >= minRunLength) pieces.push({ length, guessCost: 1, isKnown: true })
  // A repetition adds nothing, also when it overlaps itself, as in abcabcabc.
  for (let length = minRunLength; at + length <= text.length; length++) {
    if (text.indexOf(text.slice(at, at + length)) === at) break
    pieces.push({ length, guessCost: 0, isKnown: true })
  }
  for (const reading of read) {
    for (const { length } of own.filter((word) => reading.startsWith(word, at)))
      pieces.push({ length, guessCost: 1, isKnown: true })
    for (let length = listedLength.least; length <= listedLength.most && at + length <= text.length; length++)
      if (isListed(reading.slice(at, at + length))) pieces.push({ length, guessCost: 2, isKnown: true })
  }
  return pieces
}

const isMarks = (text: string) => !/\p{L}/u.test(text)

/** Shortest word that counts as the customer's own; shorter ones are part of too many other words. */
const minOwnWordLength = 3

/** Returns the customer's own data and the product's name, whole and word by word, with and without digits. */
function ownWords({ login, email, firstName, surname }: PasswordOwner, product: string): string[] {
  const texts = [login, email.slice(0, email.lastIndexOf('@')), firstName, surname, product].map(plainForm)
  const parts = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u), ...text.split(/[^\p{L}]+/u)])
  return parts.filter((part) => part.length >= minOwnWordLength)
}
