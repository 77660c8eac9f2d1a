import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod/mini'
import { confirmationSeconds } from '../../../contract/service-authorisation.ts'
import { digestIds } from '../../../pki/asn1/signature-algorithm.ts'
import type { RemoteSigningPort, SigningAuthorisation, SigningOrder, SigningProof } from '../../platform/ports.ts'
import {
  callMethod,
  connectToCsc,
  NotProcessed,
  redeemCode,
  Refused,
  fetchServiceInfo,
  fetchServiceToken,
  Unreachable,
  Unsuitable,
  Unusable,
  type CscConnection,
  type CscService,
} from './csc-connection.ts'
import { CredentialInfo, usableCredential, type Skipped, type UsableCredential } from './csc-credentials.ts'

/** Number of credentials on a page of the list, of pages that are read, and of credentials that are read at the same time. */
const pageLength = 20
const maxPages = 50
const atOnce = 8

const List = z.object({
  credentialIDs: z.array(z.string()).check(z.maxLength(500)),
  credentialInfos: z.optional(z.array(z.unknown())),
  nextPageToken: z.optional(z.nullable(z.string())),
})
type Info = z.output<typeof CredentialInfo>
const Identified = z.object({ credentialID: z.string() })
const Activation = z.union([
  z.object({ SAD: z.string().check(z.minLength(1)) }),
  z.object({ handle: z.string().check(z.minLength(1)) }),
])
const Challenge = z.object({ challenge: z.optional(z.string()) })
const Signatures = z.object({ signatures: z.array(z.string()) })

/** The usual time for a confirmation, shorter than the timeout of the browser's calls that sign (`takesLong`). */
const usualConfirmation = { forMs: confirmationSeconds * 1000, everyMs: 2000 }

/**
 * Connects to a remote signing service by the API of the Cloud Signature Consortium, version 2. The service trusts the portal as its client
 * (OAuth 2.0 client credentials, §8.4) to name the customer, who authorises each signature as the credential requires (§8.2): by codes that
 * the portal passes on, at the service's own page, or by other means of the service.
 */
export function remoteSigningByCsc(service: CscService): RemoteSigningPort {
  const csc = connectToCsc(service)
  return {
    check: () => check(csc),
    // A customer unknown to the service has no keys there.
    listCredentials: (customer) => unlessFailed(() => fetchCredentials(csc, customer), []),
    sendOtp: ({ id }) => unlessFailed(() => sendOtp(csc, id), 'refused'),
    createAuthorisationPage: (order) => unlessFailed(() => createAuthorisationPage(csc, order), 'unreachable' as const),
    sign: (order) => sign(csc, order),
  }
}

async function check(csc: CscConnection): ReturnType<RemoteSigningPort['check']> {
  try {
    await fetchServiceInfo(csc, { isRepeated: true })
    await fetchServiceToken(csc)
    return 'suitable'
  } catch (error) {
    if (error instanceof Unsuitable) return { unsuitable: error.message }
    if (error instanceof Unreachable) return 'unreachable'
    throw error
  }
}

async function checkCredential(csc: CscConnection, id: string, known?: Info): Promise<UsableCredential | Skipped> {
  const { methods } = await fetchServiceInfo(csc)
  const details = { credentialID: id, certificates: 'chain', authInfo: true }
  const info = known ?? (await callMethod(csc, 'credentials/info', details, CredentialInfo))
  return info
    ? usableCredential(id, info, { methods, accepted: csc.service.algorithms })
    : { skipped: 'unsupported', why: 'no description' }
}

/** Judges a credential of a list like `checkCredential`: a bad answer about one does not hide the others. */
const checkOrSkip: typeof checkCredential = (...credential) =>
  checkCredential(...credential).catch((error: unknown) => {
    if (!(error instanceof Refused || error instanceof Unusable)) throw error
    return { skipped: 'unsupported', why: error instanceof Refused ? 'refused' : 'unusable description' }
  })

/**
 * Lists the credentials of a customer (§11.4), all pages. A service may describe the credentials in the list, which saves a call for each.
 */
async function fetchListed(csc: CscConnection, customer: string) {
  const all: { id: string; info: Info | undefined }[] = []
  const details = { credentialInfo: true, certificates: 'chain', authInfo: true, onlyValid: true }
  let pageToken: string | undefined
  let pages = 0
  do {
    const body = { userID: customer, ...details, maxResults: pageLength, ...(pageToken && { pageToken }) }
    const page = await callMethod(csc, 'credentials/list', body, List)
    const known = new Map<string, Info>()
    for (const info of page?.credentialInfos ?? []) {
      const [identified, described] = [Identified.safeParse(info), CredentialInfo.safeParse(info)]
      if (identified.success && described.success) known.set(identified.data.credentialID, described.data)
    }
    for (const id of page?.credentialIDs ?? []) all.push({ id, info: known.get(id) })
    pageToken = page?.nextPageToken ?? undefined
    pages += 1
  } while (pageToken && pages < maxPages)
  if (pageToken) csc.service.reportSkipped?.({ [`more than ${maxPages} pages`]: 1 })
  return all
}

async function fetchCredentials(csc: CscConnection, customer: string) {
  await fetchServiceInfo(csc)
  const all = await fetchListed(csc, customer)
  const found: (UsableCredential | Skipped)[] = []
  for (let at = 0; at < all.length; at += atOnce)
    found.push(...(await Promise.all(all.slice(at, at + atOnce).map(({ id, info }) => checkOrSkip(csc, id, info)))))
  const reasons: Record<string, number> = {}
  for (const entry of found)
    if ('skipped' in entry && entry.skipped === 'unsupported') reasons[entry.why] = (reasons[entry.why] ?? 0) + 1
  if (Object.keys(reasons).length) csc.service.reportSkipped?.(reasons)
  return found.flatMap((entry) => ('credential' in entry ? [entry.credential] : []))
}

async function sendOtp(csc: CscConnection, id: string) {
  const found = await checkCredential(csc, id)
  if (!('credential' in found)) return 'refused' as const
  const { otp, sendsBy } = found.factors
  if (otp === undefined || !sendsBy) return 'refused' as const
  const body = { credentialID: id, ...(sendsBy === 'getChallenge' && { authObjectID: otp }) }
  const answer = await callMethod(csc, `credentials/${sendsBy}`, body, Challenge)
  // The service asks the customer a question instead of sending a code.
  return answer?.challenge ? ('refused' as const) : ('sent' as const)
}

/** Returns the address of the service's own page of authorisation (§8.4.2). */
async function createAuthorisationPage(
  csc: CscConnection,
  { credential, hashes, ...order }: Parameters<RemoteSigningPort['createAuthorisationPage']>[0],
) {
  const { authorizeUrl } = await fetchServiceInfo(csc)
  const url = new URL(authorizeUrl)
  const parameters = {
    response_type: 'code',
    client_id: csc.service.clientId,
    redirect_uri: order.returnTo.href,
    scope: 'credential',
    state: order.state,
    code_challenge: hash('sha256', order.codeVerifier, 'base64url'),
    code_challenge_method: 'S256',
    credentialID: credential.id,
    numSignatures: String(hashes.length),
    hashes: hashes.map((digest) => Buffer.from(digest).toString('base64url')).join(','),
    hashAlgorithmOID: digestIds[credential.algorithm.digest],
    description: order.description,
    lang: order.locale,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

async function sign(csc: CscConnection, { credential, proof, ...order }: SigningOrder & { proof: SigningProof }) {
  const found = await unlessFailed(() => checkCredential(csc, credential.id), undefined)
  if (found === 'unreachable') return found
  // The key must still be the one that the customer agreed to use.
  if (!found || !('credential' in found) || !isSame(found.credential, credential)) return 'refused'
  if (order.hashes.length > found.credential.mostSignatures) return 'refused'
  try {
    const answer = await requestSignatures(csc, found, { ...order, credential }, proof)
    if (answer?.signatures.length !== order.hashes.length) return 'unreachable'
    return { signatures: answer.signatures.map((base64) => new Uint8Array(Buffer.from(base64, 'base64'))) }
  } catch (error) {
    if (error instanceof Unreachable) return 'unreachable'
    if (!(error instanceof Refused)) throw error
    return wrongCode(error, credential.authorisation) ?? 'refused'
  }
}

/** Requests activation data for exactly these hashes (§11.6, §11.7). */
async function activate(csc: CscConnection, { factors }: UsableCredential, order: Bound, proof: SigningProof) {
  const { pin, otp } = 'code' in proof ? {} : proof
  // The service would count an attempt without a code as a wrong code.
  if (factors.pin !== undefined && !pin) throw new Refused('invalid_pin')
  if (factors.otp !== undefined && !otp) throw new Refused('invalid_otp')
  const authData = [
    ...(factors.pin === undefined ? [] : [{ id: factors.pin, value: pin }]),
    ...(factors.otp === undefined ? [] : [{ id: factors.otp, value: otp }]),
    ...factors.elsewhere.map((id) => ({ id })),
  ]
  const body = { ...order, numSignatures: order.hashes.length, ...(authData.length && { authData }) }
  const answer = await authorise(csc, body, factors.asksCustomer)
  if (!answer) throw new Unreachable('no activation data')
  return answer.SAD
}

/**
 * Authorises a signature (§11.6), and checks until the customer has confirmed it (§11.7). The service may also answer only after the
 * customer has confirmed.
 */
async function authorise(csc: CscConnection, body: object, asksCustomer: boolean) {
  const confirmation = csc.service.confirmation ?? usualConfirmation
  const deadline = performance.now() + confirmation.forMs
  const timeout = asksCustomer ? { timeoutMs: confirmation.forMs } : {}
  let answer = await callMethod(csc, 'credentials/authorize', body, Activation, timeout)
  while (answer && 'handle' in answer) {
    if (performance.now() >= deadline) throw new Refused('not_confirmed')
    await wait(confirmation.everyMs)
    const { handle } = answer
    answer = await callMethod(csc, 'credentials/authorizeCheck', { handle }, Activation).catch((error: unknown) => {
      // The next check may succeed.
      if (error instanceof Unreachable) return { handle }
      throw error
    })
  }
  return answer
}

async function requestSignatures(
  csc: CscConnection,
  found: UsableCredential,
  { hashes, description }: SigningOrder,
  proof: SigningProof,
) {
  const { credential, request: algorithm } = found
  const bound = {
    credentialID: credential.id,
    hashes: hashes.map((digest) => Buffer.from(digest).toString('base64')),
    hashAlgorithmOID: digestIds[credential.algorithm.digest],
  }
  const isByPage = credential.authorisation.kind === 'redirect'
  if (isByPage !== 'code' in proof) throw new Refused('other_authorisation')
  if ('code' in proof) {
    const { access_token: token, credentialID } = await redeemCode(csc, proof)
    if (credentialID !== undefined && credentialID !== credential.id) throw new Refused('other_credential')
    return callMethod(csc, 'signatures/signHash', { ...bound, ...algorithm }, Signatures, { token })
  }
  await fetchServiceToken(csc)
  const { asksCustomer } = found.factors
  let isActivated = false
  try {
    const SAD = await activate(csc, found, { ...bound, description }, proof)
    isActivated = true
    return await callMethod(csc, 'signatures/signHash', { ...bound, SAD, ...algorithm }, Signatures)
  } catch (error) {
    // A retry would ask the customer again, so it is made only if the service has not processed the call.
    if (asksCustomer && error instanceof Unreachable && (isActivated || !(error instanceof NotProcessed)))
      throw new Refused('not_confirmed')
    throw error
  }
}

type Bound = { credentialID: string; hashes: string[]; hashAlgorithmOID: string; description: string }

const isSame = (now: SigningOrder['credential'], before: SigningOrder['credential']) =>
  Buffer.compare(now.certificate, before.certificate) === 0 &&
  now.algorithm.scheme === before.algorithm.scheme &&
  now.algorithm.digest === before.algorithm.digest

/** Returns which code was wrong. Version 2 has one error for both (§11.6), so its description may name the PIN. */
function wrongCode({ error, message }: Refused, authorisation: SigningAuthorisation) {
  if (authorisation.kind !== 'codes') return undefined
  if (error === 'invalid_pin') return 'pin-wrong'
  if (error === 'invalid_otp') return 'otp-wrong'
  if (error !== 'invalid_authentication_data') return undefined
  const isPin = authorisation.pin && (authorisation.otp === 'none' || /\bpin\b/i.test(message))
  return isPin ? 'pin-wrong' : 'otp-wrong'
}

async function unlessFailed<T, R>(work: () => Promise<T>, refused: R): Promise<T | R | 'unreachable'> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Unreachable) return 'unreachable'
    if (error instanceof Refused) return refused
    throw error
  }
}
