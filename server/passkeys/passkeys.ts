import type { FastifyInstance } from 'fastify'
import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { limits } from '../../contract/limits.ts'
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  startPasskey,
  type NewCredential,
} from '../../contract/passkeys.ts'
import { record } from '../audit.ts'
import type { Tx } from '../db.ts'
import { serve } from '../http.ts'
import { enqueue } from '../outbox.ts'
import {
  credentialsOf,
  drawChallenge,
  relyingParty,
  takeChallenge,
  type PasskeyOperation,
} from '../passkey-challenges.ts'
import { userHandleOf } from '../passkey-visitors.ts'
import type { Portal, Settings } from '../portal.ts'
import type { LiveSession } from '../session.ts'
import { passkeyMail } from './passkey-mails.ts'
import { countPasskeys, deletePasskey, passkeysOf, putName, storePasskey } from './passkey-queries.ts'

/** ES256, EdDSA and RS256, the wanted first: what devices have and Node can check (WebAuthn §5.8.5). */
const algorithms = [-7, -8, -257]

/** AUT-8: the customer's passkeys. Without any the SMS code goes on as before, so nobody locks themselves out. */
export function servePasskeys(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal

  const ofRegistration = ({ id, accountId }: LiveSession): PasskeyOperation => ({
    accountId,
    sessionId: id,
    purpose: 'register-passkey',
    object: accountId,
  })

  const tell = (tx: Tx, { email, locale }: LiveSession, news: 'added' | 'removed') =>
    enqueue(tx, keys, { channel: 'mail', to: email, ...passkeyMail(settings, locale, news) })

  serve(app, portal, listPasskeys, async ({ session }) => ({ items: await passkeysOf(db, keys, session.accountId) }))

  serve(app, portal, startPasskey, async ({ session, fail }) => {
    const { accountId, login, firstName, surname } = session
    if ((await countPasskeys(db, accountId)) >= limits.passkeys.most) throw fail('passkeys-full')
    return {
      challenge: await drawChallenge(db, ofRegistration(session)),
      rp: { id: relyingParty(settings).id, name: settings.brand.product },
      user: {
        id: userHandleOf(accountId),
        name: login,
        displayName: `${firstName} ${surname}`,
      },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
      excludeCredentials: await credentialsOf(db, accountId),
      authenticatorSelection: { residentKey: 'preferred' as const, userVerification: 'required' as const },
      attestation: 'none' as const,
      timeout: limits.passkeys.challenge * 1000,
    }
  })

  serve(app, portal, addPasskey, async ({ body: { name, credential }, session, address, fail }) => {
    const { accountId } = session
    const challenge = await takeChallenge(db, ofRegistration(session))
    const made = challenge && (await madeKey(settings, challenge, credential))
    if (!made) throw fail('passkey-refused')
    return db.transaction().execute(async (tx) => {
      const stored = await storePasskey(tx, keys, accountId, { name, transports: credential.transports, ...made })
      if (stored === 'full') throw fail('passkeys-full')
      if (stored === 'known') throw fail('passkey-known')
      const { id, addedAt } = stored
      await record(tx, { act: 'passkey-added', accountId, actor: 'customer', address, details: { passkey: id } })
      await tell(tx, session, 'added')
      return { id, name, addedAt: addedAt.toISOString(), usedAt: null }
    })
  })

  serve(app, portal, renamePasskey, ({ params: { id }, body: { name }, session: { accountId }, address, fail }) =>
    db.transaction().execute(async (tx) => {
      if (!(await putName(tx, keys, accountId, id, name))) throw fail('not-found')
      await record(tx, { act: 'passkey-renamed', accountId, actor: 'customer', address, details: { passkey: id } })
    }),
  )

  serve(app, portal, removePasskey, ({ params: { id }, session, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const { accountId } = session
      if (!(await deletePasskey(tx, accountId, id))) throw fail('not-found')
      await record(tx, { act: 'passkey-removed', accountId, actor: 'customer', address, details: { passkey: id } })
      await tell(tx, session, 'removed')
    }),
  )
}

/** The key that a device has made for this challenge, here, after it has verified its user (WebAuthn §7.1). */
async function madeKey(
  settings: Settings,
  expectedChallenge: string,
  { id, transports, ...response }: NewCredential,
): Promise<{ credentialId: Buffer; publicKey: Buffer; counter: number } | undefined> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(settings)
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      supportedAlgorithmIDs: algorithms,
      requireUserVerification: true,
    })
    if (!verified) return undefined
    const { credential } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
    }
  } catch {
    // The library throws for whatever does not fit, and for bytes that it cannot read.
    return undefined
  }
}
