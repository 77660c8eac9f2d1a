import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { EventType, ProviderEvent } from './events.ts'
import { formed, Instant } from './fields.ts'
import { limits } from './limits.ts'
import { ProviderId } from './provider-api.ts'

/**
 * Where events are sent to, in the form of Standard Webhooks 1.0. The provider says where by its API, and the operator to
 * which hosts at all by configuration (R81).
 */

const webhookParams = z.strictObject({ webhook: ProviderId })

const Webhook = z.strictObject({
  url: formed(limits.webhooks.url, /^[^\s\p{Cc}\p{Cf}]+$/u).check(z.url()),
  /** Null: every event. */
  types: z.nullable(z.array(EventType).check(z.minLength(1))),
})

const WebhookState = z.extend(Webhook, {
  webhook: z.string(),
  /** Events that were not delivered yet. */
  waiting: z.int(),
  /** Why the oldest of them that was tried waits; null where none failed. */
  failure: z.nullable(z.string()),
  /** Events that were given up. */
  deadLetters: z.int(),
  /** The secrets that sign, newest first; `endsAt` of one that was replaced. */
  secrets: z.array(z.strictObject({ createdAt: Instant, endsAt: z.nullable(Instant) })),
  createdAt: Instant,
})
export type WebhookState = z.infer<typeof WebhookState>

/** `whsec_` and the base64 of the key: told when it is drawn, and never again. */
const Secret = z.string()

export const putWebhook = endpoint({
  method: 'PUT',
  path: '/provider/v1/webhooks/:webhook',
  summary: 'States where events are sent to, from now on; a new webhook is answered with its `secret`, once',
  access: 'provider',
  params: webhookParams,
  body: Webhook,
  reply: z.extend(WebhookState, { secret: z.nullable(Secret) }),
})

export const getWebhook = endpoint({
  method: 'GET',
  path: '/provider/v1/webhooks/:webhook',
  summary: 'A webhook, and how its deliveries go',
  access: 'provider',
  params: webhookParams,
  reply: WebhookState,
  errors: ['not-found'],
})

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/provider/v1/webhooks',
  summary: 'Every webhook, by its id',
  access: 'provider',
  query: z.strictObject({ after: z.optional(ProviderId) }),
  reply: z.strictObject({ items: z.array(WebhookState), next: z.nullable(z.string()) }),
})

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/provider/v1/webhooks/:webhook',
  summary: 'Ends a webhook, with what it has not delivered',
  access: 'provider',
  params: webhookParams,
  errors: ['not-found'],
})

export const drawWebhookSecret = endpoint({
  method: 'POST',
  path: '/provider/v1/webhooks/:webhook/secret',
  summary: 'Draws another secret; for a day the one before it signs as well',
  access: 'provider',
  params: webhookParams,
  reply: z.strictObject({ secret: Secret, earlierEndsAt: Instant }),
  errors: ['not-found'],
  idempotent: true,
})

export const listDeadLetters = endpoint({
  method: 'GET',
  path: '/provider/v1/webhooks/:webhook/dead-letters',
  summary: 'Events that a webhook has not taken in a day of tries, in their order',
  access: 'provider',
  params: webhookParams,
  query: z.strictObject({ after: z.optional(formed(15, /^\d{1,15}$/)) }),
  reply: z.strictObject({
    items: z.array(z.strictObject({ event: ProviderEvent, tries: z.int(), failure: z.string() })),
    next: z.nullable(z.int()),
  }),
  errors: ['not-found'],
})

export const dropDeadLetters = endpoint({
  method: 'DELETE',
  path: '/provider/v1/webhooks/:webhook/dead-letters',
  summary: 'Drops what was given up, up to the event whose position is `through`: nothing goes that nobody has seen',
  access: 'provider',
  params: webhookParams,
  query: z.strictObject({ through: formed(15, /^\d{1,15}$/) }),
  reply: z.strictObject({ dropped: z.int() }),
  errors: ['not-found'],
})

export const replayDeadLetters = endpoint({
  method: 'POST',
  path: '/provider/v1/webhooks/:webhook/replay',
  summary: 'Tries every event again that was given up',
  access: 'provider',
  params: webhookParams,
  reply: z.strictObject({ replayed: z.int() }),
  errors: ['not-found'],
})
