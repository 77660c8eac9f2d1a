import type { Db } from '../platform/database/database.ts'
import type { Portal } from '../platform/portal.ts'
import type { StaffSignInPort } from '../platform/ports.ts'

/** What calls of the desk receive. */
export type DeskPortal = Portal & {
  staffSignIn: StaffSignInPort
  /** Folder with the signed heads of the audit trail. */
  directory: string
  /** Connection of the owner, for client keys: the login of requests cannot change them (R123). */
  ownerDb: Db
}
