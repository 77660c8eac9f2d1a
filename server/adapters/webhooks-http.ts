import { limits } from '../../contract/limits.ts'
import { DeliveryFailed, type WebhookPort } from '../platform/ports.ts'
import { callOut, faultOf } from './outgoing.ts'
import { serviceFault } from './service-fault.ts'

/** Webhooks over HTTP. Any answer except 2xx, including a redirect, is a temporary failure (R81). */
export const webhooksByHttp: WebhookPort = {
  async post({ name, url, headers, body }) {
    const { status } = await callOut({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      timeoutMs: limits.webhooks.callTimeout * 1000,
      maxBytes: limits.webhooks.answerBytes,
    }).catch((error: unknown) => {
      throw new DeliveryFailed(serviceFault(`the webhook ${name}`, faultOf(error), 'its address'), false)
    })
    if (status < 200 || status > 299)
      throw new DeliveryFailed(`The webhook ${name} answered with HTTP ${status}: ${remedyFor(status, name)}.`, false)
  },
}

/** Statuses of an address at which nothing is received. */
const noReceiver = new Set([404, 405, 410])

function remedyFor(status: number, name: string): string {
  if (status < 400 || noReceiver.has(status)) return `correct its address by sygnet webhooks put ${name} --url URL`
  if (status === 401 || status === 403) return 'check the secret with which it verifies signatures'
  return status < 500 ? 'its log says why' : 'if that stays, ask its operator'
}
