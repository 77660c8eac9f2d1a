import { createHmac, randomBytes } from 'node:crypto'

/** Standard Webhooks 1.0, symmetric: the key is 24 to 64 random bytes. */
export const drawSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** What proves who sent a body, and when: one signature for each secret that counts (R80). */
export function webhookHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): { [name: string]: string } {
  const timestamp = Math.floor(at.getTime() / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
