import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Instant, text, Uuid } from '../fields.ts'
import { deskLimits } from './desk-limits.ts'

const channel = z.enum(['mail', 'sms'])

const Undelivered = z.strictObject({
  id: Uuid,
  channel,
  createdAt: Instant,
  tries: z.int(),
  cause: z.string(),
  /** Masked; null if the message cannot be read. */
  recipient: z.nullable(z.string()),
  /** Null if it failed permanently. */
  nextTryAt: z.nullable(Instant),
})
export type Undelivered = z.infer<typeof Undelivered>

export const listUndelivered = endpoint('staff', 'GET /desk/api/operations/messages', {
  summary: 'E-mails and text messages that were not delivered, with masked recipients',
  description:
    'The newest that failed permanently, and the newest that are tried again; and how many failed of each cause.',
  query: z.strictObject({ channel: z.optional(channel) }),
  reply: z.strictObject({
    items: z.array(Undelivered),
    /** Whether there are older ones. */
    more: z.boolean(),
    /** Of those that failed permanently. */
    causes: z.array(z.strictObject({ channel, cause: z.string(), messages: z.int() })),
  }),
})

export const resendUndelivered = endpoint('staff', 'POST /desk/api/operations/messages/resend', {
  summary: 'Sends messages that failed permanently again: one, or those of one cause',
  description: 'At most 500 in a call, the oldest first. An expired code is not sent.',
  body: z.strictObject({
    which: z.union([
      z.strictObject({ id: Uuid }),
      z.strictObject({ channel, cause: text(deskLimits.cause).check(z.minLength(1)) }),
    ]),
  }),
  reply: z.strictObject({ resent: z.int() }),
})
