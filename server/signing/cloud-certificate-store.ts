import { sql } from 'kysely'

/** An active signature or seal `s` with a key at the signing service. */
export const signsInCloud = sql`
  s.product = 'app' and s.status = 'good' and s.valid_from <= portal_now() and s.valid_to > portal_now()`
