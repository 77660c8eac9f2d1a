import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { sameBytes } from '../encryption/keys.ts'
import type { PasswordHasher } from '../portal.ts'

export class HashingBusy extends Error {}

/** The cost of a hash by Argon2id. */
export type HashCost = {
  /** The memory in KiB. */
  memory: number
  passes: number
  lanes: number
}

/** OWASP's first choice, and the minimum in defaults.md. */
export const standardCost: HashCost = { memory: 19_456, passes: 2, lanes: 1 }

const threads = Math.max(1, availableParallelism() - 1)

export type HashingPool = Piscina<WorkerTask, string>

export const openHashingPool = (): HashingPool =>
  new Piscina({
    filename: new URL('./password-hash-worker.ts', import.meta.url).href,
    name: 'hashPasswordSync',
    minThreads: threads,
    maxThreads: threads,
    // The next task waits in the worker, so a busy event loop does not delay it.
    concurrentTasksPerWorker: 2,
    idleTimeout: Infinity,
    maxQueue: 64 * threads,
    // The worker is small; without a limit each would reserve as much heap as the server.
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })

/** The parts of a PHC string; the last two are salt and hash. */
const phcFormat = /^(\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+))(?:,keyid=(\w+))?\$([\w+/]+)\$([\w+/]+)$/

function readHash(encoded: string) {
  const [, head, memory, passes, lanes, pepperId, salt] = phcFormat.exec(encoded) ?? []
  if (!salt) throw new Error('A stored password hash is not an argon2id hash.')
  const cost: HashCost = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  return { head, cost, salt, pepperId }
}

/**
 * Opens a hasher by argon2id (RFC 9106) with a thread pool of its own, or many sign-ins at once would starve everything
 * in libuv's pool (R18). One core stays free for requests. The queue is short; a full queue refuses at once. A `shared`
 * pool is not closed with the hasher.
 *
 * The hash in the PHC string is replaced by its HMAC-SHA-256 with the pepper, named by `keyid`, which the database does not contain
 * in clear: a copy of the database alone is then of no use for guessing (R124, decision 0083).
 */
export async function openPasswordHasher(
  pepper: Buffer,
  cost: HashCost = standardCost,
  shared?: HashingPool,
): Promise<PasswordHasher> {
  const idBytes = createHmac('sha256', pepper).update('id').digest().subarray(0, 6)
  const ownPepperId = idBytes.toString('base64').replace(/[+/]/g, 'x')
  const pool = shared ?? openHashingPool()
  const requireCapacity = () => {
    if (pool.queueSize >= 64 * threads) throw new HashingBusy()
  }
  const compute = async (task: WorkerTask) => {
    const plain = await pool.run(task)
    const { head, salt } = readHash(plain)
    const mac = createHmac('sha256', pepper).update(plain).digest('base64').replaceAll('=', '')
    return `${head},keyid=${ownPepperId}$${salt}$${mac}`
  }
  // The hash of a random text, so that an unknown account takes as long as a known one.
  const decoy = await compute({ password: crypto.randomUUID(), cost })
  return {
    requireCapacity,
    hash: async (password) => {
      requireCapacity()
      return compute({ password: password.normalize('NFKC'), cost })
    },
    verify: async (encoded, password) => {
      const stored = encoded ?? decoy
      const { cost: storedCost, salt, pepperId } = readHash(stored)
      if (pepperId !== ownPepperId) throw new Error('A password hash uses another pepper.')
      requireCapacity()
      const task = { password: password.normalize('NFKC'), cost: storedCost, salt: Buffer.from(salt, 'base64') }
      const isMatch = sameBytes(Buffer.from(await compute(task)), Buffer.from(stored))
      return encoded !== null && isMatch
    },
    isOutdated: (encoded) => {
      const { memory, passes, lanes } = readHash(encoded).cost
      return memory !== cost.memory || passes !== cost.passes || lanes !== cost.lanes
    },
    close: async () => {
      if (!shared) await pool.close({ force: true })
    },
  }
}

/** The task of a thread that hashes a password. */
export type WorkerTask = {
  password: string
  cost: HashCost
  /** The salt of an existing hash to be checked; by default a new one. */
  salt?: Uint8Array
}
