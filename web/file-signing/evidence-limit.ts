import { limits } from '../../contract/limits.ts'

/** A file is not made larger than by this, such as by a very long revocation list. */
export const maxEvidenceBytes = limits.http.signatureBytes / 2
