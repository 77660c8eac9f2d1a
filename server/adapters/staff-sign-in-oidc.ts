import { createHmac } from 'node:crypto'
import { createRemoteJWKSet, customFetch as keysFetch, errors, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { deskRoles, type DeskRole } from '../../contract/desk/desk-permissions.ts'
import { deskLimits } from '../../contract/desk/desk-bounds.ts'
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
  /** Where the provider sends the browser back. */
  redirectUrl: string
  timeoutMs?: number
}

/** The metadata of the provider is read again after this time. */
const metadataForMs = 3_600_000
/** Seconds by which the clocks of provider and portal may differ. */
const clockTolerance = 30
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * Sign-in of the provider's staff by OpenID Connect (DSK-2): authorization code with PKCE, state and nonce, all of which are derived
 * from the secret that the browser has in a cookie. So the server stores nothing, and an answer fits one browser only (R232).
 */
export function staffSignInByOidc(client: OidcClient): StaffSignInPort {
  const { issuer, clientId, clientSecret, acr, redirectUrl, timeoutMs = 10_000 } = client
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

  return {
    async start(secret) {
      const { configuration } = await metadata()
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUrl,
        scope: 'openid profile',
        state: derived(secret, 'state'),
        nonce: derived(secret, 'nonce'),
        code_challenge: await oidc.calculatePKCECodeChallenge(derived(secret, 'verifier')),
        code_challenge_method: 'S256',
        ...(acr.length && { acr_values: acr.join(' ') }),
      })
      return url.href
    },

    async finish(secret, answer) {
      const { configuration } = await metadata()
      const url = new URL(redirectUrl)
      url.search = answer
      try {
        const tokens = await oidc.authorizationCodeGrant(configuration, url, {
          expectedState: derived(secret, 'state'),
          expectedNonce: derived(secret, 'nonce'),
          pkceCodeVerifier: derived(secret, 'verifier'),
          idTokenExpected: true,
        })
        return claimsOf(tokens.claims(), client)
      } catch (error) {
        throwUnreachable(error)
        return undefined
      }
    },

    async logout(token) {
      const { configuration, keys } = await metadata()
      try {
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
      } catch (error) {
        throwUnreachable(error)
        return undefined
      }
    },
  }
}

type Metadata = { configuration: oidc.Configuration; keys: ReturnType<typeof createRemoteJWKSet> }

/** 256 bits for one purpose; as a PKCE verifier it has the 43 characters that RFC 7636 §4.1 demands. */
const derived = (secret: string, purpose: string) => createHmac('sha256', secret).update(purpose).digest('base64url')

/** Identifiers of the provider have at most 255 characters (OpenID Connect Core 1.0 §2). */
const boundedText = (value: unknown) => (typeof value === 'string' && value && value.length <= 255 ? value : null)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Undefined if the sign-in was in another context than one of those requested, which a provider may ignore. */
function claimsOf(claims: oidc.IDToken | undefined, { groups, acr }: OidcClient): StaffClaims | undefined {
  const subject = boundedText(claims?.sub)
  if (!claims || !subject || (acr.length && !acr.some((each) => each === claims['acr']))) return undefined
  const stated = claims['groups']
  const own = Array.isArray(stated) ? stated : [stated]
  const name = [claims['name'], claims['preferred_username']].find((each) => typeof each === 'string') ?? subject
  return {
    subject,
    name: [...name.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()].slice(0, limits.text.name).join('') || subject,
    roles: deskRoles.filter((role) => groups[role].some((group) => own.includes(group))),
    providerSession: boundedText(claims['sid']),
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

/** Both libraries put errors of a call into errors of their own. */
function throwUnreachable(error: unknown): void {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof StaffProviderUnreachable || each instanceof errors.JWKSTimeout)
      throw new StaffProviderUnreachable()
  }
}
