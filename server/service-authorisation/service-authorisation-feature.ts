import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import {
  enterServiceCodes,
  finishAtReturn,
  openServicePage,
  sendServiceCode,
  serveSigningReturn,
} from './authorisation-calls.ts'
import { removeOldAuthorisations } from './authorisation-store.ts'

export const serviceAuthorisationFeature: ServerFeature = {
  calls: [sendServiceCode, enterServiceCodes, openServicePage, finishAtReturn, serveSigningReturn],
  tidy: ({ db }) => removeOldAuthorisations(db),
  erasure: { remove: (id) => [sql`delete from service_authorisations where account_id = ${id}`] },
}
