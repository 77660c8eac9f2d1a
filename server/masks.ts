import { dialCodeOf } from './sms-policy.ts'

/**
 * What is shown of numbers and addresses to somebody who may know them but has not proven who they are: enough to
 * recognise one's own, too little to learn another's. It is masked here, so the rest never leaves the server (R86).
 */

/** The last three characters, and of a short number only as many as leave two thirds hidden. */
export function maskNumber(text: string): string {
  const shown = Math.min(3, Math.floor(text.length / 3))
  return '•'.repeat(text.length - shown) + text.slice(text.length - shown)
}

/** Everything but the country code and the last three digits is hidden: `+48 ••• ••• 417`. */
export const maskPhone = (phone: string) => `${dialCodeOf(phone)} ••• ••• ${phone.slice(-3)}`

/** `m•••@k•••.example`: the same length whatever it hides. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)]
  return `${first(local)}•••@${first(domain)}•••${domain.slice(domain.lastIndexOf('.'))}`
}

const first = (text: string) => [...text][0] ?? ''
