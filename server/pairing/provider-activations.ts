import * as calls from '../../contract/provider/provider-activations.ts'
import { toBase32 } from '../../pki/totp.ts'
import { fault } from '../certificates/filed-certificate.ts'
import type { Refusal } from '../platform/api-error.ts'
import { readDatabaseTime, type Db } from '../platform/database/database.ts'
import { handler, type Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { findActivationTarget, type ActivationTarget, type NamedTarget } from './activation-target-store.ts'
import { encryptContent, isLive } from './app-activation.ts'
import { decryptSecret } from './app-pairing.ts'
import { confirmContent, findActivation, findSecret, removeSecret, setContent } from './pairing-store.ts'

// The provider's calls about the activation of apps, the same for signatures and for users of seals (APP-1 to APP-4).

/** A call about a signature or about a user of a seal. */
type CallOf<Name extends keyof typeof calls> = Name extends unknown ? Call<(typeof calls)[Name]> : never

/** Finds the object of a call, or refuses unless its product has an app and the option that the call is for is configured. */
async function findPairable(
  db: Db,
  named: NamedTarget,
  isConfigured = true,
): Promise<ActivationTarget | Refusal<'not-found' | 'pairing-not-possible'>> {
  const target = await findActivationTarget(db, named)
  if (!target) return { refused: 'not-found' }
  return target.hasApp && isConfigured ? target : { refused: 'pairing-not-possible' }
}

const isByProvider = ({ ports }: Portal) => ports.appActivation.by !== 'portal'

const putActivationFor = (
  { params, body, fail, orFail, transaction }: CallOf<'putActivation' | 'putSealActivation'>,
  portal: Portal,
) =>
  transaction(async (tx, audit) => {
    const { paired, details, accountId } = orFail(await findPairable(tx, params, isByProvider(portal)))
    if (!isLive(body, await readDatabaseTime(tx)))
      throw fail('invalid-input', { fields: [{ name: 'expiresAt', problem: 'date-range' }] })
    const stored = await setContent(tx, paired, encryptContent(portal.keys, paired, body))
    if (stored === 'shown')
      throw fail('invalid-input', { fields: [fault('content', 'was shown before: draw new content')] })
    if (stored === 'ended') throw fail('pairing-not-possible')
    await audit('activation-stored', details, accountId)
    return findActivation(tx, paired)
  })

const readActivation = async (
  { params, orNotFound, isAbout }: CallOf<'getActivation' | 'getSealActivation'>,
  portal: Portal,
) => {
  const { paired, accountId } = orNotFound(await findActivationTarget(portal.db, params))
  isAbout(accountId)
  return findActivation(portal.db, paired)
}

const confirm = (
  { params, orFail, transaction, isAbout }: CallOf<'confirmActivation' | 'confirmSealActivation'>,
  portal: Portal,
) =>
  transaction(async (tx, audit) => {
    const { paired, details, accountId } = orFail(await findPairable(tx, params, isByProvider(portal)))
    isAbout(accountId)
    if (await confirmContent(tx, paired)) await audit('pairing-confirmed', details, accountId)
    return findActivation(tx, paired)
  })

/** Returns a secret, encrypted to the provider's key, which no other call does (R128). */
const readSecret = (
  { params, fail, orFail, orNotFound, transaction }: CallOf<'getActivationSecret' | 'getSealActivationSecret'>,
  portal: Portal,
) =>
  transaction(async (tx, audit) => {
    const { paired, details, accountId } = orFail(await findPairable(tx, params))
    const { appActivation } = portal.ports
    if (appActivation.by !== 'portal') throw fail('pairing-not-possible')
    const id = params.secret
    const encrypted = orNotFound(await findSecret(tx, paired, id))
    await audit('activation-secret-read', details, accountId)
    const secret = toBase32(decryptSecret(portal.keys, paired, encrypted))
    return { secret: appActivation.encryptSecret({ id, secret, algorithm: 'SHA1', digits: 6, period: 30 }) }
  })

const deleteSecret = ({
  params,
  orFail,
  transaction,
}: CallOf<'removeActivationSecret' | 'removeSealActivationSecret'>) =>
  transaction(async (tx, audit) => {
    // Also after the option has changed: a secret that nobody needs any more should not stay.
    const { paired, details, accountId } = orFail(await findPairable(tx, params))
    if (await removeSecret(tx, paired, params.secret)) await audit('activation-secret-removed', details, accountId)
  })

export const putActivation = handler(calls.putActivation, putActivationFor)
export const putSealActivation = handler(calls.putSealActivation, putActivationFor)
export const getActivation = handler(calls.getActivation, readActivation)
export const getSealActivation = handler(calls.getSealActivation, readActivation)
export const confirmActivation = handler(calls.confirmActivation, confirm)
export const confirmSealActivation = handler(calls.confirmSealActivation, confirm)
export const getActivationSecret = handler(calls.getActivationSecret, readSecret)
export const getSealActivationSecret = handler(calls.getSealActivationSecret, readSecret)
export const removeActivationSecret = handler(calls.removeActivationSecret, deleteSecret)
export const removeSealActivationSecret = handler(calls.removeSealActivationSecret, deleteSecret)
