import { isListed, listedLength, plainForm } from './password-list.ts'

/** What whoever attacks one customer tries first. */
export type PasswordOwner = { login: string; email: string; firstName: string; surname: string }

/** Signs that stand for letters. 1 and ! stand for two. */
const substitutes = { '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '1': 'i', '!': 'i' }
const readAs = (signs: Record<string, string>) => (text: string) =>
  Array.from(text, (sign) => signs[sign] ?? sign).join('')
const readings = [(text: string) => text, readAs(substitutes), readAs({ ...substitutes, '1': 'l', '!': 'l' })]

/** Each row of keys stands half a key further right than the one above it; the shifted digits lie on their keys. */
const keys = new Map(
  ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', '!@#$%^&*()'].flatMap((row, y) =>
    Array.from(row, (key, x) => [key, { x, y: y % 4 }] as const),
  ),
)
/** The same key or one beside it. */
function isNear(one: string, other: string): boolean {
  const [from, to] = [keys.get(one), keys.get(other)]
  if (!from || !to) return false
  const [right, down] = [to.x - from.x, to.y - from.y]
  return (
    (down === 0 && Math.abs(right) <= 1) ||
    (down === 1 && (right === 0 || right === -1)) ||
    (down === -1 && (right === 0 || right === 1))
  )
}
const follows = (step: number) => (one: string, other: string) => other.charCodeAt(0) - one.charCodeAt(0) === step
/** Ways along which fingers go: over the keyboard, up and down the alphabet. */
const ways = [isNear, follows(1), follows(-1)]

/** What a guesser pays for one piece. A known piece is one that is tried before any letter by letter search. */
type Piece = { length: number; price: number; known: boolean }

/** Shorter ways and repetitions come about by chance. */
const runFrom = 4
/** So many digits and marks in a row, such as a date, are one thing that is added. */
const marksAtOnce = 8
/** Below this a password is a common word, or the customer's own ones, with little around it (PWD-6). */
const enough = 5

/**
 * Whether a password is on the list of leaked ones, or made of its owner's data or the product's name, when looked at
 * as a guesser does (PWD-6): through substitutions, accents and cases, with digits and marks added anywhere, said
 * twice, or typed along the keyboard. A listed word costs two, so that two of them with something between are enough.
 */
export function isGuessable(password: string, owner: PasswordOwner, product: string): boolean {
  const text = plainForm(password)
  const own = ownWords(owner, product)
  const read = readings.map((reading) => reading(text))
  // By position: the least price of all before it, without and with a known piece.
  const least = Array.from({ length: text.length + 1 }, () => [Infinity, Infinity] as [number, number])
  least[0]![0] = 0
  for (let at = 0; at < text.length; at++) {
    for (const { length, price, known } of piecesAt(text, at, read, own)) {
      const [without, withKnown] = least[at]!
      const next = least[at + length]!
      if (!known) next[0] = Math.min(next[0], without + price)
      next[1] = Math.min(next[1], (known ? Math.min(without, withKnown) : withKnown) + price)
    }
  }
  return least.at(-1)![1] < enough
}

function piecesAt(text: string, at: number, read: readonly string[], own: readonly string[]): Piece[] {
  const pieces: Piece[] = [{ length: 1, price: 1, known: false }]
  for (
    let length = 2;
    length <= marksAtOnce && isMarks(text.slice(at, at + length)) && at + length <= text.length;
    length++
  )
    pieces.push({ length, price: 1, known: false })
  for (const near of ways)
    for (let length = 2; at + length <= text.length && near(text[at + length - 2]!, text[at + length - 1]!); length++)
      if (length >= runFrom) pieces.push({ length, price: 1, known: true })
  // What has been said before adds nothing, also when it runs into itself, as in abcabcabc.
  for (let length = runFrom; at + length <= text.length; length++) {
    if (text.indexOf(text.slice(at, at + length)) === at) break
    pieces.push({ length, price: 0, known: true })
  }
  for (const one of read) {
    for (const { length } of own.filter((word) => one.startsWith(word, at)))
      pieces.push({ length, price: 1, known: true })
    for (let length = listedLength.least; length <= listedLength.most && at + length <= text.length; length++)
      if (isListed(one.slice(at, at + length))) pieces.push({ length, price: 2, known: true })
  }
  return pieces
}

const isMarks = (text: string) => !/\p{L}/u.test(text)

/** Shorter words of somebody's name stand in too many others. */
const ownFrom = 3

/** The customer's own data and the product's name, whole and by their words, with and without the digits in these. */
function ownWords({ login, email, firstName, surname }: PasswordOwner, product: string): string[] {
  const texts = [login, email.slice(0, email.lastIndexOf('@')), firstName, surname, product].map(plainForm)
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u), ...text.split(/[^\p{L}]+/u)])
  return words.filter((word) => word.length >= ownFrom)
}
