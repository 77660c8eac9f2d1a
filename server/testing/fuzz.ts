import * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { errorStatus, Problem, type ErrorCode } from '../../contract/errors.ts'
import { fill, nameOf } from './calls.ts'
import type { TestPortal } from './portal-nodes.ts'
import { openTestProvider } from './provider.ts'
import {
  hostileForwarding,
  makeUp,
  numbersFrom,
  remember,
  schemaOf,
  spoiledFile,
  texts,
  wellFormed,
} from './samples/fuzz-values.ts'
import { makeActors, makeOwner, type Actor, type Owner } from './samples/sample-objects.ts'

/** Codes that any endpoint may answer without declaring them, because they come from checks before its handler. */
const common: readonly ErrorCode[] = [
  'malformed-request',
  'invalid-input',
  'signed-out',
  'client-key-refused',
  'cross-site-request',
  'not-found',
  'method-not-allowed',
  'body-too-large',
  'url-too-long',
  'unsupported-media-type',
  'headers-too-large',
  'too-many-requests',
]

/** Internal details that no answer may contain (R72). */
const internals = /node_modules|\bat .{1,80}\.ts:\d+|relation "|syntax error at|violates .{1,40}constraint|ECONN/

function findingIn(
  endpoint: Endpoint,
  method: string,
  answer: { status: number; headers: Headers; text: string },
): string | undefined {
  const { status, headers, text } = answer
  const type = headers.get('content-type') ?? ''
  const caching =
    endpoint.revalidated && status < 400 && method !== 'OPTIONS' ? /^(?:no-store|private, no-cache)$/ : /^no-store$/
  if (!caching.test(headers.get('cache-control') ?? '') || headers.get('x-content-type-options') !== 'nosniff')
    return 'headers'
  if (internals.test(text)) return 'has internal details'
  if (method === 'HEAD') return text || status >= 500 ? `${status} to HEAD` : undefined
  if (status === 304 && endpoint.revalidated) return text ? 'a body with 304' : undefined
  if (status < 300) {
    if (method !== endpoint.method) return undefined
    if (endpoint.download)
      return endpoint.download.some((allowed) => type.startsWith(allowed)) ? undefined : `a file of ${type}`
    if (!endpoint.reply) return status === 204 && !text ? undefined : 'an unexpected body'
    const found = z.safeParse(endpoint.reply, JSON.parse(text))
    return found.success ? undefined : `outside its schema: ${z.prettifyError(found.error)}`
  }
  if (!type.startsWith('application/problem+json')) return `${status} as ${type}`
  const problem = z.safeParse(Problem, JSON.parse(text))
  if (!problem.success) return 'not a problem of RFC 9457'
  const code = problem.data.code as ErrorCode
  if (errorStatus[code] !== status) return `${code} as ${status}`
  const own: readonly ErrorCode[] = [
    ...(endpoint.errors ?? []),
    ...common,
    ...(endpoint.stepUp ? (['step-up-required'] as const) : []),
    ...(endpoint.idempotent ? (['idempotency-key-missing', 'idempotency-key-reused'] as const) : []),
  ]
  if (status >= 500 && !endpoint.errors?.includes(code)) return `${status} ${code}`
  return own.includes(code) || method !== endpoint.method ? undefined : `${code}, which the contract does not declare`
}

export type FuzzRun = { findings: string[]; statuses: Record<number, number>; perActor: Record<string, number> }

const atOnce = 8
/** Requests after which new customers with new sessions and objects take over. */
const generation = 2000

/**
 * Sends requests that are generated from the contract's schemas and then corrupted, as each of R34's actors, about the sender's
 * own objects and another customer's. Every answer must be one of the contract, without data of others.
 */
export async function fuzz(
  portal: TestPortal,
  { requests, seed, onGeneration }: { requests: number; seed: number; onGeneration?: (sent: number) => void },
): Promise<FuzzRun> {
  const fuzzer = await openFuzzer(portal, seed)
  const { provider, pick, run } = fuzzer
  for (let sent = 0; sent < requests;) {
    const own = await makeOwner(portal, provider)
    const actors = await makeActors(portal, own.browser)
    const busy = actors.filter(({ opens }) => opens === 'customer' || opens === 'provider')
    const end = Math.min(requests, sent + generation)
    while (sent < end) {
      // Otherwise most answers would be rate limits.
      if (sent % 200 === 0) await portal.owner.query('delete from rate_limits')
      const batch = Math.min(atOnce, end - sent)
      const senders = Array.from({ length: batch }, (_, i) =>
        i % 2 ? pick(busy) : actors[((sent + i) / 2) % actors.length]!,
      )
      await Promise.all(senders.map((actor) => sendRequest(fuzzer, actor, own)))
      sent += batch
    }
    await portal.deliver()
    onGeneration?.(end)
  }
  return run
}

/** Draws requests by a seed, and gathers what their answers show. */
async function openFuzzer(portal: TestPortal, seed: number) {
  const random = numbersFrom(seed)
  const provider = await openTestProvider(portal)
  const seen = new Set<string>()
  const run: FuzzRun = { findings: [], statuses: {}, perActor: {} }
  const victim = await makeOwner(portal, provider)
  const secrets = [victim.person.email, victim.person.phone, victim.person.login].filter(
    (text): text is string => !!text && text.length > 6,
  )
  return { portal, provider, random, seen, ...makeUp(random, seen), run, victim, secrets }
}

type Fuzzer = Awaited<ReturnType<typeof openFuzzer>>

async function sendRequest(fuzzer: Fuzzer, actor: Actor, own: Owner): Promise<void> {
  const { portal, provider, victim, seen, run, pick, chance } = fuzzer
  const { endpoints } = portal.app
  // Mostly endpoints that the actor may call, since refusals find little.
  const endpoint = pick(
    actor.opens && chance(0.8) ? endpoints.filter(({ access }) => access === actor.opens) : endpoints,
  )
  const about = chance(0.5) ? own.objects : victim.objects
  const { path: good, body: known, upload, headers: usual } = await fill(endpoint, about, provider)
  for (const text of good.split(/[/?&=]/)) seen.add(decodeURIComponent(text))
  const schema = endpoint.body && schemaOf(endpoint.body)
  const made = schema && chance(0.5) ? fuzzer.value(schema) : known
  remember(made, seen)
  const content = endpoint.body && chance(0.7) ? fuzzer.spoiled(made) : made
  const method = chance(0.03) ? pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) : endpoint.method
  const path = chance(0.25) ? good.replace(/[^/?=&]+$/, () => encodeURIComponent(wellFormed(pick(texts)))) : good
  const query = chance(0.1)
    ? `${path.includes('?') ? '&' : '?'}${pick(['size', 'cursor', 'x', 'status', 'size=1&size'])}=${encodeURIComponent(wellFormed(pick(texts)))}`
    : ''
  const headers: Record<string, string> = {
    ...usual,
    ...(chance(0.05)
      ? { 'content-type': pick(['text/plain', 'application/json; charset=utf-7', 'application/xml', '']) }
      : {}),
    ...(chance(0.05) ? { 'idempotency-key': pick(['', 'x', 'y'.repeat(200), '../../..']) } : {}),
    ...(chance(0.05) ? { 'x-forwarded-for': pick(hostileForwarding) } : {}),
    ...(chance(0.03) ? { range: 'bytes=0-1,5-', 'if-none-match': '*', accept: 'text/html' } : {}),
    ...(actor.key ? { authorization: `Bearer ${actor.key}` } : {}),
  }
  const raw = chance(0.03)
    ? pick(['{', '[]', '"x"', '{"a":1,"a":2}', 'null', '\u0000', '{"__proto__":{"x":1}}', 'x'.repeat(70_000)])
    : undefined
  const bytes = upload && chance(0.6) ? spoiledFile(upload, fuzzer.random) : upload
  const sends = method !== 'GET' && method !== 'HEAD'
  const response = await actor.browser
    .raw(
      method,
      path + query,
      sends ? (raw ?? bytes ?? (content === undefined ? undefined : JSON.stringify(content))) : undefined,
      headers,
    )
    // fetch() refuses some requests, which never reach the portal.
    .catch((error: unknown) =>
      /invalid|Request with GET|unsupported/i.test((error as Error).message)
        ? undefined
        : Promise.reject(error as Error),
    )
  if (!response) return
  const text = await response.text()
  run.statuses[response.status] = (run.statuses[response.status] ?? 0) + 1
  run.perActor[actor.name] = (run.perActor[actor.name] ?? 0) + 1
  const finding =
    findingIn(endpoint, method, { status: response.status, headers: response.headers, text }) ??
    (actor.key !== portal.clientKey && fuzzer.secrets.some((secret) => text.includes(secret))
      ? 'has data of another customer'
      : undefined)
  if (finding)
    run.findings.push(
      `${actor.name}: ${method} ${nameOf(endpoint)} ${path}${query} ${(raw ?? JSON.stringify(content) ?? '').slice(0, 300)} → ${response.status} ${finding}`,
    )
}
