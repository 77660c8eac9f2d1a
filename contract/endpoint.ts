import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { ClientGroup, StepUpPurpose } from './enums.ts'

/**
 * One call of the API. Server and browser import the same object, so they cannot drift apart;
 * the server serves nothing that is not an endpoint, and OpenAPI is printed from it.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/api/${string}` | `/provider/v1/${'client-key' | ClientGroup | `${ClientGroup}/${string}`}`
  summary: string
  /**
   * Who may call. There is no default, so a new endpoint cannot be open by oversight (R34, R35).
   * open: anyone · pending: the password was right, the second factor is missing · customer: signed in · provider: a client key
   */
  access: 'open' | 'pending' | 'customer' | 'provider'
  params?: z.ZodMiniObject
  query?: z.ZodMiniObject
  body?: z.ZodMiniType
  /** Takes a file instead of JSON: the only media type it accepts. */
  upload?: 'application/pdf' | 'application/x-ndjson'
  /** Bytes of that file; `limits.http.pdfBytes` unless said. */
  largest?: number
  reply?: z.ZodMiniType
  /** Answers with a file instead of JSON: the media types it may send. */
  download?: readonly string[]
  errors?: readonly ErrorCode[]
  /** Asks for a fresh second factor for this purpose and the object named by the path, or else the account itself (AUT-7). */
  stepUp?: StepUpPurpose
  /** The browser calls it on its own, so it does not count as the customer's activity (R6). */
  background?: true
  /** Must not happen twice: takes an Idempotency-Key and answers a repetition with the first result (R52). */
  idempotent?: true
  /**
   * A code in its body confirms it: the very same request at the same time gets the answer of the first (R112). `used-up`: also
   * within seconds after it, for the code counts no more then.
   */
  code?: 'used-up' | 'stays'
}

/** Marks a call that the browser repeats on its own, such as a look whether a document is ready: it is no activity either (R6). */
export const backgroundHeader = 'x-background'

export const endpoint = <const E extends Endpoint>(e: E): E => e

type Field<E, K extends string> = K extends keyof E ? E[K] : undefined
type Out<S> = S extends z.ZodMiniType ? z.output<S> : undefined
type In<S> = S extends z.ZodMiniType ? z.input<S> : undefined

export type Params<E> = Out<Field<E, 'params'>>
export type Query<E> = Out<Field<E, 'query'>>
export type Body<E> = Out<Field<E, 'body'>>
export type Reply<E> = Out<Field<E, 'reply'>>
export type Failure<E> = Field<E, 'errors'> extends readonly (infer C extends ErrorCode)[] ? C : never

/** What the caller passes: only the parts that the endpoint declares. */
export type Input<E> = (E extends { params: infer P } ? { params: In<P> } : unknown) &
  (E extends { query: infer Q } ? { query?: In<Q> } : unknown) &
  (E extends { body: infer B } ? { body: In<B> } : unknown) &
  (E extends { idempotent: true } ? { idempotencyKey: string } : unknown)
