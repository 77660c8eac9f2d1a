import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const printOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'This API in OpenAPI 3.1',
  access: 'open',
  reply: z.looseObject({ openapi: z.string() }),
})

/** What a bot check is made for; a proof for one act is none for another (R77). */
export const BotCheckedAction = z.enum(['sign-in', 'password-reset', 'registration'])
export type BotCheckedAction = z.infer<typeof BotCheckedAction>

/** A proof-of-work challenge of the embedded bot check. */
export const makeBotChallenge = endpoint({
  method: 'GET',
  path: '/api/bot-challenge',
  summary: 'A challenge of the embedded bot check (ALTCHA)',
  access: 'open',
  query: z.strictObject({ action: BotCheckedAction }),
  reply: z.looseObject({}),
  errors: ['not-found'],
})
