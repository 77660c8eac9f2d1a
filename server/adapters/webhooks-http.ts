import { limits } from '../../contract/limits.ts'
import { callOut, faultOf } from './outgoing.ts'
import { DeliveryFailed, type WebhookPort } from '../platform/ports.ts'
import { serviceFault } from './service-fault.ts'

/** Webhooks over HTTP. Any answer except 2xx, including a redirect, is a temporary failure (R81). */
export const webhooksByHttp: WebhookPort = {
  async post({ url, headers, body }) {
    const { status } = await callOut({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      timeoutMs: limits.webhooks.call * 1000,
      maxBytes: limits.webhooks.answer,
    }).catch((error: unknown) => {
      throw new DeliveryFailed(serviceFault('the webhook', faultOf(error), 'its address'), false)
    })
    if (status < 200 || status > 299) throw new DeliveryFailed(`The webhook answered with HTTP ${status}.`, false)
  },
}
