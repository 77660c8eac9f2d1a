import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { register } from '../../contract/registration.ts'
import { checkBot } from '../bot-check.ts'
import { refund, secondsUntilFree, spend, type Budget } from '../budgets.ts'
import { canonicalLogin } from '../canonical.ts'
import { currentWordings, keepWordings } from '../consents.ts'
import { now } from '../db.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import { networkOf } from '../network.ts'
import { enqueue } from '../outbox.ts'
import type { Portal } from '../portal.ts'
import { refusedByPolicy } from '../sms-policy.ts'

const perHour: Budget = { name: 'registration-hour', ...limits.registration.perHour }
const perDay: Budget = { name: 'registration-day', ...limits.registration.perDay }
const perEmail: Budget = { name: 'registration-email', ...limits.registration.perEmail }

export function serveRegistration(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal

  serve(app, portal, register, async ({ body, address, fail }) => {
    const { botProof, wordings, replaces, terms: _, privacy: __, marketing, ...entered } = body
    const current = currentWordings(settings.brand, body.locale)
    if (current.some(({ kind, sha256 }) => wordings[kind] !== sha256)) throw fail('wording-changed')
    // Without a code by SMS nobody could ever sign in.
    if (refusedByPolicy(portal, body.phone) === 'sms-country-refused') throw fail('sms-country-refused')
    const network = networkOf(address)
    const refused = await payAttempt(network)
    if (refused) throw fail('too-many-attempts', { retryAfter: refused.retryAfter })
    await checkBot(portal, botProof, 'registration', address).catch(async (error: unknown) => {
      // That the checker does not answer is no attempt of anybody's.
      if (error instanceof Failed && error.code === 'bot-check-unavailable')
        await refund(db, keys, [perHour, network], [perDay, network])
      throw error
    })
    // Nothing here looks whether the account exists: that is left to the outbox, so neither answer nor time tells (REG-4, R14, R15).
    const { ok: wanted } = await spend(db, keys, perEmail, canonicalLogin(body.email))
    const registration = randomUUID()
    await db.transaction().execute(async (tx) => {
      await keepWordings(tx, current)
      const { at } = await tx.selectNoFrom(now.as('at')).executeTakeFirstOrThrow()
      await enqueue(tx, keys, {
        channel: 'registration',
        registration,
        ...entered,
        replaces: replaces ?? null,
        consents: current
          .filter(({ kind }) => kind !== 'marketing' || marketing)
          .map(({ text: ___, ...consent }) => consent),
        at: at.toISOString(),
        address,
        wanted,
      })
    })
    return { registration }
  })

  /** The hour's first, so that a burst beyond it takes nothing of the day's; told is the longer wait (R79). */
  async function payAttempt(network: string): Promise<{ retryAfter: number } | undefined> {
    const hour = await spend(db, keys, perHour, network)
    if (!hour.ok) return { retryAfter: Math.max(hour.retryAfter, await secondsUntilFree(db, keys, perDay, network)) }
    const day = await spend(db, keys, perDay, network)
    if (day.ok) return undefined
    await refund(db, keys, [perHour, network])
    return day
  }
}
