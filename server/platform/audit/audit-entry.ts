import type { AuditAction } from '../../../contract/audit-actions.ts'
import type { AuditActor } from '../../../contract/provider/audit-trail.ts'

/** One entry of the audit trail. */
export type AuditEntry = {
  action: AuditAction
  accountId: string | null
  actor: AuditActor
  /** The peer's network address. */
  address?: string | undefined
  /**
   * Ids and counts only: no names, numbers or texts of people (R86), except names of client keys, and `actorName`: such a name, an operator's login, or the name of a member of the staff, whose `reason` to see whole data is a text of their own; and `name`, such a name by which an auditor has filtered the trail.
   */
  details?: { [name: string]: string | number | boolean }
}
