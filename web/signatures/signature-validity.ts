import { isBeingStopped } from '../../contract/signatures-and-seals.ts'
import type { Signature } from '../../contract/signatures.ts'
import { validityOf } from '../text/validity.ts'

/** Checks whether a signature was renewed in the portal, or continued by another one (SIG-10). */
export const isRenewed = ({ renewal, renewedFrom }: Pick<Signature, 'renewal' | 'renewedFrom'>) =>
  renewal === 'signed' || renewedFrom !== null

/**
 * Checks whether a signature is to be renewed (SIG-9): as soon as that is possible, but not in the first half of a short validity (SIG-7).
 */
export function isToRenew(signature: Signature, now: number): boolean {
  const { renewable, left } = validityOf(signature, now)
  return (
    signature.status === 'active' && renewable && left <= 0.5 && !isRenewed(signature) && !isBeingStopped(signature)
  )
}

/** Returns how much of a signature's validity is left; the end of a renewed one is not urgent. */
export function validityOfSignature(signature: Signature, now: number): ReturnType<typeof validityOf> {
  const validity = validityOf(signature, now)
  return isRenewed(signature) ? { ...validity, urgency: 'none' } : validity
}
