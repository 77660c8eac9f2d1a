import { usualCharacters } from './typed-characters.ts'

// Checks numbers of people, companies and documents by their form and check digits (VAL-4; defaults.md, Identifiers).
// The numbers are in the form of the registers: upper case, without spaces or dashes.

/** Converts a number as a person writes it, with spaces, dashes and lower-case letters, to the form of the registers. */
export const plainNumber = (text: string): string => usualCharacters(text).replace(/[\s-]/g, '').toUpperCase()

/** Returns the values of characters, A=10 … Z=35, as in ICAO 9303. */
const valuesOf = (text: string) => Array.from(text, (sign) => Number.parseInt(sign, 36))

const weigh = (values: readonly number[], weights: readonly number[]) =>
  weights.reduce((sum, weight, i) => sum + weight * (values[i] ?? 0), 0)

/** The centuries of a PESEL, by the number that is added to the month. */
const centuries: Record<number, number> = { 80: 1800, 0: 1900, 20: 2000, 40: 2100, 60: 2200 }

/** Returns the birth date in a PESEL, such as `1944-05-14`; undefined if the text is not a PESEL. */
export function birthDateOfPesel(text: string): string | undefined {
  if (!/^\d{11}$/.test(text)) return undefined
  const digits = valuesOf(text)
  if (digits[10] !== (10 - (weigh(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10) return undefined
  const numberAt = (start: number) => Number(text.slice(start, start + 2))
  const [year, coded, day] = [numberAt(0), numberAt(2), numberAt(4)]
  const month = coded % 20
  const date = new Date(Date.UTC(centuries[coded - month]! + year, month - 1, day))
  // A day that does not exist rolls over into the next month.
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined
}

export const isPesel = (text: string): boolean => birthDateOfPesel(text) !== undefined

/** Checks whether a text is a NIP. A remainder of 10 is never valid. */
export const isNip = (text: string): boolean =>
  /^\d{10}$/.test(text) && weigh(valuesOf(text), [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(text[9])

export const isPolishIdCard = (text: string): boolean =>
  /^[A-Z]{3}\d{6}$/.test(text) && weigh(valuesOf(text), [7, 3, 1, 9, 7, 3, 1, 7, 3]) % 10 === 0

export const isPolishPassport = (text: string): boolean =>
  /^[A-Z]{2}\d{7}$/.test(text) && weigh(valuesOf(text), [7, 3, 9, 1, 7, 3, 1, 7, 3]) % 10 === 0

/**
 * Checks whether a text can be a foreign document number. Passports and cards of other countries have too many forms for a stricter check.
 */
export const isForeignDocument = (text: string): boolean => /^[A-Z0-9]{5,15}$/.test(text)

export const isResidenceCard = (text: string): boolean => /^[A-Z]{2}\d{7}$/.test(text)

/** Checks the form of an mDowód number. Its check digit may only warn, so it is not checked here. */
export const isMobileIdCard = (text: string): boolean => /^M[A-Z]{3}\d{5}$/.test(text)
