import { auditActions } from '../audit-actions.ts'
import { internalActions } from './internal-actions.ts'
import { staffActions } from './staff-actions.ts'

export const allAuditActions = { ...auditActions, ...internalActions, ...staffActions }
