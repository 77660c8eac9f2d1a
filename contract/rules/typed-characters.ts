/**
 * Characters that nobody sees and copied texts have: marks of direction, soft hyphens, joiners, fillers, the empty pattern of braille (DI:
 * Default_Ignorable_Code_Point). Not the variation selectors (VS), by which a sign is drawn in colour.
 */
export const invisible = /(?!\p{VS})[\p{Cf}\p{DI}\u2800\u{16fe4}]/u

/** Hyphens, dashes, the minus sign, and what looks like them. */
const dashes = /[\p{Dash}\u02d7\u2043]/gu

/** Converts a digit of any script to 0 to 9. The ten digits of a script follow one another, from its zero (Unicode 4.6). */
function asciiDigit(digit: string): string {
  let value = 0
  for (let at = digit.codePointAt(0)! - 1; /\p{Nd}/u.test(String.fromCodePoint(at)); at -= 1) value += 1
  return `${value % 10}`
}

/**
 * Converts a typed or pasted number, code or date to the characters that the person means: digits of any script become 0 to 9, letters and
 * signs of any width the usual ones, any dash a hyphen, a space of any width a usual space; invisible characters are removed. Marks such as
 * ² stay as they are, because a footnote is not a digit of the number. The text has to be short (R109).
 */
export const usualCharacters = (typed: string): string =>
  typed
    .replace(/\P{No}+/gu, (part) => part.normalize('NFKC'))
    .split(invisible)
    .join('')
    // A keycap, 6️⃣, is a digit, a variation selector and a frame.
    .replace(/\p{Nd}\ufe0f?\u20e3?/gu, asciiDigit)
    .replace(dashes, '-')

/**
 * Converts a typed text as `usualCharacters` does, with another separator, or none, in place of everything between its groups of letters
 * and digits.
 */
export const lettersAndDigits = (typed: string, separator = ''): string =>
  usualCharacters(typed).replace(/[^\p{L}\p{N}]+/gu, separator)
