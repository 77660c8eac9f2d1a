import { ActivationContent } from '../../contract/rules/activation-content.ts'
import type { ActivationFault, ActivationOrder, AppActivationPort } from '../platform/ports.ts'
import { callOut, refusals, type TokenService } from './outgoing.ts'

/** The provider's signing service, by the call in docs/guides/provider.md (APP-3). */
export function activationByHttp({
  url,
  token,
  report = () => {},
  timeoutMs = 10_000,
}: TokenService & { report?: (fault: ActivationFault) => void }): Extract<AppActivationPort, { by: 'service' }> {
  const target = new URL(url)
  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` }

  async function request(order: ActivationOrder) {
    try {
      const { status, body } = await callOut({
        url: target,
        method: 'POST',
        headers: { ...headers, 'idempotency-key': order.request },
        body: JSON.stringify(order),
        timeoutMs,
        maxBytes: 16_384,
      })
      if (status === 202) return 'accepted'
      if (refusals.has(status)) return 'refused'
      // Repeated all the same: the operator may correct the token meanwhile.
      if (status === 401 || status === 403) report('it refuses the token')
      if (status < 200 || status > 299) return 'unreachable'
      const content = readContent(body)
      if (content) return content
      report('its answer is not content as in docs/guides/provider.md')
      return 'refused'
    } catch {
      return 'unreachable'
    }
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
