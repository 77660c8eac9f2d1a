import { hash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import {
  digestIds,
  digestBytes,
  pssParameters,
  signatureIds,
  type SigningAlgorithm,
  type SigningDigest,
} from '../../pki/asn1/signature-algorithm.ts'
import { idRsaPss } from '../../pki/runtime/public-key.ts'
import { CscError, secretEntries, type Activation, type CscActivations } from './csc-activation.ts'
import { authorisationPage, brokenPage, pagePolicy, type PageState } from './csc-authorization-page.ts'
import { maxSignatures, usableKey, type SigningService } from './signing-service.ts'

const minute = 60_000
/** Time that a customer may take at the page, and validity of the code that the client redeems (RFC 6749 §4.1.2). */
const pageMs = 10 * minute
const codeMs = minute
const cookieName = 'csc-authorization'
const cookieIn = (header = '') =>
  header
    .split('; ')
    .find((each) => each.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1)

/** A request for the customer's authorisation, whose client and return address are known. */
type Order = Activation & { redirectUri: string; state: string | undefined; challenge: string }
type Page = {
  order: Order
  description: string
  locale: 'pl' | 'en'
  /** The browser that opened the page. */
  browser: string
  isLoginRight: boolean
}

const parameter = z.optional(z.string().check(z.maxLength(4096)))
const Query = z.object({
  response_type: parameter,
  client_id: parameter,
  redirect_uri: parameter,
  scope: parameter,
  state: parameter,
  code_challenge: parameter,
  code_challenge_method: parameter,
  credentialID: parameter,
  numSignatures: parameter,
  hashes: parameter,
  hashAlgorithmOID: parameter,
  description: parameter,
  lang: parameter,
})
const Form = z.object({ page: parameter, action: parameter, login: parameter, code: parameter })

/** An error that is returned to the client (RFC 6749 §4.1.2.1). */
class AuthorizationError extends Error {}

/**
 * Serves `oauth2/authorize` for the scope `credential` (CSC API §8.4.2): a page at which the customer signs in with a code by SMS and
 * authorises signatures. A client must use PKCE with S256 (RFC 7636) and a registered return address, compared as text (RFC 9700 §2.1). The
 * page belongs to the browser that opened it.
 */
export function serveAuthorization(app: FastifyInstance, service: SigningService, activations: CscActivations) {
  const server = authorizationServer(service, activations)
  app.get('/oauth2/authorize', (request, reply) => openPage(server, request, reply))
  app.post('/oauth2/authorize', (request, reply) => answerForm(server, request, reply))
  return (form: Partial<Record<string, string>>, caller: string) => redeem(server, form, caller)
}

function authorizationServer(service: SigningService, activations: CscActivations) {
  const clock = () => service.now().getTime()
  return {
    service,
    activations,
    path: () => new URL(service.url).pathname,
    pages: secretEntries<Page>(clock, pageMs),
    codes: secretEntries<Order>(clock, codeMs),
    /** The tokens of redeemed codes, to be revoked if a code is used again (RFC 6749 §4.1.2). */
    redeemed: secretEntries<string>(clock, codeMs),
  }
}

type AuthorizationServer = ReturnType<typeof authorizationServer>

function openPage(server: AuthorizationServer, request: FastifyRequest, reply: FastifyReply) {
  const { service } = server
  const query = Query.safeParse(request.query)
  const { client_id, redirect_uri, state } = query.data ?? {}
  // No redirect to an address that the client has not registered.
  if (client_id !== service.client.id || !redirect_uri || !service.client.redirectUris.includes(redirect_uri))
    return send(reply.code(400), brokenPage, [])
  try {
    const order = parseOrder(service, query.data ?? {}, redirect_uri)
    const browser = randomBytes(32).toString('base64url')
    const page = {
      order,
      browser,
      description: query.data?.description?.slice(0, 500) ?? '',
      locale: /^en\b/.test(query.data?.lang ?? '') ? ('en' as const) : ('pl' as const),
      isLoginRight: false,
    }
    const secure = service.url.startsWith('https:') ? '; Secure' : ''
    reply.header('set-cookie', `${cookieName}=${browser}; Path=${server.path()}; HttpOnly; SameSite=Strict${secure}`)
    return show(server, reply, page, { step: 'login' })
  } catch (error) {
    if (!(error instanceof AuthorizationError || error instanceof CscError)) throw error
    return redirectToClient(reply, redirect_uri, { error: 'invalid_request', error_description: error.message, state })
  }
}

const digests: readonly SigningDigest[] = ['sha256', 'sha384', 'sha512']

/** RSA with a digest that `hashAlgorithmOID` names (CSC API §11.10). */
const rsa = '1.2.840.113549.1.1.1'

/** The algorithms of a kind of key, as `key/algo` names them (§11.5). */
export const algorithmIds = {
  RSA: [...Object.values(signatureIds['rsa-pkcs1']), rsa, idRsaPss],
  EC: Object.values(signatureIds.ecdsa),
}

type RequestedAlgorithm = {
  signAlgo: string
  signAlgoParams?: string | undefined
  hashAlgorithmOID?: string | undefined
}

/** Returns the algorithm that a request names. Values that it gives twice must be equal; digests weaker than SHA-256 are not supported. */
export function parseAlgorithm({ signAlgo, signAlgoParams, hashAlgorithmOID }: RequestedAlgorithm): SigningAlgorithm {
  const digest = digests.find(
    (name) =>
      signAlgo === signatureIds['rsa-pkcs1'][name] ||
      signAlgo === signatureIds.ecdsa[name] ||
      (signAlgo === rsa && hashAlgorithmOID === digestIds[name]) ||
      (signAlgo === idRsaPss && signAlgoParams === Buffer.from(pssParameters(name)).toString('base64')),
  )
  if (!digest) throw new CscError('invalid_request', 'Invalid parameter signAlgo')
  if (hashAlgorithmOID && hashAlgorithmOID !== digestIds[digest])
    throw new CscError('invalid_request', 'String parameter hashAlgorithmOID contradicts with signAlgo parameter')
  if (signAlgo === idRsaPss) return { scheme: 'rsa-pss', digest }
  return { scheme: signAlgo === signatureIds.ecdsa[digest] ? 'ecdsa' : 'rsa-pkcs1', digest }
}

/** Requires canonical base64, so that each digest has one text, and the length of the digest. */
export function requireDigests(hashes: readonly string[], hashAlgorithmOID = digestIds.sha256) {
  const digest = digests.find((name) => digestIds[name] === hashAlgorithmOID)
  if (!digest) throw new CscError('invalid_request', 'Invalid parameter hashAlgorithmOID')
  for (const text of hashes) {
    const bytes = Buffer.from(text, 'base64')
    if (bytes.toString('base64') !== text) throw new CscError('invalid_request', 'Invalid Base64 hash string parameter')
    if (bytes.length !== digestBytes[digest]) throw new CscError('invalid_request', 'Invalid digest value length')
  }
}

function parseOrder(service: SigningService, query: z.output<typeof Query>, redirectUri: string): Order {
  const refuseUnless = (condition: unknown, name: string) => {
    if (!condition) throw new AuthorizationError(`Invalid parameter ${name}`)
  }
  const { credentialID = '', code_challenge: challenge = '', numSignatures, hashAlgorithmOID, state } = query
  refuseUnless(query.response_type === 'code', 'response_type')
  refuseUnless(query.scope === 'credential', 'scope')
  refuseUnless(query.code_challenge_method === 'S256', 'code_challenge_method')
  refuseUnless(/^[\w-]{43}$/.test(challenge), 'code_challenge')
  const key = usableKey(service, credentialID)
  refuseUnless(key?.mode === 'oauth2code', 'credentialID')
  const count = Number(numSignatures)
  refuseUnless(Number.isInteger(count) && count > 0 && count <= maxSignatures, 'numSignatures')
  // In the URL they are base64url, elsewhere base64.
  const hashes = query.hashes?.split(',').map((text) => Buffer.from(text, 'base64url').toString('base64'))
  refuseUnless(hashes ? hashes.length === count : key?.scal === 1, 'hashes')
  refuseUnless(digests.some((name) => digestIds[name] === hashAlgorithmOID) || !hashes, 'hashAlgorithmOID')
  requireDigests(hashes ?? [], hashAlgorithmOID)
  const bound = key?.scal === 2 ? hashes : undefined
  return { client: service.client.id, credential: credentialID, hashes: bound, count, redirectUri, state, challenge }
}

async function answerForm(server: AuthorizationServer, request: FastifyRequest, reply: FastifyReply) {
  const { service, activations, pages, codes } = server
  const form = Form.safeParse(request.body ?? {})
  const { page: name = '', action, login = '', code = '' } = form.data ?? {}
  const page = pages.find(name)
  const site = request.headers['sec-fetch-site']
  const browser = cookieIn(request.headers.cookie)
  if (!page || page.browser !== browser || (site !== undefined && site !== 'same-origin'))
    return send(reply.code(400), brokenPage, [])
  const { order } = page
  if (action === 'cancel') {
    pages.remove(name)
    return redirectToClient(reply, order.redirectUri, { error: 'access_denied', state: order.state })
  }
  const key = usableKey(service, order.credential)
  if (!key) return send(reply.code(400), brokenPage, [])
  if (action !== 'confirm') {
    page.isLoginRight ||= service.loginsOf(key.owner).includes(login.trim().toLowerCase())
    // The answer is the same for a wrong name, so that names cannot be tried.
    const otp = page.isLoginRight ? activations.createOtp(key.id) : undefined
    if (otp) await service.sendOtp(key.owner, otp)
    return show(server, reply, page, { step: 'code' }, name)
  }
  try {
    if (!page.isLoginRight) throw new CscError('invalid_otp', 'The OTP is invalid')
    activations.useCodes({ ...key, otp: 'sent', pin: false }, {}, { otp: code.trim() })
  } catch (error) {
    if (!(error instanceof CscError)) throw error
    const problem = error.error === 'invalid_otp' ? 'wrong' : 'locked'
    return show(server, reply.code(400), page, { step: 'code', error: problem }, name)
  }
  pages.remove(name)
  return redirectToClient(reply, order.redirectUri, { code: codes.add(order), state: order.state })
}

function show(
  { path, pages }: AuthorizationServer,
  reply: FastifyReply,
  page: Page,
  state: PageState,
  name = pages.add(page),
) {
  const { description, locale, order } = page
  const action = `${path()}/oauth2/authorize`
  return send(reply, authorisationPage({ ...state, action, page: name, description, locale }), [order.redirectUri])
}

/** Redeems a code for a token (RFC 6749 §4.1.3 and RFC 7636 §4.6). A code is used up by any attempt. */
function redeem(
  { codes, redeemed, activations }: AuthorizationServer,
  { code = '', redirect_uri, code_verifier = '' }: Partial<Record<string, string>>,
  caller: string,
) {
  const order = codes.take(code)
  const token = redeemed.find(code)
  if (token) activations.revoke(token)
  const isRight =
    typeof order === 'object' &&
    order.client === caller &&
    order.redirectUri === redirect_uri &&
    /^[\w.~-]{43,128}$/.test(code_verifier) &&
    hash('sha256', code_verifier, 'base64url') === order.challenge
  if (!isRight) throw new CscError('invalid_grant', 'Authorization code is invalid or expired')
  const { client: owner, credential, hashes, count } = order
  const { SAD, expiresIn } = activations.activate({ client: owner, credential, hashes, count })
  redeemed.add(SAD, code)
  return { access_token: SAD, token_type: 'Bearer', expires_in: expiresIn, credentialID: credential }
}

function send(reply: FastifyReply, page: string, redirects: string[]) {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-frame-options', 'DENY')
    .header('content-security-policy', pagePolicy(redirects))
    .send(page)
}

/** Redirects to the client with status 303, so that the entered code is not forwarded (RFC 9700 §4.12). */
function redirectToClient(reply: FastifyReply, redirectUri: string, parameters: Record<string, string | undefined>) {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(url.href, 303)
}
