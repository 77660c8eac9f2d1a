import type { Db } from '../platform/database/database.ts'
import type { Portal } from '../platform/portal.ts'
import type { StaffSignInPort } from '../platform/ports.ts'

/** What calls of the desk are given. */
export type DeskPortal = Portal & {
  staffSignIn: StaffSignInPort
  /** It has the signed heads of the audit trail. */
  directory: string
  /** For client keys, which requests cannot change (R123). */
  ownerDb: Db
}
