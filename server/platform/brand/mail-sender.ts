import { Email } from '../../../contract/fields.ts'

/** The sender of mails, written as an address or as `Name <address>`; undefined where it is neither. */
export function senderOf(text: string): { name: string; address: string } | undefined {
  const [, name = '', address = text] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? []
  if (/\p{Cc}/u.test(text) || Email.safeParse(address).data !== address) return undefined
  return { name: name.replaceAll('"', '').trim(), address }
}
