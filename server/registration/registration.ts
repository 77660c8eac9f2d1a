import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/registration.ts'
import { currentWordings, addWordings } from '../personal-data/consent-store.ts'
import { ApiError } from '../platform/api-error.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { readDatabaseTime } from '../platform/database/database.ts'
import { removalFrom, removeExpired } from '../platform/database/remove-expired.ts'
import { checkBot } from '../platform/http/bot-check.ts'
import { handler } from '../platform/http/http.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import { refusedByPolicy } from '../platform/messages/sms-policy.ts'
import { networkOf } from '../platform/observability/network.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { charge, settle, type LimitKey } from '../platform/rate-limits/rate-limits.ts'
import { answerLinkRequest, inviteNewCustomer } from './password-link.ts'
import { answerRegistration } from './registrations.ts'

const register = handler(calls.register, async ({ body, address, fail, limit, transaction }, portal) => {
  const { botProof, wordings, replaces, terms: _, privacy: __, marketing, ...entered } = body
  const current = currentWordings(portal.settings.brand, body.locale)
  if (current.some(({ kind, sha256 }) => wordings[kind] !== sha256)) throw fail('wording-changed')
  // Without a code by SMS the customer could never sign in.
  if (refusedByPolicy(portal, body.phone) === 'sms-country-refused') throw fail('sms-country-refused')
  // The hour first, so that a burst beyond it does not use up the day; the customer is shown the longer wait (R79).
  const [hour, day]: [LimitKey, LimitKey] = [
    ['registration-hour', networkOf(address)],
    ['registration-day', networkOf(address)],
  ]
  const charged = await charge(portal.db, portal.keys, hour, { gates: [day] })
  if (!charged.ok) throw fail('too-many-attempts', { retryAfter: Math.max(1, ...charged.waits) })
  await limit('too-many-attempts', day).catch(async (error: unknown) => {
    await settle(portal.db, portal.keys, { refund: hour })
    throw error
  })
  await checkBot(portal, botProof, 'registration', address).catch(async (error: unknown) => {
    // An outage of the bot check does not count as an attempt.
    if (error instanceof ApiError && error.code === 'bot-check-unavailable')
      await settle(portal.db, portal.keys, { refund: [hour, day] })
    throw error
  })
  // Only the outbox checks whether the account exists, so neither the answer nor its time reveals it (REG-4, R14, R15).
  const { ok: wanted } = await charge(portal.db, portal.keys, ['registration-email', canonicalLogin(body.email)])
  const registration = crypto.randomUUID()
  await transaction(async (tx) => {
    await addWordings(tx, current)
    await enqueue(tx, portal.keys, {
      channel: 'registration',
      registration,
      ...entered,
      replaces: replaces ?? null,
      consents: current
        .filter(({ kind }) => kind !== 'marketing' || marketing)
        .map(({ text: ___, ...consent }) => consent),
      at: (await readDatabaseTime(tx)).toISOString(),
      address,
      wanted,
    })
  })
  return { registration }
})

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
