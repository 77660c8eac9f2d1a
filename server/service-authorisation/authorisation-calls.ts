import type { FastifyInstance } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import * as calls from '../../contract/service-authorisation.ts'
import { signingNotCompleted, signingReturnPath } from '../../contract/service-authorisation.ts'
import { orThrow } from '../platform/api-error.ts'
import { newToken } from '../platform/authentication/session.ts'
import type { Tx } from '../platform/database/database.ts'
import { mac } from '../platform/encryption/keys.ts'
import { handler, type Call } from '../platform/http/http.ts'
import { requestSignatures } from '../platform/pdf/remote-signing.ts'
import type { AuditedTransaction, Portal, ReadyToSign } from '../platform/portal.ts'
import type { SigningProof } from '../platform/ports.ts'
import {
  endAuthorisation,
  findAuthorisation,
  findReturn,
  setState,
  releaseAuthorisation,
  takeAuthorisation,
  findClosedReason,
  type Authorisation,
} from './authorisation-store.ts'
import { authorisationOf, hashesIn, hashesText, sendOtp } from './service-authorisation.ts'

// What the signing service requires of the customer beyond the portal's code (SGN-10 … SGN-15).

const returnTo = ({ settings }: Portal) => new URL(signingReturnPath, settings.publicUrl)
/** Derives the code verifier (RFC 7636) from the state, which the browser has, and a secret, which it does not have. */
const codeVerifierOf = ({ keys }: Portal, state: string) =>
  mac(keys.signing, 'code verifier', state).toString('base64url')

export const sendServiceCode = handler(calls.sendServiceCode, async ({ params, session, fail }, portal) => {
  const row = await findAuthorisation(portal.db, session, params)
  if (!row) throw fail(await findClosedReason(portal.db, session, params.id))
  const { credential } = await prepareFor(portal, row)
  const sent = await sendOtp(portal, row.id, credential)
  // A service may refuse to send another code for some time, or while the key is locked.
  if (sent === 'refused') throw fail('resend-too-early', { retryAfter: limits.signing.resendAfter })
  if (sent === 'unreachable') throw fail('unavailable')
  const found = await findAuthorisation(portal.db, session, params)
  if (!found) throw fail('signing-over')
  const current = authorisationOf(found)
  if (sent) return current
  if (!current.sendsLeft) throw fail('sends-spent')
  throw fail('resend-too-early', {
    retryAfter: Math.max(1, Math.ceil((Date.parse(current.resendAt) - found.now.getTime()) / 1000)),
  })
})

export const enterServiceCodes = handler(calls.enterServiceCodes, async ({ params, body, ...call }, portal) => {
  const { session, fail } = call
  const row = await takeAuthorisation(portal.db, session, params.id)
  if (!row) throw fail(await findClosedReason(portal.db, session, params.id))
  await finishSigning(portal, row, call, async () => {
    const missing = (['otp', 'pin'] as const).filter(
      (name) => (name === 'pin' ? row.pin : row.otp !== 'none') && !body[name],
    )
    if (missing.length) throw fail('invalid-input', { fields: missing.map((name) => ({ name, problem: 'required' })) })
    return { ...(body.otp && { otp: body.otp }), ...(body.pin && { pin: body.pin }) }
  })
})

export const openServicePage = handler(
  calls.openServicePage,
  async ({ params, body: { locale }, session, fail, orFail, transaction }, portal) => {
    const row = await findAuthorisation(portal.db, session, params)
    if (row?.kind !== 'redirect') throw fail(await findClosedReason(portal.db, session, params.id))
    const ready = await prepareFor(portal, row)
    orFail(await endIfChanged(row, ready, transaction))
    const state = newToken()
    const url = await portal.ports.remoteSigning?.createAuthorisationPage({
      credential: ready.credential,
      hashes: hashesIn(row.hash),
      description: ready.description,
      state,
      codeVerifier: codeVerifierOf(portal, state),
      returnTo: returnTo(portal),
      locale,
    })
    if (!url || url === 'unreachable') throw fail('unavailable')
    if (!(await setState(portal.db, session, row.id, { state, locale }))) throw fail('signing-over')
    return { url: url.href }
  },
)

export const finishAtReturn = handler(calls.finishAtReturn, async ({ params, body, ...call }, portal) => {
  const { session, fail, transaction } = call
  const { state, code, error } = body
  const row = await takeAuthorisation(portal.db, session, params.id, state)
  if (!row) throw fail(await findClosedReason(portal.db, session, params.id))
  await finishSigning(portal, row, call, async () => {
    if (code && !error) return { code, codeVerifier: codeVerifierOf(portal, state), returnTo: returnTo(portal) }
    await transaction((_, audit) => audit('signing-cancelled', subjectDetails(row)))
    throw fail(error === 'access_denied' ? 'signing-cancelled' : 'signing-refused')
  })
})

/**
 * Serves the address to which the service sends the customer, by a navigation from its own site, with which the browser sends the session's
 * cookie (SameSite=Lax). This call decides and changes nothing: the page of the object gets the parameters in its fragment, which reaches
 * no server and no log, and makes the call that completes the signature.
 */
export function serveSigningReturn(app: FastifyInstance, { db }: Portal): void {
  app.get(signingReturnPath, { config: { page: true } }, async ({ query, cookies }, reply) => {
    const given = (name: string, most: number) => {
      const value = (query as Record<string, unknown>)[name]
      return typeof value === 'string' && value.length <= most ? value : ''
    }
    const state = given('state', 128)
    const found = state ? await findReturn(db, state) : undefined
    if (!found) {
      const home = inLocale(cookies['locale'] === 'en' ? 'en' : 'pl', pages.home.path)
      return reply.redirect(`${home}?${signingNotCompleted}`, 303)
    }
    const { id, object, locale } = found
    const [code, error] = [given('code', 2048), given('error', 100)]
    const fragment = new URLSearchParams({ signing: id, state, ...(code && { code }), ...(error && { error }) })
    if (object.kind === 'documentCase') fragment.set('case', object.id)
    const path = {
      documentCase: pages.documents.path,
      renewal: `${pages.renewal.path.replace(':uid', object.id)}?step=3`,
      fileSigning: pages.sign.path,
    }[object.kind]
    return reply.redirect(`${inLocale(locale ?? 'pl', path)}#${fragment.toString()}`, 303)
  })
}

const subjectDetails = ({ object, signatureId }: Authorisation) => ({
  [object.kind]: object.id,
  ...(signatureId && { signature: signatureId }),
})

function findSignedObject({ features }: Portal, { object: { kind } }: Authorisation) {
  const object = features.find(({ signing }) => signing?.kind === kind)?.signing
  if (!object) throw new Error(`No feature signs a ${kind}.`)
  return object
}

async function prepareFor(portal: Portal, row: Authorisation): Promise<ReadyToSign> {
  return orThrow(await findSignedObject(portal, row).prepare(portal, row))
}

/**
 * Ends and refuses the authorisation if the content is not what the portal's code has confirmed: only that is sent to the service (R137).
 */
async function endIfChanged(row: Authorisation, ready: ReadyToSign, transaction: AuditedTransaction) {
  const found = hashesText(ready)
  if (ready.binding === row.binding && found === row.hash) return undefined
  await transaction(async (tx, audit) => {
    await endAuthorisation(tx, row.id)
    await audit('signing-voided', { ...subjectDetails(row), meant: row.hash, found })
  })
  return { refused: 'signing-changed' as const }
}

type SigningCall = Pick<Call<typeof calls.enterServiceCodes>, 'session' | 'fail' | 'orFail' | 'transaction'>

/** Signs with what the customer has entered or returned with, and stores the result; after a failure the customer can try again. */
async function finishSigning(
  portal: Portal,
  row: Authorisation,
  { session, fail, orFail, transaction }: SigningCall,
  proofOf: () => Promise<SigningProof>,
) {
  let isCounted = false
  try {
    const proof = await proofOf()
    const ready = await prepareFor(portal, row)
    orFail(await endIfChanged(row, ready, transaction))
    const { attributes, credential, description } = ready
    const signatures =
      ready.signatures ?? (await requestSignatures(portal.ports, attributes, { credential, description, proof }))
    const end = async (tx: Tx) => {
      if (!(await endAuthorisation(tx, row.id))) throw fail('signing-over')
    }
    const why =
      typeof signatures === 'string' ? signatures : await ready.store({ signatures, at: session.now, transaction, end })
    if (!why) return
    isCounted = why === 'otp-wrong' || why === 'pin-wrong'
    await transaction((_, audit) => audit('signing-refused', { ...subjectDetails(row), why }))
    if (why === 'otp-wrong' || why === 'pin-wrong')
      throw fail('invalid-input', { fields: [{ name: why === 'otp-wrong' ? 'otp' : 'pin', problem: why }] })
    throw fail(why === 'unreachable' ? 'unavailable' : 'signing-refused')
  } catch (error) {
    await releaseAuthorisation(portal.db, row, isCounted)
    throw error
  }
}
