import { sql } from 'kysely'
import type { FastifyRequest } from 'fastify'
import type { Tx } from '../database/database.ts'
import { ApiError } from '../api-error.ts'
import { sameBytes, encrypt, decrypt } from '../encryption/keys.ts'
import type { Portal } from '../portal.ts'

/**
 * Runs a change once for each Idempotency-Key of a caller: a repetition gets the first answer, the same key with another
 * request is refused (R52). The key is inserted in the change's own transaction, so a concurrent request waits for the first
 * one, and a failed one leaves no trace.
 */
export async function onceOnly(
  portal: Portal,
  request: FastifyRequest,
  caller: string,
  requestHash: Buffer,
  change: (tx: Tx) => Promise<unknown>,
): Promise<unknown> {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !/^[\w-]{16,64}$/.test(key)) throw new ApiError('idempotency-key-missing')
  const context = `idempotency ${caller} ${key}`
  return portal.db.transaction().execute(async (tx) => {
    const taken = await sql`
      insert into idempotency (caller, key, request_hash) values (${caller}, ${key}, ${requestHash}) on conflict do nothing`.execute(
      tx,
    )
    if (!taken.numAffectedRows) {
      const { rows } = await sql<{ requestHash: Buffer; reply: Buffer }>`
        select request_hash, reply from idempotency where caller = ${caller} and key = ${key}`.execute(tx)
      const first = rows[0]!
      if (!sameBytes(first.requestHash, requestHash)) throw new ApiError('idempotency-key-reused')
      return JSON.parse(decrypt(portal.keys, context, first.reply))
    }
    const reply = (await change(tx)) ?? null
    const encrypted = encrypt(portal.keys, context, JSON.stringify(reply))
    await sql`update idempotency set reply = ${encrypted} where caller = ${caller} and key = ${key}`.execute(tx)
    return reply
  })
}
