import { limits } from '../../contract/limits.ts'
import { usualCharacters } from '../../contract/rules/typed-characters.ts'
import { callingCode, countryMeant, isInternational, readPhone, type Country } from '../../contract/rules/phone.ts'

/** The text of a phone field, and the value that its form sends. */
export type Typed = { country: Country; value: string }

/**
 * What a text in the field means. In international mode it has its own country, in national mode it is of the
 * chosen country (PHO-1). The value is E.164; of a number that is not right yet it is an international writing, in
 * which the schema finds what is wrong.
 */
export function understand(text: string, chosen: Country): Typed {
  const country = isInternational(text) ? countryMeant(text, chosen) : chosen
  const phone = readPhone(text, country)
  if ('number' in phone) return { country, value: phone.number }
  const typed = text.trim().slice(0, limits.phone.read)
  return { country, value: !typed || isInternational(typed) ? typed : `+${callingCode(country)} ${typed}` }
}

/** The text when the field is left: formatted in its own mode, or as typed while it is invalid. */
export function formatted(text: string, country: Country) {
  const phone = readPhone(text, country)
  if (!('number' in phone)) return text
  return isInternational(text) ? phone.international : phone.national
}

/** A value as the field shows it: what is right in the national mode, what is not right yet as it is. */
export function shownFor(value: string, chosen: Country): { country: Country; text: string } {
  const phone = readPhone(value)
  if ('number' in phone) return { country: phone.country, text: phone.national }
  return { country: understand(value, chosen).country, text: value.slice(0, limits.phone.shown) }
}

/** The same number for another country: what was the old country's code goes, for the new one has its own. */
export function withoutCode(text: string, country: Country) {
  if (!isInternational(text)) return text
  const digits = usualCharacters(text)
    .replace(/^\D*00/, '')
    .replace(/\D/g, '')
  const code = callingCode(country)
  return digits.startsWith(code) ? digits.slice(code.length) : ''
}

/** How a number begins that has its country's code, unlike „00-950 Warszawa”. */
const codeFirst = /^[( ]*(?:\+|00)[( ]*[1-9]/
const onlyCode = /^[( ]*(?:\+|00)[( ]*[1-9]\d{0,2}[) ]*$/

/**
 * The number in a pasted text, in the room of the field; undefined if the text is that already (PHO-1). Words before the number go, and what
 * follows it behind a letter, `#`, `;`, a free slash, a tab or a line end, such as an extension; but a country's code goes with what is behind
 * one. Where no number is whole, or one with a code is not, all stays from the first digit or plus on, with a semicolon for what the field would
 * drop, so that the digits of two things form no other number.
 */
export function tidied(pasted: string, room: number, country?: Country) {
  const text = usualCharacters(pasted.slice(0, limits.phone.read))
  const parts = text
    .split(/[\p{L}#;\p{Cc}\p{Zl}\p{Zp}]| \/ /u)
    .flatMap((part) => /[+( ]{0,4}\d(?:.*[\d)])?/.exec(part)?.[0].trim() ?? [])
    .flatMap((part, i, all) => {
      if (onlyCode.test(part) && all[i + 1]) return []
      return onlyCode.test(all[i - 1] ?? '') ? `${all[i - 1]} ${part}` : part
    })
  const isWhole = (part: string) => 'number' in readPhone(part, country)
  const first = parts.find((part) => codeFirst.test(part) || isWhole(part))
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
