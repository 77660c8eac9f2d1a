import type { Feature } from '../../contract/features.ts'
import type { Portal } from '../platform/portal.ts'

/**
 * Refuses what would lead a customer to a feature that the operator has switched off: a code, an invitation, or the next step of a case.
 * Staff still read, end, move and decide what there is, as the provider API does.
 */
export function requireFeature(
  { settings }: Portal,
  feature: Feature,
  fail: (code: 'unavailable', data: { reason: string }) => Error,
): void {
  if (settings.featuresOff.includes(feature)) throw fail('unavailable', { reason: 'switched-off' })
}
