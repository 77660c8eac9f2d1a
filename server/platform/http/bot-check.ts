import * as calls from '../../../contract/bot-check.ts'
import type { BotCheckedAction } from '../../../contract/bot-check.ts'
import { ApiError } from '../api-error.ts'
import type { Portal } from '../portal.ts'
import { rateLimit } from '../rate-limits/rate-limit-table.ts'
import { charge } from '../rate-limits/rate-limits.ts'
import { handler } from './http.ts'

/**
 * Checks the proof of a bot check: the checker verifies it for this action, and it is accepted once over all nodes (R77). Any
 * other outcome refuses, also while the checker is unreachable.
 */
export async function checkBot(portal: Portal, proof: string, action: BotCheckedAction, address: string) {
  const { verdict, nonce, expiresInSeconds } = await portal.ports.botCheck.verify(proof, { action, address })
  if (verdict === 'unreachable') throw new ApiError('bot-check-unavailable', { retryAfter: 30 })
  if (verdict === 'refused') throw new ApiError('bot-check-refused')
  const once = rateLimit('bot-proof', { window: Math.max(1, Math.ceil(expiresInSeconds)) })
  if (!(await charge(portal.db, portal.keys, [once, nonce])).ok) throw new ApiError('bot-check-refused')
}

export const makeBotChallenge = handler(calls.makeBotChallenge, async ({ query, fail }, portal) => {
  const { createChallenge: challenge } = portal.ports.botCheck
  if (!challenge) throw fail('not-found')
  return challenge(query.action)
})
