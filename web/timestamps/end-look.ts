import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { formatDaysLeft } from '../text/format.ts'
import type { StatusLook } from '../ui/badge.tsx'

/** How soon a package expires, as its badge says it and that of its account. */
export const endLook = (days: number, what: Text): StatusLook => ({
  kind: days <= limits.badge.strongDays ? 'warn-strong' : 'warn',
  icon: 'hour',
  text: { pl: `${what.pl} ${formatDaysLeft('pl', days)}`, en: `${what.en} ${formatDaysLeft('en', days)}` },
})
