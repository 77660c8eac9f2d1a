import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { text } from './fields.ts'

export const BotCheckedAction = component(
  'BotCheckedAction',
  'The action that a bot check is for; a proof for one is not valid for another.',
  z.enum(['sign-in', 'password-reset', 'registration', 'lost-phone']),
)
export type BotCheckedAction = z.infer<typeof BotCheckedAction>

export const BotProof = described('The proof of a bot check, as its script returns it.', text(4096))

export const makeBotChallenge = endpoint('open', 'GET /api/bot-challenge', {
  summary: 'Returns a challenge of the embedded bot check (ALTCHA)',
  description: 'Only with the embedded bot check; another one brings its own challenges.',
  query: z.strictObject({ action: described('The action that the proof is for.', BotCheckedAction) }),
  reply: z.looseObject({}),
  errors: ['not-found'],
})
