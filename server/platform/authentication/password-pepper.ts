import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from './db.ts'
import { nodesWithoutPepper } from './known-keys.ts'
import type { PasswordHasher } from './password-hash.ts'

/**
 * What is stored of a password: argon2id's PHC string, whose hash is under HMAC-SHA-256 with a key that is not in the database
 * in clear, named by `keyid`. A copy of the database alone is then nothing to try passwords on (R124, decision 0083).
 */
export type Pepper = { id: string; key: Buffer }

export const pepperOf = (key: Buffer): Pepper => ({
  id: createHmac('sha256', key).update('id').digest().subarray(0, 6).toString('base64').replace(/[+/]/g, 'x'),
  key,
})

/** The last part of a PHC string is the hash, and the one before it the salt. */
const parts = /^(\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+))(?:,keyid=(\w+))?\$([\w+/]+)\$([\w+/]+)$/

export function readHash(encoded: string) {
  const [, head, memory, passes, lanes, pepperId, salt] = parts.exec(encoded) ?? []
  if (!head) throw new Error('A stored password hash is not one of argon2id.')
  return {
    cost: { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) },
    salt: Buffer.from(salt!, 'base64'),
    pepperId,
  }
}

/** Puts a hash under the pepper; one that is already is left as it is. The password is not needed for it. */
export function withPepper(encoded: string, { id, key }: Pepper): string {
  const [, head, , , , pepperId, salt] = parts.exec(encoded) ?? []
  if (!head || pepperId) return encoded
  const mac = createHmac('sha256', key).update(encoded).digest('base64').replaceAll('=', '')
  return `${head},keyid=${id}$${salt}$${mac}`
}

const batch = 500

/** Puts every stored hash under the pepper, earlier passwords included. What a request has changed meanwhile stays the request's. */
export async function pepperStoredHashes(db: Db, pepper: Pepper): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<{ id: string; hashes: string[] }>`
      select id, array_prepend(password_hash, earlier_hashes) as hashes from accounts
      where id > ${after} and password_hash is not null order by id limit ${batch}`.execute(db)
    const plain = rows.filter(({ hashes }) => hashes.some((one) => withPepper(one, pepper) !== one))
    for (const { id, hashes } of plain) {
      const [current, ...earlier] = hashes.map((one) => withPepper(one, pepper))
      await sql`
        update accounts set password_hash = ${current}, earlier_hashes = ${earlier}::text[]
        where id = ${id} and array_prepend(password_hash, earlier_hashes) = ${hashes}::text[]`.execute(db)
    }
    if (rows.length < batch) return
    after = rows.at(-1)!.id
  }
}

/**
 * Uses the pepper as soon as no node of a version before it runs, which could not check such a hash: looks now, then every
 * minute, until then.
 */
export async function startPeppering(
  db: Db,
  hasher: PasswordHasher,
  pepper: Pepper,
  report: (error: unknown) => void,
): Promise<{ stop: () => void }> {
  const look = async () => {
    if (await nodesWithoutPepper(db)) return
    hasher.usePepper()
    await pepperStoredHashes(db, pepper)
    clearInterval(timer)
  }
  const timer = setInterval(() => void look().catch(report), 60_000)
  await look().catch(report)
  return { stop: () => clearInterval(timer) }
}
