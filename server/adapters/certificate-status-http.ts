import type { CertificateStatusPort } from '../platform/ports.ts'
import { postingTo, refusals, type TokenService } from './outgoing.ts'

/** The provider's certificate authority (STP-5). */
export function certificateStatusByHttp(service: TokenService): CertificateStatusPort {
  const post = postingTo(service)
  return {
    change: (order) =>
      post({ order, headers: { 'idempotency-key': order.request } }, ({ status }) => {
        if (status === 202) return 'accepted'
        if (status >= 200 && status < 300) return 'done'
        return refusals.has(status) ? 'refused' : 'unreachable'
      }),
  }
}
