import type { TestPortal } from './portal-nodes.ts'

/** Returns the token in the newest link mail to an address. */
export function linkToken({ mails }: TestPortal, to: string): string {
  const mail = mails.find((candidate) => candidate.to === to && /setup-password/.test(candidate.text))
  return /setup-password\/([A-Za-z0-9_-]{43})/.exec(mail?.text ?? '')![1]!
}

/** Returns the code in the newest SMS to a number. */
export function smsCode({ texts }: TestPortal, to: string): string {
  return /#(\d{6})$/.exec(texts.find((sms) => sms.to === to)?.text ?? '')![1]!
}

/** Returns the code in the newest mail with a code to an address. */
export function mailedCode({ mails }: TestPortal, to: string): string {
  const pattern = /^(\d{6})$/m
  return pattern.exec(mails.find((mail) => mail.to === to && pattern.test(mail.text))?.text ?? '')![1]!
}

/** Returns the mails to an address that have a link to set a password, newest first. */
export const linkMails = ({ mails }: TestPortal, email: string) =>
  mails.filter(({ to, text }) => to === email && text.includes('/setup-password/'))

/** Sends the mails that are due, and returns every mail to an address. */
export async function readDeliveredTo(portal: TestPortal, to: string) {
  await portal.deliver()
  return portal.mails.filter((mail) => mail.to === to)
}
