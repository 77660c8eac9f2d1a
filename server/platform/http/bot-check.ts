import type { FastifyInstance } from 'fastify'
import { makeBotChallenge, type BotCheckedAction } from '../contract/meta.ts'
import { spend } from './budgets.ts'
import { Failed } from './failure.ts'
import { serve } from './http.ts'
import type { Portal } from './portal.ts'

/**
 * Whether a proof shows that no robot is at work: judged by the checker, for our action, and counted once over all
 * nodes (R77). Anything short of that refuses; an unreachable checker lets nobody in.
 */
export async function checkBot(
  portal: Portal,
  proof: string,
  action: BotCheckedAction,
  address: string,
): Promise<void> {
  const { verdict, nonce, expiresInSeconds } = await portal.ports.botCheck.verify(proof, { action, address })
  if (verdict === 'unreachable') throw new Failed('bot-check-unavailable', { retryAfter: 30 })
  if (verdict === 'refused') throw new Failed('bot-check-refused')
  const once = { name: 'bot-proof', limit: 1, window: Math.max(1, Math.ceil(expiresInSeconds)) }
  if (!(await spend(portal.db, portal.keys, once, nonce)).ok) throw new Failed('bot-check-refused')
}

export function serveBotChallenge(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, makeBotChallenge, async ({ query, fail }) => {
    const { challenge } = portal.ports.botCheck
    if (!challenge) throw fail('not-found')
    return challenge(query.action)
  })
}
