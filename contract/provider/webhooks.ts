import * as z from 'zod/mini'
import { endpoint, readsOne } from '../endpoint.ts'
import { EventType, ProviderEvent } from './events.ts'
import { formed, Instant, ProviderId } from '../fields.ts'
import { limits } from '../limits.ts'
import { pageOf } from '../list-pages.ts'

/**
 * The URLs that events are sent to, in the format of Standard Webhooks 1.0. The provider sets them by its API; the operator
 * configures the allowed hosts (R81).
 */

const Webhook = z.strictObject({
  url: formed(limits.webhooks.url, /^[^\s\p{Cc}\p{Cf}]+$/u).check(z.url()),
  /** Null for all events. */
  types: z.nullable(z.array(EventType).check(z.minLength(1))),
})

const WebhookState = z.extend(Webhook, {
  webhook: z.string(),
  /** Events that have not been delivered yet. */
  waiting: z.int(),
  /** Why the oldest of them that was tried failed; null if none failed. */
  failure: z.nullable(z.string()),
  /** Events that failed permanently. */
  deadLetters: z.int(),
  /** The secrets that sign, newest first; a replaced one has `endsAt`. */
  secrets: z.array(z.strictObject({ createdAt: Instant, endsAt: z.nullable(Instant) })),
  createdAt: Instant,
})
export type WebhookState = z.infer<typeof WebhookState>

/** `whsec_` and the key in base64: shown only once, when it is created. */
const Secret = z.string()

export const putWebhook = endpoint('provider', 'PUT /provider/v1/webhooks/:webhook', {
  summary:
    'Sets where events are sent to from now on; the answer for a new webhook has its `secret`, which is shown only once',
  description:
    'The operator has to allow the host of `url` (`WEBHOOK_HOSTS`). `types` null stands for all events. If you lose the `secret`, make a new one.',
  body: Webhook,
  reply: z.extend(WebhookState, { secret: z.nullable(Secret) }),
})

export const getWebhook = endpoint('provider', 'GET /provider/v1/webhooks/:webhook', {
  summary: 'A webhook and the state of its deliveries',
  impersonal: true,
  description:
    'How many events wait, why the oldest one has failed, how many have failed permanently, and the ages of its secrets. The secrets themselves are never shown again.',
  ...readsOne(WebhookState),
})

export const listWebhooks = endpoint('provider', 'GET /provider/v1/webhooks', {
  summary: 'All webhooks, by id',
  impersonal: true,
  description: 'Pass `next` as `after` to get the next page; it is null on the last page.',
  query: z.strictObject({ after: z.optional(ProviderId) }),
  reply: pageOf(WebhookState),
})

export const deleteWebhook = endpoint('provider', 'DELETE /provider/v1/webhooks/:webhook', {
  summary: 'Removes a webhook, with its undelivered events',
  description: 'No further events are sent to it. They are still in the feed.',
  errors: ['not-found'],
})

export const drawWebhookSecret = endpoint('provider', 'POST /provider/v1/webhooks/:webhook/secret', {
  summary: 'Creates a new secret; for a day the previous one signs as well',
  impersonal: true,
  description:
    'Add the new secret to your receiver, then remove the old one: both sign every event until `earlierEndsAt`.',
  reply: z.strictObject({ secret: Secret, earlierEndsAt: Instant }),
  errors: ['not-found'],
  idempotent: true,
})

export const listDeadLetters = endpoint('provider', 'GET /provider/v1/webhooks/:webhook/dead-letters', {
  summary: 'Events that failed permanently after a day of retries, in their order',
  impersonal: true,
  description: 'Each with its number of tries and the last failure. Pass `next` as `after` to get the next page.',
  query: z.strictObject({ after: z.optional(formed(15, /^\d{1,15}$/)) }),
  reply: z.strictObject({
    items: z.array(z.strictObject({ event: ProviderEvent, tries: z.int(), failure: z.string() })),
    next: z.nullable(z.int()),
  }),
  errors: ['not-found'],
})

export const dropDeadLetters = endpoint('provider', 'DELETE /provider/v1/webhooks/:webhook/dead-letters', {
  summary: 'Drops permanently failed events up to the position `through`, so that none is dropped unseen',
  description:
    'Read the list first, and pass the position of the last event in it as `through`. The events are still in the feed.',
  query: z.strictObject({ through: formed(15, /^\d{1,15}$/) }),
  reply: z.strictObject({ dropped: z.int() }),
  errors: ['not-found'],
})

export const replayDeadLetters = endpoint('provider', 'POST /provider/v1/webhooks/:webhook/replay', {
  summary: 'Retries all events that failed permanently',
  impersonal: true,
  description: 'They arrive out of order then: compare `version` in their data with what you have stored.',
  reply: z.strictObject({ replayed: z.int() }),
  errors: ['not-found'],
})
