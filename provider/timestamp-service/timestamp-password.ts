import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { promisify } from 'node:util'
import { addNewest } from '../embedded-services.ts'

const derive = promisify(argon2)
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

const computeTag = (password: string, nonce: Buffer) =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce, ...cost })

/** Hashes a password with argon2id (RFC 9106); returns the salt and the hash in base64. */
export async function hashTimestampPassword(password: string) {
  const nonce = randomBytes(16)
  return `${nonce.toString('base64')} ${(await computeTag(password, nonce)).toString('base64')}`
}

async function matches(hash: string, password: string) {
  const [nonce = '', tag = ''] = hash.split(' ')
  return timingSafeEqual(await computeTag(password, Buffer.from(nonce, 'base64')), Buffer.from(tag, 'base64'))
}

/** Number of guesses that are hashed at a time, so that a burst of them does not block the node. */
const maxAtOnce = 8
/** Number of wrong guesses that are remembered and refused without a hash. */
const maxRefused = 1000

/** A password was not checked. `status` is 503 if too many are being hashed, 429 if too many were wrong. */
export class TooManyGuessesError extends Error {
  override name = 'TooManyGuessesError'
  readonly status: 429 | 503
  readonly retryAfter: number
  constructor(status: 429 | 503, retryAfter: number) {
    super('Too many passwords')
    this.status = status
    this.retryAfter = retryAfter
  }
}

type Guess = { login: string; password: string; address: string; encoded: string | undefined }

/** The burst of guesses, and the seconds until another one is allowed. */
type Allowance = { most: number; secondsEach: number }

/** Wrong passwords for one account from one address, for one account from anywhere, from one address for any account. */
const allowances = {
  pair: { most: 10, secondsEach: 60 },
  login: { most: 100, secondsEach: 3 },
  address: { most: 200, secondsEach: 3 },
} satisfies Record<string, Allowance>

/** Limits the memory: the counts that were unchanged for longest are removed first. */
const maxEntries = 20_000

/** An allowed guess, which may be refunded, or the seconds to wait. */
type Charge = { ok: true; refund: () => void } | { ok: false; retryAfter: number }

/**
 * Creates the limits of password guesses, in memory, because the authority is one process. A login is never locked: strangers can slow
 * attempts down to one every three seconds, but not from an address that has sent the correct password before.
 */
export function guessLimits(now: () => number) {
  const counts = new Map<string, { spent: number; at: number }>()
  const trusted = new Map<string, true>()

  const spentOf = (key: string, { secondsEach }: Allowance) => {
    const { spent, at } = counts.get(key) ?? { spent: 0, at: now() }
    return Math.max(0, spent - (now() - at) / (secondsEach * 1000))
  }
  const add = (key: string, allowance: Allowance, guesses: 1 | -1) => {
    const spent = Math.max(0, spentOf(key, allowance) + guesses)
    if (spent > 0) addNewest(counts, key, { spent, at: now() }, maxEntries)
    else counts.delete(key)
  }

  return {
    /** Charges a guess before it is checked, so that simultaneous guesses cannot exceed the limit. */
    charge(login: string, address: string): Charge {
      const network = networkOf(address)
      const pair = JSON.stringify([login, network])
      const limits: [string, Allowance][] = [[pair, allowances.pair]]
      if (!trusted.has(pair))
        limits.push([`login ${login}`, allowances.login], [`address ${network}`, allowances.address])
      const waits = limits.map(
        ([key, allowance]) => (spentOf(key, allowance) + 1 - allowance.most) * allowance.secondsEach,
      )
      const wait = Math.max(...waits)
      // Rounded to milliseconds, because fractions of guesses are inexact.
      if (wait >= 0.001) return { ok: false, retryAfter: Math.ceil(Math.round(wait * 1000) / 1000) }
      for (const [key, allowance] of limits) add(key, allowance, 1)
      return {
        ok: true,
        refund: () => {
          for (const [key, allowance] of limits) add(key, allowance, -1)
        },
      }
    },
    /** Records that the correct password came from this address. */
    trust(login: string, address: string) {
      addNewest(trusted, JSON.stringify([login, networkOf(address)]), true, maxEntries)
    },
  }
}

/** Returns the /64 of an IPv6 address, which is one site (RFC 6177); other addresses unchanged. */
function networkOf(address: string) {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after].slice(0, 4).join(':')
}

/**
 * Creates a password check that needs few hashes: a hash takes as long as twenty tokens, and programs send their password with each
 * request. A correct password is cached until the account's hash changes, as a MAC with a key of this process; simultaneous equal guesses
 * share one hash. Wrong ones are cached too, so that a program with an old password uses up one guess and not all of them.
 */
export function timestampPasswords(now: () => number) {
  const key = randomBytes(32)
  const known = new Map<string, string>()
  const refused = new Map<string, true>()
  const running = new Map<string, Promise<boolean>>()
  const limits = guessLimits(now)
  // An unknown account takes as long as a known one (R15).
  const decoy = hashTimestampPassword(randomBytes(16).toString('hex'))

  const macOf = ({ login, encoded, password }: Guess) =>
    createHmac('sha256', key)
      .update(JSON.stringify([login, encoded ?? null, password]))
      .digest('hex')

  async function judge({ login, address, encoded, password }: Guess, mac: string, refund: () => void) {
    const isCorrect = (await matches(encoded ?? (await decoy), password)) && encoded !== undefined
    if (isCorrect) {
      refund()
      known.set(login, mac)
      limits.trust(login, address)
      return true
    }
    addNewest(refused, mac, true, maxRefused)
    return false
  }

  return async (guess: Guess) => {
    const mac = macOf(guess)
    if (guess.encoded !== undefined && known.get(guess.login) === mac) return true
    if (refused.has(mac)) return false
    const same = running.get(mac)
    if (same) return same
    if (running.size >= maxAtOnce) throw new TooManyGuessesError(503, 1)
    const charged = limits.charge(guess.login, guess.address)
    if (!charged.ok) throw new TooManyGuessesError(429, charged.retryAfter)
    const judging = judge(guess, mac, charged.refund).finally(() => running.delete(mac))
    running.set(mac, judging)
    return judging
  }
}
