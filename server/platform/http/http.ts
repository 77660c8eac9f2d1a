import { createHash } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import * as z from 'zod/mini'
import { parse } from 'zod/v4/core'
import type { Body, Endpoint, Failure, Params, Query, Reply } from '../contract/endpoint.ts'
import { fieldProblems, type ErrorCode, type FieldProblem, type ProblemData } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { compiledReply } from './compiled-schema.ts'
import type { Tx } from './db.ts'
import { deviceCookie } from './devices.ts'
import { Failed } from './failure.ts'
import { onceOnly } from './idempotency.ts'
import { visitorCookie } from './passkey-visitors.ts'
import type { Portal } from './portal.ts'
import { authenticate, type ProviderClient } from './authenticate.ts'
import { answerOnce, type Answer, type Cookies, type Flights } from './repeated-code.ts'
import { sessionCookie, type LiveSession } from './session.ts'
import { isSteppedUp } from './step-up.ts'

/** A file that an endpoint with `download` answers with. */
export type FileReply = { name: string; type: string; bytes: number; content: Readable | Buffer }

export type Call<E> = {
  params: Params<E>
  query: Query<E>
  body: Body<E>
  /** The file of an endpoint with `upload`. */
  upload: E extends { upload: string } ? Readable : undefined
  session: E extends { access: 'customer' | 'pending' } ? LiveSession : undefined
  client: E extends { access: 'provider' } ? ProviderClient : undefined
  /** The peer's network address, with a trusted proxy's word for it (R67). */
  address: string
  /** What the browser says of itself. */
  userAgent: string
  /** The transaction of an idempotent endpoint, in which its whole effect must be. */
  tx: E extends { idempotent: true } ? Tx : undefined
  /** The session's token as the browser sent it; for starting and ending sessions only. */
  token: string | undefined
  /** What the device is known by, if it was signed in from before (R17). */
  device: string | undefined
  /** What ties the challenge of a passkey to a browser before anybody is signed in (R121). */
  visitor: string | undefined
  /** `throw fail('code')`: only codes that the endpoint declares compile. */
  fail: (code: Failure<E>, data?: ProblemData) => Error
  /** Puts a new session token into the answer; null takes it away. */
  setToken: (token: string | null) => void
  setDevice: (token: string) => void
  setVisitor: (token: string) => void
}

type Result<E> = E extends { download: readonly string[] }
  ? FileReply
  : E extends { reply: z.ZodMiniType }
    ? Reply<E>
    : void

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** Routes that are no endpoints: pages and static files. They may be read by anyone and change nothing. */
    page?: true
    /** Costs next to nothing, as a file does: it is not counted (R110). */
    uncounted?: true
    /** The one route for reports of browsers, which changes nothing either. */
    reports?: true
  }
}

/** Binds one endpoint of the contract to its handler. Input and reply are both checked; access is by `authenticate`. */
export function serve<const E extends Endpoint>(
  app: FastifyInstance,
  portal: Portal,
  endpoint: E,
  handle: (call: Call<E>) => Promise<Result<E>>,
): void {
  const replySchema = endpoint.reply && compiledReply(endpoint.reply)
  const flights: Flights = new Map()
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    handler: async (request, reply) => {
      const { result, cookies } = endpoint.code
        ? await answerOnce(portal, { flights, keep: endpoint.code === 'used-up' }, request, () => respond(request))
        : await respond(request)
      putCookies(reply, cookies)
      return answer(endpoint, reply, result)
    },
  })

  async function respond(request: FastifyRequest): Promise<Answer> {
    const cookies: Cookies = {}
    const { session, client } = await authenticate(portal, endpoint, request)
    // A client key has a rate of its own, wherever its calls come from (R80).
    if (client) app.requestRates.giveBack(request.ip)
    const params = checked(endpoint.params, request.params)
    const object = (params as { id?: string }).id ?? session?.accountId
    if (endpoint.stepUp && !(await isSteppedUp(portal.db, session!.id, endpoint.stepUp, object!)))
      throw new Failed('step-up-required')
    const call = {
      params,
      query: checked(endpoint.query, request.query),
      body: endpoint.upload ? undefined : checked(endpoint.body, request.body),
      upload: endpoint.upload ? request.body : undefined,
      session,
      client,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      token: request.cookies[sessionCookie],
      device: request.cookies[deviceCookie],
      visitor: request.cookies[visitorCookie],
      fail: (code: ErrorCode, data?: ProblemData) => new Failed(code, data),
      setToken: (token: string | null) => void (cookies.token = token),
      setDevice: (token: string) => void (cookies.device = token),
      setVisitor: (token: string) => void (cookies.visitor = token),
    }
    const run = async (tx: Tx | undefined) => {
      const result = await handle(Object.assign(call, { tx }) as unknown as Call<E>)
      return replySchema ? parse(replySchema, result) : result
    }
    const caller = session?.accountId ?? client?.id
    const result = endpoint.idempotent
      ? await onceOnly(portal, request, caller!, requestHash(request), run)
      : await run(undefined)
    return { result, cookies }
  }
}

/** The payload, which the handler returns: a reply returned in its place would be waited for until it is sent. */
function answer(endpoint: Endpoint, reply: FastifyReply, result: unknown) {
  if (!endpoint.download) return endpoint.reply ? result : void reply.code(204)
  const file = result as FileReply
  reply
    .header('content-type', file.type)
    .header('content-length', file.bytes)
    .header('content-disposition', contentDisposition(file.name))
    .header('content-security-policy', "default-src 'none'; sandbox")
  return file.content
}

/** RFC 6266: an ASCII name for old clients, and the real one by RFC 8187. Names are ours, but quoted all the same (R49). */
export function contentDisposition(name: string): string {
  const clean = name.toWellFormed().replace(/[\p{Cc}\p{Cf}/\\]/gu, '')
  const ascii = clean.normalize('NFKD').replace(/[^\w .()-]/g, '') || 'file'
  const extended = encodeURIComponent(clean).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extended}`
}

/** Out of reach for scripts and for every other origin (R5). */
const ownCookie = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const

function putCookies(reply: FastifyReply, { token, device, visitor }: Cookies) {
  if (token === null) reply.clearCookie(sessionCookie, ownCookie)
  else if (token !== undefined) reply.setCookie(sessionCookie, token, ownCookie)
  if (device !== undefined) reply.setCookie(deviceCookie, device, { ...ownCookie, maxAge: limits.device.days * 86_400 })
  if (visitor !== undefined)
    reply.setCookie(visitorCookie, visitor, { ...ownCookie, maxAge: limits.passkeys.challenge })
}

const requestHash = (request: FastifyRequest) =>
  createHash('sha256')
    .update(`${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest()

/** What an endpoint does not declare must not be sent (R37). */
const nothing = z.strictObject({})
const isNothing = (input: unknown) => input === undefined || input === null || Object.keys(input).length === 0

function checked(schema: z.ZodMiniType | undefined, input: unknown) {
  return schema || !isNothing(input) ? parsed(schema ?? nothing, input) : {}
}

function parsed(schema: z.ZodMiniType, input: unknown) {
  const result = schema.safeParse(input ?? {})
  if (!result.success) throw new Failed('invalid-input', { fields: fieldsOf(result.error.issues) })
  return result.data
}

/** More would tell no person anything, and would make a long answer out of a short request (R70). */
const fieldsAtMost = 50

/** One problem a field, the first one found: what the form of the same schema would say (VAL-3). */
export function fieldsOf(issues: readonly z.core.$ZodIssue[]): NonNullable<ProblemData['fields']> {
  const fields = new Map<string, FieldProblem>()
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) fields.set([...issue.path, key].join('.'), 'unknown-field')
    else {
      const name = issue.path.join('.')
      const known = (fieldProblems as readonly string[]).includes(issue.message)
      if (!fields.has(name)) fields.set(name, known ? (issue.message as FieldProblem) : 'format')
    }
  }
  return [...fields].slice(0, fieldsAtMost).map(([name, problem]) => ({ name, problem }))
}
