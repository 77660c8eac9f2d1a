import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { StepUpPurpose } from './step-up-purpose.ts'

/**
 * An endpoint of the API. Server and browser import the same object, so they cannot drift apart; the server serves
 * nothing else, and the OpenAPI documents are generated from it.
 */
export type Endpoint = { access: Access; method: Method; path: Path } & Definition

/**
 * open: anyone · pending: the password was right, the second factor is missing · customer: signed in · provider: a
 * client key · staff: signed in at the desk
 */
type Access = 'open' | 'pending' | 'customer' | 'provider' | 'staff'
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Path = `/api/${string}` | `/provider/v1/${string}` | `/desk/api/${string}`

type Definition = {
  /** Summary of the call in one line. It and `description` are for the OpenAPI documents: the browser's build drops both. */
  summary: string
  /** Further information for callers, as Markdown. */
  description: string
  /** Path parameters that are not ids in the default format of `pathParams`. */
  params?: Record<string, z.ZodMiniType>
  query?: z.ZodMiniObject
  body?: z.ZodMiniType
  /** The media type of the file that the endpoint takes instead of JSON. */
  upload?: 'application/pdf' | 'application/x-ndjson'
  /** Maximum size of that file in bytes; `limits.http.pdfBytes` by default. */
  maxBytes?: number
  reply?: z.ZodMiniType
  /** Whether the reply may have megabytes: the server writes it piece by piece, and others are served in between (R264). */
  streamed?: true
  /**
   * A line of NDJSON: of the upload, if there is one; or else of the stream that `Accept: application/x-ndjson` gets in
   * place of the reply.
   */
  ndjsonLine?: z.ZodMiniType
  /** The media types of the file with which the endpoint answers instead of JSON. */
  download?: readonly string[]
  /** Whether the file or reply may be kept, if each time it is asked by its `ETag` whether it has changed; if not, the answer is 304. */
  revalidated?: true
  errors?: readonly ErrorCode[]
  /** The purpose of the fresh second factor that the call requires, for the object that the path names or the account itself (AUT-7). */
  stepUp?: StepUpPurpose
  /** Whether the browser calls it by itself, so that it does not count as the customer's activity (R6). */
  background?: true
  /** Whether the browser keeps its last reply, a first page or a summary, and shows it while the portal cannot be reached (OFF-2). */
  offlineCopy?: true
  /**
   * Whether the answer may take up to `limits.http.awaitedMs`, longer than connections live otherwise: until the customer has
   * confirmed in another app (SGN-4), or while much of the audit trail is read (DSK-14, DSK-15).
   */
  takesLong?: true
  /**
   * Whether the reply has no personal data, only ids, states or what the caller sent, so that the reading is not
   * audited (R172). For calls of the provider only.
   */
  impersonal?: true
  /**
   * Whether it takes an Idempotency-Key and answers a repetition with the first result, because it must not be executed twice (R52).
   * `code`: a code confirms it; the answer is given again for a few seconds only (R112), and each page has one key for all of them.
   */
  idempotent?: true | 'code'
}

/** The header of a call that the browser repeats by itself, such as polling for a document: no activity of the customer either (R6). */
export const backgroundHeader = 'x-background'

/** The header with the id of the customer whose page sends a call: the session of another one refuses it (R265). */
export const customerHeader = 'x-customer'

/**
 * Declares an endpoint: `endpoint('customer', 'GET /api/passkeys', { … })`. Access has no default, so a new endpoint cannot be open by
 * oversight (R34, R35). The types of access, method and path are those literals.
 */
export function endpoint<const A extends Access, const R extends `${Method} ${Path}`, const D extends Definition>(
  access: A,
  route: R,
  definition: D,
) {
  const [method, path] = route.split(' ')
  return { access, ...({ method, path } as RouteOf<R>), ...definition }
}

/** Returns the path of a call: that of the endpoint with values in place of its parameters. */
export const callPath = ({ path }: Endpoint, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

/** Returns the reply and the errors of an endpoint that reads the object in its path. */
export const readsOne = <const S extends z.ZodMiniType>(reply: S) => ({ reply, errors: ['not-found'] }) as const

type RouteOf<R> = R extends `${infer M extends Method} ${infer P extends Path}` ? { method: M; path: P } : never

/** `/api/seals/:id/users/:user` → `'id' | 'user'`. */
type NameIn<P> = P extends `${string}/:${infer N}/${infer Rest}`
  ? N | NameIn<`/${Rest}`>
  : P extends `${string}/:${infer N}`
    ? N
    : never

type Field<E, K extends string> = K extends keyof E ? E[K] : undefined
type Out<S> = S extends z.ZodMiniType ? z.output<S> : undefined
type In<S> = S extends z.ZodMiniType ? z.input<S> : undefined

export type Params<E> = [NameIn<Field<E, 'path'>>] extends [never]
  ? undefined
  : { [N in NameIn<Field<E, 'path'>>]: N extends keyof Field<E, 'params'> ? Out<Field<E, 'params'>[N]> : string }
export type Query<E> = Out<Field<E, 'query'>>
export type Body<E> = Out<Field<E, 'body'>>
export type Reply<E> = Out<Field<E, 'reply'>>
/** Value that a handler returns for a reply, or for a part of one: a time may be a `Date`, which is written in ISO 8601. */
export type Given<S> = In<S>
export type Failure<E> = Field<E, 'errors'> extends readonly (infer C extends ErrorCode)[] ? C : never

/** The parts of a request that the endpoint declares. */
export type Input<E> = (Params<E> extends undefined ? unknown : { params: Params<E> }) &
  (E extends { query: infer Q } ? { query?: In<Q> } : unknown) &
  (E extends { body: infer B } ? { body: In<B> } : unknown) &
  (E extends { idempotent: true } ? { idempotencyKey: string } : unknown)
