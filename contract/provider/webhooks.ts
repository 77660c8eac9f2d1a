import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { endpoint, readsOne } from '../endpoint.ts'
import { patternText, Instant, ProviderId } from '../fields.ts'
import { limits } from '../limits.ts'
import { pageOf } from '../list-pages.ts'
import { EventType, ProviderEvent } from './events.ts'

// The URLs that events are sent to, in the format of Standard Webhooks 1.0. The provider sets them by its API; the operator
// configures the allowed hosts (R81).

export const Webhook = component(
  'Webhook',
  'Where events are sent to.',
  z.strictObject({
    url: described(
      'The address, on a host that the operator has allowed (`WEBHOOK_HOSTS`): `https://`, or `http://` within the operator’s own network.',
      patternText(limits.webhooks.urlLength, /^[^\s\p{Cc}\p{Cf}]+$/u).check(z.url()),
    ),
    types: described(
      'The kinds of events that are sent; null for all.',
      z.nullable(z.array(EventType).check(z.minLength(1))),
    ),
  }),
)

export const WebhookState = component(
  'WebhookState',
  'A webhook, and the state of its deliveries.',
  z.extend(Webhook, {
    webhook: described('The name of the webhook.', z.string()),
    waiting: described('Events that have not been delivered yet.', z.int()),
    failure: described('Why the oldest of them that was tried has failed; null if none has.', z.nullable(z.string())),
    deadLetters: described('Events that failed permanently.', z.int()),
    secrets: described(
      'The secrets that sign, newest first.',
      z.array(
        component(
          'WebhookSecret',
          'The life of a secret, which itself is never shown again.',
          z.strictObject({
            createdAt: Instant,
            endsAt: described('Until when a replaced one signs; null for the current one.', z.nullable(Instant)),
          }),
        ),
      ),
    ),
    createdAt: Instant,
  }),
)
export type WebhookState = z.infer<typeof WebhookState>

const Secret = described('`whsec_` and the key in base64, which is shown only once.', z.string())

export const putWebhook = endpoint('provider', 'PUT /provider/v1/webhooks/:webhook', {
  summary:
    'Sets where events are sent to from now on; the answer for a new webhook has its `secret`, which is shown only once',
  description:
    'The operator has to allow the host of `url` (`WEBHOOK_HOSTS`), else the answer is `host-not-allowed`. `types` null stands for all events. If you lose the `secret`, make a new one.',
  body: Webhook,
  reply: z.extend(WebhookState, {
    secret: described(
      '`whsec_` and the key in base64, which is shown only once; null if the webhook existed.',
      z.nullable(Secret),
    ),
  }),
  errors: ['invalid-input', 'host-not-allowed'],
})

export const getWebhook = endpoint('provider', 'GET /provider/v1/webhooks/:webhook', {
  summary: 'Returns a webhook and the state of its deliveries',
  impersonal: true,
  description:
    'How many events wait, why the oldest one has failed, how many have failed permanently, and the ages of its secrets. The secrets themselves are never shown again.',
  ...readsOne(WebhookState),
})

export const listWebhooks = endpoint('provider', 'GET /provider/v1/webhooks', {
  summary: 'Lists all webhooks, by id',
  impersonal: true,
  description: 'Pass `next` as `after` to get the next page; it is null on the last page.',
  query: z.strictObject({
    after: described('`next` of the previous page; without it, the list begins.', z.optional(ProviderId)),
  }),
  reply: pageOf(WebhookState),
})

export const removeWebhook = endpoint('provider', 'DELETE /provider/v1/webhooks/:webhook', {
  summary: 'Removes a webhook, with its undelivered events',
  description: 'No further events are sent to it. They are still in the feed.',
  errors: ['not-found'],
})

export const drawWebhookSecret = endpoint('provider', 'POST /provider/v1/webhooks/:webhook/secret', {
  summary: 'Creates a new secret; for a day the previous one signs as well',
  impersonal: true,
  description:
    'Add the new secret to your receiver, then remove the old one: both sign every event until `earlierEndsAt`.',
  reply: z.strictObject({
    secret: Secret,
    earlierEndsAt: described('Until when the previous secret signs as well.', Instant),
  }),
  errors: ['not-found'],
  idempotent: true,
})

export const listDeadLetters = endpoint('provider', 'GET /provider/v1/webhooks/:webhook/dead-letters', {
  summary: 'Lists events that failed permanently after a day of retries, in their order',
  impersonal: true,
  description: 'Each with its number of tries and the last failure. Pass `next` as `after` to get the next page.',
  query: z.strictObject({
    after: described(
      '`next` of the previous page; without it, the list begins.',
      z.optional(patternText(15, /^\d{1,15}$/)),
    ),
  }),
  reply: z.strictObject({
    items: described(
      'The events, in their order.',
      z.array(
        z.strictObject({
          event: ProviderEvent,
          tries: described('How often it was sent.', z.int()),
          failure: described('Why the last try failed.', z.string()),
        }),
      ),
    ),
    next: described('The `after` of the next page; null on the last page.', z.nullable(z.int())),
  }),
  errors: ['not-found'],
})

export const dropDeadLetters = endpoint('provider', 'DELETE /provider/v1/webhooks/:webhook/dead-letters', {
  summary: 'Drops permanently failed events up to the position `through`, so that none is dropped unseen',
  description:
    'Read the list first, and pass the position of the last event in it as `through`. The events are still in the feed.',
  query: z.strictObject({
    through: described('The `position` of the last event that you have read.', patternText(15, /^\d{1,15}$/)),
  }),
  reply: z.strictObject({ dropped: described('How many events were dropped.', z.int()) }),
  errors: ['not-found'],
})

export const replayDeadLetters = endpoint('provider', 'POST /provider/v1/webhooks/:webhook/replay', {
  summary: 'Retries all events that failed permanently',
  impersonal: true,
  description: 'They arrive out of order then: compare `version` in their data with what you have stored.',
  reply: z.strictObject({ replayed: described('How many events are sent again.', z.int()) }),
  errors: ['not-found'],
})
