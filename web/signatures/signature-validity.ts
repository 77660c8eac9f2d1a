import type { Signature } from '../../contract/signatures.ts'
import { validityOf } from '../text/validity.ts'
import { isBeingStopped } from '../../contract/signatures-and-seals.ts'

/** Renewed in the portal, or continued by another signature (SIG-10). */
export const isRenewed = ({ renewal, renewedFrom }: Pick<Signature, 'renewal' | 'renewedFrom'>) =>
  renewal === 'signed' || renewedFrom !== null

/** The ones to renew (SIG-9): as soon as that can be done, but not in the first half of a short validity (SIG-7). */
export function isToRenew(signature: Signature, now: number): boolean {
  const { renewable, left } = validityOf(signature, now)
  return (
    signature.status === 'active' && renewable && left <= 0.5 && !isRenewed(signature) && !isBeingStopped(signature)
  )
}

/** How much of it is left; the end of a renewed one is not urgent. */
export function validityOfSignature(signature: Signature, now: number): ReturnType<typeof validityOf> {
  const validity = validityOf(signature, now)
  return isRenewed(signature) ? { ...validity, urgency: 'none' } : validity
}
