import { hashSync, type Algorithm } from '@node-rs/argon2'
import { setPriority } from 'node:os'
import type { WorkerTask } from './password-hash.ts'

// The library's enum cannot be read under type stripping; 2 is its argon2id.
const argon2id = 2 as Algorithm.Argon2id

// Requests go before hashing on a busy machine (R18). On Linux a priority is a thread's own; elsewhere it is the whole process's.
if (process.platform === 'linux') setPriority(10)

/** Synchronous on purpose: the thread is the pool's own. */
export function work({ password, cost, salt }: WorkerTask): string {
  return hashSync(password, {
    algorithm: argon2id,
    memoryCost: cost.memory,
    timeCost: cost.passes,
    parallelism: cost.lanes,
    ...(salt && { salt }),
  })
}
