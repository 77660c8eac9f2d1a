import { removeExpired } from '../platform/database/remove-expired.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { deliverActivationRequest } from './app-activation.ts'
import { expiredContent } from './pairing-store.ts'
import {
  putActivation,
  getActivation,
  confirmActivation,
  getActivationSecret,
  removeActivationSecret,
  putSealActivation,
  getSealActivation,
  confirmSealActivation,
  getSealActivationSecret,
  removeSealActivationSecret,
} from './provider-activations.ts'

/** Part of pairing that signatures and seals share; the pairings themselves belong to their features. */
export const pairingFeature: ServerFeature = {
  calls: [
    putActivation,
    getActivation,
    confirmActivation,
    getActivationSecret,
    removeActivationSecret,
    putSealActivation,
    getSealActivation,
    confirmSealActivation,
    getSealActivationSecret,
    removeSealActivationSecret,
  ],
  deliver: { 'app-activation': deliverActivationRequest },
  tidy: ({ db }) => removeExpired(db, expiredContent),
}
