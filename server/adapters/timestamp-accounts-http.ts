import { postingTo, refusals, type TokenService } from './outgoing.ts'
import type { TimestampAccountsPort } from '../platform/ports.ts'

/** The provider's system of timestamp accounts. */
export function timestampAccountsByHttp(service: TokenService): TimestampAccountsPort {
  const post = postingTo(service)
  return {
    setPassword: (account, password) =>
      post({ order: { account, password } }, ({ status }) => {
        if (status >= 200 && status < 300) return 'changed'
        return refusals.has(status) ? 'refused' : 'unreachable'
      }),
  }
}
