import { allAuditActions } from '../../contract/desk/all-audit-actions.ts'
import type { AuditActor } from '../../contract/provider/audit-trail.ts'
import type { Locale, Text } from '../../contract/enums.ts'

const actionTexts: Record<string, Text> = allAuditActions

/** An action as people read it. */
export const actionText = (locale: Locale, action: string): string => actionTexts[action]?.[locale] ?? action

export const actorText: Record<AuditActor, Text> = {
  customer: { pl: 'klient', en: 'customer' },
  provider: { pl: 'system dostawcy', en: 'provider’s system' },
  operator: { pl: 'operator', en: 'operator' },
  system: { pl: 'portal', en: 'portal' },
  staff: { pl: 'pracownik', en: 'staff' },
}
