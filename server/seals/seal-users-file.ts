import type { Locale, Text } from '../../contract/enums.ts'
import type { SealUser } from '../../contract/seal-users.ts'
import { csvMoment, csvOf, csvSeparator } from '../platform/http/csv.ts'
import { accessText } from './seal-text.ts'

const heads: readonly Text[] = [
  { pl: 'Nr', en: 'No.' },
  { pl: 'Imię', en: 'First name' },
  { pl: 'Nazwisko', en: 'Surname' },
  { pl: 'E-mail', en: 'E-mail' },
  { pl: 'Telefon', en: 'Phone' },
  { pl: 'Rola', en: 'Role' },
  { pl: 'Dostęp', en: 'Access' },
  { pl: 'Zaproszono', en: 'Invited' },
  { pl: 'Zaproszenie ważne do', en: 'Invitation valid until' },
  { pl: 'Dostęp od', en: 'Access since' },
  { pl: 'Dostęp do', en: 'Access until' },
]

/** The users of a seal for a spreadsheet (SEA-17), their roles by the names that a file of invitations may have too (SEA-18). */
export function sealUsersCsv(locale: Locale, users: readonly SealUser[]): string {
  const moment = (at: string | null) => (at ? csvMoment(at) : '')
  const rows = users.map((user) => [
    String(user.number),
    user.firstName,
    user.surname,
    user.email,
    user.phone,
    user.role,
    accessText[user.status][locale],
    moment(user.invitedAt),
    moment(user.expiresAt),
    moment(user.acquiredAt),
    moment(user.deletedAt),
  ])
  return csvOf([heads.map((head) => head[locale]), ...rows], csvSeparator[locale])
}
