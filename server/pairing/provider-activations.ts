import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/provider/provider-activations.ts'
import { toBase32 } from '../../pki/totp.ts'
import { ApiError } from '../platform/api-error.ts'
import { databaseTime, type Db } from '../platform/database/database.ts'
import { fault } from '../platform/files/filed-certificate.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { findTarget, type ActivationTarget, type NamedTarget } from './activation-target-store.ts'
import { encryptContent, isLive } from './app-activation.ts'
import { decryptSecret } from './app-pairing.ts'
import { confirmContent, findActivation, findSecret, removeSecret, storeContent } from './pairing-store.ts'

const ofSignatures = {
  put: calls.putActivation,
  get: calls.getActivation,
  confirm: calls.confirmActivation,
  getSecret: calls.getActivationSecret,
  deleteSecret: calls.deleteActivationSecret,
}
const ofSealUsers = {
  put: calls.putSealActivation,
  get: calls.getSealActivation,
  confirm: calls.confirmSealActivation,
  getSecret: calls.getSealActivationSecret,
  deleteSecret: calls.deleteSealActivationSecret,
}

/** The provider's calls about the activation of apps, the same for signatures and for users of seals (APP-1 to APP-4). */
export function serveProviderActivations(app: FastifyInstance, portal: Portal): void {
  const { db, keys, ports } = portal

  /** The object of a call, if its product has an app and the option that the call is for is configured. */
  async function possible(from: Db, named: NamedTarget, isConfigured = true): Promise<ActivationTarget> {
    const target = await findTarget(from, named)
    if (!target) throw new ApiError('not-found')
    if (!target.hasApp || !isConfigured) throw new ApiError('pairing-not-possible')
    return target
  }
  const isByProvider = () => ports.appActivation.by !== 'portal'

  for (const endpoints of [ofSignatures, ofSealUsers]) {
    serve(app, portal, endpoints.put, ({ params, body, transaction }) =>
      transaction(async (tx, audit) => {
        const { paired, details, accountId } = await possible(tx, params, isByProvider())
        if (!isLive(body, await databaseTime(tx)))
          throw new ApiError('invalid-input', { fields: [{ name: 'expiresAt', problem: 'date-range' }] })
        const stored = await storeContent(tx, paired, encryptContent(keys, paired, body))
        if (stored === 'shown')
          throw new ApiError('invalid-input', { fields: [fault('content', 'was shown before: draw new content')] })
        if (stored === 'ended') throw new ApiError('pairing-not-possible')
        await audit('activation-stored', details, accountId)
        return findActivation(tx, paired)
      }),
    )

    serve(app, portal, endpoints.get, async ({ params, found, isAbout }) => {
      const { paired, accountId } = found(await findTarget(db, params))
      isAbout(accountId)
      return findActivation(db, paired)
    })

    serve(app, portal, endpoints.confirm, ({ params, transaction, isAbout }) =>
      transaction(async (tx, audit) => {
        const { paired, details, accountId } = await possible(tx, params, isByProvider())
        isAbout(accountId)
        if (await confirmContent(tx, paired)) await audit('pairing-confirmed', details, accountId)
        return findActivation(tx, paired)
      }),
    )

    // The only call that returns a secret, encrypted to the provider's key (R128).
    serve(app, portal, endpoints.getSecret, ({ params, transaction }) =>
      transaction(async (tx, audit) => {
        const { paired, details, accountId } = await possible(tx, params)
        const { appActivation } = ports
        if (appActivation.by !== 'portal') throw new ApiError('pairing-not-possible')
        const id = params.secret
        const encrypted = await findSecret(tx, paired, id)
        if (!encrypted) throw new ApiError('not-found')
        await audit('activation-secret-read', details, accountId)
        const secret = toBase32(decryptSecret(keys, paired, encrypted))
        return { secret: appActivation.encryptSecret({ id, secret, algorithm: 'SHA1', digits: 6, period: 30 }) }
      }),
    )

    serve(app, portal, endpoints.deleteSecret, ({ params, transaction }) =>
      transaction(async (tx, audit) => {
        // Also after the option has changed: a secret that nobody needs any more should not stay.
        const { paired, details, accountId } = await possible(tx, params)
        if (await removeSecret(tx, paired, params.secret)) await audit('activation-secret-removed', details, accountId)
      }),
    )
  }
}
