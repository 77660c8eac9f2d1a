import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/passkeys.ts'
import type { NewCredential } from '../../contract/passkeys.ts'
import { type Tx } from '../platform/database/database.ts'
import { handler } from '../platform/http/http.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import {
  credentialsOf,
  drawChallenge,
  expectationsOf,
  relyingParty,
  takeChallenge,
} from '../platform/authentication/passkey-challenges.ts'
import { userHandleOf } from '../platform/authentication/passkey-visitors.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { operationIn, type LiveSession } from '../platform/authentication/session.ts'
import { passkeyMail } from './passkey-mails.ts'
import { countPasskeys, deletePasskey, passkeysOf, renameStored, storePasskey } from './passkey-store.ts'

/** ES256, EdDSA and RS256, the preferred first: devices have them and Node can verify them (WebAuthn §5.8.5). */
const algorithms = [-7, -8, -257]

// AUT-8: the customer's passkeys. Without any the SMS code works as before, so that removing them locks no one out.

const registrationOperation = (session: LiveSession) => operationIn(session, 'register-passkey', session.accountId)

const notify = ({ keys, settings }: Portal, tx: Tx, { email, locale }: LiveSession, news: 'added' | 'removed') =>
  enqueue(tx, keys, { channel: 'mail', to: email, ...passkeyMail(settings, locale, news) })

export const listPasskeys = handler(calls.listPasskeys, async ({ session }, { db, keys }) => ({
  items: (await passkeysOf(db, keys, session.accountId)).map(({ transports: _, ...row }) => row),
}))

export const startPasskey = handler(calls.startPasskey, async ({ session, fail }, { db, settings }) => {
  const { accountId, login, firstName, surname } = session
  if ((await countPasskeys(db, accountId)) >= limits.passkeys.most) throw fail('passkeys-full')
  return {
    challenge: await drawChallenge(db, registrationOperation(session)),
    rp: { id: relyingParty(settings).id, name: settings.brand.product },
    user: { id: userHandleOf(accountId), name: login, displayName: `${firstName} ${surname}` },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    excludeCredentials: await credentialsOf(db, accountId),
    authenticatorSelection: { residentKey: 'preferred' as const, userVerification: 'required' as const },
    attestation: 'none' as const,
    timeout: limits.passkeys.challenge * 1000,
  }
})

export const addPasskey = handler(
  calls.addPasskey,
  async ({ body: { name, credential }, session, fail, transaction }, portal) => {
    const { accountId } = session
    const challenge = await takeChallenge(portal.db, registrationOperation(session))
    const created = challenge && (await verifyCreated(portal.settings, challenge, credential))
    if (!created) throw fail('passkey-refused')
    return transaction(async (tx, audit) => {
      const stored = await storePasskey(tx, portal.keys, accountId, {
        name,
        transports: credential.transports,
        ...created,
      })
      if (stored === 'full') throw fail('passkeys-full')
      if (stored === 'known') throw fail('passkey-known')
      const { id, addedAt } = stored
      await audit('passkey-added', { passkey: id })
      await notify(portal, tx, session, 'added')
      return { id, name, addedAt, usedAt: null }
    })
  },
)

export const renamePasskey = handler(
  calls.renamePasskey,
  ({ params: { id }, body: { name }, session: { accountId }, found, transaction }, { keys }) =>
    transaction(async (tx, audit) => {
      const outcome = found(await renameStored(tx, keys, accountId, id, name))
      if (outcome === 'renamed') await audit('passkey-renamed', { passkey: id })
    }),
)

export const removePasskey = handler(calls.removePasskey, ({ params: { id }, session, fail, transaction }, portal) =>
  transaction(async (tx, audit) => {
    const { accountId } = session
    if (!(await deletePasskey(tx, accountId, id))) throw fail('not-found')
    await audit('passkey-removed', { passkey: id })
    await notify(portal, tx, session, 'removed')
  }),
)

/** The passkey that a device has created for this challenge and site, after verifying its user (WebAuthn §7.1). */
async function verifyCreated(
  settings: Settings,
  challenge: string,
  { id, transports, ...response }: NewCredential,
): Promise<{ credentialId: Buffer; publicKey: Buffer; counter: number } | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    // None is asked for (WebAuthn §8.7). The library calls the addresses in the certificates of one (R263).
    const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'))
    if (attestation.get('fmt') !== 'none' || attestation.get('attStmt').size !== 0) return undefined
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      ...expectationsOf(settings, challenge),
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return undefined
    const { credential } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
    }
  } catch {
    // The library throws for anything that does not fit, and for bytes that it cannot read.
    return undefined
  }
}
