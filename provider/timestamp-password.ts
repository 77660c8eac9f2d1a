import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

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

export class TooManyGuesses extends Error {}

/**
 * A hash takes as long as twenty tokens, and programs send their password with each. What fitted is remembered for as
 * long as the account's hash stays the same, as a MAC under a key that dies with the process; equal guesses share one hash.
 */
export function timestampPasswords() {
  const key = randomBytes(32)
  const known = new Map<string, string>()
  const running = new Map<string, Promise<boolean>>()
  // An unknown account costs what a known one costs (R15).
  const decoy = hashTimestampPassword(randomBytes(16).toString('hex'))
  return async (login: string, encoded: string | undefined, password: string) => {
    const mac = createHmac('sha256', key)
      .update(JSON.stringify([login, encoded ?? null, password]))
      .digest('hex')
    if (encoded !== undefined && known.get(login) === mac) return true
    let hashing = running.get(mac)
    if (!hashing) {
      if (running.size >= mostAtOnce) throw new TooManyGuesses('Too many passwords are being checked')
      hashing = decoy.then((nobody) => fits(encoded ?? nobody, password)).finally(() => running.delete(mac))
      running.set(mac, hashing)
    }
    const fitted = (await hashing) && encoded !== undefined
    if (fitted) known.set(login, mac)
    return fitted
  }
}
