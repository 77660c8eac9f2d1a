import { removeExpired } from '../platform/database/expired-rows.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { deliverActivationRequest } from './app-activation.ts'
import { expiredContent } from './pairing-store.ts'
import { serveProviderActivations } from './provider-activations.ts'

/** What signatures and seals share; the pairings themselves belong to their features. */
export const pairingFeature: ServerFeature = {
  serve: [serveProviderActivations],
  deliver: { 'app-activation': deliverActivationRequest },
  tidy: ({ db }) => removeExpired(db, expiredContent),
}
