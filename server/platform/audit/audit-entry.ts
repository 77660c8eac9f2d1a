import type { AuditAction } from '../../../contract/audit-actions.ts'
import type { AuditActor } from '../../../contract/provider/audit-trail.ts'

export type AuditEntry = {
  action: AuditAction
  accountId: string | null
  actor: AuditActor
  /** The peer's network address. */
  address?: string | undefined
  /**
   * Ids, counts and words of the code; no names, numbers or texts of people (R86). Exceptions: the name of a client
   * key, of an operator or of a member of the staff (`actorName`), the reason of the staff for seeing whole data, and a
   * name by which an auditor has filtered the trail.
   */
  details?: { [name: string]: string | number | boolean }
}

/** Who makes a change, and from where, with the details that each of its audit entries has. */
export type ChangedBy = Pick<AuditEntry, 'actor' | 'address' | 'details'>
