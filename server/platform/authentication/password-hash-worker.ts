import { hashSync, type Algorithm } from '@node-rs/argon2'
import { closeHttpClients } from '../http-clients.ts'
import { lowerPriority } from '../jobs/background-priority.ts'
import type { WorkerTask } from './password-hash.ts'

closeHttpClients()

// Type stripping cannot import the library's const enum; 2 is argon2id.
const argon2id = 2 as Algorithm.Argon2id

// On a busy machine requests take precedence over hashing (R18).
lowerPriority()

/** Hashes a password. Synchronous, because the thread belongs to the pool. */
export function hashPasswordSync({ password, cost, salt }: WorkerTask): string {
  return hashSync(password, {
    algorithm: argon2id,
    memoryCost: cost.memory,
    timeCost: cost.passes,
    parallelism: cost.lanes,
    ...(salt && { salt }),
  })
}
