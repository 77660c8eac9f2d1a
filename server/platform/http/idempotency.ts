import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyRequest, FastifyReply } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { ApiError } from '../api-error.ts'
import { findSession, sessionCookie } from '../authentication/session.ts'
import { query, commitsLater, type Db, type Tx } from '../database/database.ts'
import { mac, sameBytes, encrypt, decrypt } from '../encryption/keys.ts'
import type { Portal } from '../portal.ts'
import type { Cookies } from './cookies.ts'

export type RepeatableAnswer = { result: unknown; cookies: Cookies }

/** Returns the Idempotency-Key of a request that needs one, or throws `idempotency-key-missing`. */
export function idempotencyKey(request: FastifyRequest): string {
  const key = findKey(request)
  if (key === undefined) throw new ApiError('idempotency-key-missing')
  return key
}

function findKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  return typeof key === 'string' && /^[\w-]{16,64}$/.test(key) ? key : undefined
}

const replyContext = (caller: string, key: string) => `idempotency ${caller} ${key}`

/** Hashes the method, address and body of a request. The body of a file upload is left out, because it has been read by then. */
export const hashRequest = ({ method, url, body }: FastifyRequest) =>
  hash('sha256', `${method} ${url}\n${JSON.stringify(body instanceof Readable ? null : (body ?? null))}`, 'buffer')

/**
 * Runs a change once for each Idempotency-Key of a caller: a repetition gets the first answer, the same key with another
 * request is refused (R52). The key is inserted in the change's own transaction, so a concurrent request waits for the first
 * one, and a failed one leaves no trace.
 */
export async function runOnce(
  portal: Portal,
  key: string,
  caller: string,
  requestHash: Buffer,
  change: (tx: Tx) => Promise<unknown>,
): Promise<unknown> {
  const context = replyContext(caller, key)
  return portal.db.transaction().execute(async (tx) => {
    const isFirst = await query(tx).changesOne(sql`
      insert into idempotency (caller, key, request_hash) values (${caller}, ${key}, ${requestHash}) on conflict do nothing`)
    if (!isFirst) {
      const first = await query(tx).one(sql<{ requestHash: Buffer; reply: Buffer }>`
        select request_hash, reply from idempotency where caller = ${caller} and key = ${key}`)
      if (!sameBytes(first.requestHash, requestHash)) throw new ApiError('idempotency-key-reused')
      return JSON.parse(decrypt(portal.keys, context, first.reply))
    }
    const reply = (await change(tx)) ?? null
    const encrypted = encrypt(portal.keys, context, JSON.stringify(reply))
    await query(tx).run(sql`update idempotency set reply = ${encrypted} where caller = ${caller} and key = ${key}`)
    return reply
  })
}

/** The caller of all answers to codes, whose keys include the session. */
export const codeCaller = '00000000-0000-0000-0000-000000000000'

/**
 * Runs what a one-time code confirms, in transactions of its own, because a wrong entry has to be counted. A repetition
 * gets the first answer, for which it waits, until a few seconds after the success (R112): the request with the same
 * Idempotency-Key, cookie and body, whose sender has sent the first. A failure is not shared. After `maxSeconds`
 * the first one counts as lost with its node.
 */
export async function runOnceByCode(
  portal: Portal,
  request: FastifyRequest,
  { requestHash, maxSeconds }: { requestHash: Buffer; maxSeconds: number },
  action: () => Promise<RepeatableAnswer>,
): Promise<RepeatableAnswer> {
  const { db, keys, settings } = portal
  const token = request.cookies[sessionCookie]
  const givenKey = findKey(request)
  // The action refuses the request.
  if (!token || givenKey === undefined) return action()
  const parts = [token, givenKey, requestHash.toString('base64url')]
  const key = mac(keys.code, 'answer', ...parts).toString('base64url')
  const context = replyContext(codeCaller, key)
  const keyCondition = sql`caller = ${codeCaller} and key = ${key}`
  for (const start = performance.now(); !(await reserve(db, key, maxSeconds)); await pause(50)) {
    const row = await query(db).first(
      sql<{ reply: Buffer | null }>`select reply from idempotency where ${keyCondition}`,
    )
    if (row?.reply) {
      const first = JSON.parse(decrypt(keys, context, row.reply)) as RepeatableAnswer
      // An old answer must not reopen a session that has ended meanwhile.
      return (await findSession(db, settings, first.cookies.token ?? token, false)) ? first : action()
    }
    if (performance.now() - start > maxSeconds * 1000) return action()
  }
  // If these fail, a repetition waits, and then finds that the code was used.
  const end = (statement: RawBuilder<unknown>) =>
    query(db)
      .run(statement)
      .catch(() => {})
  try {
    const answer = await action()
    const reply = encrypt(keys, context, JSON.stringify(answer))
    await end(
      sql`update idempotency set reply = ${reply}, created_at = portal_now() where ${keyCondition} and ${commitsLater}`,
    )
    return answer
  } catch (error) {
    await end(sql`delete from idempotency where ${keyCondition} and ${commitsLater}`)
    throw error
  }
}

/** Reserves a key; false while a request with it is running or was answered a moment ago. */
function reserve(db: Db, key: string, maxSeconds: number): Promise<boolean> {
  return query(db).changesOne(sql`
    insert into idempotency as i (caller, key, request_hash) select ${codeCaller}, ${key}, ${Buffer.from(key, 'base64url')} where ${commitsLater}
    on conflict (caller, key) do update set reply = null, created_at = portal_now()
    where i.created_at < portal_now() - make_interval(secs => case when i.reply is null then ${maxSeconds}::float8 else ${limits.code.repeatFor}::float8 end)`)
}

/** An answer that clients may keep, if they ask each time whether it has changed (RFC 9110 §13.1.2). */
type KeptAnswer = { content: Buffer; etag: string }

export const keptAnswer = (content: Buffer): KeptAnswer => ({
  content,
  etag: `"${hash('sha256', content, 'base64url')}"`,
})

/**
 * Sends the content, or 304 without content to a client that has it already. A 304 leaves out the `headers` that describe the content,
 * because the client would apply them to its stored copy (RFC 9111 §3.2).
 */
export function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: KeptAnswer,
  headers: Record<string, string>,
) {
  reply.headers({ etag: answer.etag, 'cache-control': 'private, no-cache' })
  return isKnown(request, answer) ? reply.code(304).send() : reply.headers(headers).send(answer.content)
}

function isKnown({ method, headers }: FastifyRequest, { etag }: KeptAnswer) {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim())
  // Fastify cannot leave out the content of a HEAD twice.
  return method === 'GET' && known.some((tag) => tag === etag || tag === `W/${etag}` || tag === '*')
}

/** The result of an endpoint whose reply clients may keep. */
export type StoredReply<R> = {
  /** The reply, which is the same object for as long as nothing in it has changed. */
  reply: R
  /** The time when the reply was read. */
  at: Date
  /** Charges a limit before the content is sent; not called for a client that has it already. */
  charge?: () => Promise<void>
}

/**
 * Returns the function that sends the kept replies of an endpoint. Only the newest reply is kept, so that each is checked and encoded once.
 */
export function keptReplies(checked: (reply: unknown) => unknown) {
  let newest: { reply: unknown; answer: KeptAnswer } | undefined
  const answerFor = (reply: unknown) => {
    if (newest && newest.reply === reply) return newest.answer
    const answer = keptAnswer(Buffer.from(JSON.stringify(checked(reply))))
    newest = { reply, answer }
    return answer
  }
  return async (request: FastifyRequest, reply: FastifyReply, result: StoredReply<unknown>) => {
    const answer = answerFor(result.reply)
    if (!isKnown(request, answer)) await result.charge?.()
    reply.header('date', result.at.toUTCString())
    return sendKept(request, reply, answer, { 'content-type': 'application/json; charset=utf-8' })
  }
}
