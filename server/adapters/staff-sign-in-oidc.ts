import { createHmac } from 'node:crypto'
import { createRemoteJWKSet, customFetch as keysFetch, errors, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { deskRoles, type DeskRole } from '../../contract/desk/desk-permissions.ts'
import { limits } from '../../contract/limits.ts'
import { StaffProviderUnreachable, type StaffClaims, type StaffSignInPort } from '../platform/ports.ts'
import { callOutRaw } from './outgoing.ts'

export type OidcClient = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The groups of the provider that have each role. */
  groups: Record<DeskRole, readonly string[]>
  /** Authentication contexts of which a sign-in needs one; any if there are none. */
  acr: readonly string[]
  /** Address to which the provider sends the browser back. */
  redirectUrl: string
  timeoutMs?: number
}

/** The time after which the metadata of the provider is read again. */
const metadataForMs = 3_600_000
/** Seconds by which the clocks of provider and portal may differ. */
const clockTolerance = 30
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * Creates the adapter for the sign-in of the provider's staff by OpenID Connect (DSK-2): authorization code with PKCE, state and nonce, all
 * of which are derived from the secret that the browser has in a cookie. The server therefore stores nothing, and an answer fits one
 * browser only (R232).
 */
export function staffSignInByOidc(client: OidcClient): StaffSignInPort {
  const { acr, redirectUrl } = client
  const { metadata: fetchMetadata, discover } = openMetadata(client)

  return {
    async start(secret, { isAgain } = { isAgain: false }) {
      const { configuration } = await fetchMetadata()
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUrl,
        scope: 'openid profile',
        state: derived(secret, 'state'),
        nonce: derived(secret, 'nonce'),
        code_challenge: await oidc.calculatePKCECodeChallenge(derived(secret, 'verifier')),
        code_challenge_method: 'S256',
        ...(acr.length && { acr_values: acr.join(' ') }),
        // With `max_age` the ID token has to state its `auth_time` (OpenID Connect Core 1.0 §3.1.2.1).
        max_age: String(isAgain ? 0 : deskLimits.session.absolute),
        ...(isAgain && { prompt: 'login' }),
      })
      return url.href
    },

    async finish(secret, answer) {
      const { configuration } = await fetchMetadata()
      const url = new URL(redirectUrl)
      url.search = answer
      const granting = oidc.authorizationCodeGrant(configuration, url, {
        expectedState: derived(secret, 'state'),
        expectedNonce: derived(secret, 'nonce'),
        pkceCodeVerifier: derived(secret, 'verifier'),
        idTokenExpected: true,
      })
      return granting.then((tokens) => claimsOf(tokens.claims(), client)).catch(undefinedIfRefused)
    },

    async readLogout(token) {
      return verifyLogout(token, client, await fetchMetadata()).catch(undefinedIfRefused)
    },

    async signOutUrl() {
      const configuration = await fetchMetadata().then(
        (found) => found.configuration,
        () => undefined,
      )
      if (!configuration?.serverMetadata().end_session_endpoint) return null
      // Without the ID token, which is nowhere kept, the provider asks the person to confirm.
      return oidc.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: new URL('/desk', redirectUrl).href,
      }).href
    },

    async check() {
      try {
        const { configuration } = await discover()
        const unsuitable = unsuitableOf(configuration.serverMetadata(), acr)
        return unsuitable === undefined ? 'suitable' : { unsuitable }
      } catch (error) {
        const other = otherIssuerOf(error)
        return other === undefined ? 'unreachable' : { unsuitable: `calls itself ${other}` }
      }
    },
  }
}

/** Reads the metadata of the provider, which `fetchMetadata` remembers for a while. */
function openMetadata({ issuer, clientId, clientSecret, timeoutMs = 10_000 }: OidcClient) {
  const fetchOut = outgoingFetch(timeoutMs)
  let known: { at: number; metadata: Promise<Metadata> } | undefined

  function metadata(): Promise<Metadata> {
    if (known && performance.now() - known.at < metadataForMs) return known.metadata
    const reading = { at: performance.now(), metadata: discover() }
    known = reading
    reading.metadata.catch(() => known === reading && (known = undefined))
    return reading.metadata
  }

  async function discover() {
    const url = new URL(issuer)
    const insecure = url.protocol === 'http:' ? [oidc.allowInsecureRequests] : []
    try {
      const configuration = await oidc.discovery(
        url,
        clientId,
        { [oidc.clockTolerance]: clockTolerance },
        oidc.ClientSecretBasic(clientSecret),
        { execute: [...insecure, oidc.enableNonRepudiationChecks], [oidc.customFetch]: fetchOut },
      )
      const { jwks_uri: keys } = configuration.serverMetadata()
      if (!keys) throw new Error('The OpenID provider has no keys.')
      return { configuration, keys: createRemoteJWKSet(new URL(keys), { [keysFetch]: fetchOut }) }
    } catch (error) {
      throw new StaffProviderUnreachable('The OpenID provider cannot be used.', { cause: error })
    }
  }

  return { metadata, discover }
}

/** Returns whom a logout token is about; undefined for another kind of token. */
async function verifyLogout(token: string, { clientId }: OidcClient, { configuration, keys }: Metadata) {
  const { payload } = await jwtVerify(token, keys, {
    // As the provider writes it: DESK_ISSUER may have a slash at its end.
    issuer: configuration.serverMetadata().issuer,
    audience: clientId,
    algorithms,
    clockTolerance,
    maxTokenAge: deskLimits.logout,
    requiredClaims: ['iat', 'exp', 'jti', 'events'],
  })
  const { jti, sub, sid, nonce, events } = payload
  // A token with a nonce is an ID token (Back-Channel Logout 1.0 §2.4).
  if (nonce !== undefined || !isObject(events) || !isObject(events[logoutEvent])) return undefined
  const [subject, providerSession] = [boundedText(sub), boundedText(sid)]
  const tokenId = boundedText(jti)
  return tokenId && (subject ?? providerSession) ? { tokenId, subject, providerSession } : undefined
}

/**
 * Returns the reason why the metadata (OpenID Connect Discovery 1.0 §3) do not fit a desk; undefined if they do. A missing list is not a
 * reason.
 */
function unsuitableOf(metadata: oidc.ServerMetadata, acr: readonly string[]): string | undefined {
  const lacks = (name: string, wanted: readonly string[]) => {
    const offered = metadata[name]
    return Array.isArray(offered) && wanted.length > 0 && !wanted.some((each) => offered.includes(each))
  }
  if (lacks('response_types_supported', ['code'])) return 'has no authorization code flow'
  if (lacks('code_challenge_methods_supported', ['S256'])) return 'has no PKCE with S256'
  if (lacks('token_endpoint_auth_methods_supported', ['client_secret_basic'])) return 'takes no client_secret_basic'
  if (lacks('acr_values_supported', acr)) return 'has none of the contexts of DESK_ACR'
  return undefined
}

/** Returns the issuer of metadata that were found at the address of another issuer. */
function otherIssuerOf(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (!(each instanceof oidc.ClientError) || each.code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') continue
    const { cause } = each
    const body = isObject(cause) && isObject(cause['body']) ? cause['body'] : {}
    return boundedText(body['issuer']) ?? undefined
  }
  return undefined
}

type Metadata = { configuration: oidc.Configuration; keys: ReturnType<typeof createRemoteJWKSet> }

/** Derives 256 bits for one purpose; as a PKCE verifier they have the 43 characters that RFC 7636 §4.1 requires. */
const derived = (secret: string, purpose: string) => createHmac('sha256', secret).update(purpose).digest('base64url')

/** Returns an identifier of the provider, which has at most 255 characters (OpenID Connect Core 1.0 §2); null for any other value. */
const boundedText = (value: unknown) => (typeof value === 'string' && value && value.length <= 255 ? value : null)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function claimsOf(claims: oidc.IDToken | undefined, { groups, acr }: OidcClient): StaffClaims | undefined {
  const subject = boundedText(claims?.sub)
  if (!claims || !subject) return undefined
  const stated = claims['groups']
  const own = Array.isArray(stated) ? stated : [stated]
  const name = [claims['name'], claims['preferred_username']].find((each) => typeof each === 'string') ?? subject
  const age = typeof claims.auth_time === 'number' ? Date.now() / 1000 - claims.auth_time : null
  return {
    subject,
    name: [...name.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()].slice(0, limits.text.name).join('') || subject,
    roles: deskRoles.filter((role) => groups[role].some((group) => own.includes(group))),
    providerSession: boundedText(claims['sid']),
    isInContext:
      (!acr.length || acr.some((each) => each === claims['acr'])) &&
      (age ?? 0) <= deskLimits.session.absolute + clockTolerance,
    // A time that is yet to come proves nothing (R252).
    authenticatedAt: age !== null && age >= -clockTolerance ? new Date(claims.auth_time! * 1000) : null,
  }
}

/** Calls of both libraries, by the one way out of the portal (decision 0093). A provider that fails is one that does not answer. */
const outgoingFetch =
  (timeoutMs: number) =>
  async (url: string, { method, headers, body }: { method?: string; headers?: HeadersInit; body?: unknown }) => {
    try {
      const answer = await callOutRaw({
        url: new URL(url),
        method: method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === 'string' && { body }),
        ...(body instanceof URLSearchParams && { body: body.toString() }),
        timeoutMs,
        maxBytes: 262_144,
      })
      if (answer.status >= 500) throw new Error(`status ${answer.status}`)
      return new Response(new Uint8Array(answer.body), {
        status: answer.status,
        headers: answer.type ? { 'content-type': answer.type } : {},
      })
    } catch (error) {
      throw new StaffProviderUnreachable('The OpenID provider does not answer.', { cause: error })
    }
  }

/**
 * Returns undefined for use in `catch`, but throws if the provider cannot be reached. Both libraries wrap errors of a call in their own
 * errors.
 */
function undefinedIfRefused(error: unknown): undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof StaffProviderUnreachable || each instanceof errors.JWKSTimeout)
      throw new StaffProviderUnreachable()
  }
  return undefined
}
