import { createHmac, randomBytes } from 'node:crypto'
import { encryptionOf } from '../platform/encrypted-data/encrypted-columns.ts'

/** Standard Webhooks 1.0, symmetric: the key is 24 to 64 random bytes. */
export const drawSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const { encrypt: encryptSecret, decrypt: decryptSecret } = encryptionOf('webhook_secrets', 'secret')

/** Headers that prove the sender and the time of a body: one signature for each secret that is valid (R80). */
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
