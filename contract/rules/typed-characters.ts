/** Nobody sees them, and copied texts have them: marks of direction, soft hyphens, joiners, spaces of no width. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Hyphens, dashes and the minus sign. */
const dashes = /[\p{Pd}\u2212\u2043]/gu

/** The ten digits of a script follow one another, from its zero (Unicode 4.6). */
function asciiDigit(digit: string): string {
  const at = digit.codePointAt(0)!
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(at - before - 1))) before += 1
  return String(before % 10)
}

/**
 * A number, code or date as somebody means it who types or pastes it: digits of any script as 0 to 9, letters and signs of any width as the
 * usual ones, a hyphen for any dash, a space for any blank, and nothing invisible. The text has to be short (R109).
 */
export const usualCharacters = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(invisible, '')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(dashes, '-')
    .replace(/\s/g, ' ')

/** The same without what separates groups of characters, or came along with them. */
export const lettersAndDigits = (typed: string): string => usualCharacters(typed).replace(/[^\p{L}\p{N}]/gu, '')
