import type * as z from 'zod/mini'
import type { Text } from '../../contract/enums.ts'
import type { CertificateState } from '../../contract/signatures-and-seals.ts'
import { formatDate } from '../text/format.ts'
import type { StatusLook } from '../ui/badge.tsx'

export type Reason = NonNullable<z.infer<typeof CertificateState>['reason']>
type Look = Omit<StatusLook, 'text'>

/** The shape and the colour of each state of a signature or a seal, on its page and on home; the words have a grammatical gender. */
export const certificateLooks = {
  active: { kind: 'ok', icon: 'check-circle' },
  renewable: { kind: 'info', icon: 'refresh' },
  renewed: { kind: 'ok', icon: 'check-circle' },
  'not-yet-valid': { kind: 'info', icon: 'calendar' },
  suspended: { kind: 'error-strong', icon: 'alert' },
  expired: { kind: 'muted', icon: 'minus-circle' },
  /** Certificate that expired recently and was not replaced; only home knows that. */
  unreplaced: { kind: 'error-strong', icon: 'alert' },
  revoked: { kind: 'muted', icon: 'minus-circle' },
} as const satisfies Record<Reason | 'active' | 'renewable' | 'renewed' | 'unreplaced', Look>

/** Look of anything that ends soon, by urgency. */
export const endLooks = {
  amber: { kind: 'warning', icon: 'hourglass' },
  strong: { kind: 'warning-strong', icon: 'hourglass' },
} as const satisfies Record<string, Look>

/** Look of a timestamp account or package with no timestamps left, or few. */
export const timestampLooks = {
  empty: { kind: 'error-strong', icon: 'alert', text: { pl: 'Brak znaczników', en: 'No timestamps left' } },
  low: { kind: 'warning', icon: 'hourglass', text: { pl: 'Kończą się znaczniki', en: 'Running out' } },
} as const satisfies Record<string, StatusLook>

/** Returns the text on the start of something that is not valid yet. */
export const validFromText = (from: string): Text => ({
  pl: `Zacznie działać ${formatDate('pl', from, 'short')}`,
  en: `Starts ${formatDate('en', from, 'short')}`,
})
