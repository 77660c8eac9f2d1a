import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { removalFrom, removeExpired } from '../platform/database/expired-rows.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { answerLinkRequest, inviteNewCustomer } from './password-link.ts'
import { register } from './registration.ts'
import { answerRegistration } from './registrations.ts'

export const registrationFeature: ServerFeature = {
  calls: [register],
  deliver: {
    registration: answerRegistration,
    'password-link': answerLinkRequest,
    'customer-invitation': inviteNewCustomer,
  },
  // An unconfirmed registration is removed with its consents, which belong to no one.
  tidy: ({ db }) =>
    removeExpired(db, [
      removalFrom(
        'accounts',
        sql`unconfirmed_key is not null and created_at < portal_now() - make_interval(secs => ${limits.registration.kept})
          and not exists (select from links where account_id = accounts.id and voided_at is null and expires_at > portal_now())`,
      ),
    ]),
}
