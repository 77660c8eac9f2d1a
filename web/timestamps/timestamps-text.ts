import type { Text } from '../../contract/enums.ts'
import type { AccountPackage, TimestampAuthentication, TimestampPackageKind } from '../../contract/timestamps.ts'

export const authenticationText: Record<TimestampAuthentication, Text> = {
  basic: { pl: 'Login i\u00a0hasło (Basic)', en: 'Username and password (Basic)' },
  cms: { pl: 'Certyfikat (PKCS#7/CMS)', en: 'Certificate (PKCS#7/CMS)' },
}

export const kindText: Record<TimestampPackageKind, Text> = {
  recurring: { pl: 'Pakiet miesięczny', en: 'Monthly package' },
  'one-time': { pl: 'Pakiet jednorazowy', en: 'One-time package' },
  unlimited: { pl: 'Pakiet bez limitu', en: 'Unlimited package' },
}

/** Why a package is not active, as its badge says it. */
export const reasonText: Record<Exclude<NonNullable<AccountPackage['reason']>, 'not-yet-valid'>, Text> = {
  expired: { pl: 'Wygasł', en: 'Expired' },
  'used-up': { pl: 'Wykorzystany', en: 'Used up' },
  withdrawn: { pl: 'Wyłączony', en: 'Switched off' },
}
