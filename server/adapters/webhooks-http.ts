import { limits } from '../../contract/limits.ts'
import { callOut, faultOf } from './outgoing.ts'
import { DeliveryFailed, type WebhookPort } from './ports.ts'

/** Webhooks over HTTP. Any answer but 2xx, a redirect too, is a failure that may pass (R81). */
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
      throw new DeliveryFailed(faultOf(error), false)
    })
    if (status < 200 || status > 299) throw new DeliveryFailed(`HTTP ${status}`, false)
  },
}
