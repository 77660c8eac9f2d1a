import { callOut } from './outgoing.ts'
import type { TimestampAccountsPort } from './ports.ts'

/** Answers by which the provider says that this account's password is not to be set; all others are worth another try. */
const refusals = new Set([400, 404, 409, 410, 422])

/** The provider's own system over the call of docs/guides/provider.md. */
export function timestampAccountsByHttp({
  url,
  token,
  timeoutMs = 10_000,
}: {
  url: string
  token: string
  timeoutMs?: number
}): TimestampAccountsPort {
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
