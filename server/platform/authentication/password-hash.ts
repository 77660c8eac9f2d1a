import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { sameBytes } from '../encryption/keys.ts'
import { pepperOf, readHash, withPepper } from './password-pepper.ts'
import type { PasswordHasher } from '../portal.ts'

export class HashingBusy extends Error {}

/** Memory in KiB, passes, lanes. */
export type HashCost = { memory: number; passes: number; lanes: number }

/** OWASP's first choice, and the minimum in defaults.md. */
export const standardCost: HashCost = { memory: 19_456, passes: 2, lanes: 1 }

const threads = Math.max(1, availableParallelism() - 1)

/** The threads that compute hashes. */
export type HashingPool = Piscina<WorkerTask, string>

export const openHashingPool = (): HashingPool =>
  new Piscina({
    filename: new URL('./password-hash-worker.ts', import.meta.url).href,
    name: 'work',
    minThreads: threads,
    maxThreads: threads,
    // The next task waits in the worker, so a busy event loop does not delay it.
    concurrentTasksPerWorker: 2,
    idleTimeout: Infinity,
    maxQueue: 64 * threads,
    // The worker is small; without a limit each would reserve as much heap as the server.
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })

/**
 * argon2id (RFC 9106) in a thread pool of its own, or many sign-ins at once would starve everything in libuv's pool (R18). One
 * core stays free for requests. The queue is short; a full queue refuses at once.
 * Without the pepper, hashes that use it cannot be checked. A `shared` pool is not closed with the hasher.
 */
export async function openPasswordHasher(
  cost: HashCost = standardCost,
  pepperKey?: Buffer,
  shared?: HashingPool,
): Promise<PasswordHasher> {
  const pepper = pepperKey && pepperOf(pepperKey)
  let usesPepper = false
  const pool = shared ?? openHashingPool()
  const requireCapacity = () => {
    if (pool.queueSize >= 64 * threads) throw new HashingBusy()
  }
  const run = async (task: WorkerTask) => {
    requireCapacity()
    return pool.run(task)
  }
  // The hash of a random text, so that an unknown account takes as long as a known one.
  const decoy = await pool.run({ password: crypto.randomUUID(), cost })
  const peppered = (encoded: string) => (pepper ? withPepper(encoded, pepper) : encoded)
  return {
    requireCapacity,
    hash: async (password) => {
      const encoded = await run({ password: password.normalize('NFKC'), cost })
      return usesPepper ? peppered(encoded) : encoded
    },
    verify: async (encoded, password) => {
      const stored = encoded ?? decoy
      const { cost: storedCost, salt, pepperId } = readHash(stored)
      if (pepperId !== undefined && pepperId !== pepper?.id) throw new Error('A password hash uses another pepper.')
      const computed = await run({ password: password.normalize('NFKC'), cost: storedCost, salt })
      const isMatch = sameBytes(
        Buffer.from(pepperId === undefined ? computed : peppered(computed)),
        Buffer.from(stored),
      )
      return encoded !== null && isMatch
    },
    usePepper: () => {
      usesPepper = pepper !== undefined
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

/** Hashes with a new salt, or with the given one to check an existing hash. */
export type WorkerTask = { password: string; cost: HashCost; salt?: Uint8Array }
