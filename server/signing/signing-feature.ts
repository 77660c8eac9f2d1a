import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { removeOldAuthorisations } from './authorisation-store.ts'
import { sendServiceCode, enterServiceCodes, openServicePage, finishAtReturn, signingReturn } from './signing-calls.ts'

export const signingFeature: ServerFeature = {
  calls: [sendServiceCode, enterServiceCodes, openServicePage, finishAtReturn, signingReturn],
  tidy: ({ db }) => removeOldAuthorisations(db),
  erasure: { remove: (id) => [sql`delete from service_authorisations where account_id = ${id}`] },
}
