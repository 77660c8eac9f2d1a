import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { guessLimits } from './guess-limits.ts'

const derive = promisify(argon2)
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

const tagOf = (password: string, nonce: Buffer) =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce, ...cost })

/** argon2id (RFC 9106) as two base64 texts, of the salt and of the hash. */
export async function hashTimestampPassword(password: string) {
  const nonce = randomBytes(16)
  return `${nonce.toString('base64')} ${(await tagOf(password, nonce)).toString('base64')}`
}

async function fits(hash: string, password: string) {
  const [nonce, tag] = hash.split(' ').map((part) => Buffer.from(part, 'base64'))
  return timingSafeEqual(await tagOf(password, nonce!), tag!)
}

/** So many different guesses are hashed at a time, so that a storm of them does not stop the node. */
const mostAtOnce = 8
/** Wrong guesses that are known again without a hash. */
const refusedAtMost = 1000

/** A password that was not looked at. `status` is 503 when too many are being hashed, 429 when too many were wrong. */
export class TooManyGuesses extends Error {
  override name = 'TooManyGuesses'
  readonly status: 429 | 503
  readonly retryAfter: number
  constructor(status: 429 | 503, retryAfter: number) {
    super('Too many passwords')
    this.status = status
    this.retryAfter = retryAfter
  }
}

type Guess = { login: string; password: string; address: string; encoded: string | undefined }

/**
 * A hash takes as long as twenty tokens, and programs send their password with each. What fitted is remembered for as
 * long as the account's hash stays the same, as a MAC under a key that dies with the process; equal guesses share one hash.
 * So does what did not fit: a program that was not told of a new password costs its owner one guess, and not all of them.
 */
export function timestampPasswords(now: () => number) {
  const key = randomBytes(32)
  const known = new Map<string, string>()
  const refused = new Set<string>()
  const running = new Map<string, Promise<boolean>>()
  const limits = guessLimits(now)
  // An unknown account costs what a known one costs (R15).
  const decoy = hashTimestampPassword(randomBytes(16).toString('hex'))

  const macOf = ({ login, encoded, password }: Guess) =>
    createHmac('sha256', key)
      .update(JSON.stringify([login, encoded ?? null, password]))
      .digest('hex')

  async function judge({ login, address, encoded, password }: Guess, mac: string, giveBack: () => void) {
    const fitted = (await fits(encoded ?? (await decoy), password)) && encoded !== undefined
    if (fitted) {
      giveBack()
      known.set(login, mac)
      limits.prove(login, address)
      return true
    }
    refused.add(mac)
    if (refused.size > refusedAtMost) refused.delete(refused.keys().next().value!)
    return false
  }

  return async (guess: Guess) => {
    const mac = macOf(guess)
    if (guess.encoded !== undefined && known.get(guess.login) === mac) return true
    if (refused.has(mac)) return false
    const alike = running.get(mac)
    if (alike) return alike
    if (running.size >= mostAtOnce) throw new TooManyGuesses(503, 1)
    const taken = limits.take(guess.login, guess.address)
    if (!taken.ok) throw new TooManyGuesses(429, taken.retryAfter)
    const judging = judge(guess, mac, taken.giveBack).finally(() => running.delete(mac))
    running.set(mac, judging)
    return judging
  }
}
