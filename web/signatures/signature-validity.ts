import type { Signature } from '../../contract/signatures.ts'
import { validityOf } from '../text/validity.ts'

/** How much of it is left; the end of a renewed one is not urgent. */
export function validityOfSignature(signature: Signature, now: number): ReturnType<typeof validityOf> {
  const validity = validityOf(signature, now)
  return signature.renewal === 'signed' ? { ...validity, urgency: 'none' } : validity
}
