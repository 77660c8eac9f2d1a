import { randomBytes, randomInt } from 'node:crypto'
import { tokenRoom } from '../../pki/pades/pades-sign.ts'
import { readTimestampAnswer, writeTimestampRequest } from '../../pki/timestamps/timestamp-token.ts'
import type { TimestampPort } from '../platform/ports.ts'
import { callOutRaw } from './outgoing.ts'

type Authority = { url: string; login: string; password: string; timeoutMs?: number }

/** Creates the adapter for a timestamp authority over HTTP (RFC 3161 §3.4), with an optional login and password (RFC 7617). */
export function timestampsByHttp({ url, login, password, timeoutMs = 10_000 }: Authority): TimestampPort {
  const target = new URL(url)
  const credentials = Buffer.from(`${login}:${password}`).toString('base64')
  return {
    async stamp(digest) {
      // A positive integer of full length, as DER requires.
      const nonce = new Uint8Array(randomBytes(16))
      nonce[0] = randomInt(0x40, 0x80)
      try {
        const { status, body } = await callOutRaw({
          url: target,
          method: 'POST',
          headers: {
            'content-type': 'application/timestamp-query',
            ...(login ? { authorization: `Basic ${credentials}` } : {}),
          },
          body: writeTimestampRequest(new Uint8Array(digest), nonce),
          timeoutMs,
          // A larger token would not fit into the signature, which has been made by then.
          maxBytes: tokenRoom,
        })
        return status === 200 ? readTimestampAnswer(new Uint8Array(body), digest, nonce) : 'unreachable'
      } catch {
        return 'unreachable'
      }
    },
  }
}
