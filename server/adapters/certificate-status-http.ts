import type { CertificateStatusPort } from '../platform/ports.ts'
import { callOut, refusals, type TokenService } from './outgoing.ts'

/** The provider's certificate authority, by the call in docs/guides/provider.md (STP-5). */
export function certificateStatusByHttp({ url, token, timeoutMs = 10_000 }: TokenService): CertificateStatusPort {
  const target = new URL(url)
  return {
    async change(order) {
      try {
        const { status } = await callOut({
          url: target,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${token}`,
            'idempotency-key': order.request,
          },
          body: JSON.stringify(order),
          timeoutMs,
          maxBytes: 1024,
        })
        if (status === 202) return 'accepted'
        if (status >= 200 && status < 300) return 'done'
        return refusals.has(status) ? 'refused' : 'unreachable'
      } catch {
        return 'unreachable'
      }
    },
  }
}
