import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const printOpenApi = endpoint('open', 'GET /api/openapi.json', {
  summary: 'This API in OpenAPI 3.1',
  reply: z.looseObject({ openapi: z.string() }),
})

/** The actions that a bot check is for; a proof for one is not valid for another (R77). */
export const BotCheckedAction = z.enum(['sign-in', 'password-reset', 'registration'])
export type BotCheckedAction = z.infer<typeof BotCheckedAction>

/** A proof-of-work challenge of the embedded bot check. */
export const makeBotChallenge = endpoint('open', 'GET /api/bot-challenge', {
  summary: 'A challenge of the embedded bot check (ALTCHA)',
  query: z.strictObject({ action: BotCheckedAction }),
  reply: z.looseObject({}),
  errors: ['not-found'],
})
