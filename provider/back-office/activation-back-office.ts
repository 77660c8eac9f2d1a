import { listEvents, type ProviderEvent } from '../../contract/provider/events.ts'
import * as api from '../../contract/provider/provider-activations.ts'
import type { PortalClient } from '../portal-client.ts'
import type { ActivationFor, AppActivations } from '../signing-service/activation-service.ts'
import type { SigningKeys } from '../signing-service/signing-keys.ts'
import { workThrough } from './back-office-rounds.ts'

type Services = { portal: PortalClient; activations: AppActivations; signingKeys: Pick<SigningKeys, 'shareOtpSecret'> }

/**
 * Creates the provider's back office for signing apps. It follows the portal's events to provide what apps scan and to fetch the secrets of
 * paired apps, and reports to the portal which apps were activated. It reads the events from the beginning after a start, which changes
 * nothing: finished work already has another state.
 */
export function activationBackOffice({ portal, activations, signingKeys }: Services) {
  let after = 0

  async function give(target: ActivationFor) {
    const { state, request } = await read(target)
    if (!request || (state !== 'requested' && state !== 'delayed')) return
    const body = activations.contentToScan(request, target)
    await ('signature' in target
      ? portal.call(api.putActivation, { params: target, body })
      : portal.call(api.putSealActivation, { params: target, body }))
  }

  /**
   * Fetches the secret of a paired app. Only keys at the signing service use the app's codes; other secrets are acknowledged and discarded.
   */
  async function fetchSecret(target: ActivationFor) {
    const { secret } = await read(target)
    if (!secret) return
    if (!('signature' in target)) return portal.call(api.removeSealActivationSecret, { params: { ...target, secret } })
    const params = { ...target, secret }
    const { secret: jwe } = await portal.call(api.getActivationSecret, { params })
    await signingKeys.shareOtpSecret(target.signature, activations.decryptSecret(jwe).toString('base64'))
    return portal.call(api.removeActivationSecret, { params })
  }

  const read = (target: ActivationFor) =>
    'signature' in target
      ? portal.call(api.getActivation, { params: target })
      : portal.call(api.getSealActivation, { params: target })

  const confirm = (target: ActivationFor) =>
    'signature' in target
      ? portal.call(api.confirmActivation, { params: target })
      : portal.call(api.confirmSealActivation, { params: target })

  async function follow({ type, data }: ProviderEvent) {
    switch (type) {
      case 'signature.activation-requested':
        return give({ signature: data.signature })
      case 'seal-user.activation-requested':
        return give({ seal: data.seal, user: data.user })
      case 'signature.paired':
        return fetchSecret({ signature: data.signature })
      case 'seal-user.paired':
        return fetchSecret({ seal: data.seal, user: data.user })
      default:
        return undefined
    }
  }

  return {
    async work() {
      const { items, next } = await portal.call(listEvents, { query: { after: String(after) } })
      await workThrough([{ listWaiting: async () => items, handle: follow }])
      await workThrough([{ listWaiting: async () => activations.activated.splice(0), handle: confirm }])
      after = next
    },
  }
}
