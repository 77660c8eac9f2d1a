import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Instant, ProviderId } from '../fields.ts'
import { Webhook, WebhookState } from '../provider/webhooks.ts'

const params = { webhook: ProviderId }

export const listWebhooksAtDesk = endpoint('staff', 'GET /desk/api/operations/webhooks', {
  summary: 'Lists the webhooks, and the state of their deliveries',
  description: 'By name, with the hosts that the operator has allowed.',
  reply: z.strictObject({ items: z.array(WebhookState), hosts: z.array(z.string()) }),
})

export const putWebhookAtDesk = endpoint('staff', 'PUT /desk/api/operations/webhooks/:webhook', {
  summary: 'Sets where events are sent to from now on',
  description:
    'The answer for a new webhook has its secret, which is shown only once. It needs a recent sign-in at the OpenID provider.',
  params,
  body: Webhook,
  reply: z.strictObject({ secret: z.nullable(z.string()) }),
  errors: ['step-up-required', 'invalid-input', 'host-not-allowed'],
})

export const drawSecretAtDesk = endpoint('staff', 'POST /desk/api/operations/webhooks/:webhook/secret', {
  summary: 'Creates a new secret of a webhook; for a day the previous one signs as well',
  description: 'It is shown only once. It needs a recent sign-in at the OpenID provider.',
  params,
  reply: z.strictObject({ secret: z.string(), earlierEndsAt: Instant }),
  errors: ['step-up-required', 'not-found'],
})

export const removeWebhookAtDesk = endpoint('staff', 'DELETE /desk/api/operations/webhooks/:webhook', {
  summary: 'Removes a webhook, with its undelivered events',
  description: 'They are still in the feed.',
  params,
  errors: ['not-found'],
})

export const replayAtDesk = endpoint('staff', 'POST /desk/api/operations/webhooks/:webhook/replay', {
  summary: 'Sends all events of a webhook again that failed permanently',
  description: 'They arrive out of order then.',
  params,
  reply: z.strictObject({ replayed: z.int() }),
  errors: ['not-found'],
})
