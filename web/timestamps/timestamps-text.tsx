import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { AccountPackage, TimestampAuthentication, TimestampPackageKind } from '../../contract/timestamps.ts'
import { useText } from '../app/locale.tsx'
import { formatDaysLeft } from '../text/format.ts'
import type { StatusLook } from '../ui/badge.tsx'
import { Verbatim, Code } from '../ui/verbatim.tsx'

export const authenticationText: Record<TimestampAuthentication, Text> = {
  basic: { pl: 'Login i\u00a0hasło (Basic)', en: 'Username and password (Basic)' },
  cms: { pl: 'Certyfikat (PKCS#7/CMS)', en: 'Certificate (PKCS#7/CMS)' },
}

export const packageKindText: Record<TimestampPackageKind, Text> = {
  recurring: { pl: 'Pakiet miesięczny', en: 'Monthly package' },
  'one-time': { pl: 'Pakiet jednorazowy', en: 'One-time package' },
  unlimited: { pl: 'Pakiet bez limitu', en: 'Unlimited package' },
}

/** Reasons why a package is not active, in the words of its badge. */
export const reasonText: Record<Exclude<NonNullable<AccountPackage['reason']>, 'not-yet-valid'>, Text> = {
  expired: { pl: 'Wygasł', en: 'Expired' },
  'used-up': { pl: 'Wykorzystany', en: 'Used up' },
  withdrawn: { pl: 'Wyłączony', en: 'Switched off' },
}

/** Shows the name of the timestamp account that a dialog is about. */
export function AccountName({ login }: { login: string }) {
  const t = useText()
  return (
    <>
      {t({ pl: 'Konto ', en: 'Account ' })}
      <Verbatim className="tsa__login">{login}</Verbatim>
    </>
  )
}

/** Shows an address that breaks before and after its host, but not within it or before its port. */
export function ServerAddress({ url }: { url: string }) {
  const host = url.indexOf('//') + 2
  const path = url.indexOf('/', host)
  const end = path < 0 ? url.length : path
  return (
    <Code className="wrap">
      {url.slice(0, host)}
      <span className="tsa__host">{url.slice(host, end)}</span>
      <wbr />
      {url.slice(end)}
    </Code>
  )
}

/** Returns the look of a badge that says how soon a package expires, for the package and for its account. */
export const endLook = (days: number, what: Text): StatusLook => ({
  kind: days <= limits.badge.strongDays ? 'warning-strong' : 'warning',
  icon: 'hourglass',
  text: { pl: `${what.pl} ${formatDaysLeft('pl', days)}`, en: `${what.en} ${formatDaysLeft('en', days)}` },
})
