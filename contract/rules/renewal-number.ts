import { accessCodeAlphabet, spellAccessCode } from './access-code.ts'

/**
 * The number by which a customer names a renewal on the phone: `R-7KD2-0XQM` (REN-16). It is the first 40 bits of the renewal's
 * random id (UUID version 4) in base32, so it needs no storage, and does not show how many renewals there are.
 */
export function renewalNumber(uid: string): string {
  const bits = BigInt(`0x${uid.replaceAll('-', '').slice(0, 10)}`)
  const characters = Array.from({ length: 8 }, (_, i) => accessCodeAlphabet[Number((bits >> BigInt(35 - 5 * i)) & 31n)])
  return `R-${spellAccessCode(characters.join(''))}`
}
