import * as z from 'zod/mini'
import { callOut, type OutgoingAnswer } from './outgoing.ts'
import type { RemoteSigningPort, SigningCredential } from './ports.ts'

/** Where the service is, up to `/csc/v2`, and what the portal is to it. The token may come from another host. */
export type CscService = {
  url: string
  tokenUrl?: string | undefined
  clientId: string
  clientSecret: string
  timeoutMs?: number
}

const sha256Oid = '2.16.840.1.101.3.4.2.1'
/** What the CMS of a signature can say: RSA PKCS #1 v1.5 and ECDSA, each over SHA-256; the best first. */
const signAlgorithms = ['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.1', '1.2.840.10045.4.3.2'] as const

/** So many credentials of one customer are looked at. */
const mostCredentials = 50
/** A chain of certificates, in base64. */
const largestAnswer = 262_144

const Info = z.object({ specs: z.string(), methods: z.array(z.string()) })
const Token = z.object({ access_token: z.string().check(z.minLength(1)), expires_in: z.optional(z.number()) })
const List = z.object({ credentialIDs: z.array(z.string()) })
const Credential = z.object({
  key: z.object({ status: z.string(), algo: z.array(z.string()) }),
  cert: z.object({ status: z.optional(z.string()), certificates: z.array(z.string()).check(z.minLength(1)) }),
  auth: z.object({
    mode: z.string(),
    objects: z.optional(z.array(z.object({ type: z.string(), id: z.string() }))),
  }),
})
const Activation = z.object({ SAD: z.string().check(z.minLength(1)) })
const Signatures = z.object({ signatures: z.tuple([z.string()]) })
const Fault = z.object({ error: z.string() })
const nothing = z.unknown()

const neededMethods = ['credentials/list', 'credentials/info', 'credentials/authorize', 'signatures/signHash']

class Unreachable extends Error {}
/** The service has said no; `error` is its word for why (CSC API v2 §10.1). */
class Refused extends Error {
  readonly error: string
  constructor(error: string) {
    super(error)
    this.error = error
  }
}

/**
 * A remote signing service by the API of the Cloud Signature Consortium, version 2. The service trusts the portal as its
 * client (OAuth 2.0 client credentials, §8.2) to name the customer; the keys of `mode: explicit` are used, whose code the
 * portal proves, or the service by a challenge that it sends (§11.8).
 */
export function remoteSigningByCsc({ url, tokenUrl, clientId, clientSecret, timeoutMs = 10_000 }: CscService) {
  const base = url.replace(/\/$/, '')
  let token: { value: string; until: number } | undefined
  let greeted = false

  async function post(address: string, headers: Record<string, string>, body: string): Promise<OutgoingAnswer> {
    return callOut({ url: new URL(address), method: 'POST', headers, body, timeoutMs, maxBytes: largestAnswer }).catch(
      () => {
        throw new Unreachable('no answer')
      },
    )
  }

  async function freshToken() {
    if (token && token.until > Date.now()) return token.value
    const form = {
      grant_type: 'client_credentials',
      scope: 'service',
      client_id: clientId,
      client_secret: clientSecret,
    }
    const answer = await post(
      tokenUrl ?? `${base}/oauth2/token`,
      { 'content-type': 'application/x-www-form-urlencoded' },
      new URLSearchParams(form).toString(),
    )
    // What the operator has set up wrongly is no refusal of this signature.
    if (answer.status !== 200) throw new Unreachable(`no token: ${answer.status}`)
    const { access_token: value, expires_in: life = 300 } = readAs(Token, answer)
    // A minute early, so that it does not end on its way.
    token = { value, until: Date.now() + Math.max(0, life - 60) * 1000 }
    return value
  }

  async function ask<S extends z.ZodMiniType>(method: string, body: object, schema: S): Promise<z.output<S>> {
    const send = async () =>
      post(
        `${base}/${method}`,
        { 'content-type': 'application/json', authorization: `Bearer ${await freshToken()}` },
        JSON.stringify(body),
      )
    let answer = await send()
    if (answer.status === 401) {
      token = undefined
      answer = await send()
    }
    if (answer.status === 204) return undefined as z.output<S>
    if (answer.status === 200) return readAs(schema, answer)
    if (answer.status === 400) throw new Refused(readAs(Fault, answer).error)
    throw new Unreachable(`${answer.status}`)
  }

  /** §11.1, once: that it is of our version and has what is asked of it. */
  async function greet() {
    if (greeted) return
    const answer = await post(`${base}/info`, { 'content-type': 'application/json' }, '{}')
    if (answer.status !== 200) throw new Unreachable(`${answer.status}`)
    const { specs, methods } = readAs(Info, answer)
    if (!specs.startsWith('2.') || neededMethods.some((method) => !methods.includes(method)))
      throw new Unreachable('the service is of another kind')
    greeted = true
  }

  /** What can be signed with by one code alone; a password or several factors would have to be asked for elsewhere. */
  async function usable(credentialID: string) {
    const { key, cert, auth } = await ask(
      'credentials/info',
      { credentialID, certificates: 'chain', authInfo: true },
      Credential,
    )
    const algorithm = signAlgorithms.find((one) => key.algo.includes(one))
    const [factor, second] = auth.mode === 'explicit' ? (auth.objects ?? []) : []
    const known = auth.mode === 'implicit' || (auth.mode === 'explicit' && !second)
    const bySms = !factor || factor.type === 'ChallengeResponse'
    if (key.status !== 'enabled' || (cert.status ?? 'valid') !== 'valid' || !algorithm || !known || !bySms)
      return undefined
    const [certificate, ...chain] = cert.certificates.map((one) => new Uint8Array(Buffer.from(one, 'base64')))
    return {
      credential: { id: credentialID, certificate: certificate!, chain, otp: factor ? 'service' : 'portal' } as const,
      algorithm,
      factor: factor?.id,
    }
  }

  const port: RemoteSigningPort = {
    credentials: (customer) =>
      orWhyNot(async () => {
        await greet()
        const { credentialIDs } = await ask('credentials/list', { userID: customer, onlyValid: true }, List)
        const all = await Promise.all(credentialIDs.slice(0, mostCredentials).map(usable))
        return all.flatMap((one) => (one ? [one.credential as SigningCredential] : []))
        // Somebody whom the service does not know has no keys there.
      }, []),

    sendOtp: ({ id }) =>
      orWhyNot(async () => {
        const found = await usable(id)
        if (!found?.factor) return 'refused' as const
        await ask('credentials/getChallenge', { credentialID: id, authObjectID: found.factor }, nothing)
        return 'sent' as const
      }, 'refused' as const),

    async sign({ credential: { id, certificate }, hash, description, otp }) {
      const found = await orWhyNot(() => usable(id), undefined)
      if (found === 'unreachable') return found
      // A key that has another certificate by now is not the one that was agreed on.
      if (!found || Buffer.compare(found.credential.certificate, certificate) !== 0) return 'refused'
      const hashes = [Buffer.from(hash).toString('base64')]
      const bound = { credentialID: id, hashes, hashAlgorithmOID: sha256Oid }
      const authData = found.factor ? { authData: [{ id: found.factor, value: otp ?? '' }] } : {}
      try {
        const { SAD } = await ask(
          'credentials/authorize',
          { ...bound, numSignatures: 1, description, ...authData },
          Activation,
        )
        const { signatures } = await ask(
          'signatures/signHash',
          { ...bound, SAD, signAlgo: found.algorithm },
          Signatures,
        )
        return { signature: new Uint8Array(Buffer.from(signatures[0], 'base64')) }
      } catch (error) {
        if (error instanceof Unreachable) return 'unreachable'
        if (!(error instanceof Refused)) throw error
        return /^invalid_(?:otp|authentication_data)$/.test(error.error) ? 'otp-wrong' : 'refused'
      }
    },
  }
  return port
}

function readAs<S extends z.ZodMiniType>(schema: S, { body }: OutgoingAnswer): z.output<S> {
  try {
    return schema.parse(JSON.parse(body))
  } catch {
    throw new Unreachable('the answer is not what the specification says')
  }
}

async function orWhyNot<T, R>(work: () => Promise<T>, refused: R): Promise<T | R | 'unreachable'> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Unreachable) return 'unreachable'
    if (error instanceof Refused) return refused
    throw error
  }
}
