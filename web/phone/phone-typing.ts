import { limits } from '../../contract/limits.ts'
import { callingCode, countryMeant, isInternational, parsePhone, type Country } from '../../contract/rules/phone.ts'
import { usualCharacters } from '../../contract/rules/typed-characters.ts'

/** The text of a phone field, and the value that its form sends. */
export type Typed = { country: Country; value: string }

/**
 * Parses the text of the field. In international mode the text states its country, in national mode the chosen country applies (PHO-1). The
 * value is E.164; for a number that is not valid yet, it is an international notation, in which the schema finds the problem.
 */
export function parsePhoneText(text: string, chosen: Country): Typed {
  const country = isInternational(text) ? countryMeant(text, chosen) : chosen
  const phone = parsePhone(text, country)
  if ('number' in phone) return { country, value: phone.number }
  const typed = text.trim().slice(0, limits.phone.pastedLength)
  return { country, value: !typed || isInternational(typed) ? typed : `+${callingCode(country)} ${typed}` }
}

/** Formats the text when the field is left, in its own mode; an invalid number stays as typed. */
export function formatted(text: string, country: Country) {
  const phone = parsePhone(text, country)
  if (!('number' in phone)) return text
  return isInternational(text) ? phone.international : phone.national
}

/** Returns a value as the field shows it: a valid number in the national mode, one that is not valid yet as it is. */
export function shownFor(value: string, chosen: Country): { country: Country; text: string } {
  const phone = parsePhone(value)
  if ('number' in phone) return { country: phone.country, text: phone.national }
  return { country: parsePhoneText(value, chosen).country, text: value.slice(0, limits.phone.fieldLength) }
}

/** Removes the old country's calling code from a number, because the new country has its own. */
export function withoutCode(text: string, country: Country) {
  if (!isInternational(text)) return text
  const digits = usualCharacters(text)
    .replace(/^\D*00/, '')
    .replace(/\D/g, '')
  const code = callingCode(country)
  return digits.startsWith(code) ? digits.slice(code.length) : ''
}

/** Beginning of a number that has its calling code, unlike „00-950 Warszawa”. */
const callingCodeStart = /^[( ]*(?:\+|00)[( ]*[1-9]/
const onlyCode = /^[( ]*(?:\+|00)[( ]*[1-9]\d{0,2}[) ]*$/

/**
 * Extracts the number from a pasted text, to fit the room in the field; undefined if the text needs no change (PHO-1). Words before the
 * number are dropped, and so is the text after it from a letter, `#`, `;`, a slash between spaces, a tab or a line end on, such as an
 * extension; but a calling code is joined with the part after such a sign. If no number is complete, or one with a calling code is not,
 * everything from the first digit or plus on is kept, with a semicolon for the characters that the field would drop, so that the digits of
 * two things form no other number.
 */
export function extractPastedNumber(pasted: string, room: number, country?: Country) {
  const text = usualCharacters(pasted.slice(0, limits.phone.pastedLength))
  const parts = text
    .split(/[\p{L}#;\p{Cc}\p{Zl}\p{Zp}]| \/ /u)
    .flatMap((part) => /[+( ]{0,4}\d(?:.*[\d)])?/.exec(part)?.[0].trim() ?? [])
    .flatMap((part, i, all) => {
      if (onlyCode.test(part) && all[i + 1]) return []
      return onlyCode.test(all[i - 1] ?? '') ? `${all[i - 1]} ${part}` : part
    })
  const isWhole = (part: string) => 'number' in parsePhone(part, country)
  const first = parts.find((part) => callingCodeStart.test(part) || isWhole(part))
  const whole = first !== undefined && isWhole(first) ? first : undefined
  const kept =
    (parts.length === 1 ? parts[0] : whole) ??
    text
      .slice(Math.max(0, text.search(/[+( ]{0,4}\d/)))
      .trim()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, '; ')
  const tidy = (kept.length > room ? kept.replace(/[ ().-]/g, '') : kept).slice(0, room)
  return tidy === pasted ? undefined : tidy
}
