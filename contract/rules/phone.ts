import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
  type CountryCode,
} from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/mobile/metadata'
import * as z from 'zod/mini'
import type { FieldProblem } from '../errors.ts'
import { truncatedText, PhoneNumber } from '../fields.ts'
import { limits } from '../limits.ts'
import { usualCharacters } from './typed-characters.ts'

/** A country or territory with phone numbers of its own, by ISO 3166-1 alpha-2 (and XK, AC, TA). */
export type Country = CountryCode

export const phoneCountries = () => getCountries(metadata)
export const isPhoneCountry = (code: string): code is Country => isSupportedCountry(code as Country, metadata)
/** Returns the calling code of a country, such as `48`; several countries may share one. */
export const callingCode = (country: Country): string => getCountryCallingCode(country, metadata)

/** Checks whether this is the main country of a shared calling code: the United States for +1, Great Britain for +44. */
export const leadsCode = (country: Country) => metadata.country_calling_codes[callingCode(country)]?.[0] === country

/** A number as it is stored (E.164) and as it is shown: `600 100 417`, `+48 600 100 417`. */
export type Phone = { number: string; country: Country; national: string; international: string }

const internationalStart = /^[\s(]*(?:\+|00)/

/** Checks for a leading + or 00, which means that the country's code follows (PHO-1). */
export const isInternational = (text: string) => internationalStart.test(usualNumber(text))

/** Returns the part of a text that is read, without a bracket around all of it; dots in the middle of a line separate as a space does. */
const usualNumber = (text: string) =>
  usualCharacters(text.slice(0, limits.phone.pastedLength))
    .trim()
    .replace(/[·•_\t]/g, ' ')
    .replace(/^\(([^()]*)\)$/, '$1')

/**
 * Prepares a typed number for parsing: a slash after the area code, as in „0170/1234567” and „+49 (0)170/1234567”, separates as a space
 * does.
 */
const typedText = (text: string) =>
  usualNumber(text)
    .replace(internationalStart, '+')
    .replace(/^((?:\+ ?\d{1,3}[) ]*\(0\))?(?:[+( ]*\d){2,6}[) ]*)\//, '$1 ')
    .trim()

/**
 * Parses a number as a person writes it; a national number is of the given country. Characters beyond 250 are ignored: the
 * library would refuse the whole text (PHO-1).
 */
export function parsePhone(text: string, country?: Country): Phone | { problem: FieldProblem } {
  const typed = typedText(text)
  if (!typed) return { problem: 'required' }
  // The library would take the digits of an extension or of a second number for digits of the number.
  if (/[^+\d ().-]|\)$/.test(typed)) return { problem: 'phone-format' }
  const { min, max } = limits.phone.national
  const digits = typed.replace(/\D/g, '').length
  if (digits && digits < min) return { problem: 'phone-incomplete' }
  // A calling code has up to three digits; the plans of countries are narrower than the specification's bounds.
  if (digits > max + 3) return { problem: 'too-long' }
  const options = { ...(country && { defaultCountry: country }), extract: false }
  const wrongLength = validatePhoneNumberLength(typed, options, metadata)
  if (wrongLength) return { problem: lengthProblem(wrongLength, typed) }
  const phone = parsePhoneNumberFromString(typed, options, metadata)
  // Numbers without a country are satellite and worldwide premium numbers, to which no SMS is sent (R27).
  if (!phone?.country || !phone.isValid())
    return { problem: phone && canBeFinished(typed, options) ? 'phone-incomplete' : 'phone-format' }
  // A single digit after a whole number is an extension, and so is what follows it behind a bracket, or any bracket
  // with fewer than four digits.
  const ends = [...typed.matchAll(/[()]|[ .-](?=\d[ .-]*$)/g)].map(({ index }) => typed.slice(0, index))
  if (
    /[()][^\d()]*(?:\d[^\d()]*){0,3}$/.test(typed) ||
    ends.some((end) => parsePhoneNumberFromString(end, options, metadata)?.isValid())
  )
    return { problem: 'phone-format' }
  // E.164 allows 15 digits with the calling code, though some national plans have more.
  if (!PhoneNumber.safeParse(phone.number).success) return { problem: 'too-long' }
  return {
    number: phone.number,
    country: phone.country,
    national: phone.formatNational(),
    international: phone.formatInternational(),
  }
}

/**
 * Checks whether the number is too short but could become a valid one with more digits. Local numbers may be this short, mobile ones not.
 */
const canBeFinished = (typed: string, options: Parameters<typeof parsePhoneNumberFromString>[1]) =>
  ['0', '00', '000', '0000'].some((more) => {
    const phone = parsePhoneNumberFromString(typed + more, options, metadata)
    return phone?.country && phone.isValid()
  })

function lengthProblem(wrong: ReturnType<typeof validatePhoneNumberLength>, typed: string): FieldProblem {
  if (wrong === 'TOO_LONG') return 'too-long'
  return wrong !== 'INVALID_COUNTRY' && /\d/.test(typed) ? 'phone-incomplete' : 'phone-format'
}

/** Returns the country of an international number as typed so far; the given country while it is still possible. */
export function countryMeant(text: string, current: Country): Country {
  const typed = typedText(text)
  const known = parsePhoneNumberFromString(typed, { extract: false }, metadata)?.country
  if (known) return known
  const digits = typed.replace(/\D/g, '')
  for (const length of [1, 2, 3]) {
    const sharing = metadata.country_calling_codes[digits.slice(0, length)]
    if (sharing?.[0]) return sharing.includes(current) ? current : sharing[0]
  }
  return current
}

/** The number of a phone field in any international form; converted to E.164 and valid by the library. */
export const PhoneEntry = z.pipe(
  truncatedText(limits.phone.pastedLength, 'required'),
  z.transform((text: string, { issues }) => {
    const read = parsePhone(text)
    if ('number' in read) return read.number
    issues.push({ code: 'custom', message: read.problem, input: text })
    return z.NEVER
  }),
)

export const NewPhoneForm = z.strictObject({ phone: PhoneEntry })
