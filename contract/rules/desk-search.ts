import { accessCodeAlphabet } from './access-code.ts'
import { isPesel, plainNumber } from './identifier-numbers.ts'
import { usualCharacters } from './typed-characters.ts'

/** A query typed into the one search box of the desk. */
export type DeskQuery =
  | { kind: 'email' | 'login' | 'phone' | 'identifier'; value: string }
  /**
   * A number of a case, document or certificate, or the provider's own id of the customer. `renewal` is the range of
   * ids it names, `serials` the serial numbers of certificates, in hexadecimal, that it can be.
   */
  | { kind: 'number'; value: string; renewal: { from: string; to: string } | undefined; serials: string[] }

const email = /^[^\s@]+@[^\s@]+$/
const identifier = /^(?:(?:PNO|TIN|PAS|IDC)[A-Z]{2}|ECN)-[A-Z0-9-]{1,32}$/
const login = /^[A-Za-z0-9][A-Za-z0-9._-]{2,63}$/

/**
 * Recognises it by its form, so that a caller's words are enough. A Polish number has nine digits, and a PESEL eleven with a check
 * digit. A text that could be a login or a number is read as both, in this order.
 */
export function recognise(text: string): DeskQuery[] {
  const value = usualCharacters(text).trim()
  const plain = plainNumber(value)
  if (email.test(value))
    return [
      { kind: 'email', value },
      { kind: 'login', value },
    ]
  if (isPesel(plain)) return [{ kind: 'identifier', value: `PNOPL-${plain}` }]
  if (identifier.test(value.toUpperCase())) return [{ kind: 'identifier', value: value.toUpperCase() }]
  const digits = value.replace(/[\s().-]/g, '')
  if (/^(?:\+|00)[1-9]\d{6,14}$/.test(digits)) return [{ kind: 'phone', value: digits.replace(/^00/, '+') }]
  if (/^[1-9]\d{8}$/.test(digits)) return [{ kind: 'phone', value: `+48${digits}` }]
  const number = { kind: 'number', value, renewal: renewalIds(plain), serials: serialsIn(plain) } as const
  return login.test(value) ? [{ kind: 'login', value }, number] : [number]
}

/** Returns the range of renewal ids with the number `R-7KD2-0XQM`, which is the first 40 bits of an id (REN-16). */
function renewalIds(plain: string) {
  const characters = /^R?([0-9A-Z]{8})$/.exec(plain.replaceAll('-', ''))?.[1]
  if (!characters || [...characters].some((each) => !accessCodeAlphabet.includes(each))) return undefined
  const bits = [...characters].reduce((sum, each) => (sum << 5n) | BigInt(accessCodeAlphabet.indexOf(each)), 0n)
  const hex = bits.toString(16).padStart(10, '0')
  const start = `${hex.slice(0, 8)}-${hex.slice(8)}`
  return { from: `${start}00-0000-0000-000000000000`, to: `${start}ff-ffff-ffff-ffffffffffff` }
}

/**
 * Returns the serial numbers that a text can be, of at most 20 octets (RFC 5280 §4.1.2.2): in hexadecimal, also with colons, or in decimal.
 */
function serialsIn(plain: string): string[] {
  const digits = plain.replaceAll(':', '').replace(/^0X/, '')
  const read = [
    ...(/^[0-9A-F]{1,42}$/.test(digits) ? [BigInt(`0x${digits}`)] : []),
    ...(/^\d{1,49}$/.test(plain) ? [BigInt(plain)] : []),
  ]
  return read
    .map((serial) => serial.toString(16).toUpperCase())
    .map((hex) => hex.padStart(hex.length + (hex.length % 2), '0'))
}
