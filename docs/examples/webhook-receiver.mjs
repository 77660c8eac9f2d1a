import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** Seconds by which a clock may be off; an older request is a replay. */
const tolerance = 300

/** Whether one of our secrets has signed these bytes recently (Standard Webhooks 1.0). */
export function isGenuine(secrets, headers, body, now = Date.now() / 1000) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers
  if (!id || !/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > tolerance) return false
  const given = signatures.split(' ').filter((signature) => signature.startsWith('v1,'))
  return secrets.some((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
    return given.some((text) => {
      const signature = Buffer.from(text.slice('v1,'.length), 'base64')
      return signature.length === expected.length && timingSafeEqual(signature, expected)
    })
  })
}

/**
 * Processes each event once. There are two `secrets` during a rotation. `seen` represents a table with a unique column: write
 * `webhook-id` there in the transaction in which `take` does its work, because an event can arrive more than once.
 */
export function receiver({ secrets, take, seen = new Map() }) {
  return createServer(async (request, response) => {
    try {
      const body = await buffer(request)
      if (!isGenuine(secrets, request.headers, body)) return response.writeHead(401).end()
      const id = request.headers['webhook-id']
      if (!seen.has(id)) seen.set(id, Promise.resolve(take(JSON.parse(body.toString('utf8')))))
      await seen.get(id).catch((error) => {
        seen.delete(id)
        throw error
      })
      response.writeHead(204).end()
    } catch {
      // Any status other than 2xx: the event will be sent again.
      response.writeHead(500).end()
    }
  })
}

/** `node webhook-receiver.mjs` prints each event. `WEBHOOK_SECRETS` has one secret, or two during a rotation, with a space between them. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { WEBHOOK_SECRETS = '', PORT = '8080' } = process.env
  const secrets = WEBHOOK_SECRETS.split(/\s+/).filter(Boolean)
  if (!secrets.length) throw new Error('Set WEBHOOK_SECRETS to the secret of the webhook.')
  const print = (line) => process.stdout.write(`${line}\n`)
  const server = receiver({ secrets, take: (event) => print(JSON.stringify(event)) })
  // Your proxy has the certificate, and sends on what comes to the address of the webhook.
  server.listen(Number(PORT), '127.0.0.1', () => print(`http://127.0.0.1:${server.address().port}`))
}
