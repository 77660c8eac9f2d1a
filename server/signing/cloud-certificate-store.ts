import { sql, type RawBuilder } from 'kysely'

/** No `exists`: for a page of cases, PostgreSQL would read all open requests once, instead of one for each row by its index. */
const isRequestedOf = (reference: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql`
  (select true from status_requests q where ${reference} = ${id} and q.state = 'requested' and q.change <> 'resume') is true`

/** The suspension or revocation of a signature is requested, and not decided yet (STP-8). */
export const isBeingStopped = (signature: RawBuilder<unknown>) => isRequestedOf(sql`q.signature_id`, signature)

/** An active signature or seal `s` with a key at the signing service; none whose suspension or revocation is requested (STP-8). */
export const signsInCloud = sql`
  s.product = 'app' and s.status = 'good' and s.valid_from <= portal_now() and s.valid_to > portal_now()
    and not (${isBeingStopped(sql`s.id`)}) and not (${isRequestedOf(sql`q.seal_id`, sql`s.id`)})`
