import { validatePdf } from '../pades/pades-validate.ts'
import { contractPdf, policyOf, signedAt, signPdf, stampDocument, timestampAuthority } from './pades-authorities.ts'

const later = (minutes: number) => new Date(signedAt.getTime() + minutes * 60_000)

/** A signature, and timestamps by more authorities than the portal asks about at once, all without evidence. */
export function stampedOften() {
  const stamped = Array.from({ length: 10 }).reduce<Uint8Array>(
    (file, _, index) =>
      stampDocument(file, later(index / 60), `Stamp ${index}`, timestampAuthority(`Stamper ${index}`)),
    signPdf(contractPdf()),
  )
  return validatePdf(stamped, policyOf({ revocation: 'required' }))
}

/** Signed three times by one certificate: the time of the first is proven, and that of the others is when the file was received. */
export async function signedAgain() {
  const times = [signedAt, later(60)]
  const file = ['Second', 'Third'].reduce<Uint8Array>(
    (signed, field) => signPdf(signed, { field }),
    signPdf(contractPdf(), { timestamp: true }),
  )
  return { report: await validatePdf(file, policyOf({ revocation: 'required', receivedAt: later(60) })), times }
}
