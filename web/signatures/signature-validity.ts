import type { Signature } from '../../contract/signatures.ts'
import { validityOf } from '../text/validity.ts'

/** Renewed in the portal, or continued by another signature (SIG-10). */
export const isRenewed = ({ renewal, renewedFrom }: Pick<Signature, 'renewal' | 'renewedFrom'>) =>
  renewal === 'signed' || renewedFrom !== null

/** How much of it is left; the end of a renewed one is not urgent. */
export function validityOfSignature(signature: Signature, now: number): ReturnType<typeof validityOf> {
  const validity = validityOf(signature, now)
  return isRenewed(signature) ? { ...validity, urgency: 'none' } : validity
}
