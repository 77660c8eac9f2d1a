import type { SealUserRole, Text } from '../../contract/enums.ts'
import type { SealUserStatus } from '../../contract/seal-users.ts'

/** What mails and the copy of all data call the users of a seal. */
export const roleText: Record<SealUserRole, Text> = {
  admin: { pl: 'administrator', en: 'administrator' },
  user: { pl: 'użytkownik', en: 'user' },
}

export const accessText: Record<SealUserStatus, Text> = {
  pending: { pl: 'oczekuje na aktywację', en: 'awaiting activation' },
  active: { pl: 'aktywny', en: 'active' },
  deleted: { pl: 'usunięty', en: 'removed' },
}
