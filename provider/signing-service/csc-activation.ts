import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { matchTotp } from '../../pki/totp.ts'
import { addNewest, digestOf, sameSecret } from '../embedded-services.ts'
import type { KeyFactors, SigningKey } from './signing-keys.ts'

/** A refused request with an error code of the CSC API (§10.1) or of OAuth 2.0 (RFC 6749 §5.2). */
export class CscError extends Error {
  readonly error:
    | 'invalid_request'
    | 'invalid_otp'
    | 'invalid_pin'
    | 'access_denied'
    | 'invalid_client'
    | 'invalid_grant'
    | 'unsupported_grant_type'
  readonly status: 400 | 401
  constructor(error: CscError['error'], description: string, status: 400 | 401 = 400) {
    super(description)
    this.error = error
    this.status = status
  }
}

const minute = 60_000
const activationMs = minute
const tokenMs = 10 * minute
const otpMs = 5 * minute
/** Wrong codes until a key is locked, for how long, and the interval between codes. */
const wrongOtps = 5
const lockMs = 15 * minute
const otpIntervalMs = 30_000
/** Repeated requests must not fill the memory, so the oldest entries are removed. */
const maxEntries = 10_000

/** Authorisation by a customer: signatures with one key, requested by one client. */
export type Activation = {
  client: string
  credential: string
  /** The only hashes, in this order (SCAL2); undefined if the number alone is limited (SCAL1). */
  hashes: readonly string[] | undefined
  count: number
}

/** The codes that the customer enters for a signature, or for an authorisation at the service's page. */
export type ActivationEntry = { otp?: string | undefined; pin?: string | undefined }

/** Returns the hash under which a secret is stored, so that a lookup takes the same time for any guess. */
const keyOf = (secret: string) => hash('sha256', secret, 'base64')

/** Creates a store of entries under unguessable names, each for a limited time; the oldest are removed beyond `maxEntries`. */
export function secretEntries<T>(now: () => number, lifeMs: number) {
  const entries = new Map<string, { value: T; until: number }>()
  return {
    add(value: T, secret = randomBytes(32).toString('base64url')): string {
      addNewest(entries, keyOf(secret), { value, until: now() + lifeMs }, maxEntries)
      return secret
    },
    find(secret: string): T | undefined {
      const entry = entries.get(keyOf(secret))
      return entry && entry.until > now() ? entry.value : undefined
    },
    /** Removes the entry in any case. Only a caller with the name can distinguish `expired` from `unknown`. */
    take(secret: string): T | 'expired' | 'unknown' {
      const entry = entries.get(keyOf(secret))
      entries.delete(keyOf(secret))
      if (!entry) return 'unknown'
      return entry.until > now() ? entry.value : 'expired'
    },
    remove: (secret: string) => void entries.delete(keyOf(secret)),
  }
}

/** Creates the store of one-time codes, and of the attempts that a customer has to enter a code or PIN. */
function otpStore(now: () => number) {
  const otps = new Map<string, { digest: Buffer; until: number }>()
  const failures = new Map<string, { wrong: number; until: number }>()
  const sentAt = new Map<string, number>()
  const lastSteps = new Map<string, number>()

  const keep = <T>(map: Map<string, T>, key: string, value: T) => addNewest(map, key, value, maxEntries)

  /** Checks whether a one-time code is right; a correct code is used up. */
  function isRightOtp({ id, otp: kind }: SigningKey, { otpSecret }: KeyFactors, entry: string): boolean {
    if (kind === 'generated') {
      const step = matchTotp(Buffer.from(otpSecret ?? '', 'base64'), entry, new Date(now()), lastSteps.get(id))
      if (step !== undefined) keep(lastSteps, id, step)
      return step !== undefined
    }
    const sent = otps.get(id)
    const isRight = !!sent && sent.until > now() && timingSafeEqual(digestOf(`${id} ${entry}`), sent.digest)
    if (isRight) {
      otps.delete(id)
      // The interval limits codes that nobody enters; after a correct code the next one can be sent at once.
      sentAt.delete(id)
    }
    return isRight
  }

  return {
    /**
     * Creates a new code for a key, which replaces the last one. Undefined if the last one was sent too recently and not used, or the key
     * is locked.
     */
    createOtp(credential: string): string | undefined {
      const failed = failures.get(credential)
      if (failed && failed.wrong >= wrongOtps && failed.until > now()) return undefined
      if ((sentAt.get(credential) ?? -Infinity) + otpIntervalMs > now()) return undefined
      const otp = String(randomInt(1_000_000)).padStart(6, '0')
      keep(otps, credential, { digest: digestOf(`${credential} ${otp}`), until: now() + otpMs })
      keep(sentAt, credential, now())
      return otp
    },
    /**
     * Checks the entered codes, and throws CscError for a wrong one. Each attempt counts before it is checked, and a correct code works
     * once.
     */
    useCodes(key: SigningKey, factors: KeyFactors, { otp = '', pin = '' }: ActivationEntry) {
      if (!key.pin && key.otp === 'none') return
      const recent = failures.get(key.id)
      const failed = recent && recent.until > now() ? recent : { wrong: 0, until: now() + lockMs }
      if (failed.wrong >= wrongOtps) throw new CscError('invalid_request', 'Credential locked')
      keep(failures, key.id, { ...failed, wrong: failed.wrong + 1 })
      // The PIN first, so that a wrong one does not use the code up.
      if (key.pin && !sameSecret(pin, factors.pin ?? randomBytes(32).toString('hex')))
        throw new CscError('invalid_pin', 'The PIN is invalid')
      if (key.otp !== 'none' && !isRightOtp(key, factors, otp)) throw new CscError('invalid_otp', 'The OTP is invalid')
      failures.delete(key.id)
    },
  }
}

/**
 * Creates the short-lived state of the signing service: tokens of its clients, one-time codes and signature activation data. It is in
 * memory, because the service is one process: after a restart everybody starts again, and nobody can sign twice.
 */
export function cscActivations(now: () => number) {
  const tokens = secretEntries<string>(now, tokenMs)
  const activations = secretEntries<Activation>(now, activationMs)
  /** Authorisations that the customer has not confirmed yet (§11.6, status 202). */
  const pending = secretEntries<Activation>(now, otpMs)

  return {
    ...otpStore(now),
    issueToken: (client: string) => ({
      access_token: tokens.add(client),
      token_type: 'Bearer',
      expires_in: tokenMs / 1000,
    }),
    /** Finds the client of a token for the service. */
    clientOf: (token: string): string | undefined => tokens.find(token),
    /** Finds the authorisation of a token for a credential, which is activation data too (§8.4). */
    activationOf: (token: string): Activation | undefined => activations.find(token),
    activate: (activation: Activation) => ({ SAD: activations.add(activation), expiresIn: activationMs / 1000 }),
    wait: (activation: Activation) => ({ handle: pending.add(activation) }),
    /** Returns the waiting authorisation and removes it, if `isConfirmed`. */
    check(handle: string, client: string, isConfirmed: (credential: string) => boolean): Activation | undefined {
      const activation = pending.find(handle)
      if (activation?.client !== client) throw new CscError('invalid_request', 'Invalid parameter handle')
      if (!isConfirmed(activation.credential)) return undefined
      pending.remove(handle)
      return activation
    },
    revoke: activations.remove,
    /** Removes the activation in any case, so that the same data cannot be used twice. */
    consume(
      SAD: string,
      { client, credential, hashes }: { client: string; credential: string; hashes: readonly string[] },
    ) {
      const activation = activations.take(SAD)
      if (activation === 'expired') throw new CscError('invalid_request', 'SAD expired')
      if (activation === 'unknown' || activation.client !== client || activation.credential !== credential)
        throw new CscError('invalid_request', 'Invalid parameter SAD')
      const allowed = activation.hashes
      if (hashes.length > activation.count || (allowed && allowed.join() !== hashes.join()))
        throw new CscError('invalid_request', 'Hash is not authorized by the SAD')
    },
  }
}

export type CscActivations = ReturnType<typeof cscActivations>
