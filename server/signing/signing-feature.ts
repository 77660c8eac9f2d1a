import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { removeOldAuthorisations } from './authorisation-store.ts'
import { serveSigning } from './signing-calls.ts'

export const signingFeature: ServerFeature = {
  serve: [serveSigning],
  tidy: ({ db }) => removeOldAuthorisations(db),
  erasure: { remove: (id) => [sql`delete from service_authorisations where account_id = ${id}`] },
}
