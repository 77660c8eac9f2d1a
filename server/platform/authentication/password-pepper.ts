import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { nodesWithoutPepper } from '../encrypted-data/known-keys.ts'

/**
 * The pepper of password hashes: the hash in argon2id's PHC string is replaced by its HMAC-SHA-256 with a key, named by `keyid`, that
 * the database does not contain in clear. A copy of the database alone is then no use for guessing (R124, decision 0083).
 */
export type Pepper = { id: string; key: Buffer }

export const pepperOf = (key: Buffer): Pepper => ({
  id: createHmac('sha256', key).update('id').digest().subarray(0, 6).toString('base64').replace(/[+/]/g, 'x'),
  key,
})

/** The parts of a PHC string; the last two are salt and hash. */
const phcFormat = /^(\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+))(?:,keyid=(\w+))?\$([\w+/]+)\$([\w+/]+)$/

export function readHash(encoded: string) {
  const [, , memory, passes, lanes, pepperId, salt] = phcFormat.exec(encoded) ?? []
  if (!salt) throw new Error('A stored password hash is not an argon2id hash.')
  return {
    cost: { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) },
    salt: Buffer.from(salt, 'base64'),
    pepperId,
  }
}

/** Adds the pepper to a hash, without the password; a hash that has one is returned unchanged. */
export function withPepper(encoded: string, { id, key }: Pepper): string {
  const [, head, , , , pepperId, salt] = phcFormat.exec(encoded) ?? []
  if (!head || pepperId) return encoded
  const mac = createHmac('sha256', key).update(encoded).digest('base64').replaceAll('=', '')
  return `${head},keyid=${id}$${salt}$${mac}`
}

const batch = 500

/** Adds the pepper to all stored hashes, including those of earlier passwords. A concurrent change by a request wins. */
export async function pepperStoredHashes(db: Db, pepper: Pepper): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<{ id: string; hashes: string[] }>`
      select id, array_prepend(password_hash, earlier_hashes) as hashes from accounts
      where id > ${after} and password_hash is not null order by id limit ${batch}`.execute(db)
    const plain = rows.filter(({ hashes }) => hashes.some((hash) => withPepper(hash, pepper) !== hash))
    for (const { id, hashes } of plain) {
      const [current, ...earlier] = hashes.map((hash) => withPepper(hash, pepper))
      await sql`
        update accounts set password_hash = ${current}, earlier_hashes = ${earlier}::text[]
        where id = ${id} and array_prepend(password_hash, earlier_hashes) = ${hashes}::text[]`.execute(db)
    }
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = last.id
  }
}

/**
 * Uses the pepper as soon as no older node runs that could not check such a hash. Looks now, and then every minute until that
 * is so.
 */
export async function startPeppering(
  db: Db,
  hasher: { usePepper(): void },
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
