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
import type { FieldProblem } from './errors.ts'
import { beginning, PhoneNumber } from './fields.ts'
import { limits } from './limits.ts'

/** A country or territory with phone numbers of its own, by ISO 3166-1 alpha-2 (and XK, AC, TA). */
export type Country = CountryCode

export const phoneCountries = () => getCountries(metadata)
export const isPhoneCountry = (code: string): code is Country => isSupportedCountry(code as Country, metadata)
/** `48`. Several countries may share one. */
export const callingCode = (country: Country): string => getCountryCallingCode(country, metadata)

/** Whether a code shared by several is first of all this country's: +1 of the United States, +44 of Great Britain. */
export const leadsCode = (country: Country) => metadata.country_calling_codes[callingCode(country)]?.[0] === country

/** A number as it is kept (E.164) and in its two writings: `600 100 417`, `+48 600 100 417`. */
export type Phone = { number: string; country: Country; national: string; international: string }

const internationalStart = /^[\s(]*(?:[+＋]|00)/

/** A leading + or 00 means that the country's code follows (PHO-1). */
export const isInternational = (text: string) => internationalStart.test(text)

const asTyped = (text: string) => text.slice(0, limits.phone.read).replace(internationalStart, '+').trim()

/**
 * Reads a number as a person writes it; a national one is of the given country. Text beyond 250 characters is ignored,
 * which the library would refuse whole (PHO-1).
 */
export function readPhone(text: string, country?: Country): Phone | { problem: FieldProblem } {
  const typed = asTyped(text)
  if (!typed) return { problem: 'required' }
  const options = { ...(country && { defaultCountry: country }), extract: false }
  const wrongLength = validatePhoneNumberLength(typed, options, metadata)
  if (wrongLength) return { problem: lengthProblem(wrongLength, typed) }
  const phone = parsePhoneNumberFromString(typed, options, metadata)
  // Numbers of no country are satellites, and premium ones all over the world: no text message goes there (R27).
  if (!phone?.country || phone.ext || !phone.isValid())
    return { problem: phone && !phone.ext && canBeFinished(typed, options) ? 'phone-incomplete' : 'phone-format' }
  // E.164 has at most 15 digits with the country's code, though some national plans allow for more.
  if (!PhoneNumber.safeParse(phone.number).success) return { problem: 'too-long' }
  return {
    number: phone.number,
    country: phone.country,
    national: phone.formatNational(),
    international: phone.formatInternational(),
  }
}

/** Local numbers may be this short, mobile ones not: whether a few more digits would make it one. */
const canBeFinished = (typed: string, options: Parameters<typeof parsePhoneNumberFromString>[1]) =>
  ['0', '00', '000', '0000'].some((more) => {
    const phone = parsePhoneNumberFromString(typed + more, options, metadata)
    return phone?.country && phone.isValid()
  })

function lengthProblem(wrong: ReturnType<typeof validatePhoneNumberLength>, typed: string): FieldProblem {
  if (wrong === 'TOO_LONG') return 'too-long'
  const nothingElse = /^[+\d\s().-]+$/.test(typed) && /\d/.test(typed)
  return wrong !== 'INVALID_COUNTRY' && nothingElse ? 'phone-incomplete' : 'phone-format'
}

/** The country that an international writing means so far; the given one as long as it may be meant. */
export function countryMeant(text: string, current: Country): Country {
  const typed = asTyped(text)
  const known = parsePhoneNumberFromString(typed, { extract: false }, metadata)?.country
  if (known) return known
  const digits = typed.replace(/\D/g, '')
  for (const length of [1, 2, 3]) {
    const sharing = metadata.country_calling_codes[digits.slice(0, length)]
    if (sharing) return sharing.includes(current) ? current : sharing[0]!
  }
  return current
}

/** A number of a phone field, in any international writing; what comes out is E.164, and the library knows such a number. */
export const PhoneEntry = z.pipe(
  beginning(limits.phone.read, 'required'),
  z.transform((text: string, { issues }) => {
    const read = readPhone(text)
    if ('number' in read) return read.number
    issues.push({ code: 'custom', message: read.problem, input: text })
    return z.NEVER
  }),
)
