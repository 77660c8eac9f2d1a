import * as z from 'zod/mini'
import type { SigningAlgorithm } from '../../../pki/asn1/signature-algorithm.ts'
import { callOut, faultOf, type OutgoingAnswer } from '../outgoing.ts'
import { offersAny } from './csc-algorithms-offered.ts'

/** A signing service with the portal's credentials for it. */
export type CscService = {
  /** The address of the service, up to `/csc/v2`. */
  url: string
  /** The address that gives tokens, if it is not the one that the service names. */
  tokenUrl?: string | undefined
  /** The page where customers authorise, if it is not the one that the service names. */
  authorizeUrl?: string | undefined
  clientId: string
  clientSecret: string
  /** The algorithms that the portal accepts, in order of preference; by default all, the usual one of the key first. */
  algorithms?: readonly SigningAlgorithm[] | undefined
  timeoutMs?: number
  /** The time that a customer may take to confirm a signature in the service's app, and the interval at which the portal checks. */
  confirmation?: { forMs: number; everyMs: number }
  /** Reports the number of credentials that cannot be used, by reason. */
  reportSkipped?: (reasons: Record<string, number>) => void
}

/** The size of twenty credentials with their certificates. */
const maxAnswer = 1_000_000

/** The error of a service that does not answer, or whose answer does not follow the specification. */
export class Unreachable extends Error {}
/** The error of a service that the portal cannot use, at all or as it is set up; the message completes "The signing service …". */
export class Unsuitable extends Unreachable {}
/** The error of a call that the service has not processed, because it was not reached or reports so; a retry is safe. */
export class NotProcessed extends Unreachable {}
/** The error of an answer that cannot be used, from a service that otherwise works. */
export class Unusable extends Unreachable {}
/** The error of a call that the service has refused. */
export class Refused extends Error {
  /** The service's reason (CSC API v2 §10.1). */
  readonly error: string
  constructor(error: string, description = '') {
    super(description)
    this.error = error
  }
}

const OAuthServer = z.object({ baseUri: z.optional(z.string()), issuerIdentifier: z.optional(z.string()) })
const Info = z.object({
  specs: z.string(),
  methods: z.array(z.string()),
  authType: z.optional(z.array(z.string())),
  oauth2: z.optional(z.string()),
  oauth2Issuer: z.optional(z.string()),
  // Replaces the two fields above since version 2.1.
  oauth2Servers: z.optional(z.array(OAuthServer)),
  signAlgorithms: z.optional(z.object({ algos: z.array(z.string()) })),
})
/** The metadata of an authorisation server (RFC 8414 §2). */
const Metadata = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  authorization_endpoint: z.optional(z.string()),
  token_endpoint_auth_methods_supported: z.optional(z.array(z.string())),
  code_challenge_methods_supported: z.optional(z.array(z.string())),
})
const Token = z.object({
  access_token: z.string().check(z.regex(/^[\x21-\x7e]{1,8192}$/)),
  expires_in: z.optional(z.number()),
  credentialID: z.optional(z.string()),
})
const Fault = z.object({ error: z.string(), error_description: z.optional(z.string()) })

const neededMethods = ['credentials/list', 'credentials/info', 'signatures/signHash']

/** Parts of `info` (§11.1) that the portal uses. */
export type ServiceInfo = {
  methods: ReadonlySet<string>
  tokenUrl: string
  authorizeUrl: string
  /** The place of the portal's credentials in token requests: the body, which §8.4.4 describes, or a header. */
  authenticates: 'post' | 'basic'
}

/** The HTTP side of the CSC API v2: `info`, tokens and methods. Every function throws Unreachable, Unsuitable and Refused. */
export type CscConnection = {
  service: CscService
  /** The address without a slash at its end. */
  base: string
  known?: ServiceInfo
  /** The portal's own token. */
  token?: { value: string; until: number }
}

export const connectToCsc = (service: CscService): CscConnection => ({ service, base: service.url.replace(/\/$/, '') })

async function call(
  { service, base }: CscConnection,
  address: string,
  request: { headers?: Record<string, string>; body?: string; timeoutMs?: number },
) {
  const method = request.body === undefined ? 'GET' : 'POST'
  const limits = { timeoutMs: service.timeoutMs ?? 10_000, maxBytes: maxAnswer }
  return callOut({ url: addressOf(address, base), method, ...limits, ...request }).catch((error: unknown) => {
    throw new (notConnected.has(faultOf(error)) ? NotProcessed : Unreachable)('no answer')
  })
}

/** Parses an address and requires it to be as protected as the service itself, because secrets and customers are sent to it. */
function addressOf(address: string, base: string) {
  const parsed = URL.parse(address)
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== new URL(base).protocol)
    throw new Unsuitable(`names an address that is not https: ${address.slice(0, 200)}`)
  return parsed
}

/** Reads what the service says of itself (§11.1), once unless `again`. */
export async function fetchServiceInfo(csc: CscConnection, { isRepeated = false } = {}): Promise<ServiceInfo> {
  if (csc.known && !isRepeated) return csc.known
  const answer = await call(csc, `${csc.base}/info`, { headers: { 'content-type': 'application/json' }, body: '{}' })
  if (answer.status !== 200) throw new Unreachable(`${answer.status}`)
  const described = readAs(Info, answer)
  delete csc.known
  requireSuitable(described, csc.service.algorithms)
  const endpoints = await findEndpoints(csc, described)
  return (csc.known = { methods: new Set(described.methods), ...endpoints })
}

function requireSuitable(
  { specs, methods, authType, signAlgorithms }: z.output<typeof Info>,
  accepted: CscService['algorithms'],
) {
  if (!specs.startsWith('2.')) throw new Unsuitable(`implements version ${specs} of the CSC API, not 2`)
  const missing = neededMethods.filter((method) => !methods.includes(method))
  if (missing.length) throw new Unsuitable(`does not have ${missing.join(', ')}`)
  const isByPage = methods.includes('oauth2/authorize') || authType?.includes('oauth2code')
  if (!methods.includes('credentials/authorize') && !isByPage)
    throw new Unsuitable('has neither credentials/authorize nor oauth2/authorize')
  if (authType && !authType.includes('oauth2client'))
    throw new Unsuitable(`does not grant tokens to clients (oauth2client), only ${authType.join(', ') || 'nothing'}`)
  if (signAlgorithms && !offersAny(signAlgorithms.algos, accepted))
    throw new Unsuitable(`has no algorithm that the portal accepts, only ${signAlgorithms.algos.join(', ')}`)
}

/**
 * Returns the addresses for tokens and authorisation (§8.4): below a base address, or from the metadata of the authorization server (RFC
 * 8414).
 */
async function findEndpoints(
  csc: CscConnection,
  { oauth2, oauth2Issuer, oauth2Servers: [server] = [] }: z.output<typeof Info>,
) {
  const { base } = csc
  const { tokenUrl, authorizeUrl } = csc.service
  const oauthBase = (oauth2 ?? server?.baseUri)?.replace(/\/$/, '')
  const issuer = oauth2Issuer ?? server?.issuerIdentifier
  const isFound = oauthBase !== undefined || issuer === undefined || (tokenUrl && authorizeUrl)
  const metadata = isFound ? undefined : await fetchMetadata(csc, issuer)
  const below = oauthBase ?? base
  const found = {
    tokenUrl: tokenUrl ?? metadata?.token_endpoint ?? `${below}/oauth2/token`,
    authorizeUrl: authorizeUrl ?? metadata?.authorization_endpoint ?? `${below}/oauth2/authorize`,
  }
  for (const address of Object.values(found)) addressOf(address, base)
  const methods = metadata?.token_endpoint_auth_methods_supported ?? ['client_secret_post']
  return { ...found, authenticates: methods.includes('client_secret_post') ? ('post' as const) : ('basic' as const) }
}

async function fetchMetadata(csc: CscConnection, issuer: string) {
  const { origin, pathname } = addressOf(issuer, csc.base)
  const path = pathname.replace(/\/$/, '')
  const answer = await call(csc, `${origin}/.well-known/oauth-authorization-server${path}`, {})
  if (answer.status !== 200) throw new Unreachable(`${answer.status}`)
  const metadata = readAs(Metadata, answer)
  if (metadata.issuer !== issuer) throw new Unsuitable(`has the metadata of another issuer, ${metadata.issuer}`)
  if (metadata.code_challenge_methods_supported?.includes('S256') === false)
    throw new Unsuitable('does not support PKCE with S256')
  return metadata
}

/**
 * Requests a token. Every service accepts the header, CSC services usually the body (RFC 6749 §2.3.1). If the body is refused, the header
 * is tried once.
 */
async function grant(csc: CscConnection, form: Record<string, string>) {
  const found = await fetchServiceInfo(csc)
  try {
    return await grantBy(csc, found.authenticates, form)
  } catch (error) {
    if (!(error instanceof Refused && error.error === 'invalid_client') || found.authenticates === 'basic') throw error
    const granted = await grantBy(csc, 'basic', form)
    found.authenticates = 'basic'
    return granted
  }
}

async function grantBy(csc: CscConnection, method: ServiceInfo['authenticates'], form: Record<string, string>) {
  const { clientId, clientSecret } = csc.service
  const { tokenUrl } = await fetchServiceInfo(csc)
  const inBody = method === 'post' ? { client_id: clientId, client_secret: clientSecret } : {}
  const answer = await call(csc, tokenUrl, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(method === 'basic' && { authorization: basicOf(clientId, clientSecret) }),
    },
    body: new URLSearchParams({ ...form, ...inBody }).toString(),
  })
  if (answer.status === 200) return readAs(Token, answer)
  if (answer.status !== 400 && answer.status !== 401) throw new Unreachable(`no token: ${answer.status}`)
  const { error, error_description: description } = readAs(Fault, answer)
  throw new Refused(error, description)
}

/**
 * Returns the portal's own token for the scope `service`. If it is refused, the configuration is wrong; it is not a refusal of a signature.
 */
export async function fetchServiceToken(csc: CscConnection) {
  const { token } = csc
  if (token && token.until > Date.now()) return token.value
  const granted = await grant(csc, { grant_type: 'client_credentials', scope: 'service' }).catch((error: unknown) => {
    if (error instanceof Unusable) throw new Unreachable(error.message)
    if (!(error instanceof Refused)) throw error
    throw new Unsuitable(`refuses the portal’s CSC_CLIENT_ID and CSC_CLIENT_SECRET (${error.error.slice(0, 100)})`)
  })
  const { access_token: value, expires_in: life = 300 } = granted
  // Renewed a minute early, so that it does not expire in transit.
  csc.token = { value, until: Date.now() + Math.max(0, life - 60) * 1000 }
  return value
}

/** Redeems the code of the service's page for a token of the scope `credential` (§8.4.4). */
export const redeemCode = (
  csc: CscConnection,
  { code, codeVerifier, returnTo }: { code: string; codeVerifier: string; returnTo: URL },
) => grant(csc, { grant_type: 'authorization_code', code, code_verifier: codeVerifier, redirect_uri: returnTo.href })

/** Calls a method of §11, with the portal's own token unless another is given. Returns `undefined` for an answer without content. */
export async function callMethod<S extends z.ZodMiniType>(
  csc: CscConnection,
  method: string,
  body: object,
  schema: S,
  options: { token?: string; timeoutMs?: number } = {},
): Promise<z.output<S> | undefined> {
  const send = async () =>
    call(csc, `${csc.base}/${method}`, {
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${options.token ?? (await fetchServiceToken(csc))}`,
      },
      body: JSON.stringify(body),
      ...(options.timeoutMs && { timeoutMs: options.timeoutMs }),
    })
  let answer = await send()
  if (answer.status === 401 && !options.token) {
    delete csc.token
    answer = await send()
  }
  if (answer.status === 204 || (answer.status === 201 && !answer.body)) return undefined
  if (answer.status >= 200 && answer.status <= 202) return readAs(schema, answer)
  if (answer.status !== 400 && !(answer.status === 401 && options.token)) throw failureOf(answer)
  const { error, error_description: description } = readAs(Fault, answer)
  throw new Refused(error, description)
}

/** Writes the header of the client's name and secret, each of which is form-encoded first (RFC 6749 §2.3.1). */
function basicOf(...credentials: [id: string, secret: string]) {
  const encoded = credentials.map((value) => new URLSearchParams({ value }).toString().slice('value='.length))
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`
}

const notConnected = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/**
 * Returns the error for a status. An overloaded service, or one that refuses the portal altogether, may answer any call like this; 404 is
 * about one object.
 */
function failureOf({ status }: OutgoingAnswer) {
  if (status > 401 && status < 500 && status !== 408 && status !== 429) return new Unusable(`status ${status}`)
  // A gateway forwarded the call and got no answer in time.
  return new (status === 504 ? Unreachable : NotProcessed)(`status ${status}`)
}

function readAs<S extends z.ZodMiniType>(schema: S, { status, body }: OutgoingAnswer): z.output<S> {
  let isAnswered = status >= 400
  try {
    const read: unknown = JSON.parse(body)
    isAnswered = true
    return schema.parse(read)
  } catch {
    // A proxy's page instead of an answer has no usable content.
    throw new (isAnswered ? Unusable : Unreachable)('the answer is not what the specification says')
  }
}
