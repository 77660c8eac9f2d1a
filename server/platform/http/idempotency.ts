import { sql } from 'kysely'
import type { FastifyRequest } from 'fastify'
import { limits } from '../../../contract/limits.ts'
import { commitsLater, type Tx } from '../database/database.ts'
import { ApiError } from '../api-error.ts'
import { findSession, sessionCookie } from '../authentication/session.ts'
import { mac, sameBytes, encrypt, decrypt } from '../encryption/keys.ts'
import type { Portal } from '../portal.ts'

/** The cookies that an answer sets; null removes one. `staff` and `signIn` are the desk's. */
export type Cookies = {
  token?: string | null
  device?: string
  visitor?: string
  staff?: string | null
  signIn?: string | null
}
export type Answer = { result: unknown; cookies: Cookies }

/** The Idempotency-Key of a request that needs one. Throws `idempotency-key-missing`. */
export function idempotencyKey({ headers }: FastifyRequest): string {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || !/^[\w-]{16,64}$/.test(key)) throw new ApiError('idempotency-key-missing')
  return key
}

const replyContext = (caller: string, key: string) => `idempotency ${caller} ${key}`

/**
 * Runs a change once for each Idempotency-Key of a caller: a repetition gets the first answer, the same key with another
 * request is refused (R52). The key is inserted in the change's own transaction, so a concurrent request waits for the first
 * one, and a failed one leaves no trace.
 */
export async function onceOnly(
  portal: Portal,
  key: string,
  caller: string,
  requestHash: Buffer,
  change: (tx: Tx) => Promise<unknown>,
): Promise<unknown> {
  const context = replyContext(caller, key)
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

/** Stands for all callers of codes: the keys of their answers include the session. */
export const codeCaller = '00000000-0000-0000-0000-000000000000'

/**
 * Runs what a one-time code confirms, in transactions of its own, because a wrong entry has to be counted. For a few seconds after its success a
 * repetition gets its answer (R112): the request with the same Idempotency-Key, cookie and body, whose sender has sent the first. Of two at
 * once the code serves one; the other one gets its answer too, if that is there when its own entry has failed.
 */
export async function onceByCode(
  portal: Portal,
  request: FastifyRequest,
  requestHash: Buffer,
  action: () => Promise<Answer>,
): Promise<Answer> {
  const token = request.cookies[sessionCookie]
  if (!token) return action()
  const parts = [token, String(request.headers['idempotency-key']), requestHash.toString('base64url')]
  const key = mac(portal.keys.code, 'answer', ...parts).toString('base64url')
  const first = await keptAnswer(portal, key, token)
  if (first) return first
  try {
    const answer = await action()
    await keepAnswer(portal, key, answer)
    return answer
  } catch (error) {
    const meanwhile = await keptAnswer(portal, key, token)
    if (meanwhile) return meanwhile
    throw error
  }
}

async function keptAnswer({ db, keys, settings }: Portal, key: string, token: string): Promise<Answer | undefined> {
  const { rows } = await sql<{ reply: Buffer }>`
    select reply from idempotency
    where caller = ${codeCaller} and key = ${key} and created_at >= portal_now() - make_interval(secs => ${limits.code.repeated})`.execute(
    db,
  )
  if (!rows[0]) return undefined
  const answer = JSON.parse(decrypt(keys, replyContext(codeCaller, key), rows[0].reply)) as Answer
  // An old answer must not reopen a session that has ended meanwhile.
  return (await findSession(db, settings, answer.cookies.token ?? token, false)) && answer
}

/** If this fails, a repetition finds that the code was used. */
async function keepAnswer({ db, keys }: Portal, key: string, answer: Answer): Promise<void> {
  const reply = encrypt(keys, replyContext(codeCaller, key), JSON.stringify(answer))
  await sql`
    insert into idempotency (caller, key, request_hash, reply)
    select ${codeCaller}, ${key}, ${Buffer.from(key, 'base64url')}, ${reply} where ${commitsLater}
    on conflict (caller, key) do update set reply = excluded.reply, created_at = excluded.created_at`
    .execute(db)
    .catch(() => {})
}
