import type { AuditAction } from '../../../contract/audit-actions.ts'

/** One entry of the audit trail. */
export type AuditEntry = {
  action: AuditAction
  accountId: string | null
  actor: 'customer' | 'provider' | 'operator' | 'system' | 'staff'
  /** The peer's network address. */
  address?: string | undefined
  /**
   * Ids and counts only: no names, numbers or texts of people (R86), except names of client keys, and `actorName`: such a name, an operator's login, or the name of a member of the staff, whose `reason` to see whole data is a text of their own.
   */
  details?: { [name: string]: string | number | boolean }
}
