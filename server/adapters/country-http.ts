import { isIP } from 'node:net'
import type { CountryPort } from '../platform/ports.ts'
import { callOut } from './outgoing.ts'

/**
 * Asks a service by a URL with `{ip}` in its path or query, such as `https://ip2c.example/{ip}`. Its answer begins with
 * `1;PL` on success (PHO-2). Every failure means "unknown", which the form accepts.
 */
export function countryByHttp({ url, timeoutMs = 2_000 }: { url: string; timeoutMs?: number }): CountryPort {
  return {
    async lookUp(address) {
      if (!isIP(address)) return undefined
      try {
        const target = new URL(url.replaceAll('{ip}', encodeURIComponent(address)))
        const { status, body } = await callOut({ url: target, method: 'GET', timeoutMs, maxBytes: 1024 })
        return status === 200 ? /^1;[A-Z]{2}(?=;|\s|$)/.exec(body)?.[0] : undefined
      } catch {
        return undefined
      }
    },
  }
}

/** Used if the operator configures no service. */
export const noCountryLookup: CountryPort = { lookUp: async () => undefined }
