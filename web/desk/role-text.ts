import type { DeskRole } from '../../contract/desk/desk-permissions.ts'
import type { Text } from '../../contract/enums.ts'

export const roleText: Record<DeskRole, Text> = {
  reader: { pl: 'podgląd', en: 'reader' },
  agent: { pl: 'obsługa', en: 'agent' },
  auditor: { pl: 'audyt', en: 'auditor' },
  administrator: { pl: 'administracja', en: 'administrator' },
}
