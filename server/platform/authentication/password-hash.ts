import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { sameBytes } from './keys.ts'
import { pepperOf, readHash, withPepper } from './password-pepper.ts'

/**
 * argon2id (RFC 9106) in a pool of its own: sign-in storms would otherwise starve everything that shares libuv's
 * pool (R18). One core stays free for requests; the queue is short, and what does not fit is refused at once.
 */
export type PasswordHasher = {
  /** Throws `HashingBusy` when the queue is full, so that a storm is turned away before it costs the database anything. */
  demandRoom(): void
  /** Encoded hash (PHC string) of the password after NFKC. Throws `HashingBusy` when the queue is full. */
  hash(password: string): Promise<string>
  /** Whether the password fits the hash; without a hash it works as long and says no (AUT-3, R15). */
  verify(encoded: string | null, password: string): Promise<boolean>
  /** From now on new hashes are under the pepper; those without it are checked as before. */
  usePepper(): void
  /** Whether a hash is weaker than today's setting, and is to be made anew at the next sign-in. */
  isOutdated(encoded: string): boolean
  close(): Promise<void>
}

export class HashingBusy extends Error {}

/** Memory in KiB, passes, lanes. */
export type HashCost = { memory: number; passes: number; lanes: number }

/** OWASP's first choice, and the least that defaults.md allows. */
export const standardCost: HashCost = { memory: 19_456, passes: 2, lanes: 1 }

const threads = Math.max(1, availableParallelism() - 1)

/** The threads that hash. */
export type HashingPool = Piscina<WorkerTask, string>

export const openHashingPool = (): HashingPool =>
  new Piscina({
    filename: new URL('./password-hash-worker.ts', import.meta.url).href,
    name: 'work',
    minThreads: threads,
    maxThreads: threads,
    // The next task waits in the worker, which need not wait for a busy event loop to hand it over.
    concurrentTasksPerWorker: 2,
    idleTimeout: Infinity,
    maxQueue: 64 * threads,
    // The worker is small; without a limit each would reserve as much heap as the server.
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })

/** Without the pepper, hashes that are under it cannot be checked. The pool is the hasher's own, and closed with it, unless one is given. */
export async function openPasswordHasher(
  cost: HashCost = standardCost,
  pepperKey?: Buffer,
  shared?: HashingPool,
): Promise<PasswordHasher> {
  const pepper = pepperKey && pepperOf(pepperKey)
  let usesPepper = false
  const pool = shared ?? openHashingPool()
  const demandRoom = () => {
    if (pool.queueSize >= 64 * threads) throw new HashingBusy()
  }
  const run = async (task: WorkerTask) => {
    demandRoom()
    return pool.run(task)
  }
  // A hash of nothing anyone can type, so that an unknown account costs what a known one costs.
  const decoy = await pool.run({ password: crypto.randomUUID(), cost })
  const peppered = (encoded: string) => (pepper ? withPepper(encoded, pepper) : encoded)
  return {
    demandRoom,
    hash: async (password) => {
      const encoded = await run({ password: password.normalize('NFKC'), cost })
      return usesPepper ? peppered(encoded) : encoded
    },
    verify: async (encoded, password) => {
      const stored = encoded ?? decoy
      const { cost: itsCost, salt, pepperId } = readHash(stored)
      if (pepperId !== undefined && pepperId !== pepper?.id) throw new Error('A password hash is under another pepper.')
      const made = await run({ password: password.normalize('NFKC'), cost: itsCost, salt })
      const fits = sameBytes(Buffer.from(pepperId === undefined ? made : peppered(made)), Buffer.from(stored))
      return encoded !== null && fits
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

/** Hashes with a salt of its own, or with the one given, to check against a hash that has it. */
export type WorkerTask = { password: string; cost: HashCost; salt?: Uint8Array }
