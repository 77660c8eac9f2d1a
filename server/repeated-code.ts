import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FastifyRequest } from 'fastify'
import { limits } from '../contract/limits.ts'
import { mac, seal, unseal } from './keys.ts'
import type { Portal } from './portal.ts'
import { findSession, sessionCookie } from './session.ts'

/** The cookies that an answer sets; a token of null takes the session's away. */
export type Cookies = { token?: string | null; device?: string; visitor?: string }
export type Answer = { result: unknown; cookies: Cookies }

/** Answers to codes are nobody's of whom an account is known: their key names the session that asked. */
const caller = '00000000-0000-0000-0000-000000000000'
const placeOf = (key: string) => `idempotency ${caller} ${key}`

/** A node that acts says so each second; after so many of silence it has died. */
const lost = 5
const mostWaited = 30_000

export type Flights = Map<string, Promise<Answer>>

/**
 * Answers a request that a code confirms, and the very same request again: while the first is under way, or within the seconds
 * after its success, it gets the first one's answer and does nothing (R112). The same is what has the same session's cookie,
 * address, browser, path and body, so whoever repeats it could have been the first (R22). A failure is nobody's answer: who
 * waited for it asks by itself, one at a time.
 */
export async function answerOnce(
  portal: Portal,
  { flights, keep }: { flights: Flights; keep: boolean },
  request: FastifyRequest,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const token = request.cookies[sessionCookie]
  if (!token) return act()
  const { ip, method, url, headers, body } = request
  const parts = [token, ip, headers['user-agent'] ?? '', method, url, JSON.stringify(body ?? null)]
  const key = mac(portal.keys.code, 'answer', ...parts).toString('base64url')
  for (let first = flights.get(key); first; first = flights.get(key)) {
    const answer = await first.catch(() => undefined)
    if (answer) return answer
  }
  const own = onOneNode(portal, { key, token, keep }, act)
  flights.set(key, own)
  try {
    return await own
  } finally {
    flights.delete(key)
  }
}

/** Lets one node at a time act; the others wait for what comes of it. */
async function onOneNode(
  portal: Portal,
  { key, token, keep }: { key: string; token: string; keep: boolean },
  act: () => Promise<Answer>,
): Promise<Answer> {
  const { db, keys, settings } = portal
  const began = performance.now()
  while (!(await claim(portal, key))) {
    if (performance.now() - began > mostWaited) return act()
    const first = await db
      .selectFrom('idempotency')
      .select('reply')
      .where('caller', '=', caller)
      .where('key', '=', key)
      .executeTakeFirst()
    if (!first) continue
    if (!first.reply) {
      await pause(50)
      continue
    }
    const answer = JSON.parse(unseal(keys, placeOf(key), first.reply)) as Answer
    // What has ended meanwhile is not opened again by what it once got.
    const isLive = await findSession(db, settings, answer.cookies.token ?? token, false)
    return isLive ? answer : act()
  }
  let reply: Buffer | undefined
  const beat = setInterval(() => void touch(portal, key), 1000)
  try {
    const answer = await act()
    if (keep) reply = seal(keys, placeOf(key), JSON.stringify(answer))
    return answer
  } finally {
    clearInterval(beat)
    await leave(portal, key, reply)
  }
}

const touch = ({ db }: Portal, key: string) =>
  sql`update idempotency set created_at = portal_now() where caller = ${caller} and key = ${key} and reply is null`
    .execute(db)
    .catch(() => {})

/** What was done is done, also when this fails: the next one waits for a while then, and asks by itself. */
async function leave({ db }: Portal, key: string, reply: Buffer | undefined): Promise<void> {
  const left = reply
    ? sql`update idempotency set reply = ${reply}, created_at = portal_now() where caller = ${caller} and key = ${key}`
    : sql`delete from idempotency where caller = ${caller} and key = ${key}`
  await left.execute(db).catch(() => {})
}

/** Takes the request, unless another one has: one that is under way, or was done a moment ago. */
async function claim({ db }: Portal, key: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into idempotency as i (caller, key, request_hash) values (${caller}, ${key}, ${Buffer.from(key, 'base64url')})
    on conflict (caller, key) do update set reply = null, created_at = portal_now()
    where i.created_at < portal_now() - make_interval(secs => case when i.reply is null then ${lost}::float8 else ${limits.code.repeated}::float8 end)`.execute(
    db,
  )
  return numAffectedRows === 1n
}
