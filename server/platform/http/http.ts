import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { parse } from 'zod/v4/core'
import type { AuditAction } from '../../../contract/audit-actions.ts'
import { rolesFor } from '../../../contract/desk/desk-permissions.ts'
import type { Body, Endpoint, Failure, Params, Query, Given } from '../../../contract/endpoint.ts'
import { fieldProblems, type ErrorCode, type FieldProblem, type ProblemData } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { pathParams } from '../../../contract/path-params.ts'
import { ApiError, orThrow, type Refusal } from '../api-error.ts'
import type { AuditEntry } from '../audit/audit-entry.ts'
import { addAuditEntry } from '../audit/audit.ts'
import { findAccountOfCustomer } from '../authentication/account-names.ts'
import {
  actorDetails,
  authenticate,
  invalidateSession,
  mayContinue,
  staffDetails,
  type ProviderClient,
} from '../authentication/authenticate.ts'
import type { LiveSession } from '../authentication/session.ts'
import type { StaffSession } from '../authentication/staff-session.ts'
import { isSteppedUp } from '../authentication/step-up.ts'
import type { Db, Tx } from '../database/database.ts'
import type { Handler, Portal } from '../portal.ts'
import { charge, takeToken, type LimitKeys } from '../rate-limits/rate-limits.ts'
import { compiledReply } from './compiled-schema.ts'
import { contentDisposition } from './content-disposition.ts'
import { putCookies, readCookies, type Cookies, type SentCookies } from './cookies.ts'
import { readPage, readPageById, type PageAt, type PageRequest } from './cursor.ts'
import {
  idempotencyKey,
  runOnceByCode,
  runOnce,
  hashRequest,
  type RepeatableAnswer,
  keptAnswer,
  keptReplies,
  sendKept,
  type StoredReply,
} from './idempotency.ts'

/** The file that an endpoint with `download` returns. */
export type FileReply = {
  name: string
  type: string
  /** The length; undefined for a stream that is written as it is sent. */
  bytes?: number
  content: Readable | Buffer
}

export type Call<E> = {
  params: Params<E>
  query: Query<E>
  body: Body<E>
  /** The file of an endpoint with `upload`. */
  upload: E extends { upload: string } ? Readable : undefined
  session: E extends { access: 'customer' | 'pending' } ? LiveSession : undefined
  client: E extends { access: 'provider' } ? ProviderClient : undefined
  /** The member of the provider's staff who calls. */
  staff: E extends { access: 'staff' } ? StaffSession : undefined
  /** Whether the answer has to be a stream of the endpoint's lines. */
  wantsLines: boolean
  /** Charges one more call to the rate of the client; false if none is left. */
  mayContinue: () => Promise<boolean>
  /** The peer's network address; behind a trusted proxy, the one that it reports (R67). */
  address: string
  userAgent: string
  /**
   * Runs the call's changes in one transaction, with an `audit` that adds the actor, the address and the account. The whole
   * effect of an idempotent endpoint is in it, its reply included.
   */
  transaction: <T>(change: (tx: Tx, audit: BoundAudit) => Promise<T>) => Promise<T>
  /** Reads one page of a list, with the cursor of the next one; `rowsAfter` returns one row more than fits, if there is one. */
  page: <Row, Position extends object>(
    request: PageRequest,
    rowsAfter: (after: Position | undefined, size: number) => Promise<readonly Row[]>,
    positionOf: (row: Row) => Position,
  ) => Promise<{ rows: Row[]; next: string | null }>
  /** Reads one page of a list that is ordered by id, for programs. */
  pageById: <Row extends { id: string }>(
    request: Omit<PageRequest, 'size'> & { size?: number },
    rowsAfter: (at: PageAt) => Promise<readonly Row[]>,
  ) => Promise<{ rows: Row[]; next: string | null }>
  /** Says whose data a call of the provider reads, for its audit entry, if neither the call nor the answer names the customer (R172). */
  isAbout: (accountId: string | null) => void
  /** The tokens that the browser sent as cookies; for starting and ending sessions only. */
  cookies: SentCookies
  /** Sets cookies in the answer; null removes one. */
  setCookies: (cookies: Cookies) => void
  /** Returns the error of a refusal, for `throw fail('code')`: only codes that the endpoint declares compile. */
  fail: (code: Failure<E>, data?: ProblemData) => Error
  /** Charges rate limits, all or none, or fails with a code that the endpoint declares. Returns the tries that each still has. */
  limit: (code: Failure<E>, limitKeys: LimitKeys, db?: Db) => Promise<[number, ...number[]]>
  /** Returns the row; throws 'not-found', which the endpoint has to declare, if there is none. */
  orNotFound: 'not-found' extends Failure<E> ? <Row>(row: Row | undefined | null) => Row : never
  /** Returns the result of a step, or throws its refusal, whose code the endpoint has to declare. */
  orFail: <Result extends (object & { refused?: Failure<E> }) | undefined>(result: Result) => Exclude<Result, Refusal>
}

/** A function that adds an audit entry, about the customer who calls unless `accountId` is given. */
export type BoundAudit = (
  action: AuditAction,
  details?: AuditEntry['details'],
  accountId?: string | null,
) => Promise<void>

type Result<E> = E extends { download: readonly string[] }
  ? FileReply
  : E extends { reply: infer R extends z.ZodMiniType; revalidated: true }
    ? StoredReply<Given<R>>
    : E extends { reply: z.ZodMiniType; streamed: true }
      ? Readable
      : E extends { reply: infer R extends z.ZodMiniType }
        ? Given<R> | Lines<E>
        : void

/** The pages of a stream of lines. */
type Lines<E> = E extends { ndjsonLine: infer L extends z.ZodMiniType } ? AsyncIterable<Given<L>[]> : never

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** Whether the route is a page or a static file and no endpoint: anyone may read it, and it changes nothing. */
    page?: true
    /** Whether the route is neither an endpoint nor a page, but is rate-limited like them (R110). */
    counted?: true
    /** Whether the route is so cheap that it is not rate-limited, such as that of a file (R110). */
    uncounted?: true
    /** Whether the route is the one for reports of browsers, which changes nothing either. */
    reports?: true
  }
}

/** Makes a call of the contract out of its endpoint and the function that answers it, to be listed by a feature. */
export const handler =
  <const E extends Endpoint, P extends Portal = Portal>(
    endpoint: E,
    handle: (call: Call<E>, portal: P) => Promise<Result<E>>,
  ): Handler<P> =>
  (app, portal) =>
    serve(app, portal, endpoint, (call) => handle(call, portal))

/** Binds one endpoint of the contract to its handler. Input and reply are both checked; access is by `authenticate`. */
export function serve<const E extends Endpoint>(
  app: FastifyInstance,
  portal: Portal,
  endpoint: E,
  handle: (call: Call<E>) => Promise<Result<E>>,
): void {
  // No call of the desk is open to every role by oversight.
  if (endpoint.access === 'staff') rolesFor(endpoint)
  const paramsSchema = pathParams(endpoint)
  const replySchema = endpoint.reply && compiledReply(endpoint.reply)
  const answerKept = endpoint.revalidated && replySchema && keptReplies((kept) => parse(replySchema, kept))
  const lineSchema = endpoint.ndjsonLine && !endpoint.upload ? compiledReply(endpoint.ndjsonLine) : undefined
  if (endpoint.method === 'GET' && endpoint.reply && !endpoint.revalidated)
    app.readsInPages.set(endpoint, async (request) => (await respond(request)).result)
  const maxSeconds = endpoint.takesLong ? limits.http.awaitedMs / 1000 : defaultCallSeconds
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    handler: async (request, reply) => {
      if (endpoint.takesLong) waitForAnswer(app, request, reply)
      const { result, cookies } =
        endpoint.idempotent === 'code'
          ? await runOnceByCode(portal, request, { requestHash: hashRequest(request), maxSeconds }, () =>
              respond(request),
            )
          : await respond(request)
      putCookies(reply, cookies)
      if (answerKept) return answerKept(request, reply, result as StoredReply<unknown>)
      return answer(endpoint, request, reply, result)
    },
  })

  async function respond(request: FastifyRequest): Promise<RepeatableAnswer> {
    const access = await authenticate(portal, endpoint, request)
    const { session, client, staff } = access
    // A client key has a rate of its own, wherever its calls come from (R80).
    if (client) app.requestRates.refund(request.ip)
    const params = checked(paramsSchema, request.params)
    const object = (params as { id?: string }).id ?? session?.accountId
    if (endpoint.stepUp && !(session && object && (await isSteppedUp(portal.db, session.id, endpoint.stepUp, object))))
      throw new ApiError('step-up-required')
    const caller = session?.accountId ?? client?.id ?? staff?.id
    const exchange: Exchange = { ...access, request, caller, cookies: {}, isAudited: false, about: null }
    const call = createCall(portal, endpoint, exchange, params)
    const run = async (own?: Tx) => {
      exchange.own = own
      const result = await handle(call as unknown as Call<E>)
      if (lineSchema && call.wantsLines)
        return Readable.from(writeLines(result as AsyncIterable<unknown[]>, lineSchema), { highWaterMark: 1 })
      return replySchema && !answerKept && !endpoint.streamed ? parse(replySchema, result) : result
    }
    const key = endpoint.idempotent && idempotencyKey(request)
    const result =
      key && endpoint.idempotent === true ? await runOnce(portal, key, caller!, hashRequest(request), run) : await run()
    const read = client && !exchange.isAudited && describeRead(endpoint, call, result)
    if (read) await recordRead(portal, exchange, read, result)
    return { result, cookies: exchange.cookies }
  }
}

/** A request with its sender, and what its handler has done so far. */
type Exchange = Awaited<ReturnType<typeof authenticate>> & {
  request: FastifyRequest
  /** The id of the sender, unless anybody may send it. */
  caller: string | undefined
  cookies: Cookies
  isAudited: boolean
  /** The account that `isAbout` has named. */
  about: string | null
  /** The transaction that keeps the answer with the change, if the endpoint is idempotent. */
  own?: Tx | undefined
}

/** Returns the call that the handler gets. */
function createCall(portal: Portal, endpoint: Endpoint, exchange: Exchange, params: unknown) {
  const { request, session, client, staff, caller, cookies } = exchange
  const pages: Pick<Call<Endpoint>, 'page' | 'pageById'> = {
    page: (page, ...reading) => readPage(portal.keys, { ...page, owner: caller! }, ...reading),
    pageById: (page, rowsAfter) =>
      readPageById(portal.keys, { size: limits.list.largest, ...page, owner: caller! }, rowsAfter),
  }
  return {
    params,
    query: checked(endpoint.query, request.query),
    body: endpoint.upload ? undefined : checked(endpoint.body, request.body),
    upload: endpoint.upload ? request.body : undefined,
    session,
    client,
    staff,
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    wantsLines:
      !!endpoint.ndjsonLine && !endpoint.upload && request.method === 'GET' && acceptsLines(request.headers.accept),
    mayContinue: () => mayContinue(portal, client!),
    transaction: <T>(change: (tx: Tx, audit: BoundAudit) => Promise<T>) => {
      const runAudited = (tx: Tx) => change(tx, bindAudit(exchange, tx))
      return exchange.own ? runAudited(exchange.own) : portal.db.transaction().execute(runAudited)
    },
    isAbout: (accountId: string | null) => {
      exchange.about = accountId
    },
    cookies: readCookies(request.cookies),
    setCookies: (set: Cookies) => {
      Object.assign(cookies, set)
      if (set.token !== undefined) invalidateSession(request)
    },
    fail: (code: ErrorCode, data?: ProblemData) => new ApiError(code, data),
    limit: async (code: ErrorCode, limitKeys: LimitKeys, db: Db = portal.db) => {
      const charged = await charge(db, portal.keys, limitKeys)
      if (!charged.ok) throw new ApiError(code, { retryAfter: charged.retryAfter })
      return charged.left
    },
    orNotFound,
    orFail: orThrow,
    ...pages,
  }
}

function actorOf({ client, staff }: Exchange): AuditEntry['actor'] {
  if (client) return 'provider'
  return staff ? 'staff' : 'customer'
}

const bindAudit =
  (exchange: Exchange, tx: Tx): BoundAudit =>
  (action, details, accountId = exchange.session?.accountId ?? null) => {
    const { client, staff, request } = exchange
    exchange.isAudited = true
    return addAuditEntry(tx, {
      action,
      accountId,
      actor: actorOf(exchange),
      address: request.ip,
      details: { ...(client && actorDetails(client)), ...(staff && staffDetails(staff)), ...details },
    })
  }

/** Time limit of a call without `takesLong`, in seconds; after it the request is lost with its node (R112). */
const defaultCallSeconds = 15

/** A polling client would write an entry each second: equal readings with the same number of items are recorded once a minute (R172). */
const entriesOfReading = { name: 'data-read', perSecond: 1 / 60, burst: 60 }

/**
 * Returns what a call of the provider has read about people, by ids and counts, and the customer whose data it is; undefined if it read
 * nothing. A change that returns its object is recorded by its own entry, or else as a reading too, so that no repetition reads unseen
 * (R172).
 */
function describeRead(
  { method, path, impersonal, reply, download }: Endpoint,
  { params, query }: { params: unknown; query: unknown },
  result: unknown,
) {
  if (impersonal || method === 'DELETE' || !(reply || download)) return undefined
  const { items, customer: owner } = result as { items?: unknown[]; customer?: string | null }
  if (items?.length === 0) return undefined
  const ids = params as Record<string, string>
  const { customer } = query as { customer?: string }
  const count = items?.length
  return {
    customer: ids['customer'] ?? customer ?? owner ?? undefined,
    details: {
      read: path.slice('/provider/v1/'.length),
      ...ids,
      ...(customer === undefined ? {} : { customer }),
      ...(count === undefined ? {} : { found: count }),
    },
  }
}

/** Closes the file and throws if the reading cannot be recorded: it is not sent then. */
async function recordRead(
  portal: Portal,
  exchange: Exchange,
  { details, customer }: NonNullable<ReturnType<typeof describeRead>>,
  result: unknown,
): Promise<void> {
  const { request, caller, about } = exchange
  const question = [caller!, request.ip, hashRequest(request).toString('base64'), String(details.found ?? '')]
  try {
    await portal.db.transaction().execute(async (tx) => {
      if (!(await takeToken(tx, portal.keys, entriesOfReading, ...question))) return
      const account = about ?? (customer === undefined ? null : await findAccountOfCustomer(tx, customer))
      await bindAudit(exchange, tx)('data-read', details, account)
    })
  } catch (error) {
    const { content } = result as Partial<FileReply>
    if (content && 'destroy' in content) content.destroy()
    throw error
  }
}

/** Returns the payload for the route to return: Fastify would wait for a returned reply until it is sent. */
function answer(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply, result: unknown) {
  if (result instanceof Readable) {
    reply.header('content-type', endpoint.streamed ? 'application/json; charset=utf-8' : linesType)
    return result
  }
  if (!endpoint.download) return endpoint.reply ? result : void reply.code(204)
  const file = result as FileReply
  const headers = {
    'content-type': file.type,
    'content-disposition': contentDisposition(file.name),
    'content-security-policy': "default-src 'none'; sandbox",
  }
  if (endpoint.revalidated && file.content instanceof Buffer)
    return sendKept(request, reply, keptAnswer(file.content), headers)
  reply.headers(headers).headers(file.bytes === undefined ? {} : { 'content-length': file.bytes })
  return file.content
}

/** Lets the connection be idle while the answer is made, also between parts of a file, but not while its client reads it slowly (R69). */
function waitForAnswer(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const { socket } = request.raw
  let idleMs = 0
  socket.setTimeout(limits.http.awaitedMs)
  reply.raw.once('pipe', () => socket.setTimeout(app.server.timeout))
  reply.raw.on('timeout', () => {
    idleMs += socket.timeout ?? 0
    if (socket.writableLength || idleMs >= limits.http.awaitedMs) socket.destroy()
    else socket.setTimeout(socket.timeout ?? 0)
  })
}

const linesType = 'application/x-ndjson'

const acceptsLines = (accept = '') =>
  accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const isRefused = parameters.some((parameter) => parameter.startsWith('q=') && Number(parameter.slice(2)) === 0)
    return type === linesType && !isRefused
  })

async function* writeLines(pages: AsyncIterable<unknown[]>, schema: z.core.$ZodType) {
  for await (const page of pages) yield page.map((line) => `${JSON.stringify(parse(schema, line))}\n`).join('')
}

function orNotFound<Row>(row: Row | undefined | null): Row {
  if (row === undefined || row === null) throw new ApiError('not-found')
  return row
}

/** Input that an endpoint does not declare is refused (R37). */
const nothing = z.strictObject({})
const isNothing = (input: unknown) => input === undefined || input === null || Object.keys(input).length === 0

function checked(schema: z.ZodMiniType | undefined, input: unknown) {
  return schema || !isNothing(input) ? parsed(schema ?? nothing, input) : {}
}

function parsed(schema: z.ZodMiniType, input: unknown) {
  const result = schema.safeParse(input ?? {})
  if (!result.success) throw new ApiError('invalid-input', { fields: fieldsOf(result.error.issues) })
  return result.data
}

/** Maximum number of fields in one answer: more would help nobody, and would make a long answer to a short request (R70). */
const maxFields = 50

/** Returns the first problem of each field, as the form of the same schema shows it (VAL-3). */
export function fieldsOf(issues: readonly z.core.$ZodIssue[]): NonNullable<ProblemData['fields']> {
  const fields = new Map<string, FieldProblem>()
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) fields.set([...issue.path, key].join('.'), 'unknown-field')
    else {
      const name = issue.path.join('.')
      const known = fieldProblems.find((problem) => problem === issue.message)
      if (!fields.has(name)) fields.set(name, known ?? 'format')
    }
  }
  return [...fields].slice(0, maxFields).map(([name, problem]) => ({ name, problem }))
}
