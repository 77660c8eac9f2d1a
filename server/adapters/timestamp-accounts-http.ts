import { callOut, refusals, type TokenService } from './outgoing.ts'
import type { TimestampAccountsPort } from '../platform/ports.ts'

/** The provider's system, by the call in docs/guides/provider.md. */
export function timestampAccountsByHttp({ url, token, timeoutMs = 10_000 }: TokenService): TimestampAccountsPort {
  const target = new URL(url)
  return {
    async setPassword(account, password) {
      try {
        const { status } = await callOut({
          url: target,
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ account, password }),
          timeoutMs,
          maxBytes: 1024,
        })
        if (status >= 200 && status < 300) return 'changed'
        return refusals.has(status) ? 'refused' : 'unreachable'
      } catch {
        return 'unreachable'
      }
    },
  }
}
