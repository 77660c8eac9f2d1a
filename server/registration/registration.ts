import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { register } from '../../contract/registration.ts'
import { checkBot } from '../platform/http/bot-check.ts'
import { refund, secondsUntilFree, chargeAttempt, type RateLimit } from '../platform/rate-limits/rate-limits.ts'
import { canonicalLogin } from '../platform/authentication/canonical.ts'
import { currentWordings, keepWordings } from '../personal-data/consent-store.ts'
import { ApiError } from '../platform/api-error.ts'
import { serve } from '../platform/http/http.ts'
import { networkOf } from '../platform/observability/network.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { currentTime } from './registration-store.ts'
import { refusedByPolicy } from '../platform/messages/sms-policy.ts'

const perHour: RateLimit = { name: 'registration-hour', ...limits.registration.perHour }
const perDay: RateLimit = { name: 'registration-day', ...limits.registration.perDay }
const perEmail: RateLimit = { name: 'registration-email', ...limits.registration.perEmail }

export function serveRegistration(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal

  serve(app, portal, register, async ({ body, address, fail, transaction }) => {
    const { botProof, wordings, replaces, terms: _, privacy: __, marketing, ...entered } = body
    const current = currentWordings(settings.brand, body.locale)
    if (current.some(({ kind, sha256 }) => wordings[kind] !== sha256)) throw fail('wording-changed')
    // Without a code by SMS the customer could never sign in.
    if (refusedByPolicy(portal, body.phone) === 'sms-country-refused') throw fail('sms-country-refused')
    const network = networkOf(address)
    const refused = await refusalByLimits(network)
    if (refused) throw fail('too-many-attempts', { retryAfter: refused.retryAfter })
    await checkBot(portal, botProof, 'registration', address).catch(async (error: unknown) => {
      // An outage of the bot check does not count as an attempt.
      if (error instanceof ApiError && error.code === 'bot-check-unavailable')
        await refund(db, keys, [perHour, network], [perDay, network])
      throw error
    })
    // Only the outbox checks whether the account exists, so neither the answer nor its time reveals it (REG-4, R14, R15).
    const { ok: wanted } = await chargeAttempt(db, keys, perEmail, canonicalLogin(body.email))
    const registration = randomUUID()
    await transaction(async (tx) => {
      await keepWordings(tx, current)
      await enqueue(tx, keys, {
        channel: 'registration',
        registration,
        ...entered,
        replaces: replaces ?? null,
        consents: current
          .filter(({ kind }) => kind !== 'marketing' || marketing)
          .map(({ text: ___, ...consent }) => consent),
        at: (await currentTime(tx)).toISOString(),
        address,
        wanted,
      })
    })
    return { registration }
  })

  /** Charges the hour first, so that a burst beyond it does not use up the day; the customer is shown the longer wait (R79). */
  async function refusalByLimits(network: string): Promise<{ retryAfter: number } | undefined> {
    const hour = await chargeAttempt(db, keys, perHour, network)
    if (!hour.ok) return { retryAfter: Math.max(hour.retryAfter, await secondsUntilFree(db, keys, perDay, network)) }
    const day = await chargeAttempt(db, keys, perDay, network)
    if (day.ok) return undefined
    await refund(db, keys, [perHour, network])
    return day
  }
}
