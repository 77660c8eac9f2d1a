import { isIP } from 'node:net'
import { callOut } from './outgoing.ts'
import type { CountryPort } from './ports.ts'

/**
 * Asks a service by a URL with `{ip}` in its path or query, such as `https://ip2c.example/{ip}`. Its answer begins with
 * `1;PL` on success (PHO-2). Whatever goes wrong, the answer is "not known": the form goes on without it.
 * Throws at once when the template does not say where the address goes.
 */
export function countryByHttp({ url, timeoutMs = 2_000 }: { url: string; timeoutMs?: number }): CountryPort {
  const hostAlone = new URL(url.split('{ip}')[0]!).origin
  if (!url.includes('{ip}') || new URL(url).origin !== hostAlone)
    throw new Error('The country service needs {ip} in its path or query.')
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

/** Where the operator set no service. */
export const noCountryLookup: CountryPort = { lookUp: async () => undefined }
