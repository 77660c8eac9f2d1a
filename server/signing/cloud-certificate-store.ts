import { sql, type RawBuilder } from 'kysely'

/** No `exists`: for a page of cases, PostgreSQL would read all open requests once, instead of one for each row by its index. */
const isRequestedOf = (reference: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql`
  (select true from status_requests q where ${reference} = ${id} and q.state = 'requested' and q.change <> 'resume') is true`

/** The suspension or revocation of a signature is requested, and not decided yet (STP-8). */
export const isBeingStopped = (signature: RawBuilder<unknown>) => isRequestedOf(sql`q.signature_id`, signature)

/** A valid signature or seal `s` with a key at the signing service. */
export const isInCloud = sql`
  s.product = 'app' and s.status = 'good' and s.valid_from <= portal_now() and s.valid_to > portal_now()`

/** The suspension or revocation of the signature or seal `s` is requested, and not decided yet (STP-8). */
export const isStopping = sql`(${isBeingStopped(sql`s.id`)} or ${isRequestedOf(sql`q.seal_id`, sql`s.id`)})`

/** One that can sign: valid, and not about to be stopped. */
export const signsInCloud = sql`${isInCloud} and not ${isStopping}`
