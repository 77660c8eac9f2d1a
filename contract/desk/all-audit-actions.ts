import { auditActions } from '../audit-actions.ts'
import { internalActions } from './internal-actions.ts'
import { staffActions } from './staff-actions.ts'

/** Every action of the audit trail. */
export const allAuditActions = { ...auditActions, ...internalActions, ...staffActions }
