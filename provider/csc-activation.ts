import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** A request that is not granted, in the words of the CSC API (§10.1). */
export class CscRefused extends Error {
  readonly error: 'invalid_request' | 'invalid_otp' | 'access_denied' | 'invalid_client' | 'unsupported_grant_type'
  readonly status: 400 | 401
  constructor(error: CscRefused['error'], description: string, status: 400 | 401 = 400) {
    super(description)
    this.error = error
    this.status = status
  }
}

const minute = 60_000
const activationMs = minute
const tokenMs = 10 * minute
const otpMs = 5 * minute
/** Wrong codes before a key is locked, and for how long; codes that are sent while it is not. */
const wrongOtps = 5
const lockMs = 15 * minute
const otpEachMs = 30_000
/** A service in memory must not be filled by whoever asks again and again; what is oldest goes. */
const keptAtMost = 10_000

type Activation = { client: string; credential: string; hashes: readonly string[]; until: number }
type Otp = { digest: Buffer; until: number }

/** Secrets are known by their hash, which makes looking them up take the same time whatever was guessed. */
const nameOf = (secret: string) => createHash('sha256').update(secret).digest('base64')
const digestOf = (secret: string) => createHash('sha256').update(secret).digest()

/**
 * What a signing service remembers for moments: tokens of its clients, codes that it sent, and signature activation data.
 * In memory, because one process is the service: a restart lets everybody begin again, and nobody sign twice.
 */
export function cscActivations(now: () => number) {
  const tokens = new Map<string, { client: string; until: number }>()
  const activations = new Map<string, Activation>()
  const otps = new Map<string, Otp>()
  const failures = new Map<string, { wrong: number; until: number }>()
  const sentAt = new Map<string, number>()

  function keep<T>(map: Map<string, T>, name: string, value: T) {
    map.delete(name)
    map.set(name, value)
    if (map.size > keptAtMost) map.delete(map.keys().next().value!)
  }

  return {
    issueToken(client: string) {
      const token = randomBytes(32).toString('base64url')
      keep(tokens, nameOf(token), { client, until: now() + tokenMs })
      return { access_token: token, token_type: 'Bearer', expires_in: tokenMs / 1000 }
    },
    clientOf(token: string): string | undefined {
      const held = tokens.get(nameOf(token))
      return held && held.until > now() ? held.client : undefined
    },
    /** A new code for a key; the one before is void. Undefined when the last one is too fresh, or the key is locked. */
    drawOtp(credential: string): string | undefined {
      const failed = failures.get(credential)
      if (failed && failed.wrong >= wrongOtps && failed.until > now()) return undefined
      if ((sentAt.get(credential) ?? -Infinity) + otpEachMs > now()) return undefined
      const otp = String(randomInt(1_000_000)).padStart(6, '0')
      keep(otps, credential, { digest: digestOf(`${credential} ${otp}`), until: now() + otpMs })
      keep(sentAt, credential, now())
      return otp
    },
    /** Each try counts before it is looked at, and a right code works once. */
    useOtp(credential: string, entry: string) {
      const held = failures.get(credential)
      const failed = held && held.until > now() ? held : { wrong: 0, until: now() + lockMs }
      if (failed.wrong >= wrongOtps) throw new CscRefused('invalid_request', 'Credential locked')
      keep(failures, credential, { ...failed, wrong: failed.wrong + 1 })
      const otp = otps.get(credential)
      const fits = otp && otp.until > now() && timingSafeEqual(digestOf(`${credential} ${entry}`), otp.digest)
      if (!fits) throw new CscRefused('invalid_otp', 'The OTP is invalid')
      otps.delete(credential)
      failures.delete(credential)
    },
    /** SCAL2: it opens this key, for these hashes in this order, once (EN 419 241-1 SRA_SAP.2). */
    activate(one: Omit<Activation, 'until'>) {
      const SAD = randomBytes(32).toString('base64url')
      keep(activations, nameOf(SAD), { ...one, until: now() + activationMs })
      return { SAD, expiresIn: activationMs / 1000 }
    },
    /** Ends it, whatever comes of it: a second try with the same data finds nothing. */
    spend(SAD: string, { client, credential, hashes }: Omit<Activation, 'until'>) {
      const name = nameOf(SAD)
      const held = activations.get(name)
      activations.delete(name)
      if (!held || held.client !== client || held.credential !== credential)
        throw new CscRefused('invalid_request', 'Invalid parameter SAD')
      if (held.until <= now()) throw new CscRefused('invalid_request', 'SAD expired')
      if (held.hashes.length !== hashes.length || held.hashes.some((hash, i) => hash !== hashes[i]))
        throw new CscRefused('invalid_request', 'Hash is not authorized by the SAD')
    },
  }
}
