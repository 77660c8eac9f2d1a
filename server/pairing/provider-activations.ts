import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import {
  confirmActivation,
  confirmSealActivation,
  deleteActivationSecret,
  deleteSealActivationSecret,
  getActivation,
  getActivationSecret,
  getSealActivation,
  getSealActivationSecret,
  putActivation,
  putSealActivation,
  type Activation,
} from '../../contract/provider/provider-activations.ts'
import { toBase32 } from '../../pki/totp.ts'
import { ApiError } from '../platform/api-error.ts'
import { databaseTime, type Db } from '../platform/database/database.ts'
import { fault } from '../platform/files/filed-certificate.ts'
import { serve, type Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { findSealUserTarget, findSignatureTarget, type ActivationTarget } from './activation-target-store.ts'
import { encryptContent, isLive } from './app-activation.ts'
import { decryptSecret } from './app-pairing.ts'
import { confirmContent, findActivation, findSecret, removeSecret, storeContent } from './pairing-store.ts'

type Transaction = Pick<Call<Endpoint>, 'transaction'>
type Find = (db: Db) => Promise<ActivationTarget | undefined>

/** The provider's calls about the activation of apps, the same for signatures and for users of seals (APP-1 to APP-4). */
export function serveProviderActivations(app: FastifyInstance, portal: Portal): void {
  const { db, keys, ports } = portal

  const ofSignature =
    ({ signature }: { signature: string }): Find =>
    (from) =>
      findSignatureTarget(from, signature)
  const ofSealUser =
    ({ seal, user }: { seal: string; user: string }): Find =>
    (from) =>
      findSealUserTarget(from, seal, user)

  /** The target of a call, if its product has an app and the option that the call is for is configured. */
  async function possible(from: Db, find: Find, isConfigured: boolean): Promise<ActivationTarget> {
    const target = await find(from)
    if (!target) throw new ApiError('not-found')
    if (!target.hasApp || !isConfigured) throw new ApiError('pairing-not-possible')
    return target
  }

  const put = (find: Find, body: Call<typeof putActivation>['body'], { transaction }: Transaction) =>
    transaction(async (tx, audit): Promise<Activation> => {
      const { paired, details, accountId } = await possible(tx, find, ports.appActivation.by !== 'portal')
      if (!isLive(body, await databaseTime(tx)))
        throw new ApiError('invalid-input', { fields: [{ name: 'expiresAt', problem: 'date-range' }] })
      const stored = await storeContent(tx, paired, encryptContent(keys, paired, body))
      if (stored === 'shown')
        throw new ApiError('invalid-input', { fields: [fault('content', 'was shown before: draw new content')] })
      if (stored === 'ended') throw new ApiError('pairing-not-possible')
      await audit('activation-stored', details, accountId)
      return findActivation(tx, paired)
    })

  const confirm = (find: Find, { transaction, isAbout }: Pick<Call<Endpoint>, 'transaction' | 'isAbout'>) =>
    transaction(async (tx, audit): Promise<Activation> => {
      const { paired, details, accountId } = await possible(tx, find, ports.appActivation.by !== 'portal')
      isAbout(accountId)
      if (await confirmContent(tx, paired)) await audit('pairing-confirmed', details, accountId)
      return findActivation(tx, paired)
    })

  async function read(find: Find, isAbout: Call<typeof getActivation>['isAbout']): Promise<Activation> {
    const target = await find(db)
    if (!target) throw new ApiError('not-found')
    isAbout(target.accountId)
    return findActivation(db, target.paired)
  }

  /** The only call that returns a secret, encrypted to the provider's key (R128). */
  const fetchSecret = (find: Find, { secret: secretId }: { secret: string }, { transaction }: Transaction) =>
    transaction(async (tx, audit) => {
      const { paired, details, accountId } = await possible(tx, find, true)
      const { appActivation } = ports
      if (appActivation.by !== 'portal') throw new ApiError('pairing-not-possible')
      const encrypted = await findSecret(tx, paired, secretId)
      if (!encrypted) throw new ApiError('not-found')
      await audit('activation-secret-read', details, accountId)
      const secret = toBase32(decryptSecret(keys, paired, encrypted))
      return { secret: appActivation.encryptSecret({ id: secretId, secret, algorithm: 'SHA1', digits: 6, period: 30 }) }
    })

  const acknowledge = (find: Find, { secret }: { secret: string }, { transaction }: Transaction) =>
    transaction(async (tx, audit) => {
      // Also after the option has changed: a secret that nobody needs any more should not stay.
      const { paired, details, accountId } = await possible(tx, find, true)
      if (await removeSecret(tx, paired, secret)) await audit('activation-secret-removed', details, accountId)
    })

  serve(app, portal, putActivation, ({ params, body, ...call }) => put(ofSignature(params), body, call))
  serve(app, portal, getActivation, ({ params, isAbout }) => read(ofSignature(params), isAbout))
  serve(app, portal, confirmActivation, ({ params, ...call }) => confirm(ofSignature(params), call))
  serve(app, portal, getActivationSecret, ({ params, ...call }) => fetchSecret(ofSignature(params), params, call))
  serve(app, portal, deleteActivationSecret, ({ params, ...call }) => acknowledge(ofSignature(params), params, call))
  serve(app, portal, putSealActivation, ({ params, body, ...call }) => put(ofSealUser(params), body, call))
  serve(app, portal, getSealActivation, ({ params, isAbout }) => read(ofSealUser(params), isAbout))
  serve(app, portal, confirmSealActivation, ({ params, ...call }) => confirm(ofSealUser(params), call))
  serve(app, portal, getSealActivationSecret, ({ params, ...call }) => fetchSecret(ofSealUser(params), params, call))
  serve(app, portal, deleteSealActivationSecret, ({ params, ...call }) => acknowledge(ofSealUser(params), params, call))
}
