import type { Text } from '../../contract/enums.ts'
import type { AccountPackage, TimestampAuthentication, TimestampPackageKind } from '../../contract/timestamps.ts'

export const authenticationText: Record<TimestampAuthentication, Text> = {
  basic: { pl: 'Login i\u00a0hasło (Basic)', en: 'Username and password (Basic)' },
  cms: { pl: 'Certyfikat (PKCS#7/CMS)', en: 'Certificate (PKCS#7/CMS)' },
}

export const kindText: Record<TimestampPackageKind, Text> = {
  recurring: { pl: 'Cykliczny, co miesiąc', en: 'Recurring, monthly' },
  'one-time': { pl: 'Jednorazowy', en: 'One-time' },
  unlimited: { pl: 'Bez limitu', en: 'Unlimited' },
}

/** Why a package is not active, as its badge says it. */
export const reasonText: Record<Exclude<NonNullable<AccountPackage['reason']>, 'not-yet-valid'>, Text> = {
  expired: { pl: 'Wygasł', en: 'Expired' },
  'used-up': { pl: 'Wykorzystany', en: 'Used up' },
  withdrawn: { pl: 'Wyłączony', en: 'Switched off' },
}
