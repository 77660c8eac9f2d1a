import { sql } from 'kysely'
import type { FastifyRequest } from 'fastify'
import type { Tx } from './db.ts'
import { Failed } from './failure.ts'
import { sameBytes, seal, unseal } from './keys.ts'
import type { Portal } from './portal.ts'

/**
 * Runs an act once for each Idempotency-Key of a caller: a repetition gets the first answer, the same key with
 * another request is refused (R52). The key is taken in the act's own transaction, so a request that comes while
 * the first is running waits for it, and one that failed leaves no trace.
 */
export async function onceOnly(
  portal: Portal,
  request: FastifyRequest,
  caller: string,
  requestHash: Buffer,
  act: (tx: Tx) => Promise<unknown>,
): Promise<unknown> {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !/^[\w-]{16,64}$/.test(key)) throw new Failed('idempotency-key-missing')
  const place = `idempotency ${caller} ${key}`
  return portal.db.transaction().execute(async (tx) => {
    const taken = await sql`
      insert into idempotency (caller, key, request_hash) values (${caller}, ${key}, ${requestHash}) on conflict do nothing`.execute(
      tx,
    )
    if (!taken.numAffectedRows) {
      const first = await tx
        .selectFrom('idempotency')
        .select(['request_hash', 'reply'])
        .where('caller', '=', caller)
        .where('key', '=', key)
        .executeTakeFirstOrThrow()
      if (!sameBytes(first.request_hash, requestHash)) throw new Failed('idempotency-key-reused')
      return JSON.parse(unseal(portal.keys, place, first.reply!)) as unknown
    }
    const reply = (await act(tx)) ?? null
    await tx
      .updateTable('idempotency')
      .set({ reply: seal(portal.keys, place, JSON.stringify(reply)) })
      .where('caller', '=', caller)
      .where('key', '=', key)
      .execute()
    return reply
  })
}
