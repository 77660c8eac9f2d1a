import { dialCodeOf } from './sms-policy.ts'

// Masked phone numbers and addresses, for messages and for whoever must not see the whole: enough to recognise one's own,
// too little to find out somebody else's. They are masked here, so the rest never leaves the server (R86).

/** Masks everything but the country code and the last three digits: `+48 ••• ••• 417`. */
export const maskPhone = (phone: string) => `${dialCodeOf(phone)} ••• ••• ${phone.slice(-3)}`

/** Masks an e-mail address: `m•••@k•••.example`. A masked part has the same length for every address. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)]
  return `${first(local)}•••@${first(domain)}•••${domain.slice(domain.lastIndexOf('.'))}`
}

/** Returns the first two characters of a login, or a masked address. */
export const maskLogin = (login: string) =>
  login.includes('@') ? maskEmail(login) : `${[...login].slice(0, 2).join('')}•••`

const first = (text: string) => [...text][0] ?? ''
