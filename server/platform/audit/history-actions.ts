import { sql } from 'kysely'
import { auditActionsOf, type AuditActionKind, type ShownAction } from '../../../contract/audit-actions.ts'
import type { StaffAction } from '../../../contract/desk/staff-actions.ts'
import type { Settings } from '../settings.ts'

/** Entries of the desk that are whole data of a customer, read by a member of the staff. */
const readings: readonly StaffAction[] = ['desk-customer-unmasked', 'desk-change-unmasked', 'desk-identity-unmasked']
const reading = 'data-read-by-support' satisfies ShownAction

/** The entries of the trail that a customer's history shows; those of readings at the desk if the operator wants that (DSK-27). */
export function historyActions({ deskReadsShown }: Pick<Settings, 'deskReadsShown'>, kind?: AuditActionKind): string[] {
  const shown = auditActionsOf(kind)
  return deskReadsShown && shown.includes(reading) ? [...shown, ...readings] : shown
}

/** How the history names an entry: a reading at the desk has a name of its own there, without the reason and who it was. */
export const shownAction = sql`case when act = any(${readings}::text[]) then ${reading} else act end`
