import { ActivationContent } from '../../contract/rules/activation-content.ts'
import type {
  ActivationFault,
  ActivationOrder,
  AppActivationPort,
  CertificateStatusPort,
  TimestampAccountsPort,
} from '../platform/ports.ts'
import { postingTo, refusals, type TokenService } from './outgoing.ts'

/** Creates the adapter for the provider's signing service (APP-3). */
export function activationByHttp({
  report = () => {},
  ...service
}: TokenService & { report?: (fault: ActivationFault) => void }): Extract<AppActivationPort, { by: 'service' }> {
  const post = postingTo(service)

  const request = (order: ActivationOrder) => {
    const headers = { accept: 'application/json', 'idempotency-key': order.request }
    return post({ order, headers, maxBytes: 16_384 }, ({ status, body }) => {
      if (status === 202) return 'accepted'
      if (refusals.has(status)) return 'refused'
      // Repeated all the same: the operator may correct the token meanwhile.
      if (status === 401 || status === 403) report('it refuses the token')
      if (status < 200 || status > 299) return 'unreachable'
      const content = readContent(body)
      if (content) return content
      report('its answer is not content as in docs/guides/provider.md')
      return 'refused'
    })
  }
  return { by: 'service', request, report }
}

function readContent(body: string): ActivationContent | undefined {
  try {
    return ActivationContent.safeParse(JSON.parse(body)).data
  } catch {
    return undefined
  }
}

/** Creates the adapter for the provider's certificate authority (STP-5). */
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

/** Creates the adapter for the provider's system of timestamp accounts. */
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
