import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FastifyRequest } from 'fastify'
import { limits } from '../../../contract/limits.ts'
import { commitsLater } from '../database/database.ts'
import { mac, encrypt, decrypt } from '../encryption/keys.ts'
import type { Portal } from '../portal.ts'
import { findSession, sessionCookie } from './session.ts'

/** The cookies that an answer sets; null removes one. `staff` and `signIn` are the desk's. */
export type Cookies = {
  token?: string | null
  device?: string
  visitor?: string
  staff?: string | null
  signIn?: string | null
}
export type Answer = { result: unknown; cookies: Cookies }

/** Answers to codes have no caller in the table: their key already includes the session. */
const caller = '00000000-0000-0000-0000-000000000000'
const replyContext = (key: string) => `idempotency ${caller} ${key}`

/** A working node renews its row every second; after this many seconds without it, the node has died. */
const lostAfterSeconds = 5
const longestWaitMs = 30_000

export type RequestsInFlight = Map<string, Promise<Answer>>

/**
 * Answers a request that a code confirms. The same request again, while the first is in progress or within seconds after its
 * success, gets the first one's answer and does nothing (R112). It must have the same session cookie, address, browser, path
 * and body, so its sender could have sent the first (R22). A failure is not shared: waiting requests then run one at a time.
 */
export async function answerOnce(
  portal: Portal,
  { inFlight, keep }: { inFlight: RequestsInFlight; keep: boolean },
  request: FastifyRequest,
  action: () => Promise<Answer>,
): Promise<Answer> {
  const token = request.cookies[sessionCookie]
  if (!token) return action()
  const { ip, method, url, headers, body } = request
  const parts = [token, ip, headers['user-agent'] ?? '', method, url, JSON.stringify(body ?? null)]
  const key = mac(portal.keys.code, 'answer', ...parts).toString('base64url')
  for (let first = inFlight.get(key); first; first = inFlight.get(key)) {
    const answer = await first.catch(() => undefined)
    if (answer) return answer
  }
  const own = runOnOneNode(portal, { key, token, keep }, action)
  inFlight.set(key, own)
  try {
    return await own
  } finally {
    inFlight.delete(key)
  }
}

/** Runs the action on one node at a time; the others wait for its answer. */
async function runOnOneNode(
  portal: Portal,
  { key, token, keep }: { key: string; token: string; keep: boolean },
  action: () => Promise<Answer>,
): Promise<Answer> {
  const { db, keys, settings } = portal
  const startedAt = performance.now()
  while (!(await acquire(portal, key))) {
    if (performance.now() - startedAt > longestWaitMs) return action()
    const {
      rows: [first],
    } = await sql<{ reply: Buffer | null }>`
      select reply from idempotency where caller = ${caller} and key = ${key}`.execute(db)
    if (!first) continue
    if (!first.reply) {
      await pause(50)
      continue
    }
    const answer = JSON.parse(decrypt(keys, replyContext(key), first.reply)) as Answer
    // An old answer must not reopen a session that has ended meanwhile.
    const isLive = await findSession(db, settings, answer.cookies.token ?? token, false)
    return isLive ? answer : action()
  }
  let reply: Buffer | undefined
  const heartbeat = setInterval(() => void keepAlive(portal, key), 1000)
  try {
    const answer = await action()
    if (keep) reply = encrypt(keys, replyContext(key), JSON.stringify(answer))
    return answer
  } finally {
    clearInterval(heartbeat)
    await release(portal, key, reply)
  }
}

const keepAlive = ({ db }: Portal, key: string) =>
  sql`update idempotency set created_at = portal_now() where caller = ${caller} and key = ${key} and reply is null`
    .execute(db)
    .catch(() => {})

/** Stores the answer or removes the row. If this fails, the next request waits until the row has expired, and then runs. */
async function release({ db }: Portal, key: string, reply: Buffer | undefined): Promise<void> {
  const statement = reply
    ? sql`update idempotency set reply = ${reply}, created_at = portal_now() where caller = ${caller} and key = ${key} and ${commitsLater}`
    : sql`delete from idempotency where caller = ${caller} and key = ${key} and ${commitsLater}`
  await statement.execute(db).catch(() => {})
}

/** Reserves the request, unless another node works on it or finished it a moment ago. */
async function acquire({ db }: Portal, key: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into idempotency as i (caller, key, request_hash) select ${caller}, ${key}, ${Buffer.from(key, 'base64url')} where ${commitsLater}
    on conflict (caller, key) do update set reply = null, created_at = portal_now()
    where i.created_at < portal_now() - make_interval(secs => case when i.reply is null then ${lostAfterSeconds}::float8 else ${limits.code.repeated}::float8 end)`.execute(
    db,
  )
  return numAffectedRows === 1n
}
