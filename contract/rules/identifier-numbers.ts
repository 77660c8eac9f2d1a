/**
 * Numbers of people, firms and documents, judged by their form and check digits (VAL-4; defaults.md, Identifiers).
 * They are read as registers write them: upper case, without spaces or dashes.
 */

/** A number as registers write it, of what a person writes: spaces, dashes and small letters are forgiven. */
export const plainNumber = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase()

/** A=10 … Z=35, as ICAO 9303 counts letters. */
const valuesOf = (text: string) => Array.from(text, (sign) => Number.parseInt(sign, 36))

const weigh = (values: readonly number[], weights: readonly number[]) =>
  weights.reduce((sum, weight, i) => sum + weight * values[i]!, 0)

/** By the number that is added to the month: PESEL has five centuries. */
const centuries: Record<number, number> = { 80: 1800, 0: 1900, 20: 2000, 40: 2100, 60: 2200 }

/** The birth date that a PESEL holds, `1944-05-14`; undefined when it is no PESEL. */
export function birthDateOfPesel(text: string): string | undefined {
  if (!/^\d{11}$/.test(text)) return undefined
  const digits = valuesOf(text)
  if (digits[10] !== (10 - (weigh(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10) return undefined
  const [year, coded, day] = [text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)].map(Number) as [
    number,
    number,
    number,
  ]
  const month = coded % 20
  const date = new Date(Date.UTC(centuries[coded - month]! + year, month - 1, day))
  // What is no day of the calendar rolls over into another month.
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined
}

export const isPesel = (text: string): boolean => birthDateOfPesel(text) !== undefined

/** A remainder of 10 belongs to no number. */
export const isNip = (text: string): boolean =>
  /^\d{10}$/.test(text) && weigh(valuesOf(text), [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(text[9])

export const isPolishIdCard = (text: string): boolean =>
  /^[A-Z]{3}\d{6}$/.test(text) && weigh(valuesOf(text), [7, 3, 1, 9, 7, 3, 1, 7, 3]) % 10 === 0

export const isPolishPassport = (text: string): boolean =>
  /^[A-Z]{2}\d{7}$/.test(text) && weigh(valuesOf(text), [7, 3, 9, 1, 7, 3, 1, 7, 3]) % 10 === 0

/** Passports and cards of other countries have too many forms for more than this. */
export const isForeignDocument = (text: string): boolean => /^[A-Z0-9]{5,15}$/.test(text)

export const isResidenceCard = (text: string): boolean => /^[A-Z]{2}\d{7}$/.test(text)

/** mDowód: its check digit may only warn, so it refuses nothing here. */
export const isMobileIdCard = (text: string): boolean => /^M[A-Z]{3}\d{5}$/.test(text)
