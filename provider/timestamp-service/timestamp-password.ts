import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { addNewest } from '../newest-entries.ts'
import { guessLimits } from './guess-limits.ts'

const derive = promisify(argon2)
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

const tagOf = (password: string, nonce: Buffer) =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce, ...cost })

/** argon2id (RFC 9106) as salt and hash in base64. */
export async function hashTimestampPassword(password: string) {
  const nonce = randomBytes(16)
  return `${nonce.toString('base64')} ${(await tagOf(password, nonce)).toString('base64')}`
}

async function matches(hash: string, password: string) {
  const [nonce = '', tag = ''] = hash.split(' ')
  return timingSafeEqual(await tagOf(password, Buffer.from(nonce, 'base64')), Buffer.from(tag, 'base64'))
}

/** How many guesses are hashed at a time, so that a burst of them does not block the node. */
const maxAtOnce = 8
/** How many wrong guesses are remembered without a hash. */
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

/**
 * A hash takes as long as twenty tokens, and programs send their password with each request. A correct password is cached
 * until the account's hash changes, as a MAC with a key of this process; simultaneous equal guesses share one hash. Wrong
 * ones are cached too, so that a program with an old password uses up one guess and not all of them.
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
